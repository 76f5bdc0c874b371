"""The plan and its parts: what they take, what they refuse, what they calculate."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from dataclasses import FrozenInstanceError

import pytest
from plan_examples import LESSON, PAIR, plan

import labkit as lk
from labkit.plan import problems_in


def ids(problems: list) -> list[str]:
    return [problem.id.removeprefix("plan.") for problem in problems]


def test_the_lessons_example_has_no_problem() -> None:
    assert plan().problems() == []


def test_a_setting_may_be_a_setting_a_pair_or_a_dict() -> None:
    as_parts = plan([lk.Setting(*pair) for pair in PAIR])
    as_dicts = plan([{"name": name, "role": role} for name, role in PAIR])
    assert as_parts == plan(PAIR) == as_dicts


def test_settings_with_their_own_time_are_added_up_each_by_its_own() -> None:
    settings = [*PAIR, lk.Setting("large", "ablation", run_time=lk.Measured(100, low=90, high=130))]
    with_large = plan(settings, seeds=[0, 1])
    assert with_large.base_hours == pytest.approx((40 + 40 + 100) * 2 / 60)
    assert with_large.total_range == pytest.approx((170 * 3 / 60, 210 * 3 / 60))


def test_the_plans_run_time_is_not_needed_when_every_setting_has_its_own() -> None:
    own = [lk.Setting(name, role, lk.Measured(30)) for name, role in PAIR]
    assert plan(own, run_time=None).base_hours == 3


def test_a_guess_ranges_from_half_to_twice_unless_it_is_given() -> None:
    guess = lk.Guess(40, "like the last one")
    assert (guess.low, guess.high) == (20, 80)
    assert (lk.Guess(40, low=30).low, lk.Guess(40, low=30).high) == (30, 80)


def test_a_measured_time_without_a_range_is_a_point() -> None:
    assert (lk.Measured(40).low, lk.Measured(40).high) == (40, 40)


@pytest.mark.parametrize(
    "run_time", [lk.Measured(40, 30, 60), lk.Guess(5_256_000, "long"), lk.Guess(1e-6, "short")]
)
def test_a_run_time_comes_back_from_its_dict(run_time: lk.Measured | lk.Guess) -> None:
    assert type(run_time).from_dict(run_time.to_dict()) == run_time


def test_a_guess_cannot_be_passed_off_as_measured() -> None:
    with pytest.raises(lk.PlanError, match="measured"):
        lk.Measured.from_dict(lk.Guess(40, "a hunch").to_dict())


def test_the_largest_plan_has_finite_hours() -> None:
    settings = [*PAIR, *((f"ablation {i}", "ablation") for i in range(998))]
    largest = plan(settings, range(10_000), run_time=lk.Guess(5_256_000, "long"), margin=1000)
    assert largest.total_range[1] < float("inf")
    assert largest.plan_b().fits


def test_parts_cannot_be_changed_after_the_check() -> None:
    with pytest.raises(FrozenInstanceError):
        plan().margin = -1  # type: ignore[misc]


def test_a_plan_can_be_copied_pickled_and_hashed() -> None:
    original = plan()
    assert copy.deepcopy(original) == original == pickle.loads(pickle.dumps(original))  # noqa: S301 - our own
    assert len({original, plan()}) == 1


def test_a_plan_error_survives_pickling_with_its_problems() -> None:
    with pytest.raises(lk.PlanError) as caught:
        lk.Setting("", "metod")
    again = pickle.loads(pickle.dumps(caught.value))  # noqa: S301 - our own
    assert again.problems == caught.value.problems
    assert str(again) == str(caught.value)


@pytest.mark.parametrize(
    ("key", "typo", "part"),
    [
        ("question", "qestion", None),
        ("seeds", "seed", None),
        ("run_time", "runtime", None),
        ("venue", "vennue", None),
        ("risks", "risk", None),
        ("role", "rol", "settings"),
        ("name", "nme", "settings"),
        ("minutes", "minuts", "run_time"),
        ("kind", "kid", "run_time"),
    ],
)
def test_a_misspelt_key_is_one_problem_not_a_missing_one_too(key: str, typo: str, part: str | None) -> None:
    data = plan().to_dict()
    inside = {None: data, "settings": data["settings"][0], "run_time": data["run_time"]}[part]
    inside[typo] = inside.pop(key)
    problems = problems_in(data)
    assert ids(problems) == ["unknown_key_near"]
    assert key in problems[0].text("en") and typo in problems[0].text("hi")


@pytest.mark.parametrize(
    "name", ["a\nb", "a\tb", "a\x1b[31m", "a\u202eb", "\u200b", "\u200d\u200d", " \u2028 ", "a\x00", "\ufeff"]
)
def test_a_name_with_hidden_characters_is_one_clear_problem(name: str) -> None:
    problems = problems_in({**plan().to_dict(), "settings": [{"name": name, "role": "baseline"}]})
    assert len([p for p in problems if "name" in p.where]) == 1
    assert problems[0].text("hi").isprintable()


@pytest.mark.parametrize("name", ["क्\u200dष", "a\u00adb", "שלום", "名前", "🎯", "x" * 200])
def test_the_joiners_and_letters_of_any_script_are_fine(name: str) -> None:
    assert plan([(name, "baseline"), ("mine", "method")]).problems() == []


def test_names_that_look_the_same_are_the_same() -> None:
    problems = plan([*PAIR, ("Mine ", "method"), ("ｍｉｎｅ", "ablation")]).problems()
    assert ids(problems) == ["duplicate_name", "duplicate_name"]


def test_wrong_seeds_are_one_problem_that_names_them() -> None:
    problems = problems_in({**plan().to_dict(), "seeds": ["0", "1", 2.5, True, 3]})
    assert ids(problems) == ["bad_seeds"]
    assert all(seed in problems[0].text() for seed in ("'0'", "'1'", "2.5", "True"))


@pytest.mark.parametrize("margin", [0.01, 0.5, 1, 2])
def test_a_margin_up_to_two_hundred_percent_is_taken_as_meant(margin: float) -> None:
    assert plan(margin=margin).problems() == []


def test_a_margin_in_percent_is_not_reported_as_too_many_days_as_well() -> None:
    venue = lk.Venue("free notebook", hours_per_week=12, days_available=7)
    assert ids(plan(margin=50, venue=venue).problems()) == ["margin_percent"]


def test_a_price_needs_a_currency() -> None:
    assert ids(plan(venue=lk.Venue("cloud", price_per_hour=3)).problems()) == ["no_currency"]
    assert plan(venue=lk.Venue("cloud", price_per_hour=0)).problems() == []


def test_every_setting_with_a_problem_is_called_by_its_name() -> None:
    data = plan().to_dict()
    data["settings"][2]["role"] = "abblation"
    assert "settings[2].role (no A)" in problems_in(data)[0].text("en")


def test_problems_are_said_in_the_language_asked_for() -> None:
    problem = plan(PAIR[:1]).problems()[0]
    assert "method" in problem.text("en") and "जोड़िए" in problem.text("hi")


def test_an_unknown_language_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(ValueError, match="'en', 'hi'"):
        plan().to_text("fr")


def test_values_that_refer_to_themselves_are_refused() -> None:
    loop: list = []
    loop.append(loop)
    for data in ({"settings": loop, "seeds": loop}, {"question": {"a": loop}}):
        assert problems_in(data)
    with pytest.raises(lk.PlanError):
        lk.ComputePlan("q", loop, loop)


def test_an_object_that_fails_when_shown_is_named_by_its_type() -> None:
    class Hostile:
        def __repr__(self) -> str:
            raise RuntimeError

    with pytest.raises(lk.PlanError, match="Hostile"):
        plan(venue=Hostile())


def test_an_endless_iterator_is_refused_at_once() -> None:
    with pytest.raises(lk.PlanError):
        plan(seeds=iter(int, 1))
    with pytest.raises(lk.PlanError, match="10,000"):
        plan(seeds=range(10**15))


def test_planning_loads_neither_numpy_nor_torch_nor_matplotlib() -> None:
    code = (
        "import sys, labkit as lk\n"
        f"plan = lk.ComputePlan('q', {LESSON!r}, range(3), run_time=lk.Measured(40))\n"
        "plan.to_text(), plan.to_html(), plan.problems(), lk.draft_plan()\n"
        "print(sorted({'numpy', 'torch', 'matplotlib'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
