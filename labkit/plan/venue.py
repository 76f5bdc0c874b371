"""Does the plan fit the place where it will run?"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from labkit.plan import hours
from labkit.plan.notes import Note

if TYPE_CHECKING:
    from labkit.plan.model import ComputePlan, Venue

Verdict = Literal["fits", "fits with checkpoints", "does not fit"]


@dataclass(frozen=True)
class VenueFit:
    """How a plan fits its venue; None stands for "cannot be said".

    Attributes
    ----------
    sessions : sessions needed, margin included.
    days : calendar days at the venue's hours a week.
    cost : in the venue's currency.
    hours_at_risk : hours of work that a session ending without warning can cost.
    verdict : `"fits"`, `"fits with checkpoints"` or `"does not fit"`.
    reasons : why, as notes.
    """

    sessions: int | None
    days: float | None
    cost: float | None
    hours_at_risk: float
    verdict: Verdict
    reasons: tuple[Note, ...]


def fit(plan: ComputePlan, venue: Venue) -> VenueFit:
    """Compare the hours of `plan`, margin included, with the limits of `venue`."""
    total = hours.total_hours(plan)
    longest = max(hours.exact(plan.run_time_of(s).minutes) for s in plan.settings) / 60
    interval = None if venue.checkpoint_minutes is None else hours.exact(venue.checkpoint_minutes) / 60
    session = None if venue.session_hours is None else hours.exact(venue.session_hours)
    against: list[Note] = []
    reasons: list[Note] = []
    sessions: int | None = None
    if session is not None:
        saved = interval is not None and interval < session
        if longest > session and not saved:
            values = {"run_hours": float(longest), "session_hours": float(session)}
            against.append(Note("plan.venue_run_too_long", values))
        else:
            sessions = math.ceil(total / session) if saved else _whole_run_sessions(plan, float(session))
    days = None if venue.hours_per_week is None else total / hours.exact(venue.hours_per_week) * 7
    if venue.days_available is not None:
        available = hours.exact(venue.days_available)
        if (total / 24 if days is None else days) > available:
            against.append(Note("plan.venue_too_many_days", {"available": venue.days_available}))
    if sessions is None or sessions == 1:
        verdict: Verdict = "fits"
        reasons.append(Note("plan.venue_no_session_limit" if session is None else "plan.venue_one_session"))
    else:
        verdict = "fits with checkpoints"
        reasons.append(Note("plan.venue_many_sessions", {"sessions": sessions}))
    return VenueFit(
        sessions=sessions,
        days=None if days is None else float(days),
        cost=None if venue.price_per_hour is None else float(total * hours.exact(venue.price_per_hour)),
        hours_at_risk=float(longest if interval is None else min(interval, longest)),
        verdict="does not fit" if against else verdict,
        reasons=tuple(against or reasons),
    )


def _whole_run_sessions(plan: ComputePlan, session: float) -> int:
    """Count sessions when no run can go on in the next one; the margin is spent on whole runs too."""
    if hours.total_hours(plan) <= hours.exact(session):
        return 1
    runs = Counter(plan.run_time_of(s).minutes for s in plan.settings)
    needed = 0
    for minutes, settings in runs.items():
        per_session = math.floor(hours.exact(session) * 60 / hours.exact(minutes))
        with_margin = math.ceil(settings * len(plan.seeds) * (1 + hours.exact(plan.margin)))
        needed += math.ceil(with_margin / per_session)
    return needed
