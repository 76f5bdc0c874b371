"""Spread a budget over rounds of tuning: many short trials first, very few long ones last."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Mapping, Sequence
from typing import Any

from labkit.forecast import is_number, is_whole
from labkit.messages import text
from labkit.timing import StepTimes
from labkit.training_length.result import TrainingLengthError
from labkit.training_length.tuning import Round, Rounds

SHORTEST = 0.1  # of production length: the shortest round; much can be answered there
FEWEST_SHORT = 3  # trials that a first round needs to compare anything
MOST_ROUNDS = 8
MOST_STEPS = 1e15  # that any budget pays for; more is a mistake of units


def rounds(
    budget_hours: float,
    step_time: StepTimes | float,
    production_steps: int,
    count: int = 2,
    *,
    shortest: float = SHORTEST,
    margin: float = 0.5,
    fixed_s: float = 0.0,
) -> Rounds:
    """Spread a budget over rounds of tuning with growing step limits.

    The lengths grow by the same factor from `shortest` × production length to production length. Each round
    gets an equal share of the hours, in whole trials, the last at least one; what is left over buys more of
    the shortest trials. The Deep Learning Tuning Playbook (CC BY 4.0) advises one to three rounds, two to
    start with, and many rounds of exponentially growing length only where nothing but compute counts.

    Parameters
    ----------
    budget_hours : machine hours for all rounds, margin included.
    step_time : `labkit.measure_steps(...)`, or seconds of one step.
    production_steps : steps of the runs that will count.
    count : how many rounds, 1 to 8.
    shortest : length of the first round's trials, as a share of production length.
    margin : share added for debugging and reruns, as in a compute plan.
    fixed_s : what each trial costs besides its steps, in seconds.

    Raises
    ------
    TrainingLengthError
        Listing every argument that cannot be used.
    """
    given = {"budget_hours": budget_hours, "step_time": step_time, "production_steps": production_steps}
    _check(given | {"count": count, "shortest": shortest, "margin": margin, "fixed_s": fixed_s})
    clock = step_time if isinstance(step_time, StepTimes) else None
    step_s, once_s = (clock.mean_s, clock.slow_start_s) if clock else (float(step_time), 0.0)  # type: ignore[arg-type]
    once_s += fixed_s
    seconds = 3600 * budget_hours / (1 + margin)
    shares = [shortest ** ((count - place) / (count - 1)) for place in range(1, count)] + [1.0]
    lengths = [math.floor(share * production_steps + 1e-9) for share in shares]
    trials = _trials(seconds, [once_s + steps * step_s for steps in lengths])
    short = FEWEST_SHORT if count > 1 else 0
    made = [(number_of, steps) for number_of, steps in zip(trials, lengths, strict=True) if number_of]
    return Rounds(
        verdict="fits" if made else "does not fit",
        rounds=tuple(
            Round(place, number_of, steps, *_minutes(clock, step_s, steps, fixed_s), steps / production_steps)
            for place, (number_of, steps) in enumerate(made, 1)
        ),
        budget_hours=float(budget_hours),
        margin=float(margin),
        production_steps=int(production_steps),
        longest_steps=max(0, math.floor((seconds - (1 + short) * once_s) / step_s / (1 + short * shortest))),
        measured=clock is not None,
        count=int(count),
    )


def _trials(seconds: float, costs: Sequence[float]) -> list[int]:
    """Return the number of trials of each round, from the cost of one trial in each; all 0 if it is too much.

    Filled from the last round to the first; each takes an equal share of what is left, as far as enough is
    left for the first one. A round between that could not even compare two trials, would have fewer than the
    next, or more than it leaves for the first, is left out (0).
    """
    short = FEWEST_SHORT * costs[0] if len(costs) > 1 else 0.0
    if _whole(seconds, costs[-1] + short) < 1:
        return [0] * len(costs)
    trials = [max(1, min(_whole(seconds / len(costs), costs[-1]), _whole(seconds - short, costs[-1])))]
    left = seconds - trials[0] * costs[-1]
    for place in range(len(costs) - 1, 0, -1):
        affordable = _whole(left / place, costs[place - 1])
        first = _whole(left - affordable * costs[place - 1], costs[0])
        enough = place == 1 or (affordable >= max(2, *trials) and first >= max(FEWEST_SHORT, affordable))
        trials.insert(0, affordable if enough else 0)
        left -= trials[0] * costs[place - 1]
    return trials


def _whole(seconds: float, cost: float) -> int:
    """Return how many trials fit; a tie fits."""
    return math.floor(seconds / cost + 1e-9)


def _minutes(
    clock: StepTimes | None, step_s: float, steps: int, fixed_s: float
) -> tuple[float, float, float]:
    """Return the expected, lowest and highest minutes of one trial."""
    if clock is None:
        minutes = (steps * step_s + fixed_s) / 60
        return minutes, minutes, minutes
    forecast = clock.forecast(steps, fixed_s)
    return forecast.expected_s / 60, forecast.low_s / 60, forecast.high_s / 60


def _check(given: Mapping[str, Any]) -> None:
    """Raise TrainingLengthError listing every argument of `rounds` that cannot be used."""
    step = given["step_time"]
    shortest, steps, count = given["shortest"], given["production_steps"], given["count"]
    wrong = {
        "budget_hours": not _at_least(given["budget_hours"], 0, above=True),
        "step_time": not _at_least(step.mean_s if isinstance(step, StepTimes) else step, 0, above=True),
        "production_steps": not is_whole(steps, least=1),
        "count": not (is_whole(count, least=1) and count <= MOST_ROUNDS),
        "shortest": not (_at_least(shortest, 0, above=True) and shortest < 1),
        "margin": not _at_least(given["margin"], 0),
        "fixed_s": not _at_least(given["fixed_s"], 0),
    }
    if not wrong["production_steps"] and not wrong["shortest"]:
        wrong["shortest"] = shortest * steps < 1
    problems = [
        text(f"training_length.bad_{name}", given=reprlib.repr(given[name])) for name in wrong if wrong[name]
    ]
    if not (wrong["budget_hours"] or wrong["step_time"]):
        hours, step_s = given["budget_hours"], step.mean_s if isinstance(step, StepTimes) else step
        if 3600 * hours > MOST_STEPS * step_s:
            problems.append(text("training_length.budget_too_large", hours=hours, step_s=step_s))
    if problems:
        raise TrainingLengthError(problems)


def _at_least(value: object, least: float, above: bool = False) -> bool:
    return is_number(value) and (value > least if above else value >= least)
