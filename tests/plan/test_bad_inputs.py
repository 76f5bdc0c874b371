"""Wrong plans, made by hand: one clear message per fault, in both languages, and never a foreign error.

The files are in `bad/`; `bad/expected.toml` says what each must report.
"""

from __future__ import annotations

import copy
import importlib.util
import json
import math
import os
import re
import subprocess
import sys
import tomllib
from decimal import Decimal
from fractions import Fraction
from html import unescape
from pathlib import Path

import numpy as np
import pytest

import labkit as lk
from labkit.plan import Problem, problems_in

BAD = Path(__file__).with_name("bad")
EXPECTED = tomllib.loads((BAD / "expected.toml").read_text(encoding="utf-8"))
MISSING = object()
CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
DEVANAGARI = re.compile("[\u0900-\u097f]")
# Python's insides and a parser's own English have no place in a message to a student.
FOREIGN = re.compile(
    r"\bnan\b|<class|<object|object at 0x|NoneType|datetime\.|\bdict\b|Traceback|Ellipsis|\bbytes\b|"
    r"\{[a-z_]+\}|<unicode|<byte|codec|while (parsing|scanning)|mapping values|expected <|Expecting |"
    r"could not determine|unhashable"
)


def good() -> dict:
    """Return the lesson's example, complete and sound."""
    return {
        "question": "Does random shift help a small MLP on MNIST-1D?",
        "settings": [
            {"name": "baseline", "role": "baseline"},
            {"name": "mine", "role": "method"},
            {"name": "no A", "role": "ablation"},
            {"name": "no B", "role": "ablation"},
        ],
        "seeds": [0, 1, 2],
        "seeds_why": "three seeds show the spread between runs",
        "run_time": {"kind": "measured", "minutes": 40, "low": 40, "high": 40},
        "margin": 0.5,
        "venue": {
            "name": "free notebook",
            "session_hours": 4,
            "hours_per_week": 12,
            "checkpoint_minutes": 10,
        },
        "risks": ["the session may end without warning"],
    }


def changed(**changes: object) -> dict:
    """Return the good plan with values put at dotted places (`__` for the dot, numbers for list items)."""
    data = good()
    for place, value in changes.items():
        *way, last = [int(part) if part.isdigit() else part for part in place.split("__")]
        target = data
        for part in way:
            target = target[part]
        if value is MISSING:
            del target[last]
        else:
            target[last] = value
    return data


def guess(**changes: object) -> dict:
    return {
        "kind": "guess",
        "minutes": 40,
        "low": 20,
        "high": 80,
        "why": "a friend's laptop took this",
    } | changes


def many_settings(count: int) -> list[dict]:
    return good()["settings"] + [{"name": f"ablation {i}", "role": "ablation"} for i in range(count - 4)]


