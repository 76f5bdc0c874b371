"""Does a metric change steadily with size? A verdict with its reasons, from runs over sizes and seeds."""

from __future__ import annotations

import itertools
import math
import reprlib
from dataclasses import dataclass, field
from typing import Any

from labkit.forecast import is_number
from labkit.messages import folded, number, text
from labkit.scaling.intervals import (
    AtSize,
    PerSize,
    Step,
    about_seeds,
    about_table,
    at_sizes,
    difference,
    more_seeds,
    spread_between_sizes,
)
from labkit.scaling.student import MOST_SEEDS, seeds_needed, t_quantile
from labkit.scaling.table import Row, Seed, Table, read

SAME = 0.01  # of the mean: one per cent of a loss is what people call "the same" before they look closer


@dataclass(frozen=True, repr=False)
class Trend(PerSize):
    """How a metric changes with size.

    Attributes
    ----------
    metric : the column that was looked at.
    verdict : "steady" (one direction over all sizes), "not steady" (it clearly falls between some sizes and
        clearly rises between others) or "too noisy".
    direction : "falls", "rises" or "flat" from the smallest size to the largest; "unclear" where the runs
        cannot tell. A trend can fall as a whole and be too noisy to be called steady.
    seeds : in the order of every `values` below.
    per_size : mean, interval and values at each size, sizes rising.
    steps : the changes between neighbouring sizes, paired by seed.
    overall : the change from the smallest size to the largest, with the interval that the direction rests on.
    turn : when not steady, the largest fall and the largest rise, in the order of their sizes.
    needed_seeds : how many seeds per size would probably tell; None when the verdict is not "too noisy".
    level : of the intervals.
    diverged : rows whose metric was NaN or infinite. Their seeds are left out at all sizes.
    notes : ids of further messages about the table.
    """

    metric: str
    verdict: str
    direction: str
    seeds: tuple[Seed, ...]
    per_size: tuple[AtSize, ...]
    steps: tuple[Step, ...]
    overall: Step
    turn: tuple[Step, ...]
    needed_seeds: int | None
    level: float
    diverged: tuple[Row, ...] = ()
    notes: tuple[str, ...] = field(default=())

    def text(self, lang: str | None = None) -> str:
        """Return the verdict in words, with its reasons and caveats."""
        kind = {"steady": self.direction, "not steady": "not_steady", "too noisy": "too_noisy"}[self.verdict]
        if self.verdict == "too noisy" and self.direction != "unclear":
            kind = f"{self.direction}_but_noisy"
        low, high = sorted(map(abs, (self.overall.low, self.overall.high)))
        if not self.overall.clear:
            low, high = self.overall.low, self.overall.high
        values = {
            "metric": self.metric,
            "small": number(self.overall.small),
            "large": number(self.overall.large),
            "sizes": ", ".join(map(number, self.sizes)),
            "seeds": len(self.seeds),
            "change": number(abs(self.overall.mean)),
            "low": number(low),
            "high": number(high),
        }
        said = [text(f"scaling.trend_{kind}", lang, **values)]
        for step in self.turn:
            which = "scaling.turn_falls" if step.mean < 0 else "scaling.turn_rises"
            change = number(abs(step.mean))
            said.append(text(which, lang, small=number(step.small), large=number(step.large), change=change))
        if self.needed_seeds is not None:
            said.append(more_seeds(self.needed_seeds, self.seeds, MOST_SEEDS, lang))
        said += about_seeds(self.level, self.seeds, lang)
        return " ".join([*said, *about_table(self.diverged, self.notes, lang)])

    def __str__(self) -> str:
        return folded(self.text())

    def __repr__(self) -> str:
        return folded(self.text())  # what a notebook shows


