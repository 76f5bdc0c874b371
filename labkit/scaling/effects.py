"""Does what a method changes hold over sizes? A verdict from two tables run with the same sizes and seeds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from labkit.messages import folded, number, text
from labkit.scaling.intervals import (
    AtSize,
    Estimate,
    PerSize,
    Values,
    about_seeds,
    about_table,
    at_sizes,
    more_seeds,
    spread_at_sizes,
)
from labkit.scaling.student import MOST_SEEDS, seeds_needed, t_quantile
from labkit.scaling.table import Row, Seed, read
from labkit.scaling.trends import table_notes

_COLUMNS = ("size", "effect", "interval")


@dataclass(frozen=True, repr=False)
class Effect(PerSize):
    """How the effect of a method, method minus baseline, changes with size.

    Attributes
    ----------
    metric : the column that was looked at.
    verdict : "shrinks" or "grows" (its distance from zero), "flips" (its sign), "flat" (an effect, and no
        change of it that the runs can see) or "too noisy".
    seeds : in the order of the `values` in `per_size`.
    per_size : the effect at each size, sizes rising: mean and interval over seeds, and the value of each.
    overall : the effect averaged over the sizes.
    change : of the effect from the smallest size to the largest, along a line fitted over log(size).
    needed_seeds : how many seeds per size would probably tell; None when the verdict is not "too noisy".
    level : of the intervals; `overall` and `change` share its probability of a false alarm, half for each.
    diverged : rows whose metric was NaN or infinite, with the "table" they stood in, "a" (the baseline) or
        "b". Their seeds are left out at all sizes.
    notes : ids of further messages about the tables.
    """

    metric: str
    verdict: str
    seeds: tuple[Seed, ...]
    per_size: tuple[AtSize, ...]
    overall: Estimate
    change: Estimate
    needed_seeds: int | None
    level: float
    diverged: tuple[Row, ...] = ()
    notes: tuple[str, ...] = ()

    def text(self, lang: str | None = None) -> str:
        """Return the verdict in words, with its reasons and caveats."""
        parts = [
            text(
                "scaling.effect_at",
                lang,
                size=number(at.size),
                mean=number(at.mean),
                low=number(at.low),
                high=number(at.high),
            )
            for at in self.per_size
        ]
        each = text("scaling.effect_each", lang, parts="; ".join(parts))
        return " ".join([self._verdict(lang), each, *self._caveats(lang)])

    def _verdict(self, lang: str | None) -> str:
        values = {
            "metric": self.metric,
            "sizes": ", ".join(map(number, self.sizes)),
            "seeds": len(self.seeds),
            "small": number(self.sizes[0]),
            "large": number(self.sizes[-1]),
            "change_low": number(self.change.low),
            "change_high": number(self.change.high),
            "mean": number(self.overall.value),
            "low": number(self.overall.low),
            "high": number(self.overall.high),
        }
        return text(f"scaling.effect_{self.verdict.replace(' ', '_')}", lang, **values)

    def _caveats(self, lang: str | None) -> list[str]:
        said = about_seeds(self.level, self.seeds, lang)
        if self.needed_seeds is not None:
            said.insert(0, more_seeds(self.needed_seeds, self.seeds, MOST_SEEDS, lang))
        return [*said, *about_table(self.diverged, self.notes, lang)]

    def _table(self) -> str:
        """Return mean and interval at each size, one below the other."""
        half = max(self.per_size[0].high - self.per_size[0].mean, 1e-9)
        digits = max(0, 1 - math.floor(math.log10(half)))
        head = [text(f"scaling.column_{which}", level=number(100 * self.level)) for which in _COLUMNS]
        lines = [head]
        for at in self.per_size:
            mean, low, high = (f"{value:,.{digits}f}" for value in (at.mean, at.low, at.high))
            lines.append([number(at.size), mean, f"[{low}, {high}]"])
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join(
            "   ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)) for line in lines
        )

    def __str__(self) -> str:
        caveats = folded(" ".join(self._caveats(None)))
        return "\n\n".join(filter(None, [folded(self._verdict(None)), self._table(), caveats]))

    __repr__ = __str__  # what a notebook shows


def effect(
    table_a: Any, table_b: Any, metric: str = "loss", level: float = 0.95, *, size: str = "size"
) -> Effect:
    """Say whether the effect of a method shrinks, grows, flips or stays with size, or is too noisy to tell.

    How the verdict is made. The effect is b minus a for each seed and size: what the seed does to both runs
    alike cancels (paired seeds: arXiv 2512.24145). The spread of these differences over seeds is pooled over
    all sizes, Student's t with sizes x (seeds - 1) degrees of freedom; this supposes about the same spread at
    all sizes, and effects that do not depend on each other from size to size. A line over log(size) is fitted
    to the effects. Two questions share the probability of a false alarm, 1 - level, half for each: does the
    effect change along the line, and is there an effect at all, on average?

    - "shrinks", "grows": the change is clear, and the mean effect is clearly on the side of zero that makes
      this a shrinking or a growing (one-sided).
    - "flips": the change is clear, and so are both ends of the line, on opposite sides of zero (one-sided
      each: both must hold, so neither is made stricter; R. L. Berger, Technometrics 24(4), 1982). Effects
      clearly on opposite sides at any two single sizes count as well, at a level shared among the sizes.
    - "flat": the change is not clear, the mean effect is, and had the effect vanished towards either end,
      that would have been seen.
    - "too noisy": everything else, with the number of seeds that would probably tell (80 % probability;
      Colas, Sigaud, Oudeyer, arXiv 1806.08295).

    Parameters
    ----------
    table_a, table_b : the runs of the baseline and of the method, in any form that `trend` takes; the same
        sizes and seeds in both.
    metric : the column to look at.
    level : probability that an interval holds the truth, 0.5 or more and below 1.
    size : the column with the sizes, positive numbers such as parameters or widths.

    Raises
    ------
    TableError
        Listing everything that is wrong with either table.
    """
    names = [text("scaling.name_a"), text("scaling.name_b")]
    a, b = read(dict(zip(names, (table_a, table_b), strict=True)), metric, size, level)
    values = b.values - a.values
    line = _Line(a.sizes, values, level)
    verdict = line.verdict()
    return Effect(
        metric=metric,
        verdict=verdict,
        seeds=a.seeds,
        per_size=at_sizes(a.sizes, values, level),
        overall=line.estimate(line.mean, line.shared),
        change=line.estimate(line.change, line.shared),
        needed_seeds=line.needed_seeds() if verdict == "too noisy" else None,
        level=level,
        diverged=tuple({**row, "table": name} for name, t in (("a", a), ("b", b)) for row in t.diverged),
        notes=table_notes(a, b) + (() if values.any() else ("scaling.same_values",)),
    )


class _Line:
    """A straight line over log(size) through effects of shape (sizes, seeds).

    Each quantity is a weighted sum of the effects at the sizes, given by its weights: `mean` over the sizes,
    `change` from the first to the last, `first` and `last` on the line.
    """

    def __init__(self, sizes: tuple[float, ...], values: Values, level: float) -> None:
        self.count, self.seeds = len(values), len(values[0])
        self.effects = values.mean(axis=1)
        self.spread = spread_at_sizes(values)
        self.one_sided, self.shared = 2 * (1 - level), (1 - level) / 2
        log_size = np.log(sizes)
        log_size -= log_size.mean()
        slope = log_size / (log_size @ log_size)
        self.mean = np.full(self.count, 1 / self.count)
        self.change = slope * (log_size[-1] - log_size[0])
        self.first, self.last = (self.mean + slope * end for end in (log_size[0], log_size[-1]))

    def degrees(self, seeds: int) -> int:
        return self.count * (seeds - 1)

    def half(self, weights: Values, alpha: float) -> float:
        """Return half the interval's length, with `alpha` outside of it on both sides together."""
        quantile = t_quantile(1 - alpha / 2, self.degrees(self.seeds))
        return quantile * self.spread * float(np.linalg.norm(weights)) / math.sqrt(self.seeds)

    def estimate(self, weights: Values, alpha: float) -> Estimate:
        value, half = float(weights @ self.effects), self.half(weights, alpha)
        return Estimate(value=value, low=value - half, high=value + half)

    def clear(self, weights: Values, alpha: float) -> int:
        """Return the sign of what is clearly away from zero, else 0."""
        found = self.estimate(weights, alpha)
        return int(found.low > 0) - int(found.high < 0)

    def verdict(self) -> str:
        change, mean = (self.clear(w, self.shared) for w in (self.change, self.mean))
        ends = self.clear(self.first, self.one_sided) * self.clear(self.last, self.one_sided)
        singly = {self.clear(w, self.one_sided / self.count) for w in np.eye(self.count)}
        if (change and ends < 0) or {-1, 1} <= singly:
            return "flips"
        side = self.clear(self.mean, self.one_sided)
        if change and side:
            return "grows" if change == side else "shrinks"
        vanishing = 2 * abs(
            float(self.mean @ self.effects)
        )  # the change of an effect that is zero at one end
        return (
            "flat"
            if mean and not change and self.half(self.change, self.shared) <= vanishing
            else "too noisy"
        )

    def needed_seeds(self) -> int:
        """Return how many seeds would decide the question that is nearest to being decided."""
        if self.clear(self.change, self.shared):
            side = self.enough(self.mean, self.one_sided)
            return min(side, max(self.enough(end, self.one_sided) for end in (self.first, self.last)))
        return min(self.enough(self.change, self.shared), self.enough(self.mean, self.shared))

    def enough(self, weights: Values, alpha: float) -> int:
        error_of_one = self.spread * float(np.linalg.norm(weights))
        seen = float(weights @ self.effects)
        return seeds_needed(seen, error_of_one, self.degrees, alpha, least=self.seeds + 1)
