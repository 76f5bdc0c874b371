"""Find the submissions of a class: folders, flat files or a zip of either."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from labkit.grading.entries import Entry, entries_in
from labkit.grading.notes import Note, shown
from labkit.grading.students import read_roster, safe_id

__all__ = ["Submission", "find_submissions", "read_roster"]

LOOKED_AT = 8_000_000  # bytes of a file in which its exercises are looked for
_EXERCISE = re.compile(rb'\b(?:answer|check)-(\d{1,3})-\d|check\(\\"(\d{1,3})\.\d')


@dataclass(frozen=True)
class Submission:
    """One notebook of one student.

    Attributes
    ----------
    student_id : safe as a file name.
    notebook : one of the notebooks asked for (its file name without `.ipynb`), or the file's own name, made
        safe, where it could not be told which it is.
    path : the file; None where there was something, but nothing that could be taken (the notes say why).
    notes : what was odd about where it lay or how it was called.
    """

    student_id: str
    notebook: str
    path: Path | None
    notes: tuple[Note, ...] = ()

    @property
    def note_ids(self) -> tuple[str, ...]:
        """The ids of the notes."""
        return tuple(note.id for note in self.notes)


@dataclass(frozen=True)
class _Candidate:
    """A file with what is thought of it: `exact` if it has the notebook's own name."""

    name: str
    submission: Submission
    exact: bool


def find_submissions(path: Path, notebooks: Sequence[str], unpack_to: Path | None = None) -> list[Submission]:
    """Return the submissions under `path`, sorted by student and notebook.

    Layouts: `DIR/<student id>/<notebook>.ipynb` (folders in between do not matter),
    `DIR/<student id>__<notebook>.ipynb`, `DIR/<student id>.ipynb`, or a zip of these. Files with another name
    are recognised by their exercises, else by what is left of the name.

    Parameters
    ----------
    path : folder or zip file.
    notebooks : names of the notebooks that are graded, with or without `.ipynb`.
    unpack_to : see `entries_in`.

    Raises
    ------
    WorkbookError
        If `path` is neither a folder nor a zip file.
    """
    known = [name.removesuffix(".ipynb") for name in notebooks]
    students: dict[str, list[Entry]] = {}
    given: dict[str, str] = {}
    for entry in entries_in(path, unpack_to):
        name = _student(entry)
        if name is not None:
            student = safe_id(name)
            given.setdefault(student, name)
            students.setdefault(student, []).append(entry)
    found = []
    for student, entries in students.items():
        found += _of_student(student, given[student], entries, known)
    return sorted(found, key=lambda one: (one.student_id, one.notebook))


def _student(entry: Entry) -> str | None:
    """Return the student id as given: the folder, or what stands before `__` in a flat file's name."""
    if len(entry.parts) > 1:
        return entry.parts[0]
    stem = _stem(entry.parts[0])
    if "__" in stem:
        return stem.rpartition("__")[0]
    return stem if entry.note or _is_notebook(entry.parts[0]) else None


def _of_student(student: str, given: str, entries: Sequence[Entry], known: Sequence[str]) -> list[Submission]:
    same = student == unicodedata.normalize("NFC", given)
    notes = [] if same else [Note("mending.safe_id", {"given": shown(given), "id": student})]
    files = [entry for entry in entries if _is_notebook(entry.parts[-1])] or [
        entry for entry in entries if len(entry.parts) <= 2
    ]
    candidates = [_candidate(student, entry, known) for entry in files]
    notes += [entry.note for entry in entries if entry.note and entry not in files]
    groups: dict[str, list[_Candidate]] = {}
    for one in candidates:
        groups.setdefault(one.submission.notebook, []).append(one)
    found = [_best(copies) for copies in groups.values()]
    return [replace(one, notes=(*notes, *one.notes)) for one in found]


def _best(copies: Sequence[_Candidate]) -> Submission:
    """Return the file with the notebook's own name, else the one whose name sorts last: `plan (2).ipynb`."""
    *others, best = sorted(copies, key=lambda one: (one.submission.path is not None, one.exact, one.name))
    refused = [note for one in others if one.submission.path is None for note in one.submission.notes]
    names = [shown(one.name) for one in others if one.submission.path is not None]
    if names:
        refused.append(Note("mending.other_copies", {"count": len(names), "names": ", ".join(names[:6])}))
    return replace(best.submission, notes=(*best.submission.notes, *refused))


def _candidate(student: str, entry: Entry, known: Sequence[str]) -> _Candidate:
    name = entry.parts[-1]
    stem = _stem(name).rpartition("__")[2] if len(entry.parts) == 1 else _stem(name)
    notebook = _by_content(entry.path, known) or _by_name(stem, known)
    notes = [entry.note] if entry.note else []
    if entry.path is not None and notebook is None:
        values = {"given": shown(name), "known": ", ".join(known)}
        notes.append(Note("mending.unknown_name", values))
    elif entry.path is not None and notebook is not None and stem != notebook:
        notes.append(Note("mending.renamed", {"given": shown(name), "notebook": notebook}))
    submission = Submission(student, notebook or safe_id(stem), entry.path, tuple(notes))
    return _Candidate("/".join(entry.parts), submission, stem == notebook)


def which_notebook(path: Path, known: Sequence[str]) -> str | None:
    """Return which of the known notebooks a file is, by its exercises, else by its name; None if unclear."""
    return _by_content(path, known) or _by_name(_stem(path.name), known)


def _by_content(path: Path | None, known: Sequence[str]) -> str | None:
    """Return the notebook whose number most of the exercises in a file carry."""
    if path is None:
        return None
    try:
        with path.open("rb") as file:
            content = file.read(LOOKED_AT)
    except OSError:
        return None
    numbers = Counter(int(a or b) for a, b in _EXERCISE.findall(content))
    return _with_number(numbers.most_common(1)[0][0], known) if numbers else None


def _by_name(stem: str, known: Sequence[str]) -> str | None:
    """Return the notebook whose name, or its words, or its number is in a file's name."""
    words = _words(stem)
    for name in known:
        if stem == name or _words(name) in words:
            return name
    for name in known:
        title = _words(name).lstrip("_0123456789")
        if title and title in words:
            return name
    numbers = {int(digits) for digits in re.findall(r"(?<!\d)\d{1,3}(?!\d)", stem)}
    meant = {_with_number(number, known) for number in numbers} - {None}
    return meant.pop() if len(meant) == 1 else None


def _with_number(number: int, known: Iterable[str]) -> str | None:
    return next((name for name in known if (m := re.match(r"\d+", name)) and int(m[0]) == number), None)


def _words(name: str) -> str:
    return re.sub(r"[\W_]+", "_", name.casefold())


def _stem(name: str) -> str:
    """Return a file's name without `.ipynb` and what was put after it, as in `plan.ipynb.txt`."""
    at = name.lower().find(".ipynb")
    return name[:at] if at > 0 else PurePosixPath(name).stem


def _is_notebook(name: str) -> bool:
    return ".ipynb" in name.lower()
