"""What the plan says to people: notes and problems, kept as message ids and turned into words last."""

from __future__ import annotations

import datetime
import math
import reprlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from labkit.messages import duration, number, text

_HUGE = 10**18
_NAMES = 6  # as many names as one sentence bears


@dataclass(frozen=True)
class Note:
    """One sentence: a message id and the values of its placeholders.

    The values are plain; words are made in `text`. By a placeholder's name: `*_hours` and `*_minutes` are
    durations, `days` and `calendar_days` whole days, `names` a list of names, `expected` the id of another
    message; other numbers are formatted with three digits, and text is shown as it is.
    """

    id: str
    values: Mapping[str, Any] = field(default_factory=dict)

    def text(self, lang: str | None = None) -> str:
        """Return the sentence in `lang` (None: the language in use)."""
        return text(self.id, lang, **{key: _word(key, value, lang) for key, value in self.values.items()})

    def __str__(self) -> str:
        return self.text()


@dataclass(frozen=True)
class Problem:
    """One fault of a plan.

    Attributes
    ----------
    id : the message's id, such as `"plan.no_baseline"`.
    where : the part of the plan it is about, such as `"settings[2].role"`; `"plan"` for the whole.
    values : the values of the message's placeholders.
    fatal : whether no plan can be built (a wrong type), or it can and is only unsound (no baseline).
    line : line in the file, counted from 1, when the plan was read from one.
    """

    id: str
    where: str
    values: Mapping[str, Any] = field(default_factory=dict)
    fatal: bool = False
    line: int | None = None

    def text(self, lang: str | None = None) -> str:
        """Return what was given, what is expected and what to do, in `lang` (None: the language in use)."""
        message = Note(self.id, {"where": self.where, **self.values}).text(lang)
        return message if self.line is None else text("plan.at_line", lang, line=self.line, message=message)

    def __str__(self) -> str:
        return self.text()


class PlanError(ValueError):
    """A plan that cannot be built, with everything that is wrong.

    Attributes
    ----------
    problems : list[Problem], one per fault.
    """

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = list(problems)
        super().__init__(self.text())

    def text(self, lang: str | None = None) -> str:
        """Return all problems, one a line, in `lang` (None: the language in use)."""
        lines = [f"- {problem.text(lang)}" for problem in self.problems]
        return "\n".join([text("plan.error_title", lang), *lines])

    def __str__(self) -> str:
        return self.text()

    def __reduce__(self) -> tuple[type[PlanError], tuple[list[Problem]]]:
        return type(self), (self.problems,)

    def _render_traceback_(self) -> list[str]:
        """Show the message alone in a notebook: the faults are in the plan, not in the code."""
        return str(self).splitlines()


class _Picture(reprlib.Repr):
    """Shows plain values in short, and of everything else only its type."""

    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxother = 60
        self.maxlist = self.maxtuple = self.maxset = 4
        self.maxdict = 3
        self.maxlevel = 2

    def repr_int(self, x: int, level: int) -> str:
        return (
            str(x)
            if abs(x) < _HUGE
            else f"{'-' * (x < 0)}10^{int(math.log10(2) * (abs(x).bit_length() - 1))}"
        )

    def repr_float(self, x: float, level: int) -> str:
        return "NaN" if math.isnan(x) else f"{x:.6g}"

    def repr_date(self, x: datetime.date, level: int) -> str:
        return x.isoformat()

    def repr_bytes(self, x: bytes, level: int) -> str:
        return repr(x[:20])

    def repr_instance(self, x: object, level: int) -> str:
        return str(x) if x is None or isinstance(x, bool) else f"‹{type(x).__name__}›"


_PICTURE = _Picture()


def show(value: object) -> str:
    """Return a short, safe picture of any value for a message; never fails, never longer than a line."""
    return " ".join(_PICTURE.repr(value).split())


def show_hours(hours: float, lang: str | None = None) -> str:
    """Return hours for people: `"12 h"`, never in days; below one hour in smaller units: `"40 min"`."""
    return f"{number(hours)} {text('common.unit_h', lang)}" if hours >= 1 else duration(hours * 3600, lang)


def show_days(days: float, lang: str | None = None) -> str:
    """Return days for people, rounded up to whole ones: `"7 days"`."""
    return show_count("days", max(1, math.ceil(days - 1e-9)), lang)


def show_count(what: str, count: int, lang: str | None = None) -> str:
    """Return how many of `what` ("settings", "seeds", "runs" or "days"), in the singular for one."""
    return text(f"plan.count_{what}" + ("_one" if count == 1 else ""), lang, count=number(count))


def show_range(low: str, high: str, lang: str | None = None) -> str:
    """Join two durations in words: `"10 to 15 h"`, with the unit once if both have the same."""
    if low.partition(" ")[2] == high.partition(" ")[2]:
        low = low.partition(" ")[0]
    return text("plan.range", lang, low=low, high=high)


def _word(key: str, value: Any, lang: str | None) -> object:
    if key == "expected":
        return text(value, lang)
    if key == "names":
        return ", ".join(map(str, value[:_NAMES])) + (", …" if len(value) > _NAMES else "")
    return _figure(key, value, lang) if isinstance(value, int | float) else value


def _figure(key: str, value: float, lang: str | None) -> str:
    if key == "calendar_days" and value < 1:
        return text("plan.less_than_a_day", lang)
    if key in ("days", "calendar_days"):
        return show_days(value, lang)
    if key.endswith("_hours"):
        return show_hours(value, lang)
    return duration(value * 60, lang) if key.endswith("_minutes") else number(value)
