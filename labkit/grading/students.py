"""Student ids that are safe as file names, and the roster."""

from __future__ import annotations

import csv
import hashlib
import io
import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path

from labkit.grading.notes import shown
from labkit.messages import text
from labkit.workbook import WorkbookError

MAX_ID = 64
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)  # no file names on Windows
_ID_COLUMNS = ("student_id", "id", "sis_login_id", "sis_user_id", "roll_number", "roll_no")
_NAME_COLUMNS = ("name", "student", "full_name", "student_name", "नाम")


def safe_id(given: str) -> str:
    """Return a student id that can be a file name on every system; a sound one comes back as it is.

    Sound are letters and marks of any script, ASCII digits, `.`, `_` and `-`, up to 64 characters, no dot at
    either end. Anything else is replaced, and a short hash of the id keeps two such ids apart. (Letters are
    composed first, Unicode NFC: file systems differ in this.)
    """
    composed = unicodedata.normalize("NFC", given)
    kept = "".join(c if _is_sound(c) else "_" for c in composed).strip(".")
    if kept == composed and 0 < len(kept) <= MAX_ID and not _RESERVED.fullmatch(kept):
        return kept
    mark = hashlib.sha256(composed.encode("utf-8", "replace")).hexdigest()[:8]
    kept = f"id_{kept}" if _RESERVED.fullmatch(kept) or not kept else kept
    return f"{kept[: MAX_ID - 9]}-{mark}"


def _is_sound(character: str) -> bool:
    plain = character.isascii() and (character.isalnum() or character in "._-")
    return plain or unicodedata.category(character)[0] in "LM"


def read_roster(file: Path) -> dict[str, str]:
    """Return student id (as `safe_id` makes it) → name, in the roster's order.

    The first line names the columns: `student_id` (or `id`, `SIS Login ID`, …) and, if there is one, `name`.
    Comma, semicolon and tab are understood, a byte order mark too.

    Raises
    ------
    WorkbookError
        With everything that is wrong.
    """
    try:
        content = file.read_bytes()
        encoding = "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
        lines = content.decode(encoding).lstrip("\r\n")
        header = lines.split("\n", 1)[0]
        delimiter = max(",;\t", key=header.count)
        rows = list(csv.reader(io.StringIO(lines, newline=""), delimiter=delimiter, strict=False))
    except (OSError, ValueError, csv.Error) as error:
        why = getattr(error, "strerror", None) or shown(error)
        raise WorkbookError(text("mending.roster_unreadable", file=file, why=why)) from None
    titles = rows[0] if rows else []
    columns = [re.sub(r"[\s_-]+", "_", title.strip().casefold()) for title in titles]
    id_at, name_at = _first(_ID_COLUMNS, columns), _first(_NAME_COLUMNS, columns)
    if id_at is None:
        given = ", ".join(map(shown, titles)) or "–"
        raise WorkbookError(text("mending.roster_columns", file=file, given=given))
    return _names(file, rows, id_at, name_at)


def _first(wanted: Sequence[str], columns: Sequence[str]) -> int | None:
    return next((columns.index(name) for name in wanted if name in columns), None)


def _names(file: Path, rows: Sequence[Sequence[str]], id_at: int, name_at: int | None) -> dict[str, str]:
    names: dict[str, str] = {}
    lines: dict[str, int] = {}
    faults = []
    for line, row in enumerate(rows[1:], start=2):
        given = row[id_at].strip() if id_at < len(row) else ""
        if not any(field.strip() for field in row):
            continue
        student = safe_id(given)
        if not given:
            faults.append(text("mending.roster_no_id", file=file, line=line))
        elif student in names:
            faults.append(
                text("mending.roster_twice", file=file, line=line, given=shown(given), first=lines[student])
            )
        else:
            name = row[name_at] if name_at is not None and name_at < len(row) else ""
            names[student], lines[student] = " ".join(name.split()), line
    if faults:
        raise WorkbookError("\n".join(faults))
    return names
