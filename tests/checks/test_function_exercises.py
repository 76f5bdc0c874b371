"""Exercises that ask for a function (3.2, 4.5, 5.2, 5.3): right ones, usual mistakes, whatever is drawn."""

from __future__ import annotations

import math
import statistics

import pytest
import student_functions as functions
from answers_notebook3 import BY_MESSAGE as MESSAGES_3
from student_functions import (
    called,
    compare,
    right_linear,
    right_moment,
    right_weight,
    schedule,
    widen,
)

from labkit.checks import grade, inputs, points, to_text
from labkit.messages import LANGUAGES

SEEDS = [0, "grader 0", *range(1, 40)]
RIGHT = {
    "3.2": compare(),
    "4.5": schedule(),
    "5.2": widen(right_weight),
    "5.3": widen(right_moment),
}


def remarks(exercise, function, seed: object = 0):
    return [r.id.rpartition(".")[2] for r in grade(exercise, called(exercise, function, seed)).remarks]


def earned(exercise, function, seed: object = 0):
    return grade(exercise, called(exercise, function, seed)).points


@pytest.mark.parametrize("exercise", RIGHT)
def test_a_right_function_earns_all_points_whatever_is_drawn(exercise):
    assert {earned(exercise, RIGHT[exercise], seed) for seed in SEEDS} == {points(exercise)}


@pytest.mark.parametrize("exercise", RIGHT)
def test_each_grading_draws_its_own_arguments(exercise):
    assert inputs(exercise, 1) == inputs(exercise, 1) != inputs(exercise, 2)


@pytest.mark.parametrize("exercise", RIGHT)
def test_a_table_of_the_notebooks_results_earns_nothing_on_other_arguments(exercise):
    known = {str(c["arguments"]): c["returned"] for c in called(exercise, RIGHT[exercise])}
    assert earned(exercise, lambda *arguments: known.get(str(list(arguments))), "grader 0") == 0


@pytest.mark.parametrize("exercise", RIGHT)
def test_the_function_itself_in_a_list_or_called_is_no_list_of_calls(exercise):
    for answer in ("<function>", ["<function>"], [1, 2], [{"arguments": []}], [{"returned": 1}]):
        assert [r.id for r in grade(exercise, answer).remarks] == ["checks.not_a_function"]


@pytest.mark.parametrize("exercise", RIGHT)
def test_a_function_that_always_fails_is_told_how_it_failed(exercise):
    result = grade(exercise, called(exercise, lambda *_: 1 / 0))
    assert result.points == 0 and "ZeroDivisionError" in to_text(result, "en")


PAIRED = {
    "by position": (compare(functions.by_position), 2, "pairs_by_position mean_follows error_follows"),
    "means of everything": (functions.means_apart, 1, "pairs_apart mean_follows unpaired"),
    "spreads apart": (functions.unpaired, 2, "pairs_right mean_right unpaired"),
    "ddof 0": (
        compare(error=lambda d: statistics.pstdev(d) / math.sqrt(len(d))),
        2.5,
        "pairs_right mean_right divided_by_n",
    ),
    "no root of n": (compare(error=statistics.stdev), 2.5, "pairs_right mean_right no_root"),
    "n for its root": (
        compare(error=lambda d: statistics.stdev(d) / len(d)),
        2.5,
        "pairs_right mean_right root_forgotten",
    ),
    "numpy.std": (compare(error=statistics.pstdev), 2, "pairs_right mean_right numpy_std"),
    "a - b": (lambda a, b: compare()(b, a), 2.5, "pairs_right sign error_right"),
    "by position, a - b": (
        lambda a, b: compare(functions.by_position)(b, a),
        1.5,
        "pairs_by_position sign error_follows",
    ),
    "sum": (compare(mean=sum), 2, "pairs_right sum error_right"),
    "changed places": (lambda a, b: compare()(a, b)[::-1], 2, "swapped"),
    "fails where a partner is missing": (
        functions.fails_without_partner,
        2,
        "function_failed mean_right_so_far error_right_so_far",
    ),
    "only the mean": (
        lambda a, b: [compare()(a, b)[0], ...],
        2,
        "pairs_right mean_right part_not_answered",
    ),
}


@pytest.mark.parametrize(("function", "expected", "said"), PAIRED.values(), ids=PAIRED)
def test_mistakes_in_comparing_seed_by_seed_are_recognised(function, expected, said):
    for seed in SEEDS:
        assert (remarks("3.2", function, seed), earned("3.2", function, seed)) == (said.split(), expected)


def test_numbers_rounded_to_three_decimals_are_right():
    def rounded(a, b):
        return tuple(round(value, 3) for value in compare()(a, b))

    assert {earned("3.2", rounded, seed) for seed in SEEDS} == {3}


def test_the_call_that_went_wrong_is_shown_and_short():
    exercise, answer = MESSAGES_3["3_2.mean_off"]
    said = to_text(grade(exercise, answer), "en")
    assert "paired([[" in said and all(len(line) < 500 for line in said.splitlines())


def rate(linear=right_linear, cosine=functions.right_cosine):
    return schedule(linear, cosine)


