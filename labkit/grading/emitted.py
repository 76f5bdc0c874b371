"""Read what came out of the sandbox: bytes from a stranger, bounded, parsed strictly, never believed."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from labkit.checks.plain import JSON, to_plain

ANSWER, RETURNED = "answer", "results"
_STATES = ("ran", "error", "timed out", "too much output", "died")
_MOST_LINES = 10_000
_ADDRESS = re.compile(r"0x[0-9a-fA-F]{6,}")


class NotAnAnswerError(Exception):
    """What was sent is no answer; the message id says why."""

    def __init__(self, message_id: str) -> None:
        super().__init__(message_id)
        self.message_id = message_id


@dataclass(frozen=True)
class Line:
    """The report about one cell: how it ended, its error in one short line, what it sent out."""

    grade_id: str
    state: str
    error: str
    sent: tuple[Any, ...]


@dataclass(frozen=True)
class Report:
    """What the runner reported.

    Attributes
    ----------
    lines : one for each cell, in the order in which they came; lines that are not the runner's are left out.
    ended : whether the end was reached.
    failed : why the kernel did not start; empty if it did.
    """

    lines: tuple[Line, ...]
    ended: bool
    failed: str


def read_report(output: bytes) -> Report:
    """Read the lines that the runner wrote, past anything else that is there."""
    lines, ended, failed = [], False, ""
    for raw in output.split(b"\n", _MOST_LINES)[:_MOST_LINES]:
        parsed = _parsed(raw)
        if isinstance(parsed, dict):
            ended = ended or parsed.get("end") is True
            failed = one_line(parsed["failed"]) if isinstance(parsed.get("failed"), str) else failed
            line = _line(parsed)
            if line is not None:
                lines.append(line)
    return Report(tuple(lines), ended, failed)


def sent_value(sent: tuple[Any, ...], exercise: str, what: str) -> JSON:
    """Return the answer (or the returned values) for an exercise, out of what its own cell sent.

    Raises
    ------
    NotAnAnswerError
        If it sent nothing or several things, if it is for another exercise, or if it is not plain, finite
        and bounded data.
    """
    if len(sent) != 1:
        raise NotAnAnswerError("grading.nothing_sent" if not sent else "grading.sent_twice")
    found = sent[0]
    if not isinstance(found, dict) or set(found) != {"exercise", what, "version"} or found["version"] != 1:
        raise NotAnAnswerError("grading.not_from_the_check")
    if found["exercise"] != exercise:
        raise NotAnAnswerError("grading.for_another_exercise")
    value: JSON = found[what]
    if not same(to_plain(value), value):
        raise NotAnAnswerError("grading.not_plain")
    return value


def same(plain: JSON, value: JSON) -> bool:
    """Compare bounded data with what may be unbounded; 1, 1.0 and True do not pass for each other."""
    if type(plain) is not type(value):
        return False
    if isinstance(plain, list) and isinstance(value, list):
        return len(plain) == len(value) and all(map(same, plain, value))
    if isinstance(plain, dict) and isinstance(value, dict):
        return plain.keys() == value.keys() and all(same(plain[key], value[key]) for key in plain)
    return plain == value


def one_line(text: str, most: int = 200) -> str:
    """Return a stranger's text as one short printable line, without addresses that change at each run."""
    line = "".join(c if c.isprintable() else " " for c in _ADDRESS.sub("0x…", text[: 2 * most]))
    return line if len(line) <= most else line[: most - 1] + "…"


def _parsed(raw: bytes) -> Any:
    try:
        return json.loads(raw.decode("utf-8"), parse_constant=_refuse, parse_float=_finite)
    except (ValueError, RecursionError):
        return None


def _refuse(constant: str) -> float:
    raise ValueError(constant)


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError(digits)
    return value


def _line(parsed: dict[str, Any]) -> Line | None:
    grade_id, state, sent = parsed.get("cell"), parsed.get("state"), parsed.get("sent")
    if not isinstance(grade_id, str) or state not in _STATES or not isinstance(sent, list):
        return None
    return Line(grade_id, str(state), ": ".join(_texts(parsed.get("error"))), tuple(sent))


def _texts(error: Any) -> Iterator[str]:
    for part in error if isinstance(error, list) else []:
        if isinstance(part, str) and part:
            yield one_line(part)
