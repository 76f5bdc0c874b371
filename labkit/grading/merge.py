"""What a person reads and marks: the reading list, and points by hand merged with the rubrics' points.

An answer cell with the tag `read` is listed for reading. Its exercise has points from its rubric, which can
only see that something was written; whoever reads it may give others. Points by hand stay in the instructor's
own file: the marks of the rubrics are kept beside, and the same file merged again gives the same result.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from labkit.checks import Remark
from labkit.grading.marked import Marked
from labkit.grading.mend import mend
from labkit.grading.notes import shown
from labkit.grading.page import Releases
from labkit.grading.reading import read_file
from labkit.grading.submissions import Submission
from labkit.grading.tables import exercise_order, points_text, read_csv, to_csv, write
from labkit.messages import text
from labkit.workbook import WorkbookError

READ = "read"  # tag of an answer cell
COLUMNS = (
    "student_id",
    "name",
    "notebook",
    "exercise",
    "answer",
    "max_points",
    "points_so_far",
    "points",
    "comment",
)
NEEDED = ("student_id", "notebook", "exercise", "points")
_EXERCISE = "exercise "  # in front of the number: a spreadsheet makes 2.10 a number, and 2.4 a date


class MergeError(WorkbookError):
    """A file of points by hand has faults; the message lists all of them."""


@dataclass(frozen=True)
class ToRead:
    """One answer for a person to read, and the points it has so far."""

    student_id: str
    name: str
    notebook: str
    exercise: str
    answer: str
    max_points: float
    points: float


@dataclass(frozen=True)
class _Given:
    """Points by hand: a line of the file."""

    line: int
    student_id: str
    notebook: str
    exercise: str
    points: float
    comment: str

    @property
    def key(self) -> tuple[str, str, str]:
        return self.student_id, self.notebook, self.exercise


def to_read(submissions: Iterable[Submission], releases: Releases, marked: Iterable[Marked]) -> list[ToRead]:
    """Return the answers for reading, exercise by exercise, but nothing unanswered or not graded."""
    marks = {(one.student_id, one.notebook): one for one in marked if one.status == "graded"}
    found = []
    for one in submissions:
        release, its_marks = releases.get(one.notebook), marks.get((one.student_id, one.notebook))
        if (
            one.path is None
            or release is None
            or its_marks is None
            or not _tagged(next(iter(release.values())))
        ):
            continue
        mended = mend(read_file(one.path)[0], release)
        for exercise, answer in _tagged(mended.notebook).items() if mended.notebook else ():
            result = its_marks.exercises.get(exercise)
            if result is not None and result.status != "not answered":
                values = (its_marks.student_id, its_marks.name, one.notebook, exercise, answer)
                found.append(ToRead(*values, result.max_points, result.points))
    return sorted(found, key=lambda item: (item.notebook, exercise_order(item.exercise), item.student_id))


def write_reading_list(out: Path, items: Sequence[ToRead]) -> Path | None:
    """Write `to_read.csv`, with room for points and a comment in each line, and return its path.

    A list that somebody has written points or comments into is left as it is; answers that are not in it go
    to `to_read_new.csv`. Returns None if there is nothing to write.
    """
    path = out / "to_read.csv"
    there = _filled_in(path)
    if there is not None:
        items = [item for item in items if (item.student_id, item.notebook, item.exercise) not in there]
        path = out / "to_read_new.csv"
    if not items:
        return None
    rows = [
        [
            *(item.student_id, item.name, item.notebook, _EXERCISE + item.exercise, item.answer),
            *(points_text(item.max_points), points_text(item.points), "", ""),
        ]
        for item in items
    ]
    return write(path, to_csv([COLUMNS, *rows]))


def with_points_by_hand(marked: Iterable[Marked], file: Path) -> list[Marked]:
    """Return the marks with the points of a filled-in reading list; lines without points change nothing.

    Parameters
    ----------
    marked : the marks of the rubrics.
    file : CSV with at least the columns `student_id`, `notebook`, `exercise` and `points`; `comment` is shown
        to the student. Any exercise of a notebook that was graded may stand there.

    Raises
    ------
    MergeError
        With everything that is wrong in the file; nothing is merged then.
    """
    marks = {(one.student_id, one.notebook): one for one in marked}
    given, faults = _read(file)
    first: dict[tuple[str, str, str], int] = {}
    for points in given:
        one = marks.get((points.student_id, points.notebook))
        problem, values = _problem(points, one)
        earlier = first.setdefault(points.key, points.line)
        if earlier != points.line:
            problem, values = "twice", {"first": str(earlier)}
        if problem or one is None:
            said = {"line": str(points.line), **_shown(points), **values}
            faults.append(text(f"feedback.merge_{problem}", None, **said))
        else:
            marks[one.student_id, one.notebook] = _with(one, points)
    if faults:
        raise MergeError(
            "\n".join([text("feedback.merge_faults", file=file.name, count=len(faults)), *faults])
        )
    return list(marks.values())


def _read(file: Path) -> tuple[list[_Given], list[str]]:
    """Return the lines that have points, and a sentence for each that cannot be understood."""
    try:
        rows = read_csv(file.read_bytes())
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise MergeError(text("feedback.merge_unreadable", file=file, why=why)) from None
    heads = [head.strip().lower() for head in rows[0]] if rows else []
    lacking = [name for name in NEEDED if name not in heads]
    if lacking:
        raise MergeError(text("feedback.merge_columns", file=file, names=", ".join(lacking)))
    given, faults = [], []
    for line, row in enumerate(rows[1:], start=2):
        cells = {name: cell.strip() for name, cell in zip(heads, row, strict=False)}
        said = cells.get("points", "").replace(",", ".")
        if not said:
            continue
        try:
            points = float(said)
        except ValueError:
            points = math.nan
        exercise = cells.get("exercise", "").removeprefix(_EXERCISE)
        where = (cells.get("student_id", ""), cells.get("notebook", ""), exercise)
        if math.isfinite(points):
            given.append(_Given(line, *where, points, cells.get("comment", "")))
        else:
            faults.append(text("feedback.merge_no_number", line=line, given=shown(cells["points"])))
    return given, faults


def _problem(given: _Given, one: Marked | None) -> tuple[str, dict[str, str]]:
    """Return what is wrong with points by hand (the end of a message id, with values), or an empty text."""
    if one is None:
        return "unknown_student", {}
    if one.status != "graded":
        return "no_score", {"status": text(f"feedback.{one.status.replace(' ', '_')}")}
    if given.exercise not in one.exercises:
        return "unknown_exercise", {"known": ", ".join(one.exercises)}
    most = one.exercises[given.exercise].max_points
    if not 0 <= given.points <= most:
        return "out_of_range", {"given": points_text(given.points), "max_points": points_text(most)}
    return "", {}


def _with(one: Marked, given: _Given) -> Marked:
    """Return the marks with the points by hand for one exercise; the remark about them comes first."""
    before = one.exercises[given.exercise]
    values = {"points": points_text(before.points), "max_points": points_text(before.max_points)}
    if given.comment:
        remark = Remark("feedback.by_hand_because", {**values, "comment": given.comment})
    else:
        remark = Remark("feedback.by_hand", values)
    remarks = tuple(replace(r, points=0.0, max_points=0.0) for r in before.remarks)
    result = replace(before, points=given.points, status="graded", remarks=(remark, *remarks))
    exercises = {**one.exercises, given.exercise: result}
    return replace(one, exercises=exercises, score=sum(r.points for r in exercises.values()))


def _tagged(notebook: Mapping[str, Any]) -> dict[str, str]:
    """Return exercise → source of the answer cells with the tag."""
    found = {}
    for cell in notebook["cells"]:
        marks = cell["metadata"].get("nbgrader", {})
        if READ in cell["metadata"].get("tags", []) and marks.get("solution"):
            exercise = marks["grade_id"].removeprefix("answer-").replace("-", ".")
            found[exercise] = "".join(cell["source"])
    return found


def _filled_in(path: Path) -> set[tuple[str, str, str]] | None:
    """Return the keys of a reading list in which somebody has written, None if there is no such list."""
    try:
        heads, *rows = read_csv(path.read_bytes())
    except (OSError, ValueError):
        return None if not path.is_file() else set()
    lines = [dict(zip(heads, row, strict=False)) for row in rows]
    if not any(line.get("points") or line.get("comment") for line in lines):
        return None
    return {
        (
            line.get("student_id", ""),
            line.get("notebook", ""),
            line.get("exercise", "").removeprefix(_EXERCISE),
        )
        for line in lines
    }


def _shown(given: _Given) -> dict[str, str]:
    return {
        "student": shown(given.student_id),
        "notebook": shown(given.notebook),
        "exercise": shown(given.exercise),
    }