SCHEDULES = {
    "steps counted from 1": (functions.counted_from_one, 3, "start_right linear_right cosine_right"),
    "decay stretched": (
        rate(lambda s, b, w, c, d, x: functions.linear(s, b, w, w + c, d + x)),
        2,
        "start_right decay_stretched cosine_right",
    ),
    "goes on at the smallest rate": (
        rate(
            lambda s, b, w, c, d, x: max(functions.linear(s, b, w, w + c, d), b / 1000),
            lambda s, b, w, c, d, x: max(functions.cosine(s, b, w, w, w + c + d), b / 1000),
        ),
        1,
        "start_right not_lengthened cosine_not_stretched",
    ),
    "wholly stretched": (
        rate(functions.wholly_stretched),
        1,
        "warmup_stretched wholly_stretched cosine_right",
    ),
    "cosine after the constant part": (
        rate(cosine=lambda s, b, w, c, d, x: functions.cosine(s, b, w, w + c, w + c + d + x)),
        2,
        "start_right linear_right cosine_after_constant",
    ),
    "cosine from step 0": (
        rate(cosine=lambda s, b, w, c, d, x: functions.cosine(s, b, w, 0, w + c + d + x)),
        2,
        "start_right linear_right cosine_from_zero",
    ),
    "cosine without warm-up": (
        rate(cosine=lambda s, b, w, c, d, x: functions.cosine(s, b, 0, w, w + c + d + x)),
        2.5,
        "start_right linear_right cosine_no_warmup",
    ),
    "linear without warm-up": (
        rate(lambda s, b, w, c, d, x: right_linear(max(s, w), b, w, c, d, x)),
        2,
        "no_warmup linear_right cosine_right",
    ),
    "kind not looked at": (rate(cosine=right_linear), 2, "start_right linear_right cosine_is_linear"),
    "always the base rate": (
        lambda step, base, *_: base,
        0,
        "no_warmup no_decay cosine_off",
    ),
    "cosine still open": (
        rate(cosine=lambda *_: None),
        2,
        "start_right linear_right part_not_answered",
    ),
}


@pytest.mark.parametrize(("function", "expected", "said"), SCHEDULES.values(), ids=SCHEDULES)
def test_mistakes_in_lengthening_a_schedule_are_recognised(function, expected, said):
    for seed in SEEDS:
        assert (remarks("4.5", function, seed), earned("4.5", function, seed)) == (said.split(), expected)


WEIGHTS = {
    "tiled": (widen(right_weight, tiled=True), 1.5, "tiled tiled tiled"),
    "never divided": (widen(lambda role, k: 1), 2, "input_right hidden_not_divided output_right"),
    "always divided": (widen(lambda role, k: k), 1, "input_divided hidden_right output_divided"),
    "divided on both sides": (
        widen(lambda role, k: k * k if role == "hidden" else 1),
        2,
        "input_right hidden_divided_more output_right",
    ),
    "both sides for every role": (functions.all_sides, 1, "shape hidden_right shape"),
    "output divided": (
        widen(lambda role, k: 1 if role == "input" else k),
        2,
        "input_right hidden_right output_divided",
    ),
    "another number": (widen(lambda role, k: 7), 0, "off off off"),
    "one role only": (
        lambda weight, role, k: widen(right_weight)(weight, role, k) if role == "input" else ...,
        1,
        "input_right no_branch no_branch",
    ),
}


@pytest.mark.parametrize(("function", "expected", "said"), WEIGHTS.values(), ids=WEIGHTS)
def test_mistakes_in_widening_weights_are_recognised(function, expected, said):
    for seed in SEEDS:
        assert (remarks("5.2", function, seed), earned("5.2", function, seed)) == (said.split(), expected)


MOMENTS = {
    "divided once": (widen(lambda role, k: 1 if role == "fixed" else k), 1, "shapes_right divided_once"),
    "not divided": (widen(lambda role, k: 1), 1, "shapes_right not_divided"),
    "once for each side": (
        widen(lambda role, k: k**4 if role == "hidden" else right_moment(role, k)),
        1.5,
        "shapes_right divided_per_side",
    ),
    "the widened weight divided by k squared": (
        widen(lambda role, k: right_weight(role, k) * right_moment(role, k)),
        1.5,
        "shapes_right divided_thrice",
    ),
    "fixed divided": (widen(lambda role, k: k * k), 1.5, "shapes_right fixed_divided"),
    "tiled": (widen(right_moment, tiled=True), 1.5, "shapes_right tiled"),
    "both sides for every role": (
        lambda v, role, k: functions.repeated(v, k, k, right_moment(role, k)),
        0,
        "shape values_of_some",
    ),
    "only the shapes": (widen(lambda role, k: 7), 1, "shapes_right off"),
    "only what stays": (
        lambda v, role, k: v if role == "fixed" else ...,
        0,
        "no_branch values_of_some",
    ),
}


@pytest.mark.parametrize(("function", "expected", "said"), MOMENTS.values(), ids=MOMENTS)
def test_mistakes_in_widening_the_second_moment_are_recognised(function, expected, said):
    for seed in SEEDS:
        assert (remarks("5.3", function, seed), earned("5.3", function, seed)) == (said.split(), expected)


@pytest.mark.parametrize("exercise", ["5.2", "5.3"])
def test_arrays_and_tensors_are_as_good_as_lists(exercise):
    numpy = pytest.importorskip("numpy")

    def array(weight, role, k):
        return numpy.array(RIGHT[exercise](weight, role, k), dtype=numpy.float32)

    assert earned(exercise, array) == points(exercise)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("exercise", RIGHT)
def test_a_function_that_returns_nothing_yet_is_not_answered(exercise, lang):
    result = grade(exercise, called(exercise, lambda *_: ...))
    assert (result.status, [r.id for r in result.remarks]) == ("not answered", ["checks.returns_nothing"])
    assert "`...`" in to_text(result, lang)
