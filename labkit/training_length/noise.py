"""Gradient noise: how many more steps a noisier gradient needs for the same validation loss."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from labkit.forecast import is_number
from labkit.messages import number, text
from labkit.training_length.curves import VALIDATION_NAMES, Curve, named, read_curves
from labkit.training_length.result import Result, TrainingLengthError


@dataclass(frozen=True)
class StepsNeeded:
    """The steps that one kind of run needed.

    Attributes
    ----------
    label : what the runs have in common.
    seeds : each run's seed where its config names one, else its place from 0.
    steps : for each run the first evaluated step at or below the target, inf where none was.
    verdict : beside the baseline, "slower" or "faster" where the ranges lie apart, else "no difference seen";
        "not reached" if fewer than half of the runs got there; "baseline".
    """

    label: str
    seeds: tuple[int, ...]
    steps: tuple[float, ...]
    verdict: str

    @property
    def reached(self) -> int:
        """How many runs reached the target."""
        return sum(math.isfinite(step) for step in self.steps)

    @property
    def median(self) -> float:
        """The typical run's steps; inf if fewer than half reached the target."""
        return statistics.median_high(self.steps)

    @property
    def low(self) -> float:
        """The fastest run's steps."""
        return min(self.steps)

    @property
    def high(self) -> float:
        """The slowest run's steps; inf if one never reached the target."""
        return max(self.steps)


@dataclass(frozen=True, repr=False)
class GradientNoise(Result):
    """Steps to a validation loss, for several kinds of run.

    Attributes
    ----------
    verdict : "slower" (every kind beside the baseline), "mixed", "no difference seen" or "cannot tell".
    rows : one `StepsNeeded` for each kind of run, the baseline first.
    target, metric : the figure to reach.
    """

    verdict: str
    rows: tuple[StepsNeeded, ...]
    target: float
    metric: str

    def ratio(self, label: str) -> float:
        """Return the median steps of a kind of run over the baseline's; inf if it did not get there."""
        needed = {row.label: row.median for row in self.rows}
        if label not in needed:
            known = ", ".join(needed)
            raise TrainingLengthError([text("training_length.unknown_label", given=repr(label), known=known)])
        return needed[label] / self.rows[0].median if math.isfinite(self.rows[0].median) else math.nan

    @property
    def table(self) -> list[dict[str, Any]]:
        """One row per run, for a figure: "setting", "seed" and "steps" (None: not reached)."""
        return [
            {"setting": row.label, "seed": seed, "steps": int(steps) if math.isfinite(steps) else None}
            for row in self.rows
            for seed, steps in zip(row.seeds, row.steps, strict=True)
        ]

    @property
    def numbers(self) -> dict[str, Any]:
        """The target, and for each label the median, lowest and highest steps and the ratio."""
        return {
            "target": self.target,
            "metric": self.metric,
            **{
                row.label: {
                    "median": row.median,
                    "low": row.low,
                    "high": row.high,
                    "reached": row.reached,
                    "runs": len(row.steps),
                    "ratio": self.ratio(row.label),
                }
                for row in self.rows
            },
        }

    def reason(self, lang: str | None = None) -> str:
        """Return one line for each kind of run."""
        lines = [
            text(
                "training_length.noise_target",
                lang,
                metric=named(self.metric, lang),
                target=number(self.target),
            )
        ]
        for row in self.rows:
            values = {
                "label": row.label,
                "median": _shown(row.median),
                "low": _shown(row.low),
                "high": _shown(row.high),
                "reached": row.reached,
                "runs": len(row.steps),
                "ratio": _shown(self.ratio(row.label), 2),
            }
            lines.append(text("training_length.noise_" + row.verdict.replace(" ", "_"), lang, **values))
        return "\n".join(lines)


def gradient_noise(
    runs: Mapping[str, Any], target: float | None = None, metric: str | None = None
) -> GradientNoise:
    """Return how many steps each kind of run needs for the same validation loss.

    Smaller batches, augmentation, dropout and some other regularisation make the gradient noisier, which as
    a rule slows training (Deep Learning Tuning Playbook, CC BY 4.0). Three runs of each kind whose ranges lie
    apart come about by chance in one case of ten (both directions counted): 2 of 20 orders.

    Parameters
    ----------
    runs : label → histories over seeds (a list, a mapping from seed, or one); the first is the baseline.
    target : loss to reach; None takes the lowest that every run reached.
    metric : column to compare; None takes the validation loss.

    Raises
    ------
    TrainingLengthError
        Listing everything that is wrong.
    """
    if not isinstance(runs, Mapping) or len(runs) < 2:
        raise TrainingLengthError([text("training_length.noise_needs_two")])
    names = (metric,) if metric else VALIDATION_NAMES
    curves = {str(label): read_curves(histories) for label, histories in runs.items()}
    every = [curve for members in curves.values() for curve in members]
    metric = next((name for name in names if all(name in curve.columns for curve in every)), names[0])
    lowest = [_lowest(curve.column((metric,))) for curve in every]
    if target is None:
        target = max((low for low in lowest if math.isfinite(low)), default=math.nan)
    if not is_number(target):
        raise TrainingLengthError([text("training_length.bad_target", given=repr(target))])
    steps = {
        label: tuple(_steps_to(curve, metric, target) for curve in members)
        for label, members in curves.items()
    }
    seeds = {
        label: tuple(int(curve.config.get("seed", place)) for place, curve in enumerate(members))
        for label, members in curves.items()
    }
    baseline = next(iter(steps))
    rows = tuple(
        StepsNeeded(
            label, seeds[label], found, "baseline" if label == baseline else _compare(found, steps[baseline])
        )
        for label, found in steps.items()
    )
    return GradientNoise(_overall(rows), rows, float(target), metric)


def _steps_to(curve: Curve, metric: str, target: float) -> float:
    pairs = zip(curve.steps, curve.columns[metric], strict=True)
    return next((step for step, value in pairs if value <= target), math.inf)


def _lowest(values: tuple[float, ...]) -> float:
    return min((value for value in values if math.isfinite(value)), default=math.inf)


def _compare(steps: tuple[float, ...], baseline: tuple[float, ...]) -> str:
    if math.isinf(statistics.median_high(steps)):
        return "not reached"
    if min(steps) > max(baseline):
        return "slower"
    return "faster" if max(steps) < min(baseline) else "no difference seen"


def _overall(rows: tuple[StepsNeeded, ...]) -> str:
    if math.isinf(rows[0].median):
        return "cannot tell"
    found = {row.verdict for row in rows[1:]}
    if found <= {"slower", "not reached"}:
        return "slower"
    return "no difference seen" if found == {"no difference seen"} else "mixed"


def _shown(value: float, digits: int = 3) -> str:
    return number(value, digits) if math.isfinite(value) else "∞"