# id: (the plan's data, number of problems, what each message contains in both languages)
WRONG: dict[str, tuple[dict, int, list[str]]] = {
    # the question
    "question empty": (changed(question=""), 1, []),
    "question of spaces": (changed(question="  \n "), 1, []),
    "question missing": (changed(question=MISSING), 1, []),
    "question none": (changed(question=None), 1, []),
    "question a number": (changed(question=5), 1, ["5"]),
    "question a list": (changed(question=["Does it help?"]), 1, ["Does it help?"]),
    # settings
    "settings missing": (changed(settings=MISSING), 1, []),
    "settings none": (changed(settings=None), 1, []),
    "settings empty": (changed(settings=[]), 1, []),
    "settings text": (changed(settings="baseline, mine"), 1, ["baseline, mine"]),
    "settings a number": (changed(settings=4), 1, ["4"]),
    "settings a mapping": (changed(settings={"mine": "method"}), 1, ["mine"]),
    "settings too many": (changed(settings=many_settings(10_000)), 1, []),
    "one setting text": (changed(settings__3="no B"), 1, ["no B"]),
    "one setting none": (changed(settings__3=None), 1, []),
    "one setting empty": (changed(settings__3={}), 2, []),
    "one setting with nothing filled in": (changed(settings__3={"name": None, "role": None}), 2, []),
    "name missing": (changed(settings__3__name=MISSING), 1, []),
    "name none": (changed(settings__3__name=None), 1, []),
    "name empty": (changed(settings__3__name=""), 1, []),
    "name of spaces": (changed(settings__3__name=" \t "), 1, []),
    "name a number": (changed(settings__3__name=5), 1, ["5"]),
    "name a boolean": (changed(settings__3__name=False), 1, []),
    "name with a newline": (changed(settings__3__name="no\nB"), 1, []),
    "name with a terminal escape": (changed(settings__3__name="no \x1b[31mB"), 1, []),
    "name with a lone surrogate": (changed(settings__3__name="no \ud800"), 1, []),
    "name of a whole book": (changed(settings__3__name="no B " * 20_000), 1, []),
    "name twice": (changed(settings__3__name="no A"), 1, ["no A"]),
    "two pairs of names twice": (changed(settings__2__name="mine", settings__3__name="baseline"), 2, []),
    "role missing": (changed(settings__3__role=MISSING), 1, ["no B", "ablation"]),
    "role none": (changed(settings__3__role=None), 1, ["no B", "ablation"]),
    "role with a typo": (changed(settings__3__role="abaltion"), 1, ["abaltion", "ablation"]),
    "role of the only baseline mistyped": (changed(settings__0__role="basline"), 1, ["basline", "baseline"]),
    "role of the only method mistyped": (changed(settings__1__role="metod"), 1, ["metod", "method"]),
    "role a number": (changed(settings__3__role=2), 1, ["2"]),
    "role a list": (changed(settings__3__role=["ablation"]), 1, ["ablation"]),
    "no baseline": (changed(settings__0__role="method"), 1, ["baseline"]),
    "no method": (changed(settings__1__role="ablation"), 1, ["method"]),
    "only ablations": (changed(settings__0__role="ablation", settings__1__role="ablation"), 2, []),
    "priority text": (changed(settings__3__priority="high"), 1, ["priority", "high"]),
    "priority not a number": (changed(settings__3__priority=math.nan), 1, ["priority"]),
    "priority a boolean": (changed(settings__3__priority=True), 1, ["priority"]),
    "own run time negative": (changed(settings__3__run_time={"kind": "measured", "minutes": -5}), 1, ["-5"]),
    "own run time a number": (changed(settings__3__run_time=40), 1, ["run_time", "40"]),
    "setting with an unknown key": (changed(settings__3__colour="red"), 1, ["colour"]),
    "setting with a key mistyped": (changed(settings__3={"name": "C", "rol": "method"}), 1, ["rol", "role"]),
    # seeds
    "seeds missing": (changed(seeds=MISSING), 1, ["seeds"]),
    "seeds none": (changed(seeds=None), 1, ["seeds"]),
    "seeds empty": (changed(seeds=[]), 1, ["seeds"]),
    "seeds a number": (changed(seeds=3), 1, ["seeds", "3"]),
    "seeds text": (changed(seeds="0, 1, 2"), 1, ["seeds", "0, 1, 2"]),
    "seeds a mapping": (changed(seeds={"mine": [0, 1], "baseline": [0]}), 1, ["seeds"]),
    "seeds repeated": (changed(seeds=[0, 1, 2, 2, 2]), 1, ["2"]),
    "seeds too many": (changed(seeds=list(range(100_000))), 1, []),
    "one seed": (changed(seeds=[7]), 1, []),
    "a seed in text": (changed(seeds=[0, 1, "two"]), 1, ["two"]),
    "a seed that is a fraction": (changed(seeds=[0, 1, 2.5]), 1, ["2.5"]),
    "a seed that is a boolean": (changed(seeds=[0, 2, True]), 1, []),
    "a seed that is none": (changed(seeds=[0, 1, None]), 1, []),
    "a seed that is not a number": (changed(seeds=[0, 1, math.nan]), 1, []),
    "a seed of 400 digits": (changed(seeds=[0, 1, 10**400]), 1, []),
    "a seed below zero": (changed(seeds=[0, 1, -2]), 1, ["-2"]),
    "seeds_why missing": (changed(seeds_why=MISSING), 1, []),
    "seeds_why empty": (changed(seeds_why=""), 1, []),
    "seeds_why a number": (changed(seeds_why=3), 1, ["3"]),
    # run time
    "run_time missing": (changed(run_time=MISSING), 1, []),
    "run_time none": (changed(run_time=None), 1, []),
    "run_time a number": (changed(run_time=40), 1, ["40"]),
    "run_time text": (changed(run_time="40 min"), 1, ["40 min"]),
    "run_time a list": (changed(run_time=[40]), 1, ["40"]),
    "minutes missing": (changed(run_time={"kind": "measured"}), 1, ["minutes"]),
    "minutes none": (changed(run_time__minutes=None), 1, ["minutes"]),
    "minutes negative": (changed(run_time={"kind": "measured", "minutes": -40}), 1, ["-40"]),
    "minutes, low and high negative": (
        changed(run_time={"kind": "measured", "minutes": -40, "low": -50, "high": -30}), 3, []),
    "minutes zero": (changed(run_time={"kind": "measured", "minutes": 0}), 1, ["0"]),
    "minutes not a number": (changed(run_time={"kind": "measured", "minutes": math.nan}), 1, ["minutes"]),
    "minutes infinite": (changed(run_time={"kind": "measured", "minutes": math.inf}), 1, ["minutes"]),
    "minutes minus infinity": (changed(run_time={"kind": "measured", "minutes": -math.inf}), 1, ["minutes"]),
    "minutes of 400 digits": (changed(run_time={"kind": "measured", "minutes": 10**400}), 1, ["minutes"]),
    "minutes beyond any life": (changed(run_time={"kind": "measured", "minutes": 1e300}), 1, ["minutes"]),
    "minutes with the unit": (changed(run_time={"kind": "measured", "minutes": "40 min"}), 1, ["40 min"]),
    "minutes in text": (changed(run_time={"kind": "measured", "minutes": "40"}), 1, ["40"]),
    "minutes in Devanagari digits": (changed(run_time={"kind": "measured", "minutes": "४०"}), 1, ["४०"]),
    "minutes a boolean": (changed(run_time={"kind": "measured", "minutes": True}), 1, ["minutes"]),
    "low above high": (changed(run_time__low=60, run_time__high=30), 1, ["60", "30"]),
    "minutes below low": (changed(run_time__low=50, run_time__high=60), 1, ["40", "50"]),
    "minutes above high": (changed(run_time__low=20, run_time__high=30), 1, ["40", "30"]),
    "low in text": (changed(run_time__low="20 min"), 1, ["low", "20 min"]),
    "high infinite": (changed(run_time__high=math.inf), 1, ["high"]),
    "kind missing": (changed(run_time__kind=MISSING), 1, ["measured", "guess"]),
    "kind with a typo": (changed(run_time__kind="mesured"), 1, ["mesured", "measured"]),
    "kind a boolean": (changed(run_time__kind=True), 1, ["measured"]),
    "guess without a reason": (changed(run_time=guess(why="")), 1, []),
    "guess with a reason of spaces": (changed(run_time=guess(why="   ")), 1, []),
    "guess with a number for a reason": (changed(run_time=guess(why=7)), 1, ["7"]),
    "run_time with an unknown key": (changed(run_time__colour="red"), 1, ["colour"]),
    "run_time mistyped": (changed(run_time={"kind": "measured", "minuts": 40}), 1, ["minuts", "minutes"]),
    # margin
    "margin in percent": (changed(margin=50), 1, ["50", "0.5"]),
    "margin zero": (changed(margin=0), 1, []),
    "margin negative": (changed(margin=-0.5), 1, ["-0.5"]),
    "margin not a number": (changed(margin=math.nan), 1, ["margin"]),
    "margin infinite": (changed(margin=math.inf), 1, ["margin"]),
    "margin text": (changed(margin="50 %"), 1, ["50 %"]),
    "margin a boolean": (changed(margin=True), 1, ["margin"]),
    "margin a list": (changed(margin=[0.5]), 1, ["0.5"]),
    # venue
    "venue missing": (changed(venue=MISSING), 1, []),
    "venue none": (changed(venue=None), 1, []),
    "venue text": (changed(venue="free notebook"), 1, ["free notebook"]),
    "venue name missing": (changed(venue__name=MISSING), 1, ["name"]),
    "venue name empty": (changed(venue__name=""), 1, []),
    "session shorter than a run": (changed(venue={"name": "free notebook", "session_hours": 0.5}), 1, ["40"]),
    "session shorter than one setting's run": (
        changed(settings__3__run_time=guess(minutes=300, low=300, high=300), venue__checkpoint_minutes=None,
                venue__hours_per_week=None), 1, ["no B"]),
    "session of no hours": (changed(venue__session_hours=0), 1, ["session_hours"]),
    "session negative": (changed(venue__session_hours=-4), 1, ["-4"]),
    "session in text": (changed(venue__session_hours="4 h"), 1, ["4 h"]),
    "more hours than a week has": (changed(venue__hours_per_week=200), 1, ["200", "168"]),
    "hours per week not a number": (changed(venue__hours_per_week=math.nan), 1, ["hours_per_week"]),
    "hours per week zero": (changed(venue__hours_per_week=0), 1, ["hours_per_week"]),
    "checkpoints longer than a session": (changed(venue__checkpoint_minutes=600), 1, ["checkpoint"]),
    "checkpoints negative": (changed(venue__checkpoint_minutes=-10), 1, ["-10"]),
    "price negative": (changed(venue__price_per_hour=-3, venue__currency="INR"), 1, ["-3"]),
    "price with its currency": (changed(venue__price_per_hour="₹ 80"), 1, ["₹ 80"]),
    "currency a number": (changed(venue__currency=5), 1, ["currency", "5"]),
    "days in words": (changed(venue__days_available="next week"), 1, ["days_available", "next week"]),
    "fewer days than the plan needs": (changed(venue__days_available=3), 1, ["7", "3"]),
    "venue with a mistyped key": (changed(venue__sesion_hours=4), 1, ["sesion_hours", "session_hours"]),
    # risks
    "risks missing": (changed(risks=MISSING), 1, []),
    "risks empty": (changed(risks=[]), 1, []),
    "risks text": (changed(risks="the session may end"), 1, ["the session may end"]),
    "a risk empty": (changed(risks=["the session may end", ""]), 1, []),
    "a risk that is a number": (changed(risks=["the session may end", 5]), 1, ["5"]),
    # keys
    "unknown key": (changed(colour="red"), 1, ["colour"]),
    "mistyped key": (changed(seeds=MISSING, sedes=[0, 1, 2]), 1, ["sedes", "seeds"]),
    # several at once, none hidden by another
    "four faults": (
        changed(question="", seeds=[0, 1, 1], margin=50, settings__3__name=""), 4, []),
    "seven faults": (
        changed(question=5, seeds="three", margin="half", settings__3__role="x", run_time__minutes="40 min",
                venue__session_hours=-1, risks=[7]), 7, []),
}  # fmt: skip


