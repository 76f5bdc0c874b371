"""Tables for spreadsheets: quoted CSV in UTF-8 with a byte order mark, in which no cell is a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from unicodedata import category

_STARTS_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_GUARD = "'"


def to_csv(rows: Iterable[Sequence[str]]) -> bytes:
    """Return rows as CSV that Excel and LibreOffice open rightly, in any script.

    A text that a spreadsheet would take for a formula gets an apostrophe in front; `read_csv` takes it away.
    """
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerows([[_guarded(cell) for cell in row] for row in rows])
    return b"\xef\xbb\xbf" + to_bytes(out.getvalue())


def read_csv(content: bytes) -> list[list[str]]:
    """Return the rows of a CSV file as a spreadsheet program may have saved it.

    Commas, semicolons or tabs between the cells; UTF-8 with or without a byte order mark, or UTF-16 with one.

    Raises
    ------
    ValueError
        If it is no text, or no CSV.
    """
    utf16 = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    text = content.decode("utf-16" if utf16 else "utf-8-sig")
    first = text.partition("\n")[0]
    separator = max(",;\t", key=first.count)
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True))
    except csv.Error as error:
        raise ValueError(str(error)) from error
    return [[_unguarded(cell) for cell in row] for row in rows]


def points_text(points: float) -> str:
    """Return points as a spreadsheet and a person read them: `"2"`, `"1.5"`."""
    return f"{round(points, 2):g}"


def exercise_order(exercise: str) -> tuple[int, ...]:
    """Return the key by which exercises sort: 2.10 comes after 2.9."""
    return tuple(int(part) if part.isdecimal() else 0 for part in exercise.split("."))


def to_bytes(text: str) -> bytes:
    """Return text as UTF-8; half a surrogate pair, which is no character, becomes `?`."""
    return text.encode("utf-8", "replace")


def write(path: Path, content: bytes) -> Path:
    """Write a file whole or not at all, and return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.part")
    part.write_bytes(content)
    part.replace(path)
    return path


def _guarded(cell: str) -> str:
    """Return a cell without control characters, and with an apostrophe before what looks like a formula."""
    clean = "".join(
        "\N{REPLACEMENT CHARACTER}" if category(c) == "Cc" and c not in "\n\t" else c for c in cell
    )
    return _GUARD + clean if clean.lstrip(" \N{NO-BREAK SPACE}").startswith(_STARTS_FORMULA) else clean


def _unguarded(cell: str) -> str:
    rest = cell.removeprefix(_GUARD)
    return rest if rest.lstrip(" \N{NO-BREAK SPACE}").startswith(_STARTS_FORMULA) else cell
