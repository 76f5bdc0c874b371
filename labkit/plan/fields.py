"""Checks of single values: is this a number, a text, a list that a plan can use?"""

from __future__ import annotations

import difflib
import math
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

from labkit.plan.notes import Problem, show

# Joiners and soft hyphens are part of Devanagari spelling; every other format character hides or reorders text.
_SPELLING = frozenset("\u200c\u200d\u00ad")
_LINE_ENDS = frozenset("\n\r\t")


class Findings:
    """Collects every problem of one plan; each check returns the usable value, or None after a fault."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def fatal(self, problem_id: str, where: str, **values: Any) -> None:
        """Add a fault that leaves nothing to calculate with."""
        self.problems.append(Problem(f"plan.{problem_id}", where, values, fatal=True))

    def soft(self, problem_id: str, where: str, **values: Any) -> None:
        """Add a fault of a plan that can be calculated but is not sound."""
        self.problems.append(Problem(f"plan.{problem_id}", where, values))

    def mapping(
        self, value: object, where: str, expected: str, known: Iterable[str]
    ) -> Mapping[str, Any] | None:
        """Check a mapping: its type, and that it has no unknown key (each is named, with a suggestion)."""
        if value is None:
            return self.fatal("not_given", where, expected=f"plan.expect_{expected}")
        if not isinstance(value, Mapping):
            return self.bad(value, where, expected)
        known = list(known)
        prefix = "" if where == "plan" else f"{where}."
        for key in value:
            if key not in known:
                given = key if isinstance(key, str) and key.isprintable() and len(key) < 40 else show(key)
                self.unknown("key", f"{prefix}{given}", key, known)
        return value

    def entries(self, value: object, where: str, expected: str, limit: int) -> list[Any] | None:
        """Check a list of at most `limit` entries."""
        if value is None:
            return self.fatal("not_given", where, expected=f"plan.expect_{expected}")
        if not isinstance(value, list):
            return self.bad(value, where, expected)
        if len(value) > limit:
            return self.fatal("too_many", where, limit=limit)
        return value

    def text(self, value: object, where: str, expected: str, limit: int) -> str | None:
        """Check a text of at most `limit` characters that can be written to a file."""
        if value is None:
            return self.fatal("not_given", where, expected=f"plan.expect_{expected}")
        if not isinstance(value, str):
            return self.bad(value, where, expected)
        if len(value) > limit:
            return self.fatal("too_long", where, given=show(value), limit=limit)
        if any(unicodedata.category(letter) == "Cs" for letter in value):
            return self.fatal("broken_text", where, given=show(value))
        if hidden_characters(value):
            self.soft("hidden_characters", where, given=show(value))
        return value

    def name(self, value: object, where: str, limit: int) -> str | None:
        """Check a name: a text on one line that shows something."""
        name = self.text(value, where, "name", limit)
        if name is None:
            return None
        if not visible(name):
            return self.fatal("empty_name", where, given=show(name))
        if len(name.splitlines()) > 1 and not hidden_characters(name):
            self.soft("hidden_characters", where, given=show(name))
        return name

    def number(self, value: object, where: str, expected: str, low: float, high: float) -> float | None:
        """Check a number from `low` to `high`; text, booleans, NaN and infinities are faults."""
        if value is None:
            return self.fatal("not_given", where, expected=f"plan.expect_{expected}")
        if isinstance(value, str) and _reads_as_number(value):
            return self.fatal("text_for_number", where, given=show(value))
        if isinstance(value, bool) or not isinstance(value, int | float):
            return self.bad(value, where, expected)
        if isinstance(value, float) and not math.isfinite(value):
            return self.fatal("not_finite", where, given=show(value), expected=f"plan.expect_{expected}")
        if not low <= value <= high:
            values = {"given": show(value), "low": low, "high": high}
            return self.fatal("out_of_range", where, **values, expected=f"plan.expect_{expected}")
        return float(value)

    def choice(self, value: object, where: str, kind: str, known: Iterable[str]) -> str | None:
        """Check a word that must be one of `known`; a near miss gets a suggestion."""
        known = list(known)
        if value is None:
            return self.fatal("not_given", where, expected=f"plan.expect_{kind}")
        if not isinstance(value, str):
            return self.bad(value, where, kind)
        if value not in known:
            return self.unknown(kind, where, value, known)
        return value

    def bad(self, value: object, where: str, expected: str) -> None:
        """Add the fault of a value of the wrong kind."""
        self.fatal("bad_value", where, given=show(value), expected=f"plan.expect_{expected}")

    def unknown(self, kind: str, where: str, given: object, known: list[str]) -> None:
        """Add the fault of an unknown word, naming the nearest known one if there is one."""
        near = difflib.get_close_matches(str(given)[:40].strip().lower(), known, n=1)
        values = {"given": show(given), "names": known}
        if near:
            return self.fatal(f"unknown_{kind}_near", where, **values, near=near[0])
        return self.fatal(f"unknown_{kind}", where, **values)


def visible(text: str) -> str:
    """Return `text` on one line without what cannot be seen: spaces collapsed, control characters gone."""
    kept = "".join(" " if letter.isspace() else "" if _hides(letter) else letter for letter in text)
    collapsed = " ".join(kept.split())
    return collapsed if collapsed.strip("".join(_SPELLING)) else ""


def hidden_characters(text: str) -> bool:
    """Tell whether `text` has control characters or marks that reorder text (line ends are allowed)."""
    return any(_hides(letter) and letter not in _LINE_ENDS for letter in text)


def _hides(letter: str) -> bool:
    return unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp") and letter not in _SPELLING


def _reads_as_number(text: str) -> bool:
    try:
        float(text.strip().rstrip("%").replace(",", "."))
    except ValueError:
        return False
    return True
