"""Marks from what came out: points only from rubrics, and a reason for every exercise without an answer."""

import json
import math

import pytest
from mending_examples import code

from labkit import checks
from labkit.grading.execute import CellOutcome, Executed
from labkit.grading.frame import for_grading, grader_inputs, without_figures
from labkit.grading.marked import Marked
from labkit.grading.marks import mark, max_score, not_submitted
from labkit.grading.mend import Mended
from labkit.grading.notes import Note

RELEASE = {
    "cells": [
        code("setup", "import labkit as lk"),
        code("answer-1-1", "guess = ...", solution=True),
        code("check-1-1", 'lk.check("1.1", guess)', grade=True),
        code("answer-1-2", "best = ...", solution=True),
        code("check-1-2", 'lk.check("1.2", best)', grade=True),
    ],
    "metadata": {},
    "nbformat": 4,
    "nbformat_minor": 5,
}
RAN = {name: CellOutcome("ran") for name in ("setup", "answer-1-1", "check-1-1", "answer-1-2", "check-1-2")}
BOTH = {"answer-1-1": True, "answer-1-2": True}


def marks(executed, answered=BOTH, release=RELEASE, **options):
    return mark("asha", "01", Mended(release, "hi", (), answered), executed, **options)


def why(marked, exercise):
    (remark,) = marked.exercises[exercise].remarks
    return remark.id


def test_points_come_from_the_rubrics():
    marked = marks(Executed("ran", {"1.1": 3, "1.2": "median"}, cells=RAN))
    assert (marked.status, marked.score, marked.max_score) == ("graded", 1.5, 2)
    assert {e: r.points for e, r in marked.exercises.items()} == {"1.1": 1, "1.2": 0.5}


@pytest.mark.parametrize("answer", ["points: 100", {"points": 1e300}, [100], -1, "<NaN>", {"score": "100"}])
def test_no_answer_gives_more_than_its_exercise_has(answer):
    marked = marks(Executed("ran", {"1.1": answer, "1.2": answer}, cells=RAN))
    assert math.isfinite(marked.score)
    assert marked.score == 0


def test_unanswered_is_told_from_wrong():
    marked = marks(Executed("ran", {"1.1": None, "1.2": "first step"}, cells=RAN))
    assert [r.status for r in marked.exercises.values()] == ["not answered", "graded"]


def test_a_failed_cell_is_named_with_its_error():
    cells = {**RAN, "answer-1-1": CellOutcome("error", "NameError: x"), "check-1-1": CellOutcome("error")}
    marked = marks(Executed("ran", {"1.2": "mean"}, cells=cells))
    assert why(marked, "1.1") == "grading.cell_failed"
    assert marked.exercises["1.1"].remarks[0].values == {"cell": "answer-1-1", "error": "NameError: x"}


def test_a_failure_after_an_open_gap_is_called_not_answered():
    cells = {**RAN, "check-1-1": CellOutcome("error", "TypeError: ellipsis")}
    marked = marks(Executed("ran", {}, cells=cells), {"answer-1-1": False, "answer-1-2": True})
    assert marked.exercises["1.1"].status == "not answered"


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        ("timed out", "grading.cell_too_slow"),
        ("died", "grading.cell_ended_kernel"),
        ("too much output", "grading.cell_printed"),
    ],
)
def test_a_cell_that_was_stopped_is_named(state, reason):
    cells = {**RAN, "answer-1-2": CellOutcome(state), "check-1-2": CellOutcome("error")}
    assert why(marks(Executed("ran", {"1.1": 3}, cells=cells)), "1.2") == reason


def test_exercises_behind_the_end_are_not_reached_and_those_before_count():
    cells = {name: RAN[name] for name in ("setup", "answer-1-1", "check-1-1")}
    executed = Executed(
        "killed", {"1.1": 3}, cells=cells, reason_id="grading.kernel_died", values={"cell": "x"}
    )
    marked = marks(executed)
    assert (marked.status, marked.score, why(marked, "1.2")) == ("graded", 1, "grading.not_reached")
    assert marked.reason == ("grading.kernel_died", {"cell": "x"})


def test_a_refused_answer_says_why():
    marked = marks(Executed("ran", {"1.1": 3}, refused={"check-1-2": "grading.sent_twice"}, cells=RAN))
    assert why(marked, "1.2") == "grading.sent_twice"


def test_without_any_answer_a_notebook_that_ended_early_could_not_be_run():
    marked = marks(Executed("timed out", reason_id="grading.out_of_time", values={"limit": "5"}))
    assert (marked.status, marked.exercises, marked.max_score) == ("could not be run", {}, 2)


def test_what_could_not_be_read_gives_the_last_note_as_reason():
    mended = Mended(None, "en", (Note("mending.bom"), Note("mending.no_cells")), {})
    marked = mark("asha", "01", mended, None)
    assert (marked.status, marked.reason) == ("could not be run", ("mending.no_cells", {}))


def test_not_submitted_has_a_status_of_its_own():
    marked = not_submitted("asha", "आशा", "01", "hi", max_score(RELEASE))
    assert (marked.status, marked.score, marked.max_score) == ("not submitted", 0, 2)


