"""A student's notebook as a list of cells, whatever nbformat version or program wrote it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from labkit.grading.notes import Note, shown

MAX_CELLS = 1000
MAX_SOURCE = 50_000  # characters of one cell
MAX_ALL = 1_000_000  # characters of all cells
_ODD = re.compile("[\0\ud800-\udfff]")  # NUL and halves of surrogate pairs: no Python source may hold them
_KINDS = {"code": "code", "markdown": "markdown", "heading": "markdown", "html": "markdown", "raw": "raw"}


@dataclass(frozen=True)
class Cell:
    """One cell: `kind` is code, markdown or raw; `claims` are the names it may be known by, best first."""

    kind: str
    source: str
    claims: tuple[str, ...] = ()


@dataclass(frozen=True)
class Cells:
    """The cells of one notebook, the language that its metadata name (or None), and notes."""

    cells: tuple[Cell, ...]
    lang: str | None
    notes: tuple[Note, ...]


def cells_of(data: object) -> Cells | None:
    """Return the cells in a notebook's JSON data, or None if it has no list of cells.

    nbformat 1 and 2 (`code`, `text`), 3 (`worksheets`, `input`), 4 and later ones are read; types that do
    not belong are skipped and noted.
    """
    if not isinstance(data, dict):
        return None
    raw = data.get("cells")
    if not isinstance(raw, list):
        sheets = data.get("worksheets")
        found = (
            [s["cells"] for s in sheets if isinstance(s, dict) and isinstance(s.get("cells"), list)]
            if (isinstance(sheets, list))
            else []
        )
        if not found:
            return None
        raw = [cell for sheet in found for cell in sheet]
    metadata = _dict(data.get("metadata"))
    notes = _file_notes(data, metadata)
    if len(raw) > MAX_CELLS:
        notes.append(Note("mending.too_many_cells", {"count": len(raw), "limit": MAX_CELLS}))
    cells, cell_notes = _read_cells(raw[:MAX_CELLS])
    return Cells(tuple(cells), _lang(metadata), (*notes, *cell_notes))


def _file_notes(data: Mapping[str, Any], metadata: Mapping[str, Any]) -> list[Note]:
    notes = []
    if data.get("nbformat") != 4:
        notes.append(Note("mending.nbformat", {"given": shown(data.get("nbformat", "–"), 20)}))
    if "colab" in metadata:
        notes.append(Note("mending.colab"))
    kernel = _dict(metadata.get("kernelspec"))
    if kernel.get("name") != "python3":
        notes.append(Note("mending.kernelspec", {"given": shown(kernel.get("name") or "–", 40)}))
    return notes


def _read_cells(raw: list[Any]) -> tuple[list[Cell], list[Note]]:
    cells: list[Cell] = []
    skipped = line_ends = odd = long = total = 0
    for one in raw:
        source = _source(one)
        if source is None:
            skipped += 1
            continue
        if len(source) > MAX_SOURCE or total + len(source) > MAX_ALL:
            long += 1
            source = ""
        total += len(source)
        line_ends += "\r" in source
        clean, replaced = _ODD.subn("\N{REPLACEMENT CHARACTER}", re.sub("\r\n?", "\n", source))
        odd += replaced
        cells.append(Cell(_KINDS.get(str(one.get("cell_type")), "raw"), clean, _claims(one)))
    counts = (
        ("mending.long_cells", long),
        ("mending.odd_cells", skipped),
        ("mending.line_ends", line_ends),
        ("mending.odd_characters", odd),
    )
    return cells, [Note(message, {"count": count}) for message, count in counts if count]


def _source(cell: object) -> str | None:
    """Return a cell's text, or None if it is no cell or its text is neither a string nor a list of them."""
    if not isinstance(cell, dict):
        return None
    for key in ("source", "input", "code", "text"):
        value = cell.get(key)
        if isinstance(value, list) and all(isinstance(line, str) for line in value):
            return "".join(value)
        if isinstance(value, str):
            return value
    return None


def _claims(cell: Mapping[str, Any]) -> tuple[str, ...]:
    """Return grade_id, cell id and the id that Colab keeps in the metadata, as far as they are text."""
    metadata = _dict(cell.get("metadata"))
    named = (_dict(metadata.get("nbgrader")).get("grade_id"), cell.get("id"), metadata.get("id"))
    return tuple(name for name in named if isinstance(name, str))


def _lang(metadata: Mapping[str, Any]) -> str | None:
    lang = _dict(metadata.get("labkit")).get("lang")
    return lang if lang in ("en", "hi") else None


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
