"""Properties that hold for every plan, searched with hypothesis.

The search is small and the same each time; set LABKIT_SEARCH=large for a longer one with new examples.
"""

from __future__ import annotations

import copy
import json
import math
import os
import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import labkit as lk
from labkit.messages import duration, number
from labkit.plan import problems_in

LARGE = os.environ.get("LABKIT_SEARCH") == "large"
TIE = 1 + 1e-9  # half of a total is a sum of floats: equal up to rounding counts as equal


def search(examples: int) -> settings:
    """Return the settings of one search: `examples` examples, thirty times as many in the large one."""
    return settings(
        max_examples=examples * (30 if LARGE else 1),
        derandomize=not LARGE,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


# --- plans ----------------------------------------------------------------------------------------

# Words that YAML reads as something else, that mean something in Markdown or HTML, and other scripts.
TRICKY = [
    "no", "null", "~", "1e3", "0x1F", "12:30", "2026-01-31", "=", "<<", "- a", "a: b", "#1", "'", '"', "|",
    "yes", "{a}", "%d", "बिना A", "क्या यह चलेगा?", "<i>x</i>", "🎯", ".nan", "a  b", "\\n", "&lt;", "*x",
]  # fmt: skip
words = st.one_of(
    st.sampled_from(TRICKY),
    st.text(st.characters(exclude_categories=["C", "Z"]) | st.just(" "), min_size=1, max_size=30),
).filter(lambda text: text.strip() != "")
minutes = st.floats(0.001, 10_000) | st.integers(1, 600)


@st.composite
def run_times(draw: st.DrawFn) -> lk.Measured | lk.Guess:
    expected = draw(minutes)
    low, high = expected * draw(st.floats(0.1, 1)), expected * draw(st.floats(1, 5))
    kind = draw(st.sampled_from(["point", "range", "guess", "guessed range"]))
    if kind == "point":
        return lk.Measured(expected)
    if kind == "range":
        return lk.Measured(expected, low=min(low, expected), high=max(high, expected))
    if kind == "guess":
        return lk.Guess(expected, why=draw(words))
    return lk.Guess(expected, why=draw(words), low=min(low, expected), high=max(high, expected))


some_hours = st.none() | st.floats(0.1, 168) | st.integers(1, 168)
venues = st.builds(
    lk.Venue,
    words,
    session_hours=some_hours,
    hours_per_week=some_hours,
    checkpoint_minutes=st.none() | st.floats(0.1, 600),
    price_per_hour=st.none() | st.floats(0, 1000),
    currency=st.sampled_from(["", "INR", "₹", "USD"]),
    days_available=st.none() | st.integers(1, 365),
)


@st.composite
def plans(draw: st.DrawFn, own_run_times: bool = True, priorities: str = "none all some") -> lk.ComputePlan:
    """Draw a sound plan: baselines and methods, perhaps ablations, in any order."""
    roles = ["baseline", "method", *draw(st.lists(st.sampled_from(["baseline", "method"]), max_size=2))]
    roles = draw(st.permutations([*roles, *["ablation"] * draw(st.integers(0, 5))]))
    names = draw(
        st.lists(words, min_size=len(roles), max_size=len(roles), unique_by=lambda n: n.strip().casefold())
    )
    given_to = draw(st.sampled_from(priorities.split()))
    rows = []
    for name, role in zip(names, roles, strict=True):
        own = draw(st.none() | run_times()) if own_run_times else None
        has_priority = given_to == "all" or (given_to == "some" and draw(st.booleans()))
        priority = draw(st.integers(-3, 3) | st.floats(-3, 3)) if has_priority else None
        rows.append(lk.Setting(name, role, run_time=own, priority=priority))
    return lk.ComputePlan(
        question=draw(words),
        settings=rows,
        seeds=draw(st.lists(st.integers(0, 2**31), min_size=1, max_size=8, unique=True)),
        seeds_why=draw(words),
        run_time=draw(run_times()),
        margin=draw(st.floats(0.05, 3)),
        venue=draw(st.none() | venues),
        risks=draw(st.lists(words, max_size=3)),
    )


def hours(plan: lk.ComputePlan, rows: list, seeds: int) -> float:
    """Return the hours of some settings of a plan, by the rule in words, not by the package's code."""
    each = [(row.run_time or plan.run_time).minutes for row in rows]
    return math.fsum(each) / 60 * seeds * (1 + plan.margin)


def main(plan: lk.ComputePlan) -> list:
    return [row for row in plan.settings if row.role != "ablation"]


def ablations(plan: lk.ComputePlan) -> list:
    return [row for row in plan.settings if row.role == "ablation"]


@given(plans())
@search(50)
def test_the_total_is_the_rule_and_its_range_encloses_it(plan: lk.ComputePlan) -> None:
    low, high = plan.total_range
    assert all(math.isfinite(h) and h >= 0 for h in (plan.base_hours, plan.total_hours, low, high))
    assert plan.runs == len(plan.settings) * len(plan.seeds)
    assert plan.total_hours == pytest.approx(hours(plan, plan.settings, len(plan.seeds)), rel=1e-12)
    assert plan.base_hours * (1 + plan.margin) == pytest.approx(plan.total_hours, rel=1e-12)
    assert low <= plan.total_hours * TIE and plan.total_hours <= high * TIE


@given(plans())
@search(60)
def test_plan_b_that_fits_needs_at_most_half(plan: lk.ComputePlan) -> None:
    b = plan.plan_b()
    assert b.budget_hours == pytest.approx(plan.total_hours / 2, rel=1e-12)
    assert b.total_hours == pytest.approx(b.plan.total_hours, rel=1e-12)
    assert math.isfinite(b.total_hours) and b.total_hours > 0
    assert b.fits == (b.total_hours <= b.budget_hours * TIE)


@given(plans())
@search(60)
def test_plan_b_keeps_the_main_comparison_as_it_was(plan: lk.ComputePlan) -> None:
    b = plan.plan_b()
    assert main(b.plan) == main(plan)
    assert all(row in plan.settings for row in b.plan.settings)
    assert (b.plan.question, b.plan.run_time, b.plan.margin) == (plan.question, plan.run_time, plan.margin)


@given(plans())
@search(60)
def test_plan_b_keeps_the_first_seeds_and_at_least_two(plan: lk.ComputePlan) -> None:
    b = plan.plan_b()
    kept = len(b.plan.seeds)
    assert tuple(b.plan.seeds) == tuple(plan.seeds)[:kept]
    assert kept >= min(2, len(plan.seeds))
    assert b.plan.runs == len(b.plan.settings) * kept


@given(plans())
@search(60)
def test_plan_b_cuts_seeds_only_when_no_ablation_is_left(plan: lk.ComputePlan) -> None:
    b = plan.plan_b()
    if len(b.plan.seeds) < len(plan.seeds):
        assert ablations(b.plan) == []
    gone = {row.name for row in plan.settings} - {row.name for row in b.plan.settings}
    assert sorted(d.what for d in b.dropped if d.kind == "ablation") == sorted(gone)
    assert any(d.kind == "seeds" for d in b.dropped) == (len(b.plan.seeds) < len(plan.seeds))


@given(plans(priorities="none all"))
@search(60)
def test_plan_b_drops_the_least_important_ablations(plan: lk.ComputePlan) -> None:
    # higher priority is kept longer; of equals (and without priorities) the one listed first
    order = sorted(ablations(plan), key=lambda row: -(row.priority or 0))
    kept = ablations(plan.plan_b().plan)
    assert sorted(row.name for row in kept) == sorted(row.name for row in order[: len(kept)])
    dropped = [d.what for d in plan.plan_b().dropped if d.kind == "ablation"]
    assert dropped == [row.name for row in order[len(kept) :]][::-1]


@given(plans(priorities="none all"))
@search(60)
def test_plan_b_drops_no_more_than_it_must(plan: lk.ComputePlan) -> None:
    b = plan.plan_b()
    if not b.fits or not b.dropped:
        return
    seeds = len(b.plan.seeds)
    if seeds < len(plan.seeds):
        assert hours(plan, main(plan), seeds + 1) > plan.total_hours / 2 / TIE
    else:
        order = sorted(ablations(plan), key=lambda row: -(row.priority or 0))
        one_more = order[: len(ablations(b.plan)) + 1]
        assert hours(plan, main(plan) + one_more, seeds) > plan.total_hours / 2 / TIE


@given(plans())
@search(60)
def test_plan_b_that_does_not_fit_has_cut_all_it_may_and_gives_advice(plan: lk.ComputePlan) -> None:
    b = plan.plan_b()
    if not b.fits:
        assert ablations(b.plan) == []
        assert len(b.plan.seeds) == min(2, len(plan.seeds))
        assert b.advice


@given(plans(own_run_times=False, priorities="none"), st.integers(1, 5), st.integers(2, 7))
@search(60)
def test_a_tie_counts_as_fitting_whatever_the_run_time(plan: lk.ComputePlan, mains: int, seeds: int) -> None:
    rows = [("baseline", "baseline"), *((f"method {i}", "method") for i in range(mains))]
    rows += [(f"ablation {i}", "ablation") for i in range(len(rows))]
    tie = lk.ComputePlan("q", rows, range(seeds), "why not", plan.run_time, plan.margin)
    b = tie.plan_b()
    assert b.fits
    assert len(b.plan.settings) == mains + 1 and len(b.plan.seeds) == seeds


@given(plans())
@search(50)
def test_the_venue_gives_finite_sums_and_one_of_three_verdicts(plan: lk.ComputePlan) -> None:
    fit = plan.venue_fit()
    assert fit.verdict in ("fits", "fits with checkpoints", "does not fit")
    for value in (fit.sessions, fit.days, fit.cost, fit.hours_at_risk):
        assert value is None or (math.isfinite(value) and value >= 0)
    if plan.venue is None:
        return
    if plan.venue.hours_per_week:
        assert fit.days == pytest.approx(plan.total_hours / plan.venue.hours_per_week * 7)
    longest = max((row.run_time or plan.run_time).minutes for row in plan.settings) / 60
    session = plan.venue.session_hours
    if session and longest > session * TIE and plan.venue.checkpoint_minutes is None:
        assert fit.verdict == "does not fit"
    if plan.venue.days_available and fit.days and fit.days > plan.venue.days_available * TIE:
        assert fit.verdict == "does not fit"


@given(plans())
@search(40)
def test_saving_and_loading_gives_an_equal_plan(plan: lk.ComputePlan) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name in ("plan.json", "plan.yaml"):
            path = Path(folder) / name
            plan.save(path)
            assert lk.ComputePlan.load(path) == plan
            path.read_bytes().decode("utf-8")


@given(plans())
@search(60)
def test_the_plain_form_is_json_and_gives_an_equal_plan(plan: lk.ComputePlan) -> None:
    data = json.loads(json.dumps(plan.to_dict(), allow_nan=False))
    assert lk.ComputePlan.from_dict(data) == plan
    assert [str(p) for p in problems_in(data)] == [str(p) for p in plan.problems()]


def shows(report: str, total_hours: float, lang: str) -> bool:
    """Tell whether a report contains the total, as hours or as a duration."""
    return number(total_hours) in report or duration(total_hours * 3600, lang) in report


@pytest.mark.parametrize("lang", ["en", "hi"])
@given(plan=plans())
@search(30)
def test_every_report_contains_the_total_hours(lang: str, plan: lk.ComputePlan) -> None:
    reports = [plan.to_text(lang), plan.to_markdown(lang), plan.to_html(lang)]
    reports.append(plan.request("It matters to us", "team", lang))
    for report in reports:
        assert shows(report, plan.total_hours, lang), report
        assert not re.search(r"\bnan\b|\binf\b|\bNone\b|<class", re.sub(r"\.nan", "", report))
    assert plan.plan_b().to_text(lang).strip()


# --- anything at all ------------------------------------------------------------------------------

numbers = st.one_of(
    st.integers(-5, 5),
    st.integers(),
    st.floats(),
    st.sampled_from([10**400, -(10**400), 1e308, 5e-324, 50, 0.5]),
)
scalars = st.one_of(st.none(), st.booleans(), numbers, st.text(max_size=8), st.sampled_from(TRICKY))
KEYS = [
    "question", "settings", "seeds", "seeds_why", "run_time", "margin", "venue", "risks", "name", "role",
    "kind", "minutes", "low", "high", "why", "priority", "session_hours", "hours_per_week",
    "checkpoint_minutes", "price_per_hour", "currency", "days_available", "baseline", "method", "measured",
]  # fmt: skip
anything = st.recursive(
    scalars | st.sampled_from(KEYS),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=5), inner, max_size=5)
    ),
    max_leaves=15,
)


