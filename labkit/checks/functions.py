"""Read the calls of an exercise that asks for a function: what it was given, and what came back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from labkit.checks.core import AnswerError
from labkit.checks.plain import JSON, shown
from labkit.checks.shapes import unanswered

T = TypeVar("T")
_LONGEST_CALL = 160


@dataclass(frozen=True)
class Call(Generic[T]):
    """One call of the student's function.

    Attributes
    ----------
    given : the arguments as the rubric works with them.
    text : the call as it would be written, such as `rate(3, 0.1, "linear")`.
    raised : name of the exception, empty where there was none.
    """

    given: T
    text: str
    returned: JSON
    raised: str

    @property
    def value(self) -> JSON:
        """What the function returned.

        Raises
        ------
        AnswerError
            If it returned nothing or raised an exception.
        """
        if self.raised == "TimeoutError":
            raise AnswerError("checks.function_endless", call=self.text)
        if self.raised:
            raise AnswerError("checks.function_failed", call=self.text, error=self.raised)
        if _blank(self.returned):
            raise unanswered(self.text)
        return self.returned


def read_calls(answer: JSON, name: str, read: Callable[[Sequence[JSON]], T]) -> list[Call[T]]:
    """Return the calls of the function `name`.

    Parameters
    ----------
    answer : what `labkit.checks.calls.paired` returns.
    read : turns a list of arguments into what the rubric works with, or raises AnswerError.

    Raises
    ------
    AnswerError
        If `answer` is anything else, or the function returns nothing at all yet.
    """
    not_a_function = AnswerError("checks.not_a_function", name=name, given=shown(answer))
    if not isinstance(answer, list) or not answer:
        raise not_a_function
    calls = []
    for entry in answer:
        arguments = entry.get("arguments") if isinstance(entry, dict) else None
        if not isinstance(entry, dict) or not isinstance(arguments, list):
            raise not_a_function
        try:
            given = read(arguments)
        except AnswerError:
            raise not_a_function from None
        raised = entry.get("raised")
        raised = raised if isinstance(raised, str) else ""
        calls.append(Call(given, _call_text(name, arguments), entry.get("returned"), raised))
    if all(_blank(call.returned) and not call.raised for call in calls):
        raise AnswerError("checks.returns_nothing", status="not answered", name=name)
    return calls


def _call_text(name: str, arguments: Sequence[JSON]) -> str:
    written = f"{name}({', '.join(shown(a) for a in arguments)})".replace("`", "'")
    return written if len(written) <= _LONGEST_CALL else f"{written[: _LONGEST_CALL - 2]}…)"


def _blank(value: JSON) -> bool:
    """Say whether a value is still `...`, or a list of nothing but `...`."""
    return value is None or (isinstance(value, list) and bool(value) and all(v is None for v in value))
