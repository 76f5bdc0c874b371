"""Least squares for a power law with a floor, and the range of everything that the data leave open."""

from __future__ import annotations

import math

import numpy as np

from labkit.scaling.intervals import Estimate, Values, spread_at_sizes
from labkit.scaling.student import t_quantile
from labkit.scaling.table import Table

# The share of the reducible loss that is left at the largest size, relative to the smallest, is e^-x. From
# hardly any fall at all to one that is over before the second size, on whatever scale sizes are measured.
STEEPEST, SHALLOWEST = 20.0, 0.005
GRID = 400
LARGEST_LOG = 230.0  # of a power: its square is still a number


class Fit:
    """Least squares for the law, and what all laws compatible with the data have in common.

    For a given exponent the law is linear in floor and coefficient, so the laws whose sum of squares exceeds
    the least by no more than t² spread² / seeds form an ellipse, cut off where the floor would be below 0. A
    quantity's interval runs from its smallest to its largest value over the ellipses of all exponents: the
    profile likelihood interval, with Student's t for a spread known from few seeds (see D. M. Bates and D. G.
    Watts, Nonlinear Regression Analysis and Its Applications, 1988, chapter 6).

    Attributes
    ----------
    quantile : Student's t that belongs to the level.
    spread : standard deviation over seeds, pooled over the sizes.
    exponents : those of the compatible laws, shape (grid,).
    """

    def __init__(self, table: Table, level: float) -> None:
        count, seeds = table.values.shape
        self.sizes = np.array(table.sizes, dtype=float)
        self.means = table.values.mean(axis=1)
        self.spread = spread_at_sizes(table.values)
        self.quantile = t_quantile((1 + level) / 2, count * (seeds - 1))
        slack = (self.quantile * self.spread) ** 2 / seeds
        span = math.log(self.sizes[-1] / self.sizes[0])
        exponents = np.geomspace(SHALLOWEST, STEEPEST, GRID) / span
        for _ in range(3):  # zoom in on the compatible exponents
            self._solve(exponents)
            compatible = np.flatnonzero(self.squares <= self.squares.min() + slack)
            first, last = max(compatible[0] - 1, 0), min(compatible[-1] + 1, GRID - 1)
            exponents = np.geomspace(exponents[first], exponents[last], GRID)
        self._solve(exponents)
        self.best = int(self.squares.argmin())
        self.limit = self.squares[self.best] + slack

    def _solve(self, exponents: Values) -> None:
        """Find the best floor and coefficient for each exponent, with and without the floor held at 0."""
        self.exponents = exponents
        self.powers = (self.sizes / self.sizes[-1]) ** -exponents[
            :, None
        ]  # of relative size: well conditioned
        deviation = self.powers - self.powers.mean(axis=1, keepdims=True)
        self.curvature = (deviation**2).sum(axis=1)
        self.slope = deviation @ self.means / self.curvature
        self.floor = self.means.mean() - self.slope * self.powers.mean(axis=1)
        self.free_squares = self._squares(self.floor, self.slope)
        self.slope_at_0 = self.powers @ self.means / (self.powers**2).sum(axis=1)
        self.squares_at_0 = self._squares(np.zeros_like(self.floor), self.slope_at_0)
        self.squares = np.where(self.floor >= 0, self.free_squares, self.squares_at_0)

    def _squares(self, floor: Values, slope: Values) -> Values:
        law = floor[:, None] + slope[:, None] * self.powers
        return np.asarray(((self.means - law) ** 2).sum(axis=1))

    def reaches(self, size: float) -> bool:
        """Say whether all compatible laws have a value at a size, far below those that were run."""
        return bool(self.exponents[-1] * math.log(self.sizes[-1] / size) < LARGEST_LOG)

    def functional(self, floors: float, size: float | None) -> Estimate:
        """Return floors · floor + coefficient · size^(-exponent) with its interval, or the first part alone.

        Parameters
        ----------
        floors : how many times the floor is counted.
        size : None leaves the second part out.
        """
        weight = np.zeros(GRID) if size is None else (size / self.sizes[-1]) ** -self.exponents
        centre = floors * self.floor + weight * self.slope
        # the covariance of (floor, slope), but for the variance of a mean
        average = self.powers.mean(axis=1)
        along = weight - floors * average
        length2 = floors**2 / len(self.sizes) + along**2 / self.curvature
        radius = np.sqrt(np.maximum(self.limit - self.free_squares, 0))
        reach = radius * np.sqrt(length2)
        floor_reach = floors / len(self.sizes) - average * along / self.curvature
        floor_reach = radius * floor_reach / np.sqrt(np.maximum(length2, 1e-300))
        edge = np.sqrt(np.maximum(self.limit - self.squares_at_0, 0) / (self.powers**2).sum(axis=1))
        ends = []
        for sign in (-1, 1):
            free = self.floor + sign * floor_reach >= 0
            on_edge = weight * self.slope_at_0 + sign * np.abs(weight) * edge
            end = np.where(free, centre + sign * reach, on_edge)
            ends.append(end[np.where(free, self.free_squares, self.squares_at_0) <= self.limit])
        held = self.floor[self.best] < 0
        value = weight[self.best] * self.slope_at_0[self.best] if held else centre[self.best]
        return Estimate(value=float(value), low=float(ends[0].min()), high=float(ends[1].max()))

    def exponent(self) -> Estimate:
        """Return the best exponent with its interval."""
        compatible = self.exponents[self.squares <= self.limit]
        return Estimate(
            value=float(self.exponents[self.best]), low=float(compatible[0]), high=float(compatible[-1])
        )
