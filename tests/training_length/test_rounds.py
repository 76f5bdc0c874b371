"""Rounds of tuning: within the budget, growing in length, and a compute plan that agrees."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labkit.plan import Guess, Measured
from labkit.timing import StepTimes
from labkit.training_length import TRANSFER, TrainingLengthError, rounds

TIMES = StepTimes(
    step_s=(0.09, 0.11) * 20, wait_s=(0.0,) * 40, first_s=2.0, warmup_s=2.4, warmup_steps=5, device="cpu"
)


@given(
    budget=st.floats(0.1, 1000),
    step=st.floats(1e-4, 2),
    production=st.integers(100, 200_000),
    count=st.integers(1, 5),
    margin=st.floats(0, 1),
    fixed=st.floats(0, 60),
)
def test_rounds_keep_to_the_budget_and_grow_in_length_as_trials_get_fewer(
    budget, step, production, count, margin, fixed
):
    found = rounds(budget, step, production, count, margin=margin, fixed_s=fixed)
    assert found.total_hours <= budget * (1 + 1e-9)
    assert (found.verdict == "fits") == bool(found.rounds)
    if found.rounds:
        assert found.rounds[-1].steps == production <= found.longest_steps
        assert [one.place for one in found.rounds] == list(range(1, len(found.rounds) + 1))
    if len(found.rounds) > 1:
        assert found.rounds[0].trials >= 3
    for earlier, later in itertools.pairwise(found.rounds):
        assert earlier.steps < later.steps
        assert earlier.trials >= later.trials >= 1


@given(budget=st.floats(0.1, 100), step=st.floats(1e-4, 2), count=st.integers(1, 4))
def test_the_longest_length_fits_and_a_longer_one_does_not(budget, step, count):
    longest = rounds(budget, step, 10**7, count).longest_steps
    if longest >= 10:
        assert rounds(budget, step, longest, count).verdict == "fits"
        assert rounds(budget, step, longest + 20, count).verdict == "does not fit"


@pytest.mark.parametrize(
    ("budget", "count"),
    [(0.1015625, 4), (4.5 * 43.125 / 3600, 2)],
    ids=["rounds between", "a long last round"],
)
def test_the_first_round_has_three_trials_also_where_short_ones_cost_nearly_as_much(budget, count):
    found = rounds(budget, 0.03125, 100, count, margin=0, fixed_s=40)
    assert found.rounds[0].trials >= 3
    assert [one.trials for one in found.rounds] == sorted([one.trials for one in found.rounds], reverse=True)


def test_two_rounds_by_hand():
    found = rounds(budget_hours=2, step_time=0.1, production_steps=9000, margin=0)
    assert [(one.trials, one.steps) for one in found.rounds] == [(40, 900), (4, 9000)]
    assert found.hours == found.total_hours == pytest.approx(2.0)


def test_a_budget_that_fits_exactly_fits():
    production = rounds(1.3, 1, 3600, margin=0)
    assert [(one.trials, one.steps) for one in production.rounds] == [(3, 360), (1, 3600)]
    assert rounds(1.29, 1, 3600, margin=0).verdict == "does not fit"


def test_three_rounds_grow_by_the_same_factor():
    found = rounds(100, 0.1, 10_000, count=3)
    assert [one.steps for one in found.rounds] == [1000, 3162, 10_000]


def test_a_measured_step_brings_its_slow_start_and_its_range():
    found = rounds(10, TIMES, 1000, count=1, margin=0)
    (one,) = found.rounds
    assert one.minutes == pytest.approx((1000 * 0.1 + 2.4 - 0.5) / 60)
    assert one.low < one.minutes < one.high


def test_what_carries_over_is_listed_from_most_to_least_likely():
    found = rounds(10, 0.1, 1000)
    assert [one.what for one in found.transfer] == [what for what, _ in TRANSFER]
    order = ["very likely", "likely", "perhaps", "unlikely"]
    ranks = [order.index(one.likelihood) for one in found.transfer]
    assert ranks == sorted(ranks)
    assert {one.what for one in found.recheck} == {
        "optimiser",
        "augmentation",
        "regularisation",
        "learning-rate schedule",
    }


@pytest.mark.parametrize("step_time", [TIMES, 0.1], ids=["measured", "given"])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_the_plan_stays_within_the_budget_and_is_a_fair_comparison(step_time, count):
    found = rounds(40, step_time, 20_000, count)
    plan = found.to_plan("Does it help?", seeds=(0, 1, 2), seeds_why="as many as the hours allow")
    assert 0.5 * 40 < plan.total_hours <= 40 * (1 + 1e-9)
    assert len(plan.settings) == 2 * count
    assert {setting.role for setting in plan.settings} == {"baseline", "method"}
    by_role = {role: [s.run_time for s in plan.settings if s.role == role] for role in ("baseline", "method")}
    assert by_role["baseline"] == by_role["method"]
    kind = Measured if isinstance(step_time, StepTimes) else Guess
    assert all(isinstance(setting.run_time, kind) for setting in plan.settings)
    assert {problem.where for problem in plan.problems()} == {"venue", "risks"}


def test_settings_and_seeds_beyond_the_trials_are_refused_with_the_number_needed():
    found = rounds(1, 0.1, 10_000)
    with pytest.raises(TrainingLengthError, match="6") as refused:
        found.to_plan("Does it help?")
    assert "Round 2" in str(refused.value)
    with pytest.raises(TrainingLengthError, match="do not pay"):
        rounds(0.01, 0.1, 10_000).to_plan("Does it help?")


def test_arguments_that_cannot_be_used_are_refused_all_at_once():
    with pytest.raises(TrainingLengthError) as refused:
        rounds(0, "fast", 0.5, 9, shortest=1, margin=-1, fixed_s=-1)
    assert len(refused.value.problems) == 7
    with pytest.raises(TrainingLengthError, match="at least one step"):
        rounds(1, 0.1, 5)


@pytest.mark.parametrize(("hours", "step_s"), [(1e300, 1e-9), (1, 1e-300)])
def test_a_budget_for_more_steps_than_any_machine_makes_is_refused(hours, step_s):
    with pytest.raises(TrainingLengthError, match="Check the units"):
        rounds(hours, step_s, 100)
