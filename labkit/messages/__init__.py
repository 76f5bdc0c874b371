"""Every sentence that labkit shows, in English and Hindi, in one table keyed by id.

The table lives in the `.toml` files beside this module, one file per area. The id's first part names the
file: `text("plan.no_baseline")` reads `plan.toml`. An entry has an `en` and a `hi` line; both must use the
same placeholders (a test checks it).
"""

from __future__ import annotations

import functools
import math
import os
import tomllib
import unicodedata
from importlib import resources

LANGUAGES = ("en", "hi")
# below this many seconds: divide by this, call it that
_UNITS = ((1.0, 1e-3, "ms"), (120.0, 1.0, "s"), (7200.0, 60.0, "min"), (259200.0, 3600.0, "h"))

_current = os.environ.get("LABKIT_LANG", "en") if os.environ.get("LABKIT_LANG") in LANGUAGES else "en"


def language() -> str:
    """Return the language in use, `"en"` or `"hi"` (from LABKIT_LANG at the start, else English)."""
    return _current


def set_language(lang: str) -> None:
    """Set the language of every later message.

    Raises
    ------
    ValueError
        If `lang` is not one of `LANGUAGES`.
    """
    global _current  # noqa: PLW0603 - one language per process, as a student expects
    _current = checked_language(lang)


def checked_language(lang: str | None) -> str:
    """Return `lang`, or the language in use for None; raise ValueError for an unknown one."""
    if lang is None:
        return _current
    if lang not in LANGUAGES:
        raise ValueError(f"lang is {lang!r}; expected one of {', '.join(map(repr, LANGUAGES))}.")
    return lang


@functools.cache
def table(area: str) -> dict[str, dict[str, str]]:
    """Return the messages of one area (one `.toml` file): id → {"en": ..., "hi": ...}.

    Raises
    ------
    KeyError
        If there is no such area.
    """
    file = resources.files(__name__).joinpath(f"{area}.toml")
    if not file.is_file():
        raise KeyError(f"There is no message area {area!r}; there are {', '.join(areas())}.")
    return tomllib.loads(file.read_text(encoding="utf-8"))


def areas() -> list[str]:
    """Return the names of all message areas, sorted."""
    return sorted(f.name[:-5] for f in resources.files(__name__).iterdir() if f.name.endswith(".toml"))


def text(message_id: str, lang: str | None = None, **values: object) -> str:
    """Return one message, its placeholders filled in.

    Parameters
    ----------
    message_id : id as in the table, such as `"plan.no_baseline"`.
    lang : `"en"`, `"hi"`, or None for the language in use.
    values : the placeholders' values; format numbers first, with `number` or `duration`.

    Raises
    ------
    KeyError
        If the id is unknown.
    """
    entries = table(message_id.split(".", 1)[0])
    if message_id not in entries:
        raise KeyError(f"There is no message {message_id!r}.")
    return entries[message_id][checked_language(lang)].format(**values)


def number(value: float, digits: int = 3) -> str:
    """Format a number for people: at most `digits` significant digits, no exponent, no trailing zeros.

    Whole parts are never rounded away: `number(1234.5)` is `"1,234"`, `number(0.0567)` is `"0.0567"`.
    """
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    size = len(str(int(abs(value)))) if abs(value) >= 1 else 0
    decimals = max(0, digits - size)
    if abs(value) < 1:
        decimals = min(12, decimals + max(0, -int(f"{abs(value):e}".split("e")[1]) - 1))
    shown = f"{value:,.{decimals}f}"
    return shown.rstrip("0").rstrip(".") if "." in shown else shown


def duration(seconds: float, lang: str | None = None) -> str:
    """Format a duration for people: `"0.6 ms"`, `"12 s"`, `"40 min"`, `"12 h"`, `"3 days"` beyond 72 h.

    One unit, three significant digits: a forecast is never more exact than that.
    """
    size = abs(seconds)
    for limit, scale, unit in _UNITS:
        if size < limit:
            return f"{number(seconds / scale)} {text('common.unit_' + unit, lang)}"
    return f"{number(seconds / 86400)} {text('common.unit_days', lang)}"


def folded(words: str, width: int = 88) -> str:
    """Return text in lines of at most `width` letters, as a notebook prints them without breaking a word.

    Lines that are there stay lines; what starts with blanks goes on behind the same blanks. Signs that stand
    above or below a letter, as in Devanagari, take no room.
    """
    lines: list[str] = []
    for line in words.split("\n"):
        indent = line[: len(line) - len(line.lstrip())]
        current = ""
        for word in line.split():
            if current and _room(f"{indent}{current} {word}") > width:
                lines.append(indent + current)
                current = word
            else:
                current = f"{current} {word}" if current else word
        lines.append(indent + current if current else "")
    return "\n".join(lines)


def _room(line: str) -> int:
    return sum(not unicodedata.category(letter).startswith("M") for letter in line)
