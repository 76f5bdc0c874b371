"""A small made-up class, marked by the real rubrics: every status, both languages, odd names."""

from __future__ import annotations

from typing import Any

from labkit import checks
from labkit.checks import Remark, Result
from labkit.grading.marked import Marked
from labkit.grading.notes import Note

PLAN, TIME = "02_the_compute_plan", "01_time_a_tiny_run"
RIGHT: dict[str, Any] = {
    "2.1": [["baseline", "baseline"], ["mine", "method"], ["no A", "ablation"]],
    "2.2": {"seeds": [0, 1, 2], "seeds_why": "three show the spread"},
    "2.3": {"kind": "measured", "minutes": 40.0, "low": 38.0, "high": 45.0},
}
PARTLY = RIGHT | {
    "2.1": [["baseline", "baseline"], ["mine", "method"]],
    "2.2": {"seeds": [0, 1], "seeds_why": None},
}
MOST = sum(checks.points(exercise) for exercise in RIGHT)


def marks(
    student_id: str, answers: dict[str, Any], *, name: str = "", lang: str = "en", **more: Any
) -> Marked:
    """Return graded marks for some of the exercises of notebook 2."""
    results = {exercise: checks.grade(exercise, answers.get(exercise)) for exercise in RIGHT}
    score = sum(result.points for result in results.values())
    values = {"reason": None, "notes": (), **more}
    return Marked(
        student_id, name, PLAN, lang, "graded", score=score, max_score=MOST, exercises=results, **values
    )


def without_score(
    student_id: str, status: Any, reason: str, *, name: str = "", lang: str = "en", **values: str
) -> Marked:
    """Return marks of someone who has no score."""
    return Marked(student_id, name, PLAN, lang, status, (reason, values), 0.0, MOST, {})


def failed(exercise: str, error: str) -> Result:
    """Return the result of an exercise whose cell ended with an error."""
    values = {"cell": f"answer-{exercise.replace('.', '-')}", "error": error}
    most = checks.points(exercise)
    remark = Remark("grading.cell_failed", values, max_points=most, status="malformed")
    return Result(exercise, 0.0, most, "malformed", (remark,))


def example_class() -> list[Marked]:
    """Return eight students: three with points, one at 0, one empty, one stopped, two without."""
    mended = (
        Note("mending.renamed", {"given": "plan (2).ipynb", "notebook": PLAN}),
        Note("mending.recognised", cell="answer-2-2"),
    )
    stopped = ("grading.cell_out_of_time", {"cell": "answer-2-3", "limit": "60"})
    zero = {"2.1": 5, "2.2": 3, "2.3": "soon"}
    return [
        marks("asha", RIGHT, name="Asha Rao"),
        marks("bimal", PARTLY, name="Bimal Das", notes=mended),
        marks("चित्रा", PARTLY, name="चित्रा शर्मा", lang="hi", notes=mended),
        marks("dev", zero, name='=HYPERLINK("http://x")'),
        marks("esha", {}, name="<script>alert(1)</script>"),
        marks("farid", {**RIGHT, "2.3": None}, name="Farid", reason=stopped),
        without_score("gita", "could not be run", "mending.is_pdf", name="गीता कुमारी", lang="hi"),
        without_score("hari", "not submitted", "grading.not_submitted", name="Hari"),
    ]
