"""The parts that verdicts are made of: what was seen at one size, and between two sizes."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from labkit.messages import number, text
from labkit.scaling.student import sign_flip_p, smallest_flip_p, t_quantile
from labkit.scaling.table import Row, Seed, Table

Values = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Interval:
    """From `low` to `high`, in units of the metric unless said otherwise."""

    low: float
    high: float

    @property
    def clear(self) -> bool:
        """Whether the interval leaves out zero."""
        return self.low > 0 or self.high < 0


@dataclass(frozen=True, kw_only=True)
class Estimate(Interval):
    """A value with its interval."""

    value: float


@dataclass(frozen=True, kw_only=True)
class AtSize(Interval):
    """What the seeds gave at one size: their mean and its interval.

    Attributes
    ----------
    size : such as the number of parameters or the width.
    values : one per seed, in the order of the result's `seeds`.
    mean : of the values.
    """

    size: float
    values: tuple[float, ...]
    mean: float


class PerSize:
    """What results by size have in common; `per_size` holds what the seeds gave at each, sizes rising."""

    per_size: tuple[AtSize, ...]

    @property
    def sizes(self) -> tuple[float, ...]:
        """The sizes, rising."""
        return tuple(at.size for at in self.per_size)

    @property
    def means(self) -> tuple[float, ...]:
        """The mean over seeds at each size."""
        return tuple(at.mean for at in self.per_size)

    @property
    def intervals(self) -> tuple[tuple[float, float], ...]:
        """The interval of the mean at each size, (low, high)."""
        return tuple((at.low, at.high) for at in self.per_size)


@dataclass(frozen=True, kw_only=True)
class Step(Interval):
    """The change from one size to a larger one, seed by seed: the mean change and its interval.

    Attributes
    ----------
    small, large : the two sizes.
    values : large minus small, one per seed, in the order of the result's `seeds`.
    mean : of the values.
    p, smallest_p : p value of the two-sided sign-flip test, and the smallest that so many seeds can give.
    """

    small: float
    large: float
    values: tuple[float, ...]
    mean: float
    p: float
    smallest_p: float


def at_sizes(sizes: tuple[float, ...], values: Values, level: float) -> tuple[AtSize, ...]:
    """Return the mean at each size with its interval; `values` has the shape (sizes, seeds).

    The spread is pooled over the sizes, so that even two or three seeds tell something about it: Student's t
    of sizes x (seeds - 1) degrees of freedom.
    """
    count, seeds = values.shape
    half = t_quantile((1 + level) / 2, count * (seeds - 1)) * spread_at_sizes(values) / math.sqrt(seeds)
    means = values.mean(axis=1)
    return tuple(
        AtSize(size=size, values=tuple(row), mean=mean, low=mean - half, high=mean + half)
        for size, row, mean in zip(sizes, values.tolist(), means.tolist(), strict=True)
    )


def spread_at_sizes(values: Values) -> float:
    """Return the standard deviation over seeds, pooled over the sizes; `values` is (sizes, seeds)."""
    count, seeds = values.shape
    return _root_mean(values - values.mean(axis=1, keepdims=True), count * (seeds - 1), values)


def spread_between_sizes(values: Values) -> float:
    """Return the standard deviation that is left once each size and each seed has its own mean.

    What a seed does to all sizes alike cancels when sizes are compared seed by seed, and so it does here: the
    residuals of the two-way table, (sizes - 1) x (seeds - 1) degrees of freedom.
    """
    count, seeds = values.shape
    residual = values - values.mean(axis=1, keepdims=True) - values.mean(axis=0) + values.mean()
    return _root_mean(residual, (count - 1) * (seeds - 1), values)


def _root_mean(residual: Values, degrees: int, values: Values) -> float:
    """Return the root of the residuals' mean square, and not below what rounding leaves of the values."""
    rounding = 1e-14 * float(np.abs(values).max())
    return max(math.sqrt(float((residual**2).sum()) / degrees), rounding)


def difference(table: Table, i: int, j: int, half: float) -> Step:
    """Return the change from the i-th to the j-th size, plus or minus `half`."""
    values = table.values[j] - table.values[i]
    mean = float(values.mean())
    return Step(
        small=table.sizes[i],
        large=table.sizes[j],
        values=tuple(map(float, values)),
        mean=mean,
        low=mean - half,
        high=mean + half,
        p=sign_flip_p(values),
        smallest_p=smallest_flip_p(len(values)),
    )


def more_seeds(needed: int, seeds: tuple[Seed, ...], most: int, lang: str | None) -> str:
    """Say how many seeds would tell, when `seeds` of them do not."""
    which = "scaling.needed_too_many" if needed >= most else "scaling.needed"
    return text(which, lang, needed=number(needed), more=number(needed - len(seeds)), most=number(most))


def about_table(diverged: tuple[Row, ...], notes: tuple[str, ...], lang: str | None) -> list[str]:
    """Return what to know about the table besides the verdict: diverged runs, rows that were out of order."""
    said = []
    if diverged:
        places = [text("scaling.place", lang, size=number(r["size"]), seed=r["seed"]) for r in diverged]
        lost = ", ".join(dict.fromkeys(str(row["seed"]) for row in diverged))
        said.append(text("scaling.diverged", lang, rows=", ".join(places), seeds=lost))
    return [*said, *(text(note, lang) for note in notes)]


def about_seeds(level: float, seeds: tuple[Seed, ...], lang: str | None) -> list[str]:
    """Say, if it is so, that these are too few seeds for a test without a bell-shaped spread."""
    few = smallest_flip_p(len(seeds)) > 1 - level
    return [text("scaling.few_seeds", lang, seeds=len(seeds))] if few else []