def assert_clear(problem: Problem, says: list[str]) -> None:
    """Check what every message must be: short, in its language, free of Python's insides, and specific."""
    en, hi = problem.text("en"), problem.text("hi")
    assert en.strip() and hi.strip()
    assert DEVANAGARI.search(hi), hi
    assert en != hi
    for words in (en, hi):
        assert len(words) < 700, words[:1000]
        assert not FOREIGN.search(words), words
        assert not CONTROL.search(words), ascii(words)
        words.encode("utf-8")
        for part in says:
            assert part in words, f"{part!r} is not in {words!r}"


@pytest.mark.parametrize("name", WRONG)
def test_each_fault_gives_one_clear_message(name: str) -> None:
    data, count, says = WRONG[name]
    problems = problems_in(copy.deepcopy(data))
    assert len(problems) == count, [str(p) for p in problems]
    for problem in problems:
        assert_clear(problem, says)


@pytest.mark.parametrize("name", WRONG)
def test_problems_in_leaves_its_input_as_it_was(name: str) -> None:
    data = WRONG[name][0]
    before = repr(data)
    problems_in(data)
    assert repr(data) == before


@pytest.mark.parametrize("name", WRONG)
def test_from_dict_reports_the_same_problems(name: str) -> None:
    data = copy.deepcopy(WRONG[name][0])
    found = {p.text("en") for p in problems_in(data)}
    try:
        plan = lk.ComputePlan.from_dict(data)
    except lk.PlanError as error:
        assert error.problems
        assert {p.text("en") for p in error.problems} <= found
        assert all(p.text() in str(error) for p in error.problems)
    else:
        assert {p.text("en") for p in plan.problems()} == found
        assert math.isfinite(plan.total_hours)