def places(data: object, way: tuple = ()) -> list[tuple]:
    """Return the way to every value inside nested lists and mappings."""
    inside = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [found for key, value in inside for found in [(*way, key), *places(value, (*way, key))]]


@st.composite
def damaged_plans(draw: st.DrawFn) -> dict:
    """Draw a sound plan's plain form in which up to three values were replaced, removed or renamed."""
    data = copy.deepcopy(draw(plans()).to_dict())
    for _ in range(draw(st.integers(1, 3))):
        *way, last = draw(st.sampled_from(places(data)))
        target = data
        for step in way:
            target = target[step]
        action = draw(st.sampled_from(["replace", "replace", "remove", "rename", "repeat"]))
        if action == "replace":
            target[last] = draw(anything)
        elif action == "remove":
            del target[last]
        elif isinstance(target, dict):
            target[draw(st.sampled_from(KEYS) | st.text(max_size=5))] = target.pop(last)
        else:
            target.append(target[last])
        if not places(data):
            break
    return data


def assert_refused_or_finite(data: object) -> None:
    """Check that data is refused with problems, or is a plan that can be used in every way."""
    found = problems_in(data)  # type: ignore[arg-type]
    for problem in found:
        en, hi = problem.text("en"), problem.text("hi")
        assert en.strip() and hi.strip() and en != hi
        assert len(en) < 700 and len(hi) < 700
    try:
        plan = lk.ComputePlan.from_dict(data)  # type: ignore[arg-type]
    except lk.PlanError as error:
        assert error.problems and str(error).strip()
        assert found
        return
    assert [p.text("en") for p in plan.problems()] == [p.text("en") for p in found]
    b, fit = plan.plan_b(), plan.venue_fit()
    sums = [plan.base_hours, plan.total_hours, *plan.total_range, b.total_hours, b.budget_hours]
    sums += [value for value in (fit.sessions, fit.days, fit.cost, fit.hours_at_risk) if value is not None]
    assert all(math.isfinite(value) and value >= 0 for value in sums)
    assert not b.fits or b.total_hours <= plan.total_hours / 2 * TIE
    assert main(b.plan) == main(plan)
    for lang in ("en", "hi"):
        assert plan.to_text(lang) and plan.to_markdown(lang) and plan.to_html(lang)
        assert plan.request(lang=lang) and b.to_text(lang)
    assert lk.ComputePlan.from_dict(json.loads(json.dumps(plan.to_dict(), allow_nan=False))) == plan


