"""Find each answer of the release in a student's cells, wherever they were moved, split or copied to."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from labkit.grading.cells import Cell
from labkit.grading.code import fault, is_answered, names_needed, names_set, open_gaps, python
from labkit.grading.notes import Note, shown
from labkit.grading.rawjson import sides

ALIKE = 0.6  # difflib's ratio from which a cell without marks counts as the release's cell
_COMPARED = 200  # words and signs of a cell; comparing more takes too long
_MOST_COMPARED = 50  # cells
_WORD = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True)
class FrameCell:
    """A code cell (or any answer cell) of the release."""

    grade_id: str
    kind: str
    source: str
    is_answer: bool
    is_check: bool


@dataclass
class Match:
    """Which student cell belongs to which cell of the release.

    Attributes
    ----------
    frame : the cells that are matched, in the release's order.
    cells : the student's cells.
    found : grade_id → numbers of the student's cells that carry its marks or its text.
    free : numbers of the student's code cells that belong to none, in order.
    helpers : those of them that an answer needs.
    """

    frame: Sequence[FrameCell]
    cells: Sequence[Cell]
    found: dict[str, list[int]] = field(default_factory=dict)
    free: list[int] = field(default_factory=list)
    helpers: set[int] = field(default_factory=set)


def frame_cells(release: Mapping[str, Any]) -> list[FrameCell]:
    """Return the cells of a release notebook that carry nbgrader's marks."""
    found = []
    for cell in release["cells"]:
        marks = cell["metadata"].get("nbgrader")
        if marks:
            source = "".join(cell["source"])
            answer, check = bool(marks["solution"]), bool(marks["grade"])
            found.append(FrameCell(marks["grade_id"], cell["cell_type"], source, answer, check))
    return found


def match(frame: Sequence[FrameCell], cells: Sequence[Cell]) -> Match:
    """Assign the student's cells by their marks (grade_id or cell id), else by the very same text."""
    known = {one.grade_id for one in frame}
    copies = Counter(_text(one.source) for one in frame)
    texts = {text: one.grade_id for one in frame if copies[text := _text(one.source)] == 1}
    matched = Match(frame, cells, {one.grade_id: [] for one in frame})
    for number, cell in enumerate(cells):
        claims = [claim for claim in cell.claims if claim in known]
        grade_id = claims[0] if claims else texts.get(_text(cell.source))
        if grade_id is not None:
            matched.found[grade_id].append(number)
        elif cell.kind == "code" and cell.source.strip():
            matched.free.append(number)
    return matched


@dataclass(frozen=True)
class Answer:
    """The source taken for one answer cell (empty: nothing is written there), and what was odd about it."""

    source: str
    notes: tuple[Note, ...]


def find_answer(one: FrameCell, matched: Match) -> Answer:
    """Return the student's answer for a cell of the release; cells that it uses are no longer free."""
    notes: list[Note] = []
    marked = [n for n in matched.found[one.grade_id] if matched.cells[n].source.strip()]
    if any(matched.cells[n].kind != one.kind for n in marked):
        notes.append(Note("mending.retyped", cell=one.grade_id))
    sources = [_without_conflict(matched.cells[n].source, one, notes) for n in marked]
    if len(sources) > 1:
        source, message = _from_several(sources, one)
        notes.append(Note(message, {"count": len(sources)}, one.grade_id))
    else:
        source = sources[0] if sources else _recognised(one, matched, notes)
    if not matched.found[one.grade_id]:
        return Answer("", (Note("mending.answer_missing", cell=one.grade_id),))
    if one.kind == "code":
        source = _with_the_rest(source, one, matched, notes)
        source = _with_gaps(source, one, notes)
        source = _with_helpers(source, one, matched, notes)
        wrong = fault(source)
        if wrong:
            notes.append(Note("mending.not_python", {"line": wrong[0], "why": shown(wrong[1])}, one.grade_id))
    return Answer(source, tuple(notes))


def _from_several(sources: Sequence[str], one: FrameCell) -> tuple[str, str]:
    """Return the answer among cells with the same marks: copies of one cell, or its parts after a split.

    They are parts if no single one sets all the names that the release's cell sets.
    """
    wanted = names_set(one.source)
    whole = [source for source in sources if wanted <= names_set(source)]
    joined = "\n".join(sources)
    if not whole and python(joined) is not None:
        return joined, "mending.split"
    answered = [source for source in whole or sources if is_answered(source, one.source)]
    return (answered or whole or sources)[-1], "mending.duplicated"