def trend(
    table: Any, metric: str = "loss", level: float = 0.95, *, size: str = "size", same: float = SAME
) -> Trend:
    """Say whether a metric changes steadily with size, or that the runs are too noisy to tell.

    How the verdict is made. Sizes are compared seed by seed, which cancels what a seed does to all of them
    (paired seeds: arXiv 2512.24145). The spread of these differences is pooled over all sizes, so that even
    two or three seeds give usable intervals: Student's t with (sizes - 1) x (seeds - 1) degrees of freedom.
    Two questions share the probability of a false alarm, 1 - level, half for each (with two sizes there is
    only the first):

    1. Is there a change from the smallest size to the largest? It is clear if its interval leaves out zero.
    2. Does it turn on the way? "Not steady" needs both a fall and a rise between sizes, each clear in a
       one-sided test (both must hold: R. L. Berger, Technometrics 24(4), 1982); the question's half is shared
       among the sizes at which a trend can turn.

    "Steady" is a clear change without a turn, if every single step goes the same way (or is so well known
    that `same` would have shown: it levels off). "Flat" is no clear change, if one of `same` would have been
    seen, as in a test of equivalence: one-sided, at `level`. Everything else is "too noisy", with the number
    of seeds that would probably tell (80 % probability; Colas, Sigaud, Oudeyer, arXiv 1806.08295). The
    sign-flip p of each step is shown beside its interval but does not decide: three seeds can never bring it
    below 0.25.

    Three sizes with three seeds tell a steady trend nearly always if each step is three standard errors or
    more; two sizes with two or three seeds often cannot, and then say so: t is 12.7 and 4.3 there, not 2. The
    pooled intervals suppose about the same spread at all sizes; spreads that differ by a factor of three
    hardly change how often a verdict is wrong (measured in tests/benchmarks/scaling_verdicts.py).

    Parameters
    ----------
    table : list of rows (dicts), list of (size, seed, value), or a DataFrame; every size with the same seeds.
    metric : the column to look at.
    level : probability that an interval holds the truth, 0.5 or more and below 1.
    size : the column with the sizes, positive numbers such as parameters or widths.
    same : the change that counts as none, as a share of the mean.

    Raises
    ------
    TableError
        Listing everything that is wrong: one size or one seed, missing or doubled runs, unusable values.
    """
    bad_same = [] if is_number(same) and same >= 0 else [text("scaling.bad_same", given=reprlib.repr(same))]
    (grid,) = read({"table": table}, metric, size, level, other_problems=bad_same)
    return trend_of(grid, metric, level, same)


def trend_of(grid: Table, metric: str, level: float, same: float = SAME) -> Trend:
    """Return the verdict of `trend` on a table that has been read."""
    count, seeds = len(grid.sizes), len(grid.seeds)

    def degrees(n: int) -> int:
        return (count - 1) * (n - 1)

    error_of_one = math.sqrt(2) * spread_between_sizes(grid.values)
    error = error_of_one / math.sqrt(seeds)
    half = error * t_quantile((1 + level) / 2, degrees(seeds))
    alpha = (1 - level) / (1 if count == 2 else 2)
    overall_half = error * t_quantile(1 - alpha / 2, degrees(seeds))
    margin = same * abs(float(grid.values.mean()))
    overall = difference(grid, 0, count - 1, overall_half)
    steps = tuple(difference(grid, i, i + 1, half) for i in range(count - 1))
    turn = _turn(grid, error, level)
    against = [step for step in steps if step.mean * overall.mean <= 0 and half > margin]
    verdict, direction, undecided = "steady", "falls" if overall.mean < 0 else "rises", [overall]
    if not overall.clear:
        direction = "flat" if error * t_quantile(level, degrees(seeds)) <= margin and not turn else "unclear"
    if turn:
        verdict = "not steady"
    elif direction == "unclear" or (direction != "flat" and against):
        verdict, undecided = "too noisy", against if overall.clear else [overall]
    needed = [
        seeds_needed(max(abs(step.mean), margin), error_of_one, degrees, alpha, least=seeds + 1)
        for step in undecided
    ]
    return Trend(
        metric=metric,
        verdict=verdict,
        direction=direction,
        seeds=grid.seeds,
        per_size=at_sizes(grid.sizes, grid.values, level),
        steps=steps,
        overall=overall,
        turn=turn,
        needed_seeds=max(needed) if verdict == "too noisy" else None,
        level=level,
        diverged=grid.diverged,
        notes=table_notes(grid),
    )


def _turn(grid: Table, error: float, level: float) -> tuple[Step, ...]:
    """Return the largest fall and the largest rise, in the order of their sizes, if both are clear."""
    count, seeds = len(grid.sizes), len(grid.seeds)
    if count == 2:
        return ()
    quantile = t_quantile(1 - (1 - level) / 2 / (count - 2), (count - 1) * (seeds - 1))
    means = grid.values.mean(axis=1)
    pairs = sorted(itertools.combinations(range(count), 2), key=lambda ij: means[ij[1]] - means[ij[0]])
    found = [difference(grid, i, j, quantile * error) for i, j in sorted((pairs[0], pairs[-1]))]
    clear = all(step.clear for step in found) and found[0].mean * found[1].mean < 0
    return tuple(found) if clear else ()


def table_notes(*grids: Table) -> tuple[str, ...]:
    """Return the ids of what to say about the tables themselves."""
    return ("scaling.sorted",) if any(grid.sorted_for_you for grid in grids) else ()
