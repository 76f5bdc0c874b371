"""Mend a submission: every cell from the release, and from the student only the source of answer cells."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from labkit.grading.notes import Note

Lang = Literal["en", "hi"]


@dataclass(frozen=True)
class Mended:
    """A submission as it is graded.

    Attributes
    ----------
    notebook : the release notebook with the student's answers, nbformat 4.5, no outputs; None if nothing
        could be read, and then the last note says why.
    lang : language of the submission.
    notes : everything that was mended or could not be.
    answered : grade_id of each answer cell → whether the student has written something there.
    """

    notebook: dict[str, Any] | None
    lang: Lang
    notes: tuple[Note, ...]
    answered: dict[str, bool]


def mend(content: bytes, release: Mapping[str, Any], *, lang_default: Lang = "en") -> Mended:
    """Return the submission in the frame of the release notebook. Never raises, whatever the bytes are."""
    try:
        student = json.loads(content.decode("utf-8-sig"))
        cells = {c["metadata"]["nbgrader"]["grade_id"]: c for c in student["cells"] if "nbgrader" in c["metadata"]}
    except (ValueError, KeyError, TypeError, RecursionError):
        return Mended(None, lang_default, (Note("mending.no_notebook"),), {})
    frame = copy.deepcopy(dict(release))
    answered = {}
    for cell in frame["cells"]:
        marks = cell["metadata"].get("nbgrader", {})
        if marks.get("solution"):
            grade_id = marks["grade_id"]
            source = "".join(cells[grade_id]["source"]) if grade_id in cells else "".join(cell["source"])
            answered[grade_id] = source != "".join(cell["source"])
            cell["source"] = source
    lang: Lang = "hi" if student.get("metadata", {}).get("labkit", {}).get("lang") == "hi" else "en"
    return Mended(frame, lang, (), answered)
