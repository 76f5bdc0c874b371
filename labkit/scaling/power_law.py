"""Fit a power law with a floor to a metric over sizes, and say how little few sizes pin it down.

    metric = floor + coefficient · size^(-exponent)

The form is that of Hoffmann et al., arXiv 2203.15556, for the loss of language models in their size; Kaplan
et al., arXiv 2001.08361, use it without a floor. What it says about larger sizes is a hint, not a promise.
"""

from __future__ import annotations

import math
import reprlib
from dataclasses import dataclass, field
from typing import Any

from labkit.forecast import is_number, is_whole
from labkit.messages import folded, number, text
from labkit.scaling.intervals import AtSize, Estimate, about_table, at_sizes
from labkit.scaling.profile import Fit
from labkit.scaling.table import Row, Seed, TableError, read, unwrapped
from labkit.scaling.trends import table_notes, trend_of

LEAST_SIZES = 3  # one for each parameter of the law


@dataclass(frozen=True, repr=False)
class PowerLaw:
    """A fitted power law. All intervals hold the truth with probability `level`.

    Attributes
    ----------
    metric : the column that was fitted.
    exponent : without unit.
    floor : what no size gets below, in units of the metric; never below 0.
    coefficient : in units of the metric, for size 1.
    seeds, per_size : the data, as in `Trend`.
    level : of the intervals and bands.
    diverged, notes : as in `Trend`.
    """

    metric: str
    exponent: Estimate
    floor: Estimate
    coefficient: Estimate
    seeds: tuple[Seed, ...]
    per_size: tuple[AtSize, ...]
    level: float
    fit: Fit = field(compare=False)
    diverged: tuple[Row, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def sizes(self) -> tuple[float, ...]:
        """The sizes, rising."""
        return tuple(at.size for at in self.per_size)

    def predict(self, size: float) -> float:
        """Return the fitted law at a size, in units of the metric.

        Raises
        ------
        ValueError
            If the size is not a finite number above 0, or so small that the law has no value there.
        """
        return self.fit.functional(1.0, self._checked(size)).value

    def band(self, size: float, seeds: int | None = None) -> tuple[float, float]:
        """Return the range, (low, high), that the metric at a size lies in with probability `level`.

        Parameters
        ----------
        size : any size, also one that was not run.
        seeds : None for the law itself, the mean over very many seeds; a number for the mean of so many runs,
            which spreads around the law.

        Raises
        ------
        ValueError
            If the size is not as for `predict`, or `seeds` not a whole number of at least 1.
        """
        seeds = unwrapped(seeds)
        if seeds is not None and not is_whole(seeds, least=1):
            raise ValueError(text("scaling.bad_seed_count", given=repr(seeds)))
        law = self.fit.functional(1.0, self._checked(size))
        runs = 0.0 if seeds is None else self.fit.quantile * self.fit.spread / math.sqrt(seeds)
        low = law.value - math.hypot(law.value - law.low, runs)
        return low, law.value + math.hypot(law.high - law.value, runs)

    def _checked(self, size: float) -> float:
        size = unwrapped(size)
        if not is_number(size) or size <= 0:
            raise ValueError(text("scaling.bad_size", column="size", given=reprlib.repr(size)))
        if not self.fit.reaches(size):
            raise ValueError(text("scaling.too_small", given=repr(size), smallest=number(self.sizes[0])))
        return float(size)

    def text(self, lang: str | None = None, size: float | None = None, seeds: int | None = None) -> str:
        """Return the law in words, with its uncertainty and its `band` at a size (None: the next in line)."""
        values = {"metric": self.metric, "percent": number(100 * self.level), "count": len(self.sizes)}
        for name in ("exponent", "floor", "coefficient"):
            found: Estimate = getattr(self, name)
            shown = {name: found.value, f"{name}_low": found.low, f"{name}_high": found.high}
            values |= {key: number(value) for key, value in shown.items()}
        said = [text("scaling.power_law", lang, **values)]
        asked = self.sizes[-1] ** 2 / self.sizes[-2] if size is None else size
        low, high = self.band(asked, seeds)
        said.append(
            text("scaling.hint", lang, size=number(asked), low=number(low), high=number(high), **values)
        )
        return " ".join([*said, *about_table(self.diverged, self.notes, lang)])

    def __str__(self) -> str:
        return folded(self.text())

    def __repr__(self) -> str:
        return folded(self.text())  # what a notebook shows


def fit_power_law(table: Any, metric: str = "loss", level: float = 0.9, *, size: str = "size") -> PowerLaw:
    """Fit metric = floor + coefficient · size^(-exponent) to the means over seeds, by least squares.

    Three sizes and three parameters: the curve can pass through all three means, so nothing in the data tests
    the form, and the intervals are wide. They are profile likelihood intervals, see `Fit`.

    Parameters
    ----------
    table : as for `trend`, with at least three sizes.
    metric : the column to fit: a loss or an error rate, above 0 and falling with size.
    level : probability that an interval or a band holds the truth, 0.5 or more and below 1.
    size : the column with the sizes, positive numbers such as parameters or widths.

    Raises
    ------
    TableError
        Listing everything that is wrong: fewer than three sizes, one seed, unusable or negative values, or a
        metric that clearly rises with size.
    """
    (grid,) = read({"table": table}, metric, size, level, fewest_sizes=LEAST_SIZES)
    problems = []
    if grid.values.min() <= 0:
        problems.append(text("scaling.not_positive", metric=metric, low=number(float(grid.values.min()))))
    if trend_of(grid, metric, level).direction == "rises":
        problems.append(text("scaling.rises", metric=metric))
    if problems:
        raise TableError(problems)
    fit = Fit(grid, level)
    return PowerLaw(
        metric=metric,
        exponent=fit.exponent(),
        floor=fit.functional(1.0, None),
        coefficient=fit.functional(0.0, 1.0),
        seeds=grid.seeds,
        per_size=at_sizes(grid.sizes, grid.values, level),
        level=level,
        fit=fit,
        diverged=grid.diverged,
        notes=table_notes(grid),
    )
