"""Find and read recordings: in a clone, in the installed package, or in any folder."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import json
import os
import shutil
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labkit.messages import text
from labkit.recorded.datasheet import RecordedError, Row, faults, read

SUFFIXES = (".csv", ".json.gz")
_PACKAGED = Path(__file__).parent / "data"  # the copy that setup.py puts into the wheel


@dataclass(frozen=True)
class Recorded:
    """Recorded results.

    Attributes
    ----------
    name : of the recording.
    rows : one dict per row; `pandas.DataFrame(rows)` makes a table of them.
    datasheet : "description", "command", "date", "machine", "versions", "wall_time_s" (seconds), "rows",
        "licence", "sha256" (of the file), and "fields": name → {"unit", "meaning"}.
    path : the file of the rows.
    """

    name: str
    rows: list[Row]
    datasheet: dict[str, Any]
    path: Path


def load(name: str, folder: str | os.PathLike[str] | None = None) -> Recorded:
    """Return a recording.

    Parameters
    ----------
    name : one of `names(folder)`.
    folder : where a `Recorder` wrote it; None for the workbook's own recordings.

    Raises
    ------
    RecordedError
        If there is no such recording (lists those there are), or its files are damaged.
    """
    home = _home() if folder is None else Path(folder)
    known = names(home)
    if not known:
        raise RecordedError(text("recorded.none" if folder is None else "recorded.none_there", folder=home))
    if name not in known:
        raise RecordedError(text("recorded.unknown", name=name, known=", ".join(known)))
    path = next(path for path in _files(home) if _name(path) == name)
    try:
        content = path.read_bytes()
        rows = parse(path.name, content)
        sheet = read((home / f"{name}.md").read_text(encoding="utf-8"))
    except (OSError, EOFError, ValueError, RecursionError, csv.Error, zlib.error) as error:
        raise RecordedError(text("recorded.damaged", path=path), [str(error)]) from None
    wrong = faults(sheet, rows)
    if sheet["sha256"] != hashlib.sha256(content).hexdigest():
        wrong.append(text("recorded.changed", sheet=f"{name}.md"))
    if wrong:
        raise RecordedError(text("recorded.damaged", path=path), wrong)
    return Recorded(name, rows, sheet, path)


def names(folder: str | os.PathLike[str] | None = None) -> list[str]:
    """Return the names of the recordings in a folder, or of the workbook's own, sorted."""
    return sorted({_name(path) for path in _files(_home() if folder is None else Path(folder))})


def copy_to(folder: Path) -> None:
    """Copy the workbook's recordings with their datasheets into a clean copy of the package `labkit`."""
    target = folder / "recorded" / "data"
    target.mkdir(exist_ok=True)
    for path in _files(_home()):
        for name in (path.name, f"{_name(path)}.md"):
            shutil.copyfile(path.with_name(name), target / name)


def parse(filename: str, content: bytes) -> list[Row]:
    """Return the rows of a recording's file.

    In a .csv file each column is of one type: whole numbers, numbers, True and False, or text; an empty cell
    is None.
    """
    if filename.endswith(".json.gz"):
        rows: list[Row] = json.loads(gzip.decompress(content))
        if not (isinstance(rows, list) and all(isinstance(row, dict) for row in rows)):
            raise ValueError(text("recorded.no_table"))
        return rows
    head, *lines = csv.reader(io.StringIO(content.decode("utf-8"), newline=""), strict=True)
    columns = [_typed(column) for column in zip(*lines, strict=True)]
    return [dict(zip(head, row, strict=True)) for row in zip(*columns, strict=True)]


def _typed(column: Sequence[str]) -> list[Any]:
    for convert in (int, float, {"True": True, "False": False}.__getitem__):
        try:
            return [convert(cell) if cell else None for cell in column]
        except (ValueError, KeyError):
            continue
    return [cell or None for cell in column]


def _home() -> Path:
    """Return the folder of the workbook's own recordings: the clone's, else the installed package's."""
    clone = Path(__file__).resolve().parents[2]
    ours = clone / "data" / "recorded"
    return ours if (clone / "pyproject.toml").is_file() and ours.is_dir() else _PACKAGED


def _files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.glob("*")) if path.name.endswith(SUFFIXES)]


def _name(path: Path) -> str:
    return path.name.removesuffix(".csv").removesuffix(".json.gz")
