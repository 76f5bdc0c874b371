"""Read JSON that is too large, damaged or odd for a plain `json.loads`.

Nothing here knows about notebooks but the names of the parts that are heavy and how a cell starts.
"""

from __future__ import annotations

import json
import mmap
import re
from collections.abc import Iterator
from typing import Any

MAX_TOKENS = 20_000_000  # about five seconds of scanning; a notebook of 200 MB has fewer
MAX_TRIES = 2000
MAX_DIGITS = 300  # of an integer: longer ones mean nothing in a notebook and are slow to convert
_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}]', re.DOTALL)
_HEAVY = re.compile(rb'"(?:outputs|attachments|widgets)"\s{0,20}:\s{0,20}(?=[\[{])')
_CELL = re.compile(
    r'\{\s{0,200}"(?:attachments|cell_type|collapsed|execution_count|id|input|language|metadata|outputs|source)"'
)
_CONFLICT = re.compile(r"^(<{7}|\|{7}|={7}|>{7})(?:[ \t]+(.*?))?[ \t\r]*$")


class TooLargeError(ValueError):
    """There are more brackets and strings than a notebook can have."""


def without_outputs(buffer: bytes | mmap.mmap) -> bytes:
    """Return JSON text with every `outputs`, `attachments` and `widgets` emptied, without parsing it.

    Works on damaged JSON too: a part that does not end is dropped to the end of the text.

    Raises
    ------
    TooLargeError
        If there are more than `MAX_TOKENS` strings and brackets.
    """
    kept: list[bytes] = []
    start = depth = 0  # depth counts brackets inside a part that is being dropped
    heavy_at = -1
    for count, token in enumerate(_TOKEN.finditer(buffer)):
        if count > MAX_TOKENS:
            raise TooLargeError
        opening = buffer[token.start()]
        if depth:
            depth += {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}.get(opening, 0)
            if not depth:
                start = token.end() - 1
        elif token.start() == heavy_at:
            kept.append(buffer[start : token.end()])
            depth, start = 1, len(buffer)
        elif opening == ord('"') and token.end() - token.start() <= 13:
            heavy = _HEAVY.match(buffer, token.start())
            heavy_at = heavy.end() if heavy else -1
    kept.append(buffer[start:])
    return b"".join(kept)


def parse(text: str) -> tuple[Any, set[str]]:
    """Return the data and what was odd about the text.

    Oddities: `"constant"` (NaN, Infinity: read as None), `"digits"` (an integer of over `MAX_DIGITS` digits:
    read as None), `"duplicate"` (a key twice in one object: the last counts, as in a browser), `"control"`
    (line ends or tabs inside a string), `"tail"` (something after the end).

    Raises
    ------
    ValueError, RecursionError
        If it cannot be read, or is nested too deeply.
    """
    odd: set[str] = set()

    def constant(_name: str) -> None:
        odd.add("constant")

    def integer(digits: str) -> int | None:
        if len(digits) <= MAX_DIGITS:
            return int(digits)
        odd.add("digits")
        return None

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(items)
        if len(found) < len(items):
            odd.add("duplicate")
        return found

    def decoder(strict: bool) -> json.JSONDecoder:
        return json.JSONDecoder(
            parse_constant=constant, parse_int=integer, object_pairs_hook=pairs, strict=strict
        )

    text = text.strip()
    try:
        data, end = decoder(strict=True).raw_decode(text)
    except ValueError:
        odd.clear()
        data, end = decoder(strict=False).raw_decode(text)
        odd.add("control")
    if end < len(text):
        odd.add("tail")
    return data, odd


def cells_in(text: str) -> list[dict[str, Any]]:
    """Return the objects in damaged JSON text that are whole and look like cells, in order.

    The work is bounded: after `MAX_TRIES` places that looked like a cell and were none, it stops.
    """
    decoder = json.JSONDecoder(parse_int=_short, strict=False)
    found: list[dict[str, Any]] = []
    position = failed = 0
    while failed < MAX_TRIES and (start := _CELL.search(text, position)):
        try:
            cell, position = decoder.raw_decode(text, start.start())
        except (ValueError, RecursionError):
            cell = None
        if isinstance(cell, dict) and "cell_type" in cell:
            found.append(cell)
        else:
            failed += 1
            position = start.start() + 1
    return found


def _short(digits: str) -> int | None:
    return int(digits) if len(digits) <= MAX_DIGITS else None


def sides(text: str) -> list[tuple[str, str]]:
    """Return the two versions in a text with merge-conflict markers, each with its label; none without.

    Conflicts that do not end run to the end of the text.
    """
    if not re.search(r"^<{7}", text, re.MULTILINE):
        return []
    versions: list[list[str]] = [[], []]
    labels = ["", ""]
    for kind, label, line in _marked_lines(text):
        if kind in ("both", "ours"):
            versions[0].append(line)
        if kind in ("both", "theirs"):
            versions[1].append(line)
        if kind == "begin":
            labels[0] = labels[0] or label
        if kind == "end":
            labels[1] = labels[1] or label
    return [(label or "–", "".join(lines)) for label, lines in zip(labels, versions, strict=True)]


def _marked_lines(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield (kind, label, line); kind is both, begin, ours, base, theirs, end or marker."""
    inside = "both"
    for line in text.splitlines(keepends=True):
        marker = _CONFLICT.match(line.rstrip("\n"))
        sign, label = (marker[1][0], marker[2] or "") if marker else ("", "")
        if sign == "<":
            inside = "ours"
            yield "begin", label, line
        elif sign == ">" and inside != "both":
            inside = "both"
            yield "end", label, line
        elif sign in ("|", "=") and sign and inside != "both":
            inside = "base" if sign == "|" else "theirs"
            yield "marker", label, line
        else:
            yield inside, "", line
