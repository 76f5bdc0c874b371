"""A plan written as code and run again is the same plan."""

from __future__ import annotations

import pytest

import labkit as lk
from labkit.widgets.code import plan_code

SETTINGS = [("baseline", "baseline"), ("mine", "method"), ("no A", "ablation")]
PLANS = {
    "lesson": lk.ComputePlan("Does it help?", SETTINGS, [0, 1, 2], "to see the spread", lk.Measured(40)),
    "range": lk.ComputePlan("?", SETTINGS, [7], "", lk.Measured(0.5, low=0.25, high=1.75), margin=0.0),
    "guess": lk.ComputePlan("?", SETTINGS, [0, 1], "", lk.Guess(12, 'like the "other" one', high=100)),
    "venue": lk.ComputePlan(
        "?",
        SETTINGS,
        [0, 1],
        "",
        lk.Measured(40),
        venue=lk.Venue("free", 4, 12.5, 10, price_per_hour=0.9, currency="₹", days_available=14),
        risks=["sessions end", "the queue\nis long"],
    ),
    "own run time": lk.ComputePlan(
        "?",
        [
            lk.Setting("big", "baseline", lk.Guess(90, "twice as wide")),
            lk.Setting("x", "ablation", priority=2.5),
        ],
        [0, 1],
        "",
        lk.Measured(40),
    ),
    "awkward text": lk.ComputePlan(
        'क्या "मेरा" तरीक़ा \\ बेहतर है? \U0001f600 {x}',
        [("'''", "baseline"), ("a\\", "method")],
        [0],
        "",
        lk.Measured(1),
    ),
}


def run(code):
    names = {}
    exec(code, names)
    return names["draft"]


@pytest.mark.parametrize("name", PLANS)
def test_code_gives_the_same_plan(name):
    assert run(plan_code(PLANS[name].to_dict())).plan == PLANS[name]


def test_code_of_an_empty_plan_asks_for_everything():
    draft = run(plan_code({}))
    assert draft.plan is None
    assert set(draft.missing) >= {"question", "settings", "seeds", "run_time"}


@pytest.mark.parametrize("margin", ["half", float("nan"), float("inf"), True, None])
def test_code_keeps_values_that_no_plan_can_use(margin):
    data = {**PLANS["lesson"].to_dict(), "margin": margin}
    assert repr(run(plan_code(data)).data["margin"]) == repr(margin)


def test_settings_look_as_in_the_notebook():
    code = plan_code(PLANS["lesson"].to_dict())
    assert 'settings = [\n    ("baseline", "baseline"),\n    ("mine", "method"),' in code