@pytest.mark.parametrize("name", WRONG)
def test_a_draft_of_a_wrong_plan_never_raises(name: str) -> None:
    data = {key: value for key, value in copy.deepcopy(WRONG[name][0]).items() if key in good()}
    draft = lk.draft_plan(**data)
    for problem in draft.problems:
        assert_clear(problem, [])
    assert str(draft).strip() and draft._repr_html_().strip()


def test_the_base_plan_has_no_problem() -> None:
    assert [str(p) for p in problems_in(good())] == []


UNSOUND = [
    "no baseline", "no method", "name twice", "seeds repeated", "one seed", "margin zero",
    "margin in percent", "guess without a reason", "seeds_why empty", "session shorter than a run",
    "venue none", "risks empty",
]  # fmt: skip


@pytest.mark.parametrize("name", UNSOUND)
def test_what_is_merely_unsound_can_still_be_built(name: str) -> None:
    plan = lk.ComputePlan.from_dict(copy.deepcopy(WRONG[name][0]))
    assert len(plan.problems()) == 1
    assert plan.total_hours > 0


def test_ten_thousand_wrong_settings_give_a_message_a_person_can_read() -> None:
    problems = problems_in(changed(settings=[{"name": "", "role": "x"}] * 10_000))
    assert 1 <= len(problems) <= 50
    assert sum(len(p.text("en")) for p in problems) < 20_000


