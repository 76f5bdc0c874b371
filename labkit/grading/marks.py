"""Turn what a notebook sent out into marks, in the grader's own process.

Marks reward answers. A student can hard-code a right answer just as they could type it, and can make a kernel
send any answer; nothing more can be gained inside, since the rubrics run here. Where a check cell sends
measured values along with the answer (exercises 1.3, 1.4 and 1.5 of the workbook), those values are the
student's own report as well: the rubric judges whether the answer follows from them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from labkit import checks
from labkit.checks.calls import paired
from labkit.checks.core import Phrase, Remark, Result
from labkit.grading.execute import Executed
from labkit.grading.frame import Cells, grader_inputs
from labkit.grading.marked import Marked
from labkit.grading.mend import Mended
from labkit.grading.notes import Note

__all__ = ["Marked", "mark", "max_score", "not_submitted"]
FUNCTION = "<function>"


def mark(
    student_id: str,
    notebook: str,
    mended: Mended,
    executed: Executed | None,
    *,
    name: str = "",
    seed: int = 0,
    notes: tuple[Note, ...] = (),
) -> Marked:
    """Return the marks for one submission.

    Parameters
    ----------
    executed : None if it was not executed, because nothing could be read.
    notes : about where the file lay; those about what was mended follow.
    """
    every = (*notes, *mended.notes)
    empty = Marked(student_id, name, notebook, mended.lang, "could not be run", None, 0.0, 0.0, {}, every)
    if mended.notebook is None or executed is None:
        last = every[-1] if every else Note("grading.nothing_to_read")
        return replace(empty, reason=(last.id, dict(last.values)))
    reason = (executed.reason_id, executed.values) if executed.reason_id else None
    cells = Cells(mended.notebook)
    exercises = {
        e: _exercise(e, check, mended, executed, cells=cells, seed=seed)
        for check, (e, _) in cells.checks.items()
    }
    most = sum(result.max_points for result in exercises.values())
    if not executed.answers and executed.status != "ran":
        return replace(empty, reason=reason, max_score=most, seconds=executed.seconds)
    score = sum(result.points for result in exercises.values())
    return replace(
        empty,
        status="graded",
        reason=reason,
        score=score,
        max_score=most,
        exercises=exercises,
        seconds=executed.seconds,
    )


def max_score(notebook: Mapping[str, Any]) -> float:
    """Return the most points that a release notebook's exercises can give."""
    return sum(checks.points(exercise) for exercise in Cells(notebook).exercises)


def not_submitted(student_id: str, name: str, notebook: str, lang: str, most: float) -> Marked:
    """Return the marks of a student on the roster who handed in nothing."""
    reason: tuple[str, Mapping[str, Any]] = ("grading.not_submitted", {})
    return Marked(student_id, name, notebook, lang, "not submitted", reason, 0.0, most, {})


def _exercise(
    exercise: str, check: str, mended: Mended, executed: Executed, *, cells: Cells, seed: int
) -> Result:
    if exercise not in executed.answers:
        return _no_answer(exercise, check, mended, executed, cells)
    answer = executed.answers[exercise]
    arguments = grader_inputs(exercise, seed)
    if arguments is None or answer is None:
        return checks.grade(exercise, answer)
    if answer != FUNCTION:
        return _refused(exercise, Phrase("grading.not_a_function"))
    if exercise not in executed.returned:
        calling = f"calls-{check.partition('-')[2]}"
        return _no_answer(exercise, calling, mended, executed, cells)
    return checks.grade(exercise, paired(arguments, executed.returned[exercise]))


def _no_answer(exercise: str, check: str, mended: Mended, executed: Executed, cells: Cells) -> Result:
    """Say why there is no answer to an exercise."""
    own = cells.before(check) if check in cells.code else [check]
    if any(not mended.answered.get(name, True) for name in own):
        return _refused(exercise, Phrase("checks.not_answered"), "not answered")
    if check in executed.refused:
        return _refused(exercise, Phrase(executed.refused[check]))
    failed = next((n for n in own if n in executed.cells and executed.cells[n].state != "ran"), None)
    if failed is None:
        return _refused(exercise, Phrase("grading.not_reached"))
    outcome = executed.cells[failed]
    ids = {
        "error": "grading.cell_failed",
        "timed out": "grading.cell_too_slow",
        "too much output": "grading.cell_printed",
    }
    message_id = ids.get(outcome.state, "grading.cell_ended_kernel")
    values = {"cell": failed, "error": outcome.error} if outcome.state == "error" else {"cell": failed}
    return _refused(exercise, Phrase(message_id, values))


def _refused(
    exercise: str, why: Phrase, status: Literal["malformed", "not answered"] = "malformed"
) -> Result:
    most = checks.points(exercise)
    remark = Remark(why.id, why.values, max_points=most, status=status)
    return Result(exercise, 0.0, most, status, (remark,))
