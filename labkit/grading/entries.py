"""The files in a folder or a zip as a flat list. Names of students are data here, never paths to write to."""

from __future__ import annotations

import lzma
import os
import re
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from labkit.grading.notes import Note, shown
from labkit.messages import text
from labkit.workbook import WorkbookError

MAX_ENTRY = 400_000_000  # bytes that one file of a zip may unpack to
MAX_TOTAL = 8_000_000_000  # bytes that a zip may unpack to
MAX_ENTRIES = 50_000
MAX_DEPTH = 6  # folders below a student's
_WORTH_READING = re.compile(r"\.(ipynb|json|html?|pdf|py|txt|zip|gz|docx?|md)\b|^[^.]+$", re.IGNORECASE)
_LEADS_OUT = re.compile(r"\.{0,2}|[A-Za-z]:")  # parts of a path that are no names
_SKIPPED = {"__MACOSX", "__pycache__", "node_modules"}
_DAMAGED = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError),
    *(EOFError, NotImplementedError, OSError, RuntimeError, ValueError),
)


@dataclass(frozen=True)
class Entry:
    """One file: the parts of its name below the folder or in the zip, and where it lies or why not."""

    parts: tuple[str, ...]
    path: Path | None
    note: Note | None = None


def entries_in(path: Path, unpack_to: Path | None = None) -> list[Entry]:
    """Return the files in a folder or zip that may be submissions, sorted by name.

    Links are not followed and paths out of a zip are refused; both give an entry without a path. Hidden
    files and files of kinds that nobody hands in for a notebook are left out.

    Parameters
    ----------
    path : folder or zip file.
    unpack_to : an empty folder for the files of a zip, which get numbers as names; None takes a temporary
        one that lasts as long as the process.

    Raises
    ------
    WorkbookError
        If `path` is neither, or a zip that cannot be opened.
    """
    if path.is_dir():
        return sorted(_walk(path), key=lambda entry: entry.parts)
    if not path.is_file() or not zipfile.is_zipfile(path):
        raise WorkbookError(text("mending.no_submissions_folder", path=path))
    try:
        with zipfile.ZipFile(path) as archive:
            return _without_top(sorted(_unpack(archive, unpack_to), key=lambda entry: entry.parts))
    except _DAMAGED as error:
        raise WorkbookError(text("mending.zip_damaged", given=path.name, why=shown(error))) from None


def _walk(folder: Path, parts: tuple[str, ...] = ()) -> Iterator[Entry]:
    with os.scandir(folder) as found:
        inside = sorted(found, key=lambda one: one.name)
    for one in inside:
        here = (*parts, one.name)
        if not _is_of_interest(one.name):
            continue
        if one.is_symlink() or (hasattr(one, "is_junction") and one.is_junction()):
            yield Entry(here, None, Note("mending.link", {"given": shown(one.name)}))
        elif one.is_dir(follow_symlinks=False):
            if len(here) <= MAX_DEPTH:
                yield from _walk(Path(one.path), here)
        elif one.is_file(follow_symlinks=False) and _WORTH_READING.search(one.name):
            yield Entry(here, Path(one.path))


def _is_of_interest(name: str) -> bool:
    return not name.startswith(".") and name not in _SKIPPED


def _unpack(archive: zipfile.ZipFile, unpack_to: Path | None) -> Iterator[Entry]:
    folder = unpack_to or _temporary_folder()
    folder.mkdir(parents=True, exist_ok=True)
    left = MAX_TOTAL
    for number, info in enumerate(archive.infolist()[:MAX_ENTRIES]):
        name = _name(info)
        parts = tuple(part for part in re.split(r"[/\\]", name) if not _LEADS_OUT.fullmatch(part))
        if info.is_dir() or not parts or not all(map(_is_of_interest, parts)):
            continue
        if not _WORTH_READING.search(parts[-1]) and not _is_link(info):
            continue
        target = folder / f"{number:05}"
        note = _refusal(info, name) or _copy(archive, info, target, min(MAX_ENTRY, left))
        if note is None:
            left -= target.stat().st_size
        yield Entry(parts, None if note else target, note)


def _refusal(info: zipfile.ZipInfo, name: str) -> Note | None:
    given = {"given": shown(name)}
    if _is_link(info):
        return Note("mending.link", given)
    if ".." in re.split(r"[/\\]", name) or name.startswith(("/", "\\")) or re.match(r"[A-Za-z]:", name):
        return Note("mending.unsafe_path", given)
    return Note("mending.zip_encrypted", given) if info.flag_bits & 1 else None


def _copy(archive: zipfile.ZipFile, info: zipfile.ZipInfo, target: Path, limit: int) -> Note | None:
    """Unpack one file, counting what really comes out; return why not, if not."""
    try:
        with archive.open(info) as source, target.open("wb") as copied:
            while block := source.read(1 << 20):
                if copied.tell() + len(block) > limit:
                    break
                copied.write(block)
    except _DAMAGED as error:
        target.unlink(missing_ok=True)
        return Note("mending.zip_damaged", {"given": shown(info.filename), "why": shown(error)})
    if block:
        target.unlink()
        return Note("mending.zip_too_large", {"given": shown(info.filename), "limit": limit // 1_000_000})
    return None


def _is_link(info: zipfile.ZipInfo) -> bool:
    return stat.S_ISLNK(info.external_attr >> 16)


def _name(info: zipfile.ZipInfo) -> str:
    """Return an entry's name; names that were stored as UTF-8 without saying so are put right."""
    if info.flag_bits & 0x800:
        return info.filename
    try:
        return info.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return info.filename


def _without_top(entries: list[Entry]) -> list[Entry]:
    """Take off folders around the class: as long as all share one, and it is not a student's own."""
    while len({entry.parts[0] for entry in entries}) == 1 and all(len(entry.parts) > 1 for entry in entries):
        own = any(len(e.parts) == 2 and "__" not in e.parts[1] and _is_notebook(e.parts[1]) for e in entries)
        if own:
            break
        entries = [Entry(entry.parts[1:], entry.path, entry.note) for entry in entries]
    return entries


def _is_notebook(name: str) -> bool:
    return PurePosixPath(name).suffix.lower() == ".ipynb"


_temporary: list[tempfile.TemporaryDirectory[str]] = []  # removed when the process ends


def _temporary_folder() -> Path:
    _temporary.append(tempfile.TemporaryDirectory(prefix="labkit-"))
    return Path(_temporary[-1].name)