@pytest.mark.parametrize("data", [None, 5, "plan", [], [good()], True, math.nan])
def test_something_else_than_a_mapping_is_one_problem(data: object) -> None:
    problems = problems_in(data)  # type: ignore[arg-type]
    assert len(problems) == 1
    assert_clear(problems[0], [])
    with pytest.raises(lk.PlanError):
        lk.ComputePlan.from_dict(data)  # type: ignore[arg-type]


@pytest.mark.parametrize("data", [{}, dict.fromkeys(good())], ids=["nothing there", "none everywhere"])
def test_an_empty_plan_names_each_missing_part_once(data: dict) -> None:
    texts = [p.text("en") for p in problems_in(data)]
    assert 4 <= len(texts) <= len(good())
    assert len(set(texts)) == len(texts)


def test_a_plan_error_lists_every_problem_in_the_language_in_use() -> None:
    lk.set_language("hi")
    try:
        with pytest.raises(lk.PlanError) as caught:
            lk.ComputePlan.from_dict(WRONG["seven faults"][0])
        assert isinstance(caught.value, ValueError)
        assert len(caught.value.problems) == 7
        assert all(p.text("hi") in str(caught.value) for p in caught.value.problems)
    finally:
        lk.set_language("en")


def test_a_notebook_shows_a_plan_error_without_a_traceback() -> None:
    with pytest.raises(lk.PlanError) as caught:
        lk.Setting("mine", role="metod")
    shown = "\n".join(caught.value._render_traceback_())
    assert "metod" in shown
    assert "File " not in shown and "line " not in shown


# --- constructors ---------------------------------------------------------------------------------

NUMBERS = [
    -1,
    math.nan,
    math.inf,
    -math.inf,
    "40",
    "40 min",
    True,
    [],
    {},
    10**400,
    1e300,
    2 + 1j,
    object(),
    b"4",
]


@pytest.mark.parametrize("value", NUMBERS, ids=lambda v: type(v).__name__ + ascii(v)[:8])
@pytest.mark.parametrize(
    "make",
    [
        lk.Measured,
        lambda v: lk.Measured(40, low=v),
        lambda v: lk.Measured(40, high=v),
        lambda v: lk.Guess(v, why="as long as last time"),
        lambda v: lk.Venue("free notebook", session_hours=v),
        lambda v: lk.Venue("free notebook", hours_per_week=v),
        lambda v: lk.Venue("free notebook", checkpoint_minutes=v),
        lambda v: lk.Venue("free notebook", price_per_hour=v),
        lambda v: lk.Venue("free notebook", days_available=v),
    ],
    ids=[
        "measured",
        "low",
        "high",
        "guess",
        "session_hours",
        "hours_per_week",
        "checkpoint",
        "price",
        "days",
    ],
)
def test_a_value_that_is_no_sensible_number_is_one_problem(make, value: object) -> None:
    with pytest.raises(lk.PlanError) as caught:
        make(value)
    assert len(caught.value.problems) == 1
    assert_clear(caught.value.problems[0], [])


@pytest.mark.parametrize(
    ("make", "count"),
    [
        (lambda: lk.Setting("", "baseline"), 1),
        (lambda: lk.Setting("  ", "baseline"), 1),
        (lambda: lk.Setting("mine", "metod"), 1),
        (lambda: lk.Setting(None, None), 2),
        (lambda: lk.Setting("mine", "method", run_time=40), 1),
        (lambda: lk.Setting("mine", "method", priority="first"), 1),
        (lambda: lk.Measured(None), 1),
        (lambda: lk.Measured(40, low=50, high=60), 1),
        (lambda: lk.Measured(40, low=60, high=30), 1),
        (lambda: lk.Guess(40, why=5), 1),
        (lambda: lk.Venue(""), 1),
        (lambda: lk.Venue(None), 1),
        (lambda: lk.Venue("free notebook", session_hours=-1, price_per_hour=-1), 2),
        (lambda: lk.ComputePlan("Does it help?", settings=[("a", "baseline"), ("b", "method", 3, 4, 5)],
                                seeds=[0, 1], run_time=lk.Measured(4)), 1),
        (lambda: lk.ComputePlan("Does it help?", settings=None, seeds=None, run_time=lk.Measured(4)), 2),
        (lambda: lk.ComputePlan("Does it help?", settings=[("a", "basline"), ("", "method")], seeds=3,
                                run_time="40 min", margin=math.nan), 5),
    ],
)  # fmt: skip
def test_constructors_collect_everything_that_cannot_be_used(make, count: int) -> None:
    with pytest.raises(lk.PlanError) as caught:
        make()
    assert len(caught.value.problems) == count, str(caught.value)
    for problem in caught.value.problems:
        assert_clear(problem, [])


