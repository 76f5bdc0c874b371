"""Checks of single values: a number, a text, a list that a plan can use."""

from __future__ import annotations

import dataclasses
import difflib
import math
import unicodedata
from collections.abc import Collection, Mapping
from typing import Any

from labkit.plan.notes import Problem, show

# Joiners and soft hyphens belong to spelling, in Devanagari above all; other format characters only hide.
_SPELLING = "\u200c\u200d\u00ad"
_LINE_ENDS = "\n\r\t"
_LONGEST_KEY = 40


class Findings:
    """Collects every problem of one plan; each check returns the usable value, or None after a fault."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self._mistyped: set[str] = set()  # places that are only missing because their key is misspelt

    def fatal(self, problem_id: str, where: str, **values: Any) -> None:
        """Add a fault that leaves nothing to calculate with."""
        self._add(Problem(f"plan.{problem_id}", where, values, fatal=True))

    def soft(self, problem_id: str, where: str, **values: Any) -> None:
        """Add a fault of a plan that can be calculated but is not sound."""
        self._add(Problem(f"plan.{problem_id}", where, values))

    def _add(self, problem: Problem) -> None:
        if problem.where not in self._mistyped:
            self.problems.append(problem)

    def bad(self, value: object, where: str, expected: str) -> None:
        """Add the fault of a value that is missing or of the wrong kind."""
        if value is None:
            self.fatal("not_given", where, expected=f"plan.expect_{expected}")
        else:
            self.fatal("bad_value", where, given=show(value), expected=f"plan.expect_{expected}")

    def any_fatal(self, since: int = 0) -> bool:
        """Tell whether a fatal problem was found, the first `since` problems left out."""
        return any(problem.fatal for problem in self.problems[since:])

    def label(self, name: str, since: int) -> None:
        """Let all problems but the first `since` say which setting they are about."""
        short = name if len(name) <= _LONGEST_KEY else f"{name[:_LONGEST_KEY]}…"
        self.problems[since:] = [
            dataclasses.replace(problem, values={**problem.values, "where": f"{problem.where} ({short})"})
            for problem in self.problems[since:]
        ]

    def mapping(
        self, value: object, where: str, expected: str, known: Collection[str]
    ) -> Mapping[str, Any] | None:
        """Check a mapping: its type, and that it has no unknown key (each is named, with a suggestion)."""
        if not isinstance(value, Mapping):
            self.bad(value, where, expected)
            return None
        prefix = "" if where == "plan" else f"{where}."
        for key in value:
            if key not in known:
                plain_key = isinstance(key, str) and key.isprintable() and len(key) <= _LONGEST_KEY
                self.unknown("key", prefix + (key if plain_key else show(key)), key, known)
                self._mistyped |= {prefix + near for near in _nearest(key, known) if near not in value}
        return value

    def entries(self, value: object, where: str, expected: str, limit: int) -> list[Any] | None:
        """Check a list of at most `limit` entries."""
        if not isinstance(value, list):
            self.bad(value, where, expected)
        elif len(value) > limit:
            self.fatal("too_many", where, limit=limit)
        else:
            return value
        return None

    def words(self, value: object, where: str, limit: int, empty: str) -> None:
        """Check a text that should say something; `empty` names the soft problem if it says nothing."""
        words = "" if value is None else self._text(value, where, "text", limit)
        if words is None:
            return
        if not visible(words):
            self.soft(empty, where)
        elif hidden_characters(words):
            self.soft("hidden_characters", where, given=show(words))

    def name(self, value: object, where: str, limit: int) -> str | None:
        """Check a name: a text on one line that shows something."""
        name = self._text(value, where, "name", limit)
        if name is None:
            return None
        if not visible(name):
            self.fatal("empty_name", where, given=show(name))
            return None
        if hidden_characters(name) or any(letter in _LINE_ENDS for letter in name):
            self.fatal("hidden_characters", where, given=show(name))
            return None
        return name

    def number(self, value: object, where: str, expected: str, low: float, high: float) -> float | None:
        """Check a number from `low` to `high`; text, booleans, NaN and infinities are faults."""
        wanted = f"plan.expect_{expected}"
        if isinstance(value, str) and _reads_as_number(value):
            self.fatal("text_for_number", where, given=show(value), expected=wanted)
        elif isinstance(value, bool) or not isinstance(value, int | float):
            self.bad(value, where, expected)
        elif isinstance(value, float) and not math.isfinite(value):
            self.fatal("not_finite", where, given=show(value), expected=wanted)
        elif not low <= value <= high:
            self.fatal("out_of_range", where, given=show(value), expected=wanted, low=low, high=high)
        else:
            return float(value)
        return None

    def choice(self, value: object, where: str, kind: str, known: Collection[str]) -> str | None:
        """Check a word that must be one of `known`; a near miss gets a suggestion."""
        if not isinstance(value, str):
            self.bad(value, where, kind)
        elif value not in known:
            self.unknown(kind, where, value, known)
        else:
            return value
        return None

    def unknown(self, kind: str, where: str, given: object, known: Collection[str]) -> None:
        """Add the fault of an unknown word (`kind`: "key", "role", "kind"), naming the nearest known one."""
        near = _nearest(given, known)
        values = {"given": show(given), "known": ", ".join(known)}
        if near:
            self.fatal(f"unknown_{kind}_near", where, **values, near=near[0])
        else:
            self.fatal(f"unknown_{kind}", where, **values)

    def _text(self, value: object, where: str, expected: str, limit: int) -> str | None:
        if not isinstance(value, str):
            self.bad(value, where, expected)
        elif len(value) > limit:
            self.fatal("too_long", where, given=show(value), limit=limit)
        elif any(unicodedata.category(letter) == "Cs" for letter in value):
            self.fatal("broken_text", where, given=show(value))
        else:
            return value
        return None


def visible(text: str) -> str:
    """Return `text` on one line without what cannot be seen: spaces collapsed, control characters gone."""
    kept = "".join(
        " " if letter.isspace() else letter for letter in text if letter.isspace() or not _hides(letter)
    )
    collapsed = " ".join(kept.split())
    return collapsed if collapsed.strip(_SPELLING + " ") else ""


def hidden_characters(text: str) -> bool:
    """Tell whether `text` has control characters or marks that reorder text (line ends are allowed)."""
    return any(_hides(letter) and letter not in _LINE_ENDS for letter in text)


def _nearest(given: object, known: Collection[str]) -> list[str]:
    """Return the known word that was probably meant, or an empty list."""
    if not isinstance(given, str):
        return []
    return difflib.get_close_matches(given[:_LONGEST_KEY].strip().lower(), known, n=1)


def _hides(letter: str) -> bool:
    return unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp") and letter not in _SPELLING


def _reads_as_number(text: str) -> bool:
    try:
        float(text.strip().rstrip("%"))
    except ValueError:
        return False
    return True