@given(anything)
@search(100)
def test_arbitrary_data_is_refused_or_gives_a_finite_plan(data: object) -> None:
    assert_refused_or_finite(data)


@given(damaged_plans())
@search(100)
def test_a_damaged_plan_is_refused_or_finite(data: dict) -> None:
    assert_refused_or_finite(data)


@given(damaged_plans())
@search(60)
def test_a_draft_of_a_damaged_plan_never_raises(data: dict) -> None:
    names = ["question", "settings", "seeds", "seeds_why", "run_time", "margin", "venue", "risks"]
    draft = lk.draft_plan(**{name: data.get(name, ...) for name in names})
    assert str(draft).strip() and draft._repr_html_().strip()
    assert draft.plan is None or math.isfinite(draft.plan.total_hours)


@given(damaged_plans(), st.sampled_from(["plan.json", "plan.yaml"]))
@search(60)
def test_a_damaged_file_is_refused_or_finite(data: dict, name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_text(json.dumps(data), encoding="utf-8")
        try:
            plan = lk.ComputePlan.load(path)
        except lk.PlanError as error:
            assert all(problem.text("hi") for problem in error.problems)
        else:
            assert math.isfinite(plan.total_hours)


@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode), st.sampled_from(["a.json", "a.yaml"]))
@search(100)
def test_arbitrary_bytes_in_a_file_are_refused(content: bytes, name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        with pytest.raises(lk.PlanError) as caught:
            lk.ComputePlan.load(path)
        assert caught.value.problems


@given(st.data())
@search(60)
def test_a_plan_file_cut_anywhere_is_refused_or_finite(data: st.DataObject) -> None:
    source = data.draw(st.sampled_from(["good.yaml", "good.json", "good_devanagari.yaml"]))
    content = Path(__file__).with_name("bad").joinpath(source).read_bytes()
    cut = data.draw(st.integers(0, len(content)))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / source
        path.write_bytes(content[:cut])
        try:
            plan = lk.ComputePlan.load(path)
        except lk.PlanError as error:
            assert error.problems
        else:
            assert math.isfinite(plan.total_hours)