ODD = [
    None, ..., object(), b"x", {1}, lambda: 1, 2 + 1j, Decimal("NaN"), Decimal("0.5"), Fraction(1, 3), np.nan,
    np.array([0, 1]), np.array(math.nan), np.array([[1.5]]), Path("x"), int, range(0), iter([1]), "\ud800",
    {"a": {}}, [[[]]], {None: 1}, np.datetime64("NaT"), sys.maxsize**40,
]  # fmt: skip


@pytest.mark.parametrize("key", good())
@pytest.mark.parametrize("value", ODD, ids=lambda v: ascii(v)[:20])
def test_an_odd_object_anywhere_never_gives_a_foreign_error(key: str, value: object) -> None:
    parts = {
        "question": "Does it help?",
        "settings": [("baseline", "baseline"), ("mine", "method")],
        "seeds": [0, 1],
        "run_time": lk.Measured(40),
    } | {key: value}
    try:
        plan = lk.ComputePlan(**parts)
    except lk.PlanError as error:
        for problem in error.problems:
            assert_clear(problem, [])
    else:
        assert math.isfinite(plan.total_hours)
        assert str(plan) and plan.to_html("hi")
    assert str(lk.draft_plan(**parts))


def test_numbers_of_numpy_and_ranges_are_taken_as_what_they_are(tmp_path: Path) -> None:
    settings = [("baseline", "baseline"), ("mine", "method")]
    plain = lk.ComputePlan("Does it help?", settings, [0, 1, 2], run_time=lk.Measured(40.0), margin=0.5)
    same = lk.ComputePlan(
        "Does it help?", settings, range(3), run_time=lk.Measured(np.float64(40)), margin=np.float32(0.5)
    )
    assert same == plain
    same.save(tmp_path / "plan.json")
    assert lk.ComputePlan.load(tmp_path / "plan.json") == plain
    seeds = lk.ComputePlan("q", settings, np.arange(3), run_time=lk.Measured(40)).seeds
    assert seeds == (0, 1, 2)


# --- files ----------------------------------------------------------------------------------------


def problems_of_file(path: Path) -> tuple[list[Problem], bool]:
    """Return the problems and whether the plan could be built."""
    try:
        plan = lk.ComputePlan.load(path)
    except lk.PlanError as error:
        assert error.problems
        return list(error.problems), False
    return plan.problems(), True


def test_every_file_has_its_expectation() -> None:
    files = {path.name for path in BAD.iterdir()} - {"expected.toml", ".gitattributes"}
    assert files == set(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_a_wrong_file_gives_one_clear_message_per_fault(name: str) -> None:
    expected = EXPECTED[name]
    problems, _ = problems_of_file(BAD / name)
    allowed = expected["faults"] if isinstance(expected["faults"], list) else [expected["faults"]]
    assert len(problems) in allowed, [str(p) for p in problems]
    for problem in problems:
        assert_clear(problem, expected.get("says", []))


@pytest.mark.parametrize("name", [name for name, expected in EXPECTED.items() if "lines" in expected])
def test_a_fault_in_a_file_is_reported_with_its_line(name: str) -> None:
    problems, built = problems_of_file(BAD / name)
    if EXPECTED[name]["faults"] == [0, 1] and built and not problems:
        return
    lines = EXPECTED[name]["lines"]
    for problem in problems:
        said = re.findall(r"\bline (\d+)", problem.text("en"))
        assert said and int(said[0]) in lines, problem.text("en")
        assert re.search(rf"(?<!\d){said[0]}(?!\d)", problem.text("hi")), problem.text("hi")
    if len(problems) > 1:
        assert sorted(int(re.findall(r"\bline (\d+)", p.text("en"))[0]) for p in problems) == lines


def test_a_name_that_yaml_reads_as_a_boolean_is_never_changed_silently() -> None:
    problems, built = problems_of_file(BAD / "name_read_as_boolean.yaml")
    if built:
        assert lk.ComputePlan.load(BAD / "name_read_as_boolean.yaml").settings[2].name == "no"
    else:
        assert len(problems) == 1


def test_windows_line_ends_change_nothing(tmp_path: Path) -> None:
    for name in ("good.yaml", "good.json", "three_faults.yaml"):
        (tmp_path / name).write_bytes((BAD / name).read_bytes().replace(b"\n", b"\r\n"))
        ours, theirs = problems_of_file(tmp_path / name)[0], problems_of_file(BAD / name)[0]
        assert [p.text("en").replace(str(tmp_path), "") for p in ours] == [
            p.text("en").replace(str(BAD), "") for p in theirs
        ]


DEEP = 100_000


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("deep.json", "[" * DEEP),
        ("deep_object.json", '{"question":' * DEEP),
        ("deep.yaml", "question: " + "[" * 5000),
        ("digits.json", json.dumps(good()).replace('"minutes": 40', '"minutes": 4' + "0" * 5000)),
        ("digits.yaml", json.dumps(good()).replace('"minutes": 40', '"minutes": 4' + "0" * 5000)),
        ("sexagesimal.yaml", "question: q\nseeds: [0, 1]\nseeds_why: 12:30:45\n"),
        ("year_13.yaml", "question: 2026-13-45\n"),
        ("merge.yaml", "<<: 5\nquestion: q\n"),
        ("percent.yaml", "%YAML 9.9\n---\nquestion: q\n"),
        ("at.yaml", "question: @home\n"),
    ],
)
def test_a_file_made_to_break_a_parser_gives_problems(tmp_path: Path, name: str, content: str) -> None:
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    problems, _ = problems_of_file(path)
    assert problems
    for problem in problems:
        assert_clear(problem, [])


