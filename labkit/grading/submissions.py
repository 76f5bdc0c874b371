"""Find the submissions of a class: folders, flat files or a zip of either."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from labkit.grading.notes import Note


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


def find_submissions(path: Path, notebooks: Sequence[str]) -> list[Submission]:
    """Return the submissions under `path`, sorted by student and notebook."""
    found = []
    for file in sorted(path.glob("*/*.ipynb")):
        found.append(Submission(file.parent.name, file.stem, file))
    for file in sorted(path.glob("*__*.ipynb")):
        student, _, notebook = file.stem.partition("__")
        found.append(Submission(student, notebook, file))
    return [one for one in found if one.notebook in notebooks]