def test_marks_survive_their_file():
    draft = {"settings": [["a", "baseline"], ["a", "method"]], "seeds": [0], "margin": -1}
    executed = Executed("ran", {"1.1": 3, "1.2": {"draft": draft}}, cells=RAN)
    marked = marks(executed, notes=(Note("mending.bom", {"n": 1}, "x"),))
    plain = json.loads(json.dumps(marked.to_dict(), allow_nan=False))
    assert Marked.from_dict(plain).to_dict() == marked.to_dict()


def test_words_inside_remarks_survive_their_file():
    release = {**RELEASE, "cells": [code("check-2-4", 'lk.check("2.4", plan)', grade=True)]}
    answer = {"draft": {"settings": [], "seeds": [0]}, "runs": 1, "base_hours": 1, "total_hours": 1}
    marked = marks(Executed("ran", {"2.4": answer}, cells={"check-2-4": CellOutcome("ran")}), {}, release)
    again = Marked.from_dict(json.loads(json.dumps(marked.to_dict())))
    for lang in ("en", "hi"):
        said = [[r.text(lang) for r in m.exercises["2.4"].remarks] for m in (marked, again)]
        assert said[0] == said[1]


# --- exercises that ask for a function ---


def functions(exercise):
    return {**RELEASE, "cells": [code(f"check-{exercise.replace('.', '-')}", "lk.check(...)", grade=True)]}


def function_marks(exercise, answer, returned):
    cells = {"check-9-1": CellOutcome("ran"), "calls-9-1": CellOutcome("ran")}
    executed = Executed("ran", {exercise: answer}, {exercise: returned}, cells=cells)
    return marks(executed, {}, functions(exercise), seed=5).exercises[exercise]


def test_a_right_function_gets_its_points(function_exercise):
    results = [{"returned": [2 * v for v in a[0]]} for a in grader_inputs(function_exercise, 5)]
    assert function_marks(function_exercise, "<function>", results).points == 3


def test_results_for_other_inputs_get_none(function_exercise):
    results = [{"returned": [2 * v for v in a[0]]} for a in grader_inputs(function_exercise, 6)]
    assert function_marks(function_exercise, "<function>", results).points == 0


@pytest.mark.parametrize(
    "results", [None, 3, [], [None], [{"returned": [0], "raised": "x"}] * 99, {"0": 1}], ids=str
)
def test_results_without_form_get_none(function_exercise, results):
    assert function_marks(function_exercise, "<function>", results).points == 0


def test_calls_made_up_in_place_of_a_function_get_none(function_exercise):
    calls = [{"arguments": [[1, 2, 3]], "returned": [2, 4, 6]}] * 3
    result = function_marks(function_exercise, calls, [])
    assert (result.points, result.remarks[0].id) == (0, "grading.not_a_function")


def test_an_open_gap_in_place_of_a_function_is_not_answered(function_exercise):
    assert function_marks(function_exercise, None, []).status == "not answered"


def test_in_a_notebook_the_function_is_called_on_sample_inputs(function_exercise):
    assert checks.check(function_exercise, lambda values: [2 * v for v in values]) == 3
    assert checks.check(function_exercise, lambda values: values.clear()) == 0


def test_the_grader_has_inputs_that_the_notebook_does_not_have(function_exercise):
    assert grader_inputs(function_exercise, 0) != checks.inputs(function_exercise)
    assert grader_inputs(function_exercise, 0) != grader_inputs(function_exercise, 1)


def test_the_executed_notebook_calls_the_function_at_its_end(function_exercise):
    made = for_grading(functions(function_exercise), 5, {})
    assert made["cells"][-1]["metadata"]["nbgrader"]["grade_id"] == "calls-9-1"


def test_parameters_are_set_in_their_cell_and_outputs_dropped():
    cell = {**code("p", "fast = False", tags=["parameters"]), "outputs": [{}], "execution_count": 3}
    made = for_grading({**RELEASE, "cells": [cell]}, 0, {"fast": True})["cells"][0]
    assert (made["source"], made["outputs"], made["execution_count"]) == (
        "fast = False\nfast = True",
        [],
        None,
    )


@pytest.mark.parametrize(
    ("source", "left"),
    [
        ("lk.plots.speed(\n    measured\n)", ""),
        ("x = 1\nlk.plan_form(x)\ny = 2", "x = 1\n\ny = 2"),
        ("form = lk.plan_form(x)", "form = lk.plan_form(x)"),
        ("lk.plots.speed(x); y = 2", "lk.plots.speed(x); y = 2"),
        ("lk.check('1.1', x)", "lk.check('1.1', x)"),
        ("lk(x)\nplots.speed(x)\nlk", "lk(x)\nplots.speed(x)\nlk"),
        ("this is no Python", "this is no Python"),
    ],
)
def test_only_statements_that_do_nothing_but_draw_are_left_out(source, left):
    assert without_figures(source).strip() == left


def test_what_the_student_draws_is_executed():
    release = {**RELEASE, "cells": [code("answer-1-1", "lk.plots.speed(x)", solution=True)]}
    assert "".join(for_grading(release, 0, {})["cells"][0]["source"]) == "lk.plots.speed(x)"
