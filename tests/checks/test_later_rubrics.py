"""Notebooks 3 to 5: predictions, figures that are read, plans in a budget, and claims."""

from __future__ import annotations

import re
import statistics
from collections import defaultdict

import pytest
from answers import BY_MESSAGE, SOLUTIONS
from answers_notebook3 import COST, LOSS
from answers_notebook4 import CARRIED, CURVES, KINDS, ROUNDS, STUDIES, SWEEP
from answers_notebook5 import CHANGED, NOISE, TRANSFER

from labkit import recorded
from labkit.checks import grade, points, to_text
from labkit.messages import LANGUAGES

OPTIONS = {
    "3.4": ("may", "may not", "hint"),
    "3.3": ("shrinks", "grows", "flips", "too noisy"),
    "4.2": ("compute-bound", "not compute-bound", "cannot tell"),
    "4.4": ("far too long", "train longer", "keep", "not comparable"),
    "4.7": ("very likely", "likely", "perhaps", "unlikely"),
    "5.4": (*CHANGED.values(), "attention scale 1/sqrt(head size)"),
    "5.7": ("may", "may not"),
}
WRONG_PICKS = [
    (exercise, name, picked)
    for exercise, options in OPTIONS.items()
    for name, truth in SOLUTIONS[exercise].items()
    for picked in options
    if picked != truth
]


def remarks(exercise, answer):
    return [r.id.rpartition(".")[2] for r in grade(exercise, answer).remarks]


@pytest.mark.parametrize(("exercise", "name", "picked"), WRONG_PICKS)
def test_every_wrong_pick_costs_its_share_and_is_answered_by_name(exercise, name, picked):
    solution = SOLUTIONS[exercise]
    result = grade(exercise, {**solution, name: picked})
    lost = points(exercise) - result.points
    share = points(exercise) / len(solution)
    near = exercise == "4.7" and picked in CARRIED.values() and lost == share / 2
    assert lost == share or near
    (remark,) = [r for r in result.remarks if not r.ok]
    assert all(remark.text(lang).startswith(f"{name}: ") for lang in LANGUAGES)


@pytest.mark.parametrize(("exercise", "name", "picked"), [w for w in WRONG_PICKS if w[0] != "5.7"])
def test_a_wrong_pick_is_not_told_the_right_one(exercise, name, picked):
    result = grade(exercise, {**SOLUTIONS[exercise], name: picked})
    (remark,) = [r for r in result.remarks if not r.ok]
    truth = re.escape(SOLUTIONS[exercise][name])
    assert not any(re.search(rf"[“\"]{truth}[”\"]", remark.text(lang)) for lang in LANGUAGES)


def test_the_same_mistake_with_several_names_is_said_once():
    result = grade("4.4", {**STUDIES, "C": "train longer", "E": "train longer"})
    (remark,) = [r for r in result.remarks if not r.ok]
    assert (remark.values["name"], remark.max_points, result.points) == ("C, E", 1, 2)


@pytest.mark.parametrize("picked", ["very likely", "likely", "perhaps", "unlikely"])
@pytest.mark.parametrize("name", CARRIED)
def test_the_likelihood_next_to_the_right_one_earns_half(name, picked):
    order = ["very likely", "likely", "perhaps", "unlikely"]
    apart = abs(order.index(picked) - order.index(CARRIED[name]))
    assert grade("4.7", {**CARRIED, name: picked}).points == 3.5 + {0: 0.5, 1: 0.25}.get(apart, 0)


@pytest.mark.parametrize("guess", [0.01, LOSS["floor"], 1.3, LOSS["uniform"], 50, 10**6])
def test_any_loss_above_zero_earns_the_point_of_the_prediction(guess):
    assert grade("3.1", {**LOSS, "guess": guess}).points == 1


@pytest.mark.parametrize("guess", [0, -0.1, "low", True, float("nan"), float("inf"), [1.2], 1e13])
def test_what_is_no_loss_earns_nothing(guess):
    assert grade("3.1", {**LOSS, "guess": guess}).points == 0


