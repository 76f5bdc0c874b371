"""Mend a submission: every cell from the release, and from the student only the source of answer cells."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast

from labkit.grading.answers import Match, find_answer, frame_cells, match
from labkit.grading.cells import Cell
from labkit.grading.code import is_answered
from labkit.grading.locked import locked_notes
from labkit.grading.notes import Note
from labkit.grading.parameters import values_in, with_values
from labkit.grading.reading import Reading, read

Lang: TypeAlias = Literal["en", "hi"]
Notebook: TypeAlias = dict[str, Any]


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

    notebook: Notebook | None
    lang: Lang
    notes: tuple[Note, ...]
    answered: dict[str, bool]


def mend(content: bytes, release: Mapping[str, Any], *, lang_default: Lang = "en") -> Mended:
    """Return the submission in the frame of the release notebook. Never raises, whatever the bytes are.

    Parameters
    ----------
    content : the file as it was handed in; `labkit.grading.reading.read_file` reads large ones.
    release : the release notebook (nbformat 4 data), or one for each language: `{"en": …, "hi": …}`.
    lang_default : language where the file does not tell.
    """
    mended = [_mended(reading, release, lang_default) for reading in read(content)]
    return max(mended, key=lambda one: (one.notebook is not None, sum(one.answered.values())))


def _mended(reading: Reading, release: Mapping[str, Any], lang_default: Lang) -> Mended:
    if reading.cells is None:
        return Mended(None, lang_default, reading.notes, {})
    any_release = release if "cells" in release else next(iter(release.values()))
    lang = _language(reading, match(frame_cells(any_release), reading.cells), any_release) or lang_default
    frame: Notebook = copy.deepcopy(dict(release if "cells" in release else release.get(lang, any_release)))
    matched = match(frame_cells(frame), reading.cells)
    known = any(matched.found[one.grade_id] for one in matched.frame if one.is_answer or one.is_check)
    answers = {one.grade_id: find_answer(one, matched) for one in matched.frame if one.is_answer}
    if not known and sum(bool(answer.source) for answer in answers.values()) < len(answers) / 2:
        return Mended(None, lang, (*reading.notes, Note("mending.other_notebook")), {})
    notes = [note for answer in answers.values() for note in answer.notes]
    answered = {}
    for cell in frame["cells"]:
        if cell["cell_type"] == "code":
            cell |= {"execution_count": None, "outputs": []}
        grade_id = cell["metadata"].get("nbgrader", {}).get("grade_id")
        if grade_id in answers:
            gap, given = "".join(cell["source"]), answers[grade_id].source
            answered[grade_id] = is_answered(given, gap)
            cell["source"] = (given if given.strip() else gap).splitlines(keepends=True)
        elif _is_parameters(cell):
            source, kept = with_values(cell, {**_chosen(matched, grade_id), "lang": lang})
            cell["source"] = source.splitlines(keepends=True)
            notes += kept
    frame["metadata"].setdefault("labkit", {})["lang"] = lang
    return Mended(frame, lang, (*reading.notes, *locked_notes(matched, _parameters(frame)), *notes), answered)


def _language(reading: Reading, matched: Match, release: Mapping[str, Any]) -> Lang | None:
    """Return the language set in the parameters, else named in the metadata, else that of the text cells."""
    for grade_id in _parameters(release):
        chosen = _chosen(matched, grade_id).get("lang")
        if chosen in ("en", "hi"):
            return cast(Lang, chosen)
    if reading.lang in ("en", "hi"):
        return cast(Lang, reading.lang)
    return _language_of_text(reading.cells or ())


def _language_of_text(cells: Sequence[Cell]) -> Lang | None:
    letters = [c for cell in cells if cell.kind == "markdown" for c in cell.source if c.isalpha()]
    if not letters:
        return None
    devanagari = sum("\N{DEVANAGARI SIGN CANDRABINDU}" <= c <= "\N{DEVANAGARI LETTER LLA}" for c in letters)
    return "hi" if devanagari > 0.2 * len(letters) else "en"


def _parameters(notebook: Mapping[str, Any]) -> list[str]:
    return [c["metadata"]["nbgrader"]["grade_id"] for c in notebook["cells"] if _is_parameters(c)]


def _is_parameters(cell: Mapping[str, Any]) -> bool:
    return "parameters" in cell["metadata"].get("tags", []) and "nbgrader" in cell["metadata"]


def _chosen(matched: Match, grade_id: str) -> dict[str, Any]:
    """Return the values in the student's parameter cell; of several the last, as in a run."""
    values: dict[str, Any] = {}
    for number in matched.found[grade_id]:
        values |= values_in(matched.cells[number].source)
    return values
