"""Exercise 2.1: pairs of name and role, and one remark for a mistake that comes again in each entry."""

from __future__ import annotations

import pytest
from answers import SETTINGS

import labkit as lk
from labkit.checks import Result, grade, to_text
from labkit.messages import LANGUAGES

PAIRS = [(s["name"], s["role"]) for s in SETTINGS]


def faults(result: Result) -> list[str]:
    return [r.id.removeprefix("checks.2_1.") for r in result.remarks if not r.ok]


def test_pairs_are_as_good_as_settings():
    assert grade("2.1", PAIRS).points == 3


@pytest.mark.parametrize("change", [str.upper, str.capitalize, " {} ".format])
def test_a_role_may_have_capitals_and_spaces(change):
    assert grade("2.1", [(name, change(role)) for name, role in PAIRS]).points == 3


def test_a_role_with_capitals_goes_on_into_the_plan():
    draft = lk.draft_plan(
        settings=[(name, role.capitalize()) for name, role in PAIRS], seeds=[0, 1], run_time=lk.Measured(4)
    )
    assert draft.plan is not None and [s.role for s in draft.plan.settings] == [role for _, role in PAIRS]


@pytest.mark.parametrize(
    ("answer", "fault", "points"),
    [
        ([name for name, _ in PAIRS], "not_a_setting", 0),
        ([("", role) for _, role in PAIRS], "no_name", 1.5),
        ([(f"my {name}", "control") for name, _ in PAIRS], "no_role", 0.5),
        ([(role, f"my {name}") for name, role in PAIRS], "swapped", 2),
        ([PAIRS[0], PAIRS[1], ("no A", "abblation"), ("no B", "ablatoin")], "role_near", 2),
    ],
)
def test_a_mistake_repeated_in_each_entry_is_one_remark(answer, fault, points):
    result = grade("2.1", answer)
    assert (faults(result), result.points) == ([fault], points)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_swapped_pairs_are_turned_round_in_the_message(lang):
    said = to_text(grade("2.1", [("baseline", "ResNet"), *PAIRS[1:]]), lang)
    assert '("ResNet", "baseline")' in said and '("baseline", "ResNet")' in said


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_misspelt_role_is_told_the_right_one(lang):
    assert '("mine", "method")' in to_text(grade("2.1", [("mine", "methd"), *PAIRS]), lang)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("answer", ["baseline", [], ["baseline"], [("x", "control")], {"mine": "method"}])
def test_messages_show_the_pair(answer, lang):
    said = to_text(grade("2.1", answer), lang)
    assert '", "role")' in said and "lk.Setting" not in said


def test_a_single_pair_is_one_setting_and_no_list():
    assert faults(grade("2.1", ("mine", "method"))) == ["single"]


def test_different_faults_are_all_said():
    assert faults(grade("2.1", [*PAIRS, "no C", ("ablation", "no D")])) == ["not_a_setting", "swapped"]
