"""From the bytes of a file to the cells of a notebook, or to the reason why there are none."""

from __future__ import annotations

import codecs
import mmap
import re
from dataclasses import dataclass, replace
from pathlib import Path

from labkit.grading.cells import Cell, Cells, cells_of
from labkit.grading.notes import Note, shown
from labkit.grading.rawjson import TooLargeError, cells_in, parse, sides, without_outputs

MAX_FILE = 1_000_000_000  # bytes; what is larger is not even scanned
SLIM_FILE = 64_000_000  # bytes; larger files are read without their outputs
MAX_TEXT = 10_000_000  # bytes of a notebook without outputs; ours have 50 thousand
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_OTHER_FILES = (
    ("mending.is_zip", re.compile(rb"PK\x03\x04|\x1f\x8b|7z\xbc\xaf|Rar!")),
    ("mending.is_pdf", re.compile(rb"%PDF")),
    ("mending.is_html", re.compile(rb"\s*<(?:!doctype html|html|!--|head|body)", re.IGNORECASE)),
    ("mending.is_python", re.compile(rb"\s*(?:#!|# ?%%|# ?-\*-|# coding|import |from \w+ import |def )")),
)


@dataclass(frozen=True)
class Reading:
    """The cells that were read (None: nothing could be), the language named in the file, and notes."""

    cells: tuple[Cell, ...] | None
    lang: str | None
    notes: tuple[Note, ...]


def read_file(path: Path) -> tuple[bytes, tuple[Note, ...]]:
    """Return a file's bytes, without the outputs if it is over `SLIM_FILE`, and notes on that.

    Memory stays bounded: large files are mapped, not read. What cannot be read gives no bytes and a note.
    """
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            if size <= SLIM_FILE:
                file.seek(0)
                return file.read(), ()
            if size > MAX_FILE:
                return b"", (_too_large(size),)
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
                return without_outputs(mapped), (_outputs_dropped(size),)
    except TooLargeError:
        return b"", (_too_large(size),)
    except (OSError, ValueError) as error:
        return b"", (Note("mending.cannot_open", {"why": shown(getattr(error, "strerror", "") or error)}),)


def read(content: bytes) -> list[Reading]:
    """Return the notebook in `content`; two for a file with merge-conflict markers. Never raises."""
    notes: list[Note] = []
    if not content.strip(b" \t\r\n\0"):
        return [_unreadable("mending.empty_file")]
    for message, start in _OTHER_FILES:
        if start.match(content):
            return [_unreadable(message)]
    if len(content) > MAX_TEXT:
        notes.append(_outputs_dropped(len(content)))
        try:
            content = without_outputs(content)
        except TooLargeError:
            return [_unreadable(_too_large(len(content)))]
        if len(content) > MAX_TEXT:
            return [_unreadable(_too_large(len(content)), notes)]
    text, decoding = _decoded(content)
    notes += decoding
    readings = []
    versions = sides(text)
    for label, version in versions or [("", text)]:
        reading = _read_text(version)
        if versions:
            conflict = Note("mending.file_conflict", {"taken": shown(label, 40)})
            reading = replace(reading, notes=(conflict, *reading.notes))
        readings.append(replace(reading, notes=(*notes, *reading.notes)))
    return readings


def _decoded(content: bytes) -> tuple[str, list[Note]]:
    for bom, encoding in _BOMS:
        if content.startswith(bom):
            note = Note("mending.bom") if encoding == "utf-8" else _encoding(encoding)
            text = content.decode("utf-8-sig" if encoding == "utf-8" else encoding, errors="replace")
            return text, [note]
    if content[:4].count(0) == 2:
        encoding = "utf-16-le" if content[1] == 0 else "utf-16-be"
        return content.decode(encoding, errors="replace"), [_encoding(encoding)]
    try:
        return content.strip(b"\0").decode("utf-8"), []
    except UnicodeDecodeError:
        return content.decode("utf-8", errors="replace"), [_encoding("–")]


def _read_text(text: str) -> Reading:
    """Read one version of the text: as JSON, else without outputs, else cell by cell."""
    deep = False
    for lighten in (str, _slim):
        try:
            data, odd = parse(lighten(text))
        except RecursionError:
            deep = True
        except ValueError:
            continue
        else:
            found = cells_of(data)
            if found is None:
                return _unreadable("mending.no_cells")
            return _reading(found, [Note("mending.odd_json")] if odd else [])
    cells = cells_in(_slim(text))
    rescued = cells_of({"cells": cells, "nbformat": 4, "metadata": {"kernelspec": {"name": "python3"}}})
    if not cells or rescued is None:
        return _unreadable("mending.too_deep" if deep else "mending.no_notebook")
    return _reading(rescued, [Note("mending.damaged", {"count": len(cells)})])


def _slim(text: str) -> str:
    return without_outputs(text.encode("utf-8", "replace")).decode("utf-8")


def _reading(found: Cells, notes: list[Note]) -> Reading:
    if not any(cell.source.strip() for cell in found.cells):
        return _unreadable("mending.empty_notebook", [*notes, *found.notes])
    return Reading(found.cells, found.lang, (*notes, *found.notes))


def _unreadable(note: str | Note, before: list[Note] | None = None) -> Reading:
    last = Note(note) if isinstance(note, str) else note
    return Reading(None, None, (*(before or ()), last))


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.0f}"


def _too_large(size: int) -> Note:
    return Note("mending.too_large", {"size": _megabytes(size)})


def _outputs_dropped(size: int) -> Note:
    return Note("mending.outputs_dropped", {"size": _megabytes(size)})


def _encoding(given: str) -> Note:
    return Note("mending.encoding", {"given": given})