def test_a_file_that_is_not_there_is_a_problem_that_names_it(tmp_path: Path) -> None:
    for path in (tmp_path / "my plan.yaml", tmp_path):
        with pytest.raises(lk.PlanError, match=re.escape(path.name)) as caught:
            lk.ComputePlan.load(path)
        assert len(caught.value.problems) == 1
        assert_clear(caught.value.problems[0], [path.name])


def test_an_unknown_kind_of_file_is_neither_read_nor_written(tmp_path: Path) -> None:
    plan = lk.ComputePlan.from_dict(good())
    for name in ("plan.txt", "plan", "plan.ipynb"):
        with pytest.raises(lk.PlanError) as caught:
            plan.save(tmp_path / name)
        assert_clear(caught.value.problems[0], [".json", ".yaml"])
        assert not (tmp_path / name).exists()
        (tmp_path / name).write_text(json.dumps(good()), encoding="utf-8")
        with pytest.raises(lk.PlanError):
            lk.ComputePlan.load(tmp_path / name)


def test_paths_may_be_text_and_endings_in_capitals(tmp_path: Path) -> None:
    plan = lk.ComputePlan.from_dict(good())
    for name in ("योजना 1.json", "plan.YAML", "plan.yml"):
        plan.save(str(tmp_path / name))
        assert lk.ComputePlan.load(str(tmp_path / name)) == plan


# --- names that only look wrong -------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["बिना A", "मेरा तरीका", "no A 🎯", "naïve", "a|b", "{name}", "%s", "C:\\new", "<b>x</b>", "`x`"]
)
def test_an_unusual_name_is_no_problem_and_is_shown(name: str) -> None:
    data = changed(settings__3__name=name)
    assert problems_in(data) == []
    assert name in lk.ComputePlan.from_dict(data).to_text("hi")


def test_html_in_any_text_is_escaped_in_the_html_report() -> None:
    evil = "<script>alert('x')</script>&<img src=x onerror=alert(1)>"
    data = changed(
        question=evil, settings__3__name=evil, seeds_why=evil, risks=[evil], run_time=guess(why=evil),
        venue__name=evil, venue__currency=evil, venue__price_per_hour=2,
    )  # fmt: skip
    plan = lk.ComputePlan.from_dict(data)
    for html in (
        plan.to_html("en"),
        plan.to_html("hi"),
        plan._repr_html_(),
        lk.draft_plan(**data)._repr_html_(),
    ):
        assert "<script" not in html and "<img" not in html
        assert "&lt;script&gt;" in html


def test_html_in_a_problem_is_escaped_in_the_draft() -> None:
    draft = lk.draft_plan(**changed(settings__3__role="<script>x</script>"))
    assert "<script" not in draft._repr_html_()


