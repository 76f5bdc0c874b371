"""Read one value out of an answer in the shape a rubric needs, or say what is wrong with its shape."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

from labkit.checks.core import AnswerError
from labkit.checks.plain import JSON, is_marker, shown

TOO_LARGE = 1e12
_STARTS_LIKE_A_NUMBER = re.compile(r"\s*[-+]?[.,]?\d")


def unanswered(name: str) -> AnswerError:
    """Return the error for a gap that still holds `...`; `name` is the variable or key as students see it."""
    return AnswerError("checks.part_not_answered", status="not answered", name=name)


def fields(answer: JSON, *names: str) -> list[JSON]:
    """Return the named values of a dictionary, None for a missing one.

    Raises
    ------
    AnswerError
        If `answer` is not a dictionary.
    """
    if not isinstance(answer, dict):
        keys = ", ".join(f'"{n}"' for n in names)
        raise AnswerError("checks.not_a_dictionary", given=shown(answer), names=keys)
    return [answer.get(name) for name in names]


def near(given: float, truth: float, tolerance: float = 0.02) -> bool:
    """Say whether `given` is `truth` up to rounding by hand, a relative `tolerance`."""
    return abs(given - truth) <= tolerance * abs(truth)


def as_number(value: JSON, name: str, most: float = TOO_LARGE) -> float:
    """Return a finite number (not True or False), at most `most` from zero.

    Raises
    ------
    AnswerError
        With the message that fits what was given instead.
    """
    if value is None:
        raise unanswered(name)
    if isinstance(value, bool):
        problem = "true_or_false"
    elif isinstance(value, int | float):
        problem = _number_problem(float(value), most)
    elif isinstance(value, str):
        problem = _text_problem(value)
    else:
        problem = "number_in_list" if isinstance(value, list) else "not_a_number"
    if problem:
        raise AnswerError(f"checks.{problem}", name=name, given=shown(value))
    return float(value)  # type: ignore[arg-type]


def as_whole(value: JSON, name: str) -> int:
    """Return a whole number, 3.0 included.

    Raises
    ------
    AnswerError
        With the message that fits what was given instead.
    """
    number = as_number(value, name)
    if number != int(number):
        raise AnswerError("checks.not_whole", name=name, given=shown(value))
    return int(number)


def from_above(value: JSON, name: str, low: float, below: float = math.inf, most: float = TOO_LARGE) -> float:
    """Return a number that a cell above the exercise made, from `low` up to (not including) `below`.

    Raises
    ------
    AnswerError
        If it is anything else: the cells above were changed or not run in order.
    """
    try:
        number = as_number(value, name, most)
    except AnswerError:
        number = math.nan
    if not low <= number < below:
        raise AnswerError("checks.run_cells_above", name=name, given=shown(value))
    return number


def choice(value: JSON, name: str, options: Sequence[str]) -> str:
    """Return the option that was picked; capitals, outer spaces and brackets do not matter.

    Raises
    ------
    AnswerError
        If it is not text, or not one of `options`.
    """
    picked = _bare(_text(value, name))
    for option in options:
        if picked == _bare(option):
            return option
    listed = ", ".join(f'"{o}"' for o in options)
    raise AnswerError("checks.not_an_option", name=name, given=shown(value), options=listed)


def sentence(value: JSON, name: str, least: int = 3) -> str:
    """Return a reason in words: at least `least` different ones.

    Raises
    ------
    AnswerError
        If it is not text or too short.
    """
    written = _text(value, name)
    if count_words(written) < least:
        raise AnswerError("checks.too_few_words", name=name, given=shown(value), least=least)
    return written


def count_words(written: str) -> int:
    """Return the number of different words: pieces between spaces that contain a letter of any script."""
    return len({w.casefold() for w in written.split() if any(c.isalpha() for c in w)})


def names_of(items: Iterable[str]) -> str:
    """Return names for a message, in double quotes, with commas; long lists end in `…`."""
    listed = list(items)
    return ", ".join(shown(n) for n in listed[:8]) + (", …" if len(listed) > 8 else "")


def _bare(picked: str) -> str:
    return picked.strip(" \t\n()[].:").casefold()


def _text(value: JSON, name: str) -> str:
    if value is None:
        raise unanswered(name)
    if not isinstance(value, str) or is_marker(value):
        raise AnswerError("checks.not_text", name=name, given=shown(value))
    return value


def _number_problem(value: float, most: float) -> str:
    if not math.isfinite(value):
        return "not_finite"
    return "too_large" if abs(value) > most else ""


def _text_problem(value: str) -> str:
    if value in ("<NaN>", "<infinity>", "<-infinity>"):
        return "not_finite"
    if value.startswith("<whole number"):
        return "too_large"
    if value in ("<function>", "<method>", "<builtin_function_or_method>"):
        return "not_called"
    return "number_in_quotes" if _STARTS_LIKE_A_NUMBER.match(value) else "not_a_number"
