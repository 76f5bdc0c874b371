"""The venue: sessions, days, cost, what a sudden end costs, and the verdict."""

from __future__ import annotations

from typing import Any

import pytest
from plan_examples import PAIR, plan

import labkit as lk
from labkit.plan import VenueFit


def fit(minutes: float = 40, seeds: int = 3, **limits: Any) -> VenueFit:
    """Return the fit of baseline and mine, 50 % margin: 6 h with the defaults."""
    return plan(
        PAIR, range(seeds), run_time=lk.Measured(minutes), venue=lk.Venue("here", **limits)
    ).venue_fit()


def reasons(venue_fit: VenueFit) -> list[str]:
    return [reason.id.removeprefix("plan.") for reason in venue_fit.reasons]


def test_without_limits_everything_fits() -> None:
    free = fit()
    assert (free.sessions, free.days, free.cost, free.verdict) == (None, None, None, "fits")


def test_without_a_venue_no_limit_is_known() -> None:
    unknown = plan(venue=None).venue_fit()
    assert (unknown.verdict, reasons(unknown)) == ("fits", ["venue_unknown"])


def test_one_session_that_is_just_long_enough_fits() -> None:
    assert (fit(session_hours=6).sessions, fit(session_hours=6).verdict) == (1, "fits")


def test_more_sessions_need_checkpoints() -> None:
    assert fit(session_hours=5.9, checkpoint_minutes=10).sessions == 2
    assert fit(session_hours=5.9, checkpoint_minutes=10).verdict == "fits with checkpoints"


def test_without_checkpoints_only_whole_runs_fill_a_session() -> None:
    # 9 runs with the margin; a session of 1 h holds one run of 40 min, with checkpoints it is used up
    assert fit(session_hours=1).sessions == 9
    assert fit(session_hours=1, checkpoint_minutes=5).sessions == 6


def test_a_run_as_long_as_the_session_still_fits_into_it() -> None:
    assert fit(minutes=60, session_hours=1).verdict == "fits with checkpoints"


def test_a_run_longer_than_a_session_needs_checkpoints() -> None:
    assert fit(minutes=61, session_hours=1).verdict == "does not fit"
    assert fit(minutes=61, session_hours=1).sessions is None
    assert fit(minutes=61, session_hours=1, checkpoint_minutes=10).verdict == "fits with checkpoints"


def test_a_checkpoint_written_less_often_than_sessions_end_saves_nothing() -> None:
    late = {"minutes": 120, "session_hours": 1, "checkpoint_minutes": 60}
    assert fit(**late).verdict == "does not fit"


def test_days_follow_from_the_hours_a_week_and_a_tie_fits() -> None:
    assert fit(hours_per_week=12, days_available=3.5).days == 3.5
    assert fit(hours_per_week=12, days_available=3.5).verdict == "fits"
    assert fit(hours_per_week=12, days_available=3).verdict == "does not fit"


def test_without_hours_a_week_a_day_has_24() -> None:
    assert fit(minutes=400, seeds=3, days_available=2.5).verdict == "fits"
    assert fit(minutes=400, seeds=3, days_available=2).verdict == "does not fit"


def test_all_reasons_against_are_named() -> None:
    both = fit(minutes=600, session_hours=1, hours_per_week=10, days_available=2)
    assert reasons(both) == ["venue_run_too_long", "venue_too_many_days"]


def test_a_slow_run_that_may_not_fit_is_mentioned() -> None:
    slow = plan(PAIR, run_time=lk.Measured(40, 30, 90), venue=lk.Venue("here", session_hours=1)).venue_fit()
    assert slow.verdict == "fits with checkpoints"
    assert reasons(slow) == ["venue_many_sessions", "venue_slow_run"]


def test_days_that_may_not_be_enough_are_mentioned() -> None:
    venue = lk.Venue("here", hours_per_week=12, days_available=4)
    slow = plan(PAIR, run_time=lk.Measured(40, 30, 90), venue=venue).venue_fit()
    assert (slow.verdict, reasons(slow)) == ("fits", ["venue_no_session_limit", "venue_slow_days"])


def test_cost_is_hours_times_price() -> None:
    assert fit(price_per_hour=2.5).cost == 15
    assert fit(price_per_hour=0).cost == 0


@pytest.mark.parametrize(("limits", "minutes"), [({}, 40), ({"checkpoint_minutes": 10}, 10),
                                                ({"checkpoint_minutes": 90}, 40)])  # fmt: skip
def test_a_sudden_end_costs_the_time_since_the_checkpoint_or_one_run(limits: dict, minutes: float) -> None:
    assert fit(session_hours=4, **limits).hours_at_risk == pytest.approx(minutes / 60)


def test_the_longest_run_counts() -> None:
    settings = [*PAIR, lk.Setting("large", "ablation", lk.Measured(500))]
    venue_fit = plan(settings, venue=lk.Venue("here", session_hours=4)).venue_fit()
    assert venue_fit.verdict == "does not fit"
    assert venue_fit.hours_at_risk == pytest.approx(500 / 60)
