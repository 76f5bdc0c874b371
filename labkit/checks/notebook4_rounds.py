"""Rubric of exercise 4.6: two rounds of tuning in a budget of hours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from labkit.checks.core import AnswerError, Remark, part, right, rubric, wrong
from labkit.checks.plain import JSON, shown
from labkit.checks.shapes import as_whole, fields, from_above, unanswered
from labkit.checks.words import Hours

_TIE = 1 + 1e-9


@dataclass(frozen=True)
class _Round:
    trials: int
    steps: int  # of each trial

    def hours(self, step_s: float) -> float:
        return self.trials * self.steps * step_s / 3600


@dataclass(frozen=True)
class _Rounds:
    first: _Round
    second: _Round
    budget: float
    step_s: float

    @property
    def hours(self) -> float:
        return self.first.hours(self.step_s) + self.second.hours(self.step_s)


@rubric("4.6", points=3)
def two_rounds(answer: JSON) -> Iterator[Remark]:
    """Grade two rounds: they fit, few long trials follow many short ones, each round earns its hours."""
    budget, step_s, listed = fields(answer, "budget_hours", "step_s", "rounds")
    first, second = _read_rounds(listed)
    rounds = _Rounds(
        first, second, from_above(budget, "budget_hours", low=1e-9), from_above(step_s, "step_s", low=1e-9)
    )
    yield part(1, _fits, rounds)
    yield part(1, _grows, rounds)
    yield part(0.5, _first_round, rounds)
    yield part(0.5, _second_round, rounds)


def _read_rounds(listed: JSON) -> list[_Round]:
    if listed is None:
        raise unanswered("my_rounds")
    if not isinstance(listed, list) or len(listed) != 2:
        raise AnswerError("checks.4_6.not_two_rounds", given=shown(listed))
    return [_read_round(position, one) for position, one in enumerate(listed)]


def _read_round(position: int, given: JSON) -> _Round:
    name = f"my_rounds[{position}]"
    if given is None:
        raise unanswered(name)
    if not isinstance(given, dict):
        raise AnswerError("checks.4_6.not_a_round", name=name, given=shown(given))
    counts = [as_whole(given.get(key), f'{name}["{key}"]') for key in ("trials", "steps")]
    if min(counts) < 1:
        raise AnswerError("checks.4_6.not_positive", name=name, given=shown(given))
    return _Round(*counts)


def _fits(rounds: _Rounds) -> Remark:
    hours, budget = Hours(rounds.hours), Hours(rounds.budget)
    fits = rounds.hours <= rounds.budget * _TIE
    return (
        right("checks.4_6.fits", hours=hours)
        if fits
        else wrong("checks.4_6.too_much", hours=hours, budget=budget)
    )


def _grows(rounds: _Rounds) -> Remark:
    longer = rounds.second.steps > rounds.first.steps
    fewer = rounds.second.trials < rounds.first.trials
    if longer and fewer:
        return right("checks.4_6.grows_right")
    if longer:
        return wrong("checks.4_6.not_fewer", 0.5)
    return wrong("checks.4_6.not_longer", 0.5) if fewer else wrong("checks.4_6.not_growing")


def _first_round(rounds: _Rounds) -> Remark:
    if rounds.first.trials < 3:
        return wrong("checks.4_6.few_trials")
    if 3 * rounds.first.steps > rounds.second.steps:
        return wrong("checks.4_6.first_too_long")
    if 10 * rounds.first.steps < rounds.second.steps:
        return wrong("checks.4_6.first_too_short")
    return right("checks.4_6.first_right")


def _second_round(rounds: _Rounds) -> Remark:
    hours = rounds.second.hours(rounds.step_s)
    if 3 * hours * _TIE >= rounds.budget:
        return right("checks.4_6.second_right")
    return wrong("checks.4_6.second_too_small", hours=Hours(hours), budget=Hours(rounds.budget))
