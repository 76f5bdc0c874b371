"""Notes on the cells that are not the student's to change: what had happened to them; they are restored."""

from __future__ import annotations

import bisect
from collections.abc import Sequence

from labkit.grading.answers import FrameCell, Match
from labkit.grading.cells import Cell
from labkit.grading.notes import Note, cell_name

_MOST_NAMES = 6


def locked_notes(matched: Match, chosen: Sequence[str]) -> list[Note]:
    """Return one note for each kind of change to locked cells, with the cells' names.

    Parameters
    ----------
    matched : after the answers were found.
    chosen : grade_ids of cells that a student may change (parameters): only their absence is noted.
    """
    changes: dict[str, list[str]] = {"missing": [], "duplicated": [], "retyped": [], "edited": []}
    for one in matched.frame:
        if not one.is_answer:
            cells = [matched.cells[n] for n in matched.found[one.grade_id]]
            change = _change(one, cells, one.grade_id in chosen)
            if change:
                changes[change].append(one.grade_id)
    moved = _moved(matched)
    notes = [_note(f"mending.locked_{change}", names) for change, names in changes.items() if names]
    if moved:
        notes.append(_note("mending.moved", moved))
    extra = len(set(matched.free) - matched.helpers)
    if extra:
        notes.append(Note("mending.extra_cells", {"count": extra}))
    return notes


def _change(one: FrameCell, cells: Sequence[Cell], may_change: bool) -> str | None:
    if not cells:
        return "missing"
    if any(cell.kind != one.kind for cell in cells):
        return "retyped"
    if not may_change and all(cell.source.split() != one.source.split() for cell in cells):
        return "edited"
    return "duplicated" if len(cells) > 1 else None


def _moved(matched: Match) -> list[str]:
    """Return the cells outside a longest run of cells that stand in the release's order."""
    places = [(numbers[0], f.grade_id) for f in matched.frame if (numbers := matched.found[f.grade_id])]
    tails: list[int] = []  # tails[k]: smallest last place of an increasing run of length k + 1
    ranks = []
    for place, _ in places:
        rank = bisect.bisect_left(tails, place)
        tails[rank : rank + 1] = [place]
        ranks.append(rank)
    wanted, in_order = len(tails) - 1, set()
    for (_, grade_id), rank in zip(reversed(places), reversed(ranks), strict=True):
        if rank == wanted:
            in_order.add(grade_id)
            wanted -= 1
    return [grade_id for _, grade_id in places if grade_id not in in_order]


def _note(message: str, names: Sequence[str]) -> Note:
    listed = ", ".join(map(cell_name, names[:_MOST_NAMES])) + (", …" if len(names) > _MOST_NAMES else "")
    return Note(message, {"cells": listed, "count": len(names)})
