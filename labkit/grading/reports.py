"""Write what grading a class leaves: the gradebook, Canvas' columns, everything as JSON, and the pages.

Four things stay distinct everywhere: "not submitted" and "could not be run" have no score, an exercise that
was "not answered" says so, and 0 is what an answer was worth.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from labkit.checks import Result
from labkit.grading.feedback import feedback_page
from labkit.grading.marked import Marked
from labkit.grading.overview import overview_page
from labkit.grading.page import Releases, Titles, reason_text
from labkit.grading.students import safe_id
from labkit.grading.tables import exercise_order, points_text, to_bytes, to_csv, write
from labkit.messages import LANGUAGES

GRADEBOOK_COLUMNS = ("student_id", "name", "notebook", "status", "score", "max_score")
CANVAS_COLUMNS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
FORMAT = 1  # of results.json


def write_reports(
    out: Path, marked: Iterable[Marked], releases: Releases | None = None, lang: str | None = None
) -> Path:
    """Write all reports about a class into `out`, and return the page to open first, the overview.

    `gradebook.csv`, `canvas.csv`, `results.json`, `overview.html` and, for each student and notebook,
    `feedback/<student id>/<notebook>.html`. The same marks give the same bytes.

    Parameters
    ----------
    marked : the marks, in any order.
    releases : notebook → language → release notebook; pages take the titles from them.
    lang : language of the overview (None: the language in use); feedback is in that of each submission.
    """
    everyone = sorted(marked, key=lambda one: (one.student_id, one.notebook))
    titles = Titles(releases)
    write(out / "gradebook.csv", to_csv(gradebook(everyone)))
    write(out / "canvas.csv", to_csv(canvas(everyone)))
    write(out / "results.json", results(everyone))
    for one in everyone:
        target = out / "feedback" / safe_id(one.student_id) / f"{safe_id(one.notebook)}.html"
        write(target, to_bytes(feedback_page(one, titles)))
    return write(out / "overview.html", to_bytes(overview_page(everyone, titles, lang)))


def gradebook(marked: Sequence[Marked]) -> list[list[str]]:
    """Return a heading and a row per student and notebook.

    A cell of an exercise holds points, `not answered`, or nothing where the exercise belongs to another
    notebook or there is no score at all.
    """
    exercises = sorted({e for one in marked for e in one.exercises}, key=exercise_order)
    rows = [[*GRADEBOOK_COLUMNS, *exercises]]
    for one in marked:
        score = points_text(one.score) if one.status == "graded" else ""
        most = points_text(one.max_score) if one.max_score else ""
        start = [one.student_id, one.name, one.notebook, one.status, score, most]
        rows.append([*start, *(_exercise_cell(one.exercises.get(e)) for e in exercises)])
    return rows


def canvas(marked: Sequence[Marked]) -> list[list[str]]:
    """Return the rows of Canvas' gradebook import: a row per student, a column per notebook.

    Canvas leaves a grade as it is where a cell is empty: so it is with what was not submitted or not run.
    """
    notebooks = sorted({one.notebook for one in marked})
    most = {n: max(one.max_score for one in marked if one.notebook == n) for n in notebooks}
    rows = [
        [*CANVAS_COLUMNS, *notebooks],
        ["    Points Possible", "", "", "", "", *(points_text(most[n]) for n in notebooks)],
    ]
    students: dict[str, dict[str, Marked]] = {}
    for one in marked:
        students.setdefault(one.student_id, {})[one.notebook] = one
    for student_id, found in students.items():
        name = next((one.name for one in found.values() if one.name), student_id)
        scores = {n: points_text(one.score) for n, one in found.items() if one.status == "graded"}
        rows.append([name, "", student_id, student_id, "", *(scores.get(n, "") for n in notebooks)])
    return rows


def results(marked: Sequence[Marked]) -> bytes:
    """Return everything as JSON, each message with its words in both languages; no score is `null`."""
    data = {"format": FORMAT, "results": [_result_data(one) for one in marked]}
    return to_bytes(json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False) + "\n")


def _exercise_cell(result: Result | None) -> str:
    if result is None:
        return ""
    return result.status if result.status == "not answered" else points_text(result.points)


def _result_data(one: Marked) -> Mapping[str, Any]:
    data = one.to_dict()
    data["score"] = one.score if one.status == "graded" else None
    if one.reason is not None:
        reason, values = one.reason
        data["reason"] = {
            "id": reason,
            "values": dict(values),
            "text": {x: reason_text(one, x) for x in LANGUAGES},
        }
    for note, plain in zip(one.notes, data["notes"], strict=True):
        plain["text"] = {lang: note.text(lang) for lang in LANGUAGES}
    for exercise, result in one.exercises.items():
        for remark, plain in zip(result.remarks, data["exercises"][exercise]["remarks"], strict=True):
            plain["text"] = {lang: remark.text(lang) for lang in LANGUAGES}
    return data