def _recognised(one: FrameCell, matched: Match, notes: list[Note]) -> str:
    """Return the source of the free cells that are the answer by names, place or text; empty without one."""
    wanted = names_set(one.source)
    numbers = [n for n in matched.free if wanted & names_set(matched.cells[n].source)]
    if not numbers:
        between = _between(one, matched)
        numbers = between if len(between) == 1 else []
    if not numbers:
        alike = [(_ratio(one.source, matched.cells[n].source), -n) for n in matched.free[:_MOST_COMPARED]]
        best, number = max(alike, default=(0.0, 0))
        numbers = [-number] if best >= ALIKE else []
    if not numbers:
        return ""
    matched.free = [n for n in matched.free if n not in numbers]
    matched.found[one.grade_id] = numbers
    notes.append(Note("mending.recognised", cell=one.grade_id))
    sources = [_without_conflict(matched.cells[n].source, one, notes) for n in numbers]
    return sources[0] if len(sources) == 1 else _from_several(sources, one)[0]


def _between(one: FrameCell, matched: Match) -> list[int]:
    """Return the free cells that stand where the release has this one: between the same neighbours."""
    order = [f.grade_id for f in matched.frame]
    here = order.index(one.grade_id)
    before = [n for grade_id in order[:here] for n in matched.found[grade_id]]
    after = [n for grade_id in order[here + 1 :] for n in matched.found[grade_id]]
    if not before and not after:
        return []
    low, high = max(before, default=-1), min(after, default=len(matched.cells))
    return [n for n in matched.free if low < n < high]


def _with_the_rest(source: str, one: FrameCell, matched: Match, notes: list[Note]) -> str:
    """Append the free cells right after an answer that set what it leaves open or lacks."""
    lacking = (names_set(one.source) - names_set(source)) | set(open_gaps(source))
    numbers = matched.found[one.grade_id]
    if not lacking or not numbers:
        return source
    owned = {n for found in matched.found.values() for n in found}
    end = min((n for n in owned if n > numbers[-1]), default=len(matched.cells))
    rest = [n for n in matched.free if numbers[-1] < n < end and lacking & names_set(matched.cells[n].source)]
    if not rest:
        return source
    matched.free = [n for n in matched.free if n not in rest]
    notes.append(Note("mending.split", {"count": len(rest) + 1}, one.grade_id))
    return "\n".join([source, *(_without_conflict(matched.cells[n].source, one, notes) for n in rest)])


def _with_gaps(source: str, one: FrameCell, notes: list[Note]) -> str:
    """Put the release's gaps before an answer that lacks some of their names: the check must run."""
    lacking = sorted(names_set(one.source) - names_set(source))
    if not lacking or not source.strip() or python(source) is None:
        return source
    notes.append(Note("mending.lines_missing", {"names": ", ".join(lacking)}, one.grade_id))
    return f"{one.source}\n{source}"


def _with_helpers(source: str, one: FrameCell, matched: Match, notes: list[Note]) -> str:
    """Put the student's own cells before an answer that uses a name which only they set."""
    released = {name for f in matched.frame for name in names_set(f.source)}
    helpers: list[int] = []
    needed = names_needed(source) - released
    for n in reversed(matched.free):
        cell = matched.cells[n].source
        if needed & names_set(cell):
            helpers.insert(0, n)
            needed = (needed - names_set(cell)) | (names_needed(cell) - released)
    if not helpers:
        return source
    matched.helpers |= set(helpers)
    notes.append(Note("mending.helpers", {"count": len(helpers)}, one.grade_id))
    return "\n".join([*(matched.cells[n].source for n in helpers), source])


def _without_conflict(source: str, one: FrameCell, notes: list[Note]) -> str:
    """Return the version of a cell with merge-conflict markers that is Python and answers most."""
    versions = sides(source)
    if not versions:
        return source
    label, taken = max(versions, key=lambda v: (python(v[1]) is not None, is_answered(v[1], one.source)))
    notes.append(Note("mending.cell_conflict", {"taken": shown(label, 40)}, one.grade_id))
    return taken


def _ratio(a: str, b: str) -> float:
    words, others = (_WORD.findall(text)[:_COMPARED] for text in (a, b))
    matcher = difflib.SequenceMatcher(None, words, others, autojunk=False)
    return matcher.ratio() if matcher.quick_ratio() >= ALIKE else 0.0


def _text(source: str) -> str:
    return "\n".join(line.rstrip() for line in source.strip().splitlines())
