"""Plan B: half of the hours, the main comparison kept."""

from __future__ import annotations

import pytest
from plan_examples import LESSON, PAIR, plan

import labkit as lk
from labkit.plan import PlanB, by_importance


def names(b: PlanB) -> list[str]:
    return [setting.name for setting in b.plan.settings]


def test_the_lessons_tie_fits_exactly() -> None:
    b = plan().plan_b()
    assert (names(b), b.plan.seeds) == (["baseline", "mine"], (0, 1, 2))
    assert b.total_hours == b.budget_hours == 6
    assert b.fits and b.advice is None


@pytest.mark.parametrize("minutes", [0.1, 1 / 3, 20 / 3, 7, 1e-6, 123456.789])
@pytest.mark.parametrize("margin", [0, 0.1, 1 / 3, 0.7])
def test_a_tie_fits_whatever_the_numbers(minutes: float, margin: float) -> None:
    b = plan(run_time=lk.Measured(minutes), margin=margin).plan_b()
    assert b.fits and len(b.plan.seeds) == 3


@pytest.mark.parametrize("times", [(0.1, 0.2, 0.3), (20 / 3, 40 / 3, 20), (1.1, 2.2, 3.3)])
def test_a_tie_of_different_run_times_fits_although_floats_do_not_add_up(times: tuple[float, ...]) -> None:
    rows = zip(("baseline", "mine", "no A"), ("baseline", "method", "ablation"), times, strict=True)
    b = plan([lk.Setting(name, role, lk.Measured(time)) for name, role, time in rows], [0, 1, 2]).plan_b()
    assert b.fits and len(b.plan.seeds) == 3
    assert b.total_hours <= b.budget_hours


def test_just_over_half_does_not_count_as_a_tie() -> None:
    settings = [lk.Setting("no A", "ablation", lk.Measured(79.999)), *PAIR]
    assert len(plan(settings, range(4)).plan_b().plan.seeds) == 3


def test_only_as_many_ablations_go_as_must() -> None:
    many = [*PAIR, *((f"ablation {i}", "ablation") for i in range(4))]
    assert names(plan(many).plan_b()) == ["baseline", "mine", "ablation 0"]


def test_the_ablation_with_the_highest_priority_stays_longest() -> None:
    settings = [*PAIR, lk.Setting("low", "ablation", priority=-1), ("none", "ablation"),
                lk.Setting("high", "ablation", priority=5), ("none too", "ablation")]  # fmt: skip
    b = plan(settings).plan_b()
    assert names(b) == ["baseline", "mine", "high"]
    assert [dropped.what for dropped in b.dropped] == ["low", "none too", "none"]
    assert [s.name for s in by_importance(plan(settings).settings)] == ["high", "none", "none too", "low"]


def test_a_baseline_of_low_priority_is_never_dropped() -> None:
    settings = [lk.Setting("baseline", "baseline", priority=-9), ("mine", "method"), ("no A", "ablation")]
    assert names(plan(settings).plan_b())[:2] == ["baseline", "mine"]


def test_seeds_go_after_the_ablations_equally_and_from_the_end() -> None:
    b = plan([*PAIR, ("no A", "ablation")], [7, 5, 3, 1]).plan_b()
    assert (names(b), b.plan.seeds) == (["baseline", "mine"], (7, 5, 3))
    assert [dropped.kind for dropped in b.dropped] == ["ablation", "seeds"]


def test_two_seeds_stay_and_the_advice_says_how_much_it_is_too_much() -> None:
    b = plan(PAIR, [0, 1, 2], run_time=lk.Measured(60)).plan_b()
    assert b.plan.seeds == (0, 1)
    assert not b.fits
    assert "1.5 h" in b.advice.text("en")
    assert "1.5 घंटे" in b.to_text("hi")


def test_one_seed_stays_one_seed() -> None:
    b = plan(PAIR, [4]).plan_b()
    assert b.plan.seeds == (4,) and b.dropped == () and not b.fits


def test_a_single_baseline_is_kept() -> None:
    b = plan(PAIR[:1], range(8)).plan_b()
    assert (names(b), len(b.plan.seeds), b.fits) == (["baseline"], 4, True)


def test_without_a_main_comparison_nothing_is_dropped_and_the_advice_says_why() -> None:
    b = plan(LESSON[2:]).plan_b()
    assert names(b) == ["no A", "no B"] and not b.fits
    assert "baseline" in b.advice.text("hi")


def test_plan_b_keeps_the_order_and_the_own_run_times() -> None:
    settings = [("no B", "ablation"), lk.Setting("mine", "method", lk.Measured(50)), ("baseline", "baseline")]
    b = plan(settings).plan_b()
    assert names(b) == ["mine", "baseline"]
    assert b.plan.settings[0].run_time == lk.Measured(50)


def test_two_settings_of_the_same_name_are_two() -> None:
    b = plan([*PAIR, ("no A", "ablation"), ("no A", "ablation"), ("no A", "ablation")], [0, 1]).plan_b()
    assert names(b) == ["baseline", "mine"]


def test_what_was_dropped_is_said_with_why_and_hours() -> None:
    said = plan([*PAIR, ("no A", "ablation")], range(6)).plan_b().to_text("en")
    assert "no A, the least important" in said and "saves 6 h" in said
    assert "4 instead of 6" in said
