"""A draft: a plan that is still being written."""

from __future__ import annotations

from typing import Any

import pytest
from plan_examples import PAIR, plan

import labkit as lk

DONE = {
    "question": "Does it help?",
    "settings": PAIR,
    "seeds": range(3),
    "seeds_why": "three show the spread",
    "run_time": lk.Measured(40),
    "venue": lk.Venue("laptop"),
    "risks": ["it may be busy"],
}


def test_nothing_answered_is_all_missing_and_nothing_wrong() -> None:
    draft = lk.draft_plan()
    assert draft.missing == ("question", "settings", "seeds", "seeds_why", "run_time", "venue", "risks")
    assert draft.problems == () and draft.plan is None
    assert draft.data["seeds"] is None and draft.data["margin"] == 0.5


def test_a_finished_draft_is_the_plan() -> None:
    draft = lk.draft_plan(**DONE)
    assert (draft.missing, draft.problems) == ((), ())
    assert draft.plan == lk.ComputePlan(**DONE)
    assert draft.data == draft.plan.to_dict()


def test_a_draft_does_not_give_plan_b_away() -> None:
    draft = lk.draft_plan(**DONE)
    without, _, _ = str(draft.plan).partition("\n\nPlan B")
    assert str(draft).rstrip() == without
    assert "Plan B" not in draft.to_html("en")


def test_there_is_a_plan_as_soon_as_hours_can_be_calculated() -> None:
    draft = lk.draft_plan(settings=PAIR, seeds=[0, 1], run_time=lk.Measured(60))
    assert draft.plan.total_hours == 6
    assert draft.problems == ()
    assert "6 h" in draft.to_text("en") and "venue" in draft.to_text("en")


@pytest.mark.parametrize("name", ["settings", "seeds", "run_time", "margin"])
def test_without_one_of_the_factors_there_is_no_plan(name: str) -> None:
    draft = lk.draft_plan(**{**DONE, name: ...})
    assert draft.plan is None and draft.missing == (name,) and draft.problems == ()


def test_a_gap_inside_an_answer_is_named_by_its_place() -> None:
    draft = lk.draft_plan(
        **{**DONE, "settings": [("baseline", "baseline"), (..., "method")], "seeds": [0, ...]}
    )
    assert draft.missing == ("settings[1].name", "seeds[1]")
    assert draft.data["settings"][1] == {"name": None, "role": "method"}
    assert draft.problems == ()


def test_none_is_an_answer_that_is_judged() -> None:
    draft = lk.draft_plan(**{**DONE, "venue": None})
    assert draft.missing == () and [problem.id for problem in draft.problems] == ["plan.no_venue"]


def test_run_time_is_not_missing_when_every_setting_has_its_own() -> None:
    own = [lk.Setting(name, role, lk.Measured(30)) for name, role in PAIR]
    assert lk.draft_plan(**{**DONE, "settings": own, "run_time": ...}).missing == ()


def test_wrong_answers_are_said_and_the_rest_is_kept() -> None:
    draft = lk.draft_plan(**{**DONE, "margin": "half", "seeds": 3})
    assert {problem.where for problem in draft.problems} == {"margin", "seeds"}
    assert draft.data["question"] == "Does it help?"
    assert "half" in draft.to_text("hi") and "half" in draft.to_html("hi")


@pytest.mark.parametrize(
    "value", [5, object(), [..., [...]], {"a": ...}, b"x", float("nan"), lambda: 1, [None] * 3]
)
@pytest.mark.parametrize("name", [*DONE, "margin"])
def test_no_answer_makes_it_fail(name: str, value: Any) -> None:
    draft = lk.draft_plan(**{**DONE, name: value})
    assert draft.to_text("en") and draft.to_html("hi")


def test_a_whole_plan_may_be_taken_apart_again() -> None:
    assert lk.draft_plan(**plan().to_dict()).plan == plan()