@pytest.mark.parametrize(("floor", "uniform"), [(..., 3.4), (0.8, ...), (4, 3.4), ("0.8", 3.4)])
def test_a_prediction_beside_changed_cells_asks_to_run_them_again(floor, uniform):
    assert remarks("3.1", {**LOSS, "floor": floor, "uniform": uniform}) == ["run_cells_above"]


@pytest.mark.parametrize(
    "kinds", [KINDS, dict.fromkeys(KINDS, "compute-bound"), dict.fromkeys(KINDS, "Not Compute-bound")]
)
def test_any_pair_of_kinds_earns_the_point_of_the_prediction(kinds):
    assert grade("4.1", kinds).points == 1


def test_half_of_a_prediction_earns_half():
    result = grade("4.1", {"kahani": "compute-bound"})
    assert (result.points, result.status) == (0.5, "graded")


@pytest.mark.parametrize("answer", ["jumps up", "stays the same", "falls", " Falls. "])
def test_any_prediction_of_the_loss_after_widening_earns_the_point(answer):
    assert grade("5.1", answer).points == 1


@pytest.mark.parametrize("check_flops", [1.0, 3e11, 2e15])
@pytest.mark.parametrize("times", [0.5, 1.0, 12.3, 5e4, 1e13])
def test_the_ratio_is_right_for_costs_of_any_size(check_flops, times):
    answer = {"check_flops": check_flops, "big_flops": max(1.0, check_flops * times)}
    ratio = answer["big_flops"] / check_flops
    assert grade("3.5", {**answer, "ratio": 1.015 * ratio}).points == 2


COSTS = {"inverse": 1, "percent": 1, "percent_inverse": 1, "difference": 0, "too_high": 0, "too_low": 0}


@pytest.mark.parametrize(("name", "expected"), COSTS.items())
def test_mistakes_in_the_ratio_of_costs(name, expected):
    assert grade(*BY_MESSAGE[f"3_5.{name}"]).points == expected


@pytest.mark.parametrize("flops", [0, -1, ..., "2e12", 1e31])
def test_a_ratio_beside_changed_cells_asks_to_run_them_again(flops):
    assert remarks("3.5", {**COST, "check_flops": flops}) == ["run_cells_above"]


@pytest.mark.parametrize("guess", [400, 0, -3, 1.5, 10**9])
def test_a_guess_read_off_at_the_edge_costs_its_point_only(guess):
    assert grade("4.3", {**SWEEP, "guess": guess}).points == 1


def test_each_curve_is_told_what_to_look_at():
    said = {
        remark.text("en")
        for curve, kind in CURVES.items()
        for picked in OPTIONS["4.2"]
        if picked != kind
        for remark in grade("4.2", {**CURVES, curve: picked}).remarks
        if not remark.ok
    }
    assert len(said) == 8


def rounds(first, second, **changes):
    listed = [{"trials": trials, "steps": steps} for trials, steps in (first, second)]
    return {**ROUNDS, "rounds": listed, **changes}


PLANS = {
    "fits exactly": (rounds((10, 2_400), (2, 24_000)), 3),
    "one step too many": (rounds((12, 4_000), (1, 24_001)), 2),
    "over budget": (rounds((24, 2_000), (2, 20_000)), 2),
    "as many long trials as short ones": (rounds((3, 2_000), (3, 20_000)), 2.5),
    "fewer trials of the same length": (rounds((6, 5_000), (2, 5_000)), 1 + 0.5 + 0),
    "the wrong way round": (rounds((2, 20_000), (12, 2_000)), 1 + 0.5),
    "two short trials": (rounds((2, 2_000), (1, 40_000)), 2.5),
    "short trials of more than a third": (rounds((4, 8_000), (2, 20_000)), 2.5),
    "short trials of exactly a third": (rounds((3, 6_000), (2, 18_000)), 3),
    "short trials of exactly a tenth": (rounds((12, 2_000), (2, 20_000)), 3),
    "short trials of less than a tenth": (rounds((12, 1_999), (2, 20_000)), 2.5),
    "most of the budget unused": (rounds((12, 200), (2, 2_000)), 2.5),
    "exactly a third in round 2": (rounds((10, 2_400), (1, 24_000)), 3),
}


