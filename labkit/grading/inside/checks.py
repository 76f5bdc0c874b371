"""Stands for `labkit.checks` inside the sandbox: sends answers out, knows no rubric and awards nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from labkit.checks.calls import outcomes
from labkit.checks.plain import JSON, to_plain

ANSWER_TYPE = "application/vnd.labkit.answer+json"
RETURNED_TYPE = "application/vnd.labkit.returned+json"

__all__ = ["ANSWER_TYPE", "Recorded", "check", "returned", "to_plain"]

_functions: dict[str, Callable[..., object]] = {}


class Recorded(float):
    """Takes the place of the points: 0, shown as "recorded", with the answer for the grader beside it."""

    sent: dict[str, JSON]
    mime: str

    def __new__(cls, mime: str, sent: dict[str, JSON]) -> Recorded:
        """Keep what is to be sent."""
        self = super().__new__(cls, 0.0)
        self.mime, self.sent = mime, sent
        return self

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        return {"text/plain": "recorded", self.mime: self.sent}


def check(exercise: str, answer: object, lang: str | None = None) -> Recorded:
    """Send an answer out; a function is kept, and called in cells that the grader adds."""
    if callable(answer):
        _functions[exercise] = answer
        answer = "<function>"
    return Recorded(ANSWER_TYPE, {"exercise": exercise, "answer": to_plain(answer), "version": 1})


def returned(exercise: str, inputs: list[list[Any]]) -> Recorded:
    """Call the function given for an exercise on each list of arguments and send out what it returns."""
    results = outcomes(_functions[exercise], inputs)
    return Recorded(RETURNED_TYPE, {"exercise": exercise, "results": results, "version": 1})
