"""Rubrics: pure functions from an answer (plain JSON data) to a result with points and message ids.

A rubric is one decorated generator in a module `labkit/checks/notebook<N>.py`:

    @rubric("2.3", points=2)
    def run_time(answer):
        yield part(1, _is_a_run_time, answer)
        yield part(1, _is_measured_or_explained, answer)

The order inside a rubric is: answered at all, right shape, invariants, value; so that the message fits the
mistake.
"""

from __future__ import annotations

import importlib
import math
import pkgutil
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol

from labkit.checks.plain import JSON, to_plain
from labkit.messages import number, text

Status = Literal["not answered", "graded", "malformed"]


class Words(Protocol):
    """Something that can be said in either language, such as a `Phrase` or a `labkit.plan.Problem`."""

    def text(self, lang: str | None = None) -> str: ...  # noqa: D102


Value = str | int | float | Words


@dataclass(frozen=True)
class Phrase:
    """A message id with the values of its placeholders; a value may be a phrase itself."""

    id: str
    values: Mapping[str, Value] = field(default_factory=dict)

    def text(self, lang: str | None = None) -> str:
        """Return the sentence in `lang` (None: the language in use)."""
        return text(self.id, lang, **{name: _said(value, lang) for name, value in self.values.items()})


@dataclass(frozen=True)
class Remark(Phrase):
    """What is said about one part of an answer, and the points for that part.

    Attributes
    ----------
    points, max_points : points given and possible for this part.
    ok : whether the part is fully right (or a note that asks for nothing).
    status : whether the part could be graded.
    """

    points: float = 0.0
    max_points: float = 0.0
    ok: bool = False
    status: Status = "graded"


@dataclass(frozen=True)
class Result:
    """The outcome of one check; `points` is finite, a multiple of 0.25 and between 0 and `max_points`."""

    exercise: str
    points: float
    max_points: float
    status: Status
    remarks: tuple[Remark, ...]


class AnswerError(Exception):
    """Raised inside a rubric where a part cannot be graded: not answered, or the wrong shape."""

    def __init__(self, message_id: str, status: Status = "malformed", **values: Value) -> None:
        super().__init__(message_id)
        self.remark = Remark(message_id, values, status=status)


class UnknownExerciseError(ValueError):
    """There is no rubric with this id; the message lists those that exist."""

    def __init__(self, exercise: object) -> None:
        known = ", ".join(exercises())
        super().__init__(text("checks.unknown_exercise", given=repr(exercise)[:60], known=known))

    def _render_traceback_(self) -> list[str]:
        """Show a notebook the message alone."""
        return [str(self)]


Grader = Callable[[Any], Iterator[Remark]]
Calls = Callable[[random.Random], Sequence[Sequence[JSON]]]


@dataclass(frozen=True)
class _Rubric:
    points: float
    grade: Grader
    calls: Calls | None = None


_rubrics: dict[str, _Rubric] = {}


def rubric(exercise: str, points: float, calls: Calls | None = None) -> Callable[[Grader], Grader]:
    """Register a generator of remarks as the rubric of `exercise`, worth `points` in all.

    Where the exercise asks for a function, `calls` draws the lists of arguments (plain JSON data) on which
    it is called, and the answer that the rubric sees is the list of calls: see `labkit.checks.calls`.
    """

    def register(function: Grader) -> Grader:
        if exercise in _rubrics:
            raise ValueError(f"Exercise {exercise} has two rubrics.")
        _rubrics[exercise] = _Rubric(points, function, calls)
        return function

    return register


def exercises() -> list[str]:
    """Return the ids of all exercises, in the order of the notebooks."""
    return sorted(_all_rubrics(), key=lambda e: [int(n) for n in e.split(".")])


def points(exercise: str) -> float:
    """Return the most points that `exercise` can give.

    Raises
    ------
    UnknownExerciseError
        If there is no such exercise.
    """
    return _find(exercise).points


def inputs(exercise: str, seed: object = 0) -> list[list[JSON]] | None:
    """Return the lists of arguments for an exercise that asks for a function, None for any other exercise.

    The same seed gives the same arguments; 0 gives those of the notebook.

    Raises
    ------
    UnknownExerciseError
        If there is no such exercise.
    """
    calls = _find(exercise).calls
    return None if calls is None else [list(a) for a in calls(random.Random(f"{seed} {exercise}"))]


def grade(exercise: str, answer: object) -> Result:
    """Grade one answer.

    Parameters
    ----------
    exercise : id such as `"2.4"`.
    answer : plain JSON data, as `to_plain` returns it or as read from a notebook file. Whatever it is,
        grading is bounded and does not raise.

    Raises
    ------
    UnknownExerciseError
        If there is no such exercise.
    """
    found = _find(exercise)
    plain = to_plain(answer)
    try:
        if plain is None:
            raise AnswerError("checks.not_answered", status="not answered")
        remarks = tuple(found.grade(plain))
    except AnswerError as fault:
        remarks = (replace(fault.remark, max_points=found.points),)
    earned = math.floor(4 * sum(r.points for r in remarks) + 1e-6) / 4
    return Result(exercise, min(max(earned, 0.0), found.points), found.points, _status(remarks), remarks)


def part(max_points: float, grader: Callable[..., Remark], *values: Any) -> Remark:
    """Grade one part of an answer; a `AnswerError` in it costs this part only."""
    try:
        remark = grader(*values)
    except AnswerError as fault:
        remark = fault.remark
    return replace(remark, points=max_points if remark.ok else remark.points, max_points=max_points)


def right(message_id: str, **values: Value) -> Remark:
    """Return a remark that gives a part its full points."""
    return Remark(message_id, values, ok=True)


def wrong(message_id: str, points: float = 0.0, **values: Value) -> Remark:
    """Return a remark that gives a part fewer than its full points."""
    return Remark(message_id, values, points=points)


def _status(remarks: tuple[Remark, ...]) -> Status:
    scored = {r.status for r in remarks if r.max_points > 0}
    if "graded" in scored:
        return "graded"
    return "malformed" if "malformed" in scored else "not answered"


def _find(exercise: object) -> _Rubric:
    rubrics = _all_rubrics()
    if not isinstance(exercise, str) or exercise not in rubrics:
        raise UnknownExerciseError(exercise)
    return rubrics[exercise]


def _all_rubrics() -> dict[str, _Rubric]:
    package = importlib.import_module("labkit.checks")
    for module in pkgutil.iter_modules(package.__path__):
        if module.name.startswith("notebook"):
            importlib.import_module(f"labkit.checks.{module.name}")
    return _rubrics


def _said(value: Value, lang: str | None) -> str:
    if isinstance(value, str):
        return value
    return number(value, 4) if isinstance(value, int | float) else value.text(lang)
