"""Rubric of exercise 4.5: a function that gives the learning rate of a lengthened schedule.

The rule is that of the Deep Learning Tuning Playbook (https://github.com/google-research/tuning_playbook,
CC BY 4.0): lengthen the constant part before a linear decay of unchanged length; stretch a cosine.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from labkit.checks.core import AnswerError, Remark, part, right, rubric, wrong
from labkit.checks.functions import Call, read_calls
from labkit.checks.plain import JSON, shown
from labkit.checks.shapes import as_number, as_whole, choice

NAME = "rate"
KINDS = ("linear", "cosine")
_ARGUMENTS = ("step", "base", "warmup", "constant", "decay", "extra", "kind")


@dataclass(frozen=True)
class _Point:
    """One step of a lengthened schedule; lengths in steps, `step` counts from 0."""

    step: int
    base: float
    warmup: int
    constant: int
    decay: int
    extra: int
    kind: str

    @property
    def warming_up(self) -> bool:
        return self.step < self.warmup

    @property
    def old_constant_end(self) -> int:
        return self.warmup + self.constant

    @property
    def total(self) -> int:
        return self.old_constant_end + self.decay + self.extra

    @property
    def tolerance(self) -> float:
        """The most that the rate changes in one step: whether steps count from 0 or from 1 is free."""
        steepest = 1 / self.decay if self.kind == "linear" else math.pi / 2 / (self.total - self.warmup)
        return self.base * ((1 / self.warmup if self.warming_up else steepest) + 1e-3)


_Rate = Callable[[_Point], float]
_Calls = Sequence[Call[_Point]]


def _draw(source: Random) -> list[list[JSON]]:
    return [point for warm in (True, False) for kind in KINDS for point in _points(source, kind, warm)]


def _points(source: Random, kind: str, warm: bool) -> list[list[JSON]]:
    """Draw steps from every part of one schedule, with or without a warm-up, and one after its end."""
    base = source.choice([0.001, 0.003, 0.01, 0.03, 0.1])
    warmup, constant = source.randint(20, 60) if warm else 0, source.randint(100, 400)
    decay, extra = source.randint(80, 200), source.randint(120, 500)
    parts = (warmup, constant, extra, decay)
    steps = []
    for start, length in zip((0, warmup, warmup + constant, warmup + constant + extra), parts, strict=True):
        for low, high in ((0.2, 0.45), (0.55, 0.8)):
            steps.append(start + int(source.uniform(low, high) * length))
    steps.append(sum(parts) + sum(parts[1:]) // 3)
    return [[step, base, warmup, constant, decay, extra, kind] for step in steps]


def _read(arguments: Sequence[JSON]) -> _Point:
    if len(arguments) != len(_ARGUMENTS):
        raise AnswerError("checks.not_a_function")
    step, warmup, constant, decay, extra = (
        as_whole(arguments[n], name) for n, name in enumerate(_ARGUMENTS) if name not in ("base", "kind")
    )
    base, kind = as_number(arguments[1], "base"), choice(arguments[6], "kind", KINDS)
    if min(step, warmup, constant, extra) < 0 or decay < 1 or base <= 0:
        raise AnswerError("checks.not_a_function")
    return _Point(step, base, warmup, constant, decay, extra, kind)


@rubric("4.5", points=3, calls=_draw)
def lengthened_schedule(answer: JSON) -> Iterator[Remark]:
    """Grade the start of the linear schedule, its lengthened part and decay, and the cosine."""
    calls = read_calls(answer, NAME, _read)
    linear = [call for call in calls if call.given.kind == "linear"]
    start = [call for call in linear if call.given.step < call.given.old_constant_end]
    later = [call for call in linear if call.given.step >= call.given.old_constant_end]
    cosine = [call for call in calls if call.given.kind == "cosine"]
    if not (start and later and cosine):
        raise AnswerError("checks.not_a_function", name=NAME, given=shown(answer))
    yield part(1, _start, start)
    yield part(1, _later, later)
    yield part(1, _cosine, cosine)


def _warm(point: _Point) -> float:
    return point.base * (min(1.0, point.step / point.warmup) if point.warmup else 1.0)


def _linear_decay(point: _Point, begin: float, length: float) -> float:
    """Return the rate if the linear decay begins at step `begin` and takes `length` steps."""
    return _warm(point) * min(1.0, max(0.0, 1 - (point.step - begin) / length))


def _cosine_decay(point: _Point, begin: float, end: float) -> float:
    """Return the rate if half a cosine leads from step `begin` down to 0 at step `end`."""
    progress = min(1.0, max(0.0, (point.step - begin) / max(end - begin, 1.0)))
    return _warm(point) * (1 + math.cos(math.pi * progress)) / 2


def _linear_rate(point: _Point) -> float:
    return _linear_decay(point, point.old_constant_end + point.extra, point.decay)


def _cosine_rate(point: _Point) -> float:
    return _cosine_decay(point, point.warmup, point.total)


def _wholly_stretched(point: _Point) -> float:
    """Return the rate if every part of the schedule is stretched, the warm-up too."""
    stretch = point.total / (point.total - point.extra)
    if point.step < point.warmup * stretch:
        return point.base * point.step / (point.warmup * stretch)
    return _linear_decay(point, point.old_constant_end * stretch, point.decay * stretch)


# The usual mistakes: the last part of a message id, and what the rate is then.
_START_MISTAKES: list[tuple[str, _Rate]] = [
    ("no_warmup", lambda p: p.base),
    ("warmup_stretched", _wholly_stretched),
]
_LINEAR_MISTAKES: list[tuple[str, _Rate]] = [
    ("decay_stretched", lambda p: _linear_decay(p, p.old_constant_end, p.decay + p.extra)),
    ("not_lengthened", lambda p: _linear_decay(p, p.old_constant_end, p.decay)),
    ("wholly_stretched", _wholly_stretched),
    ("no_decay", lambda p: p.base),
]
_COSINE_MISTAKES: list[tuple[str, _Rate]] = [
    ("cosine_not_stretched", lambda p: _cosine_decay(p, p.warmup, p.total - p.extra)),
    ("cosine_after_constant", lambda p: _cosine_decay(p, p.old_constant_end + p.extra, p.total)),
    ("cosine_after_constant", lambda p: _cosine_decay(p, p.old_constant_end, p.total)),
    ("cosine_from_zero", lambda p: _cosine_decay(p, 0, p.total)),
    ("cosine_is_linear", _linear_rate),
]


def _start(calls: _Calls) -> Remark:
    return _judged(calls, _linear_rate, "start", _START_MISTAKES)


def _later(calls: _Calls) -> Remark:
    return _judged(calls, _linear_rate, "linear", _LINEAR_MISTAKES)


def _cosine(calls: _Calls) -> Remark:
    if failed := _fails_without_warmup(calls, _cosine_rate):
        return failed
    later = [call for call in calls if not call.given.warming_up]
    begins_at_once = later != calls and _follows(later, _cosine_rate) and not _follows(calls, _cosine_rate)
    if begins_at_once:
        return wrong("checks.4_5.cosine_no_warmup", 0.5)
    return _judged(calls, _cosine_rate, "cosine", _COSINE_MISTAKES)


def _judged(calls: _Calls, truth: _Rate, name: str, mistakes: Sequence[tuple[str, _Rate]]) -> Remark:
    if failed := _fails_without_warmup(calls, truth):
        return failed
    if _follows(calls, truth):
        return right(f"checks.4_5.{name}_right")
    before = [call for call in calls if call.given.step <= call.given.total]
    if _follows(before, truth):
        after = next(call for call in calls if call not in before and not _agrees(call, truth))
        return wrong("checks.4_5.after_end", 0.5, call=after.text, given=_given(after))
    for mistake, rate in mistakes:
        if _follows(before, rate):
            return wrong(f"checks.4_5.{mistake}")
    first = next(call for call in calls if not _agrees(call, truth))
    return wrong(f"checks.4_5.{name}_off", call=first.text, given=_given(first))


def _fails_without_warmup(calls: _Calls, truth: _Rate) -> Remark | None:
    """Return half the points where only a division by a warm-up of 0 steps is wrong."""
    warmed = [call for call in calls if call.given.warmup]
    failed = [call for call in calls if not call.given.warmup and call.raised == "ZeroDivisionError"]
    if not (failed and warmed and _follows(warmed, truth)):
        return None
    return wrong("checks.4_5.fails_without_warmup", 0.5, call=failed[0].text, error=failed[0].raised)


def _follows(calls: _Calls, rate: _Rate) -> bool:
    return all(_agrees(call, rate) for call in calls)


def _agrees(call: Call[_Point], rate: _Rate) -> bool:
    return abs(_given(call) - rate(call.given)) <= call.given.tolerance


def _given(call: Call[_Point]) -> float:
    return as_number(call.value, call.text)
