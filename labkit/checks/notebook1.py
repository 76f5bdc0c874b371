"""Rubrics of notebook 1, "Time a tiny run"."""

from __future__ import annotations

from collections.abc import Iterator

from labkit.checks.core import AnswerError, Remark, part, right, rubric, wrong
from labkit.checks.plain import JSON, shown
from labkit.checks.shapes import as_number, as_whole, choice, fields, from_above, near, unanswered

_FORECAST = ("low_s", "expected_s", "high_s")


@rubric("1.1", points=1)
def prediction(answer: JSON) -> Iterator[Remark]:
    """Grade that a step time in ms was predicted, not how good the prediction is."""
    yield part(1, _prediction, answer)


def _prediction(answer: JSON) -> Remark:
    milliseconds = as_number(answer, "predicted_ms")
    if milliseconds <= 0:
        return wrong("checks.1_1.not_positive", given=shown(answer))
    return right("checks.1_1.right")


@rubric("1.2", points=1)
def best_summary(answer: JSON) -> Iterator[Remark]:
    """Grade which number, times the number of steps, predicts a long run best: the mean."""
    yield part(1, _best_summary, answer)


def _best_summary(answer: JSON) -> Remark:
    picked = choice(answer, "best_number", ("first step", "median", "mean"))
    if picked == "mean":
        return right("checks.1_2.right")
    return wrong("checks.1_2.median", 0.5) if picked == "median" else wrong("checks.1_2.first_step")


@rubric("1.3", points=2)
def max_speedup(answer: JSON) -> Iterator[Remark]:
    """Grade the speed-up if waiting cost nothing: 1 / (1 - waiting fraction), which is Amdahl's law.

    Rounding by hand (5 %) is fine, unless the value is that of a usual mistake.
    """
    yield part(2, _max_speedup, *fields(answer, "data_wait_fraction", "max_speedup"))


def _max_speedup(fraction: JSON, speedup: JSON) -> Remark:
    given = as_number(speedup, "max_speedup")
    wait = from_above(fraction, "data_wait_fraction", low=0.0, below=1.0)
    truth = 1 / (1 - wait)
    if given <= 0:
        return wrong("checks.1_3.not_positive", given=shown(speedup))
    half_way = {"time_left": 1 - wait, "gain": wait / (1 - wait)}
    no_points = {"fraction": wait, "inverse": 1 / wait if wait else 0.0, "one_plus": 1 + wait}
    usual = [*half_way.values(), *no_points.values()]
    mistaken = any(near(given, value, 0.01) for value in usual) and not near(given, truth)
    if near(given, truth, 0.05) and not mistaken:
        return right("checks.1_3.right")
    for name, value in half_way.items():
        if near(given, value):
            return wrong(f"checks.1_3.{name}", 1)
    for name, value in no_points.items():
        if near(given, value):
            return wrong(f"checks.1_3.{name}")
    if given < 1:
        return wrong("checks.1_3.below_one", given=shown(speedup))
    return wrong("checks.1_3.too_high" if given > truth else "checks.1_3.too_low", given=shown(speedup))


@rubric("1.4", points=2)
def steps_lost(answer: JSON) -> Iterator[Remark]:
    """Grade how many steps a kill costs: those since the last checkpoint, killed_at mod checkpoint_every."""
    yield part(2, _steps_lost, *fields(answer, "killed_at", "checkpoint_every", "steps_lost"))


def _steps_lost(killed_at: JSON, checkpoint_every: JSON, answer: JSON) -> Remark:
    given = as_whole(answer, "steps_lost")
    killed = int(from_above(killed_at, "killed_at", low=0))
    every = int(from_above(checkpoint_every, "checkpoint_every", low=1))
    lost = killed % every
    if given == lost:
        return right("checks.1_4.right")
    for name, (value, points) in _usual_losses(killed, every).items():
        if given == value:
            return wrong(f"checks.1_4.{name}", points)
    if given < 0:
        return wrong("checks.1_4.negative", given=shown(answer))
    if given >= every:
        return wrong("checks.1_4.more_than_an_interval", given=shown(answer))
    close = abs(given - lost) == 1
    return wrong("checks.1_4.off_by_one", 1) if close else wrong("checks.1_4.off", given=shown(answer))


def _usual_losses(killed: int, every: int) -> dict[str, tuple[int, float]]:
    """Return the usual mistakes: name → what it gives, and its points."""
    lost = killed % every
    mistakes: dict[str, tuple[int, float]] = {"nothing_lost": (0, 0)}
    if killed >= every:
        mistakes["last_checkpoint"] = (killed - lost, 1)
        mistakes["to_next"] = (every - lost, 1)
        mistakes["everything"] = (killed, 0)
        mistakes["checkpoints"] = (killed // every, 0)
    return mistakes


@rubric("1.5", points=2)
def forecast(answer: JSON) -> Iterator[Remark]:
    """Grade a forecast: a range in order, and an expectation of mean step x steps + fixed costs."""
    mean_s, steps, fixed_s, given = fields(answer, "mean_s", "steps", "fixed_s", "forecast")
    if given is None:
        raise unanswered("forecast")
    if isinstance(given, bool) or not isinstance(given, dict | int | float):
        raise AnswerError("checks.1_5.not_a_forecast", given=shown(given))
    if isinstance(given, dict) and not given.keys() >= set(_FORECAST):
        raise AnswerError(f"checks.1_5.{_what_it_is(given)}", given=shown(given))
    yield part(1, _range, given)
    yield part(1, _expectation, given, mean_s, steps, fixed_s)


def _what_it_is(given: dict[str, JSON]) -> str:
    """Tell apart the objects that a student may take for the forecast."""
    if given.keys() >= {"median_s", "mean_s"}:
        return "measurement"
    return "run_time" if given.keys() >= {"kind", "minutes"} else "not_a_forecast"


def _range(given: dict[str, JSON] | float) -> Remark:
    if not isinstance(given, dict):
        return wrong("checks.1_5.one_number", given=shown(given))
    low, expected, high = (as_number(given[n], f"forecast.{n}") for n in _FORECAST)
    if not 0 < low <= expected <= high:
        return wrong("checks.1_5.order", low=low, expected=expected, high=high)
    return right("checks.1_5.range_right")


def _expectation(given: dict[str, JSON] | float, mean_s: JSON, steps: JSON, fixed_s: JSON) -> Remark:
    mean, count, fixed = (
        from_above(v, n, low=0) for v, n in ((mean_s, "mean_s"), (steps, "steps"), (fixed_s, "fixed_s"))
    )
    told = given if isinstance(given, dict) else {"expected_s": given}
    expected = as_number(told.get("expected_s"), "forecast.expected_s")
    if near(expected, mean * count + fixed, 0.05):
        return right("checks.1_5.expected_right")
    if near(expected, mean * count, 0.05):
        return wrong("checks.1_5.no_fixed", 0.5)
    if told.get("steps", count) != count:
        return wrong("checks.1_5.other_steps", given=shown(told.get("steps")), steps=count)
    high = expected > mean * count + fixed
    return wrong("checks.1_5.too_high" if high else "checks.1_5.too_low", given=expected)