def test_markdown_and_html_in_names_cannot_break_the_markdown_report() -> None:
    mistune = pytest.importorskip("mistune")
    name = "a|b <script>x</script> *c* _d_"
    plan = lk.ComputePlan.from_dict(changed(settings__3__name=name))
    render = mistune.create_markdown(escape=False, plugins=["table"])
    pages = [render(report) for report in (plan.to_markdown("en"), plan.to_markdown("hi"), plan.request())]
    for page in pages:
        assert "<script" not in page and "<em>" not in page
    for page in pages[:2]:
        assert name in unescape(re.sub(r"<[^>]*>", "", page))


# --- the lesson's example -------------------------------------------------------------------------


def golden() -> lk.ComputePlan:
    return lk.ComputePlan(
        question="Does mine help?",
        settings=[
            lk.Setting("baseline", role="baseline"),
            lk.Setting("mine", role="method"),
            lk.Setting("no A", role="ablation"),
            lk.Setting("no B", role="ablation"),
        ],
        seeds=[0, 1, 2],
        seeds_why="to see the spread",
        run_time=lk.Measured(minutes=40),
        margin=0.5,
        venue=lk.Venue("free notebook", session_hours=4, hours_per_week=12, checkpoint_minutes=10),
        risks=["sessions end without warning"],
    )


def test_the_golden_example_has_the_lessons_numbers() -> None:
    plan = golden()
    assert plan.runs == 12
    assert plan.base_hours == 8
    assert plan.total_hours == 12
    assert plan.total_range == (12, 12)


def test_the_golden_plan_b_is_exactly_half_and_fits() -> None:
    b = golden().plan_b()
    assert [s.name for s in b.plan.settings] == ["baseline", "mine"]
    assert b.plan.seeds == (0, 1, 2)
    assert b.total_hours == 6 == b.budget_hours == b.plan.total_hours
    assert b.fits is True
    assert [d.kind for d in b.dropped] == ["ablation", "ablation"]
    assert [d.what for d in b.dropped] == ["no B", "no A"]


def test_the_golden_venue_fits_with_checkpoints() -> None:
    fit = golden().venue_fit()
    assert (fit.sessions, fit.days, fit.verdict) == (3, 7, "fits with checkpoints")
    assert fit.hours_at_risk == pytest.approx(10 / 60)


GOLDEN_LINES = [
    r"\b4\b.*[x×*].*\b3\b.*=.*\b12\b",  # settings times seeds are the runs
    r"\b12\b.*[x×*].*\b40\b.*=.*\b8\b",  # runs times minutes are the hours
    r"50 ?%.*\b12\b|\b8\b.*0\.5.*\b12\b",  # with the margin
    r"\b2\b.*[x×*].*\b3\b.*\b6\b",  # plan B
]


@pytest.mark.parametrize("lang", ["en", "hi"])
@pytest.mark.parametrize("line", GOLDEN_LINES)
def test_the_golden_text_shows_the_lessons_arithmetic(line: str, lang: str) -> None:
    assert any(re.search(line, shown) for shown in golden().to_text(lang).splitlines()), golden().to_text(
        lang
    )


def test_str_is_the_text_in_the_language_in_use() -> None:
    assert str(golden()) == golden().to_text("en")


def test_the_text_says_whether_the_time_is_measured_or_guessed() -> None:
    guessed = lk.ComputePlan.from_dict(changed(run_time=guess()))
    assert "Measured" in golden().to_text("en") and "Guess" not in golden().to_text("en")
    assert "Guess" in guessed.to_text("en")
    for report in (guessed.to_markdown("en"), guessed.to_html("en"), guessed.request(lang="en")):
        assert re.search("guess", report, re.IGNORECASE)


# --- the command line -----------------------------------------------------------------------------


def command(*words: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "labkit", "plan", *words],
        env=os.environ | env,
        encoding="utf-8",
        errors="replace",
        capture_output=True,
        timeout=60,
        check=False,
    )


@pytest.mark.skipif(importlib.util.find_spec("labkit.cli") is None, reason="no command line yet")
@pytest.mark.parametrize(
    ("name", "env", "ok", "says"),
    [
        ("good.yaml", {}, True, "12"),
        ("three_faults.yaml", {"PYTHONUTF8": "1", "LABKIT_LANG": "hi"}, False, "abaltion|metod"),
        ("tab.yaml", {"PYTHONIOENCODING": "ascii", "LABKIT_LANG": "hi"}, False, "10"),
        ("not_there.yaml", {}, False, "not_there.yaml"),
    ],
)
def test_the_command_says_what_is_wrong_without_a_traceback(
    name: str, env: dict, ok: bool, says: str
) -> None:
    done = command(str(BAD / name), **env)
    assert (done.returncode == 0) is ok, done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    assert re.search(says, done.stdout + done.stderr)