@pytest.mark.parametrize(("answer", "expected"), PLANS.values(), ids=PLANS)
def test_two_rounds_in_a_budget(answer, expected):
    assert grade("4.6", answer).points == expected


@pytest.mark.parametrize(("lang", "said"), [("en", "take 2.4 h"), ("hi", "2.4 घंटे लगते हैं")])
def test_the_hours_of_two_rounds_are_said(lang, said):
    assert said in to_text(grade("4.6", rounds((12, 2_000), (2, 31_200))), lang)


@pytest.mark.parametrize("gap", [[...], [..., ...], [{"trials": ..., "steps": ...}] * 2])
def test_rounds_that_are_still_open_are_told_which(gap):
    answer = {**ROUNDS, "rounds": gap}
    expected = "malformed" if len(gap) == 1 else "not answered"
    assert grade("4.6", answer).status == expected


@pytest.mark.parametrize(
    ("noise", "expected"),
    [(0.3, 2), (0.1, 2), (1.0, 2), (0.01, 0), (3.0, 0), (0, 0), (0.2, 0), (-0.3, 0), (10.0, 0)],
)
def test_noise_is_judged_by_the_error_of_the_difference_from_the_best(noise, expected):
    assert grade("5.5", {**NOISE, "noise": noise}).points == expected


def test_no_noise_is_no_answer_even_where_it_has_the_lowest_loss():
    sweep = [[0.0, 0.1, 0.01], [0.1, 0.5, 0.01]]
    assert [grade("5.5", {"sweep": sweep, "noise": n}).points for n in (0, 0.1)] == [0, 2]


@pytest.mark.parametrize(
    "sweep", [..., [], [[0.0, 0.5, 0.1]], [[0.1, float("nan"), 0.1]], [0.1, 0.2], "sweep"]
)
def test_noise_beside_changed_cells_asks_to_run_them_again(sweep):
    assert remarks("5.5", {"sweep": sweep, "noise": 0.1}) == ["run_cells_above"]


@pytest.mark.parametrize(
    ("rate", "expected"), [(0.01, 2), (0.02, 2), (0.0099, 2), (0.021, 1), (0.005, 1), (0, 1), (-0.01, 1)]
)
def test_the_rate_for_the_large_width_is_right_from_the_small_ones_best_to_twice_that(rate, expected):
    assert grade("5.6", {**TRANSFER, "rate_at_large": rate}).points == expected


def test_the_recorded_map_of_the_exercise_has_its_best_rates_there():
    best = {}
    for width in (16, 32, 64):
        losses = defaultdict(list)
        for row in recorded.load("upscaling_transfer").rows:
            if (row["network"], row["parametrization"], row["width"]) == ("GPT", "mup", width):
                losses[row["learning_rate"]].append(row["loss"])
        best[width] = min(losses, key=lambda rate: statistics.fmean(losses[rate]))
    for rate in best.values():
        answer = {"mup": "right", "rate_at_large": rate, "best_small": best[16]}
        assert grade("5.6", answer).points == 2


def test_a_noise_that_the_recorded_sweep_cannot_tell_from_the_best_is_as_good():
    losses = defaultdict(list)
    for row in recorded.load("upscaling_noise").rows:
        if (row["network"], row["pair"], row["rate"]) == ("MLP", "small", 1.0):
            losses[row["noise"]].append(row["loss"])
    sweep = [
        [noise, statistics.fmean(found), statistics.stdev(found) / len(found) ** 0.5]
        for noise, found in losses.items()
    ]
    scores = {noise: grade("5.5", {"sweep": sweep, "noise": noise}).points for noise in losses}
    assert scores == {0.0: 0, 0.1: 0, 0.3: 0, 1.0: 2, 3.0: 2, 10.0: 0}
