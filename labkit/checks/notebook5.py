"""Rubrics of notebook 5, "Toy upscaling", on experiments and figures (5.1, 5.4 to 5.7)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from labkit.checks.core import AnswerError, Remark, part, right, rubric, wrong
from labkit.checks.picks import graded_picks, slug
from labkit.checks.plain import JSON, shown
from labkit.checks.shapes import as_number, choice, fields, from_above, near
from labkit.messages import number

RULES = {
    "hidden weights not divided by k": "hidden",
    "second moment divided by k": "second_moment",
    "learning rate not scaled": "learning_rate",
    "attention scale 1/sqrt(head size)": "attention",
    "readout bias scaled": "readout_bias",
}
CHANGED = {
    "A": "learning rate not scaled",
    "B": "readout bias scaled",
    "C": "hidden weights not divided by k",
    "D": "second moment divided by k",
}
CLAIMS = {"A": "may", "B": "may not", "C": "may", "D": "may not", "E": "may not", "F": "may"}
MUP_PANEL = "right"


@rubric("5.1", points=1)
def predicted_jump(answer: JSON) -> Iterator[Remark]:
    """Grade that a prediction was made for the loss right after widening, not how good it is."""
    yield part(1, _predicted_jump, answer)


def _predicted_jump(answer: JSON) -> Remark:
    choice(answer, "prediction", ("jumps up", "stays the same", "falls"))
    return right("checks.5_1.right")


@rubric("5.4", points=2)
def changed_rules(answer: JSON) -> Iterator[Remark]:
    """Grade which rule of widening was changed in each of four experiments, half a point each."""

    def about(experiment: str, picked: str) -> Remark:
        if picked == CHANGED[experiment]:
            return right(f"checks.5_4.{experiment}_right")
        return wrong(f"checks.5_4.not_{RULES[picked]}", name=experiment)

    yield from graded_picks(answer, CHANGED, tuple(RULES), 0.5, about)


@dataclass(frozen=True)
class _Noise:
    """One row of the sweep; `mean` is NaN where a run diverged."""

    noise: float
    mean: float
    error: float


@rubric("5.5", points=2)
def noise(answer: JSON) -> Iterator[Remark]:
    """Grade a noise whose mean loss cannot be told from the lowest: within two errors of it."""
    sweep, picked = fields(answer, "sweep", "noise")
    yield part(2, _noise, sweep, picked)


def _noise(sweep: JSON, picked: JSON) -> Remark:
    given = as_number(picked, "chosen_noise")
    rows = _read_sweep(sweep)
    if given == 0:
        return wrong("checks.5_5.zero")
    row = next((row for row in rows if near(given, row.noise, 1e-3)), None)
    if row is None or given < 0:
        tried = ", ".join(shown(r.noise) for r in rows if r.noise > 0)
        return wrong("checks.5_5.not_tried", given=shown(picked), tried=tried)
    if math.isnan(row.mean):
        return wrong("checks.5_5.diverged", given=given)
    best = min((r for r in rows if r.noise > 0 and not math.isnan(r.mean)), key=lambda r: r.mean)
    if row is best:
        return right("checks.5_5.best")
    difference, error = row.mean - best.mean, math.hypot(row.error, best.error)
    words = number(difference, 2), number(error, 2)
    if difference <= 2 * error:
        return right("checks.5_5.as_good", difference=words[0], error=words[1])
    side = "too_much" if row.noise > best.noise else "too_little"
    return wrong(f"checks.5_5.{side}", given=given, difference=words[0], error=words[1])


def _read_sweep(sweep: JSON) -> list[_Noise]:
    rows = [_read_row(row) for row in sweep] if isinstance(sweep, list) else []
    if all(row.noise <= 0 or math.isnan(row.mean) for row in rows):
        raise AnswerError("checks.run_cells_above", name="sweep", given=shown(sweep))
    return rows


def _read_row(row: JSON) -> _Noise:
    if not isinstance(row, list) or len(row) != 3:
        raise AnswerError("checks.run_cells_above", name="sweep", given=shown(row))
    tried, mean, error = row
    try:
        loss, spread = as_number(mean, "loss"), as_number(error, "standard error")
    except AnswerError:
        loss = spread = math.nan
    return _Noise(from_above(tried, "sweep", low=0.0), loss, spread)


@rubric("5.6", points=2)
def transfer(answer: JSON) -> Iterator[Remark]:
    """Grade which panel shows muP, and a rate for the large width: the small one's best up to twice that.

    In the recorded map the best rate of the larger widths is one step of the grid, a factor 2, higher.
    """
    panel, rate, best_small = fields(answer, "mup", "rate_at_large", "best_small")
    yield part(1, _panel, panel)
    yield part(1, _rate_at_large, rate, best_small)


def _panel(panel: JSON) -> Remark:
    picked = choice(panel, "mup_side", ("left", "right"))
    return right("checks.5_6.panel_right") if picked == MUP_PANEL else wrong("checks.5_6.panel_wrong")


def _rate_at_large(rate: JSON, best_small: JSON) -> Remark:
    given = as_number(rate, "rate_at_large")
    best = from_above(best_small, "best_small", low=1e-12)
    if given <= 0:
        return wrong("checks.5_6.not_positive", given=shown(rate))
    if 0.98 * best <= given <= 2.04 * best:  # up to rounding
        return right("checks.5_6.rate_right")
    return wrong("checks.5_6.too_high" if given > best else "checks.5_6.too_low", given=shown(rate))


@rubric("5.7", points=3)
def claims(answer: JSON) -> Iterator[Remark]:
    """Grade which of six sentences about upscaling may be claimed, half a point each."""

    def about(sentence: str, picked: str) -> Remark:
        if picked == CLAIMS[sentence]:
            return right(f"checks.5_7.{slug(picked)}_right", name=sentence)
        return wrong(f"checks.5_7.not_{slug(picked)}", name=sentence)

    yield from graded_picks(answer, CLAIMS, ("may", "may not"), 0.5, about)
