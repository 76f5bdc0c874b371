"""Whether the plan fits the place where it will run."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from labkit.plan import hours
from labkit.plan.notes import Note

if TYPE_CHECKING:
    from labkit.plan.model import ComputePlan
    from labkit.plan.parts import Venue

Verdict = Literal["fits", "fits with checkpoints", "does not fit"]


@dataclass(frozen=True)
class VenueFit:
    """How a plan, margin included, fits its venue.

    Attributes
    ----------
    sessions : sessions needed; None if sessions have no limit, or a run fits into none.
    days : calendar days at the venue's hours a week; None without that limit.
    cost : in the venue's currency; None if the price is not known.
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


def fit_venue(plan: ComputePlan) -> VenueFit:
    """Compare the hours of `plan`, margin included, with the limits of its venue.

    Checkpoints let a run go on in the next session if they are written more often than sessions end.
    """
    venue = plan.venue
    total = hours.total_hours(plan)
    longest = max(hours.exact(plan.run_time_of(s).minutes) for s in plan.settings) / 60
    if venue is None:
        return VenueFit(None, None, None, float(longest), "fits", (Note("plan.venue_unknown"),))
    interval = None if venue.checkpoint_minutes is None else hours.exact(venue.checkpoint_minutes) / 60
    sessions, verdict, reasons = _by_session(plan, venue, total, longest, interval)
    late = _by_days(plan, venue, total)
    if late is not None and late.id == "plan.venue_too_many_days":
        reasons = [*reasons, late] if verdict == "does not fit" else [late]
        verdict = "does not fit"
    elif late is not None:
        reasons.append(late)
    days = None if venue.hours_per_week is None else float(hours.days_needed(total, venue.hours_per_week))
    cost = None if venue.price_per_hour is None else float(total * hours.exact(venue.price_per_hour))
    at_risk = float(longest if interval is None else min(interval, longest))
    return VenueFit(sessions, days, cost, at_risk, verdict, tuple(reasons))


def _by_session(
    plan: ComputePlan, venue: Venue, total: Fraction, longest: Fraction, interval: Fraction | None
) -> tuple[int | None, Verdict, list[Note]]:
    if venue.session_hours is None:
        return None, "fits", [Note("plan.venue_no_session_limit")]
    session = hours.exact(venue.session_hours)
    resumes = interval is not None and interval < session
    values = {"run_hours": float(longest), "session_hours": float(session)}
    if longest > session and not resumes:
        return None, "does not fit", [Note("plan.venue_run_too_long", values)]
    if total <= session:
        sessions = 1
    else:
        sessions = math.ceil(total / session) if resumes else _sessions_of_whole_runs(plan, session)
    reason = "plan.venue_one_session" if sessions == 1 else "plan.venue_many_sessions"
    reasons = [Note(reason, {"sessions": sessions, "session_hours": float(session)})]
    slowest = max(plan.run_time_of(s).high or 0.0 for s in plan.settings)
    if hours.exact(slowest) / 60 > session and not resumes:
        reasons.append(Note("plan.venue_slow_run", {**values, "run_hours": slowest / 60}))
    return sessions, "fits" if sessions == 1 else "fits with checkpoints", reasons


def _by_days(plan: ComputePlan, venue: Venue, total: Fraction) -> Note | None:
    """Return a note if the days are too few, or may be if runs take their high time."""
    if venue.days_available is None:
        return None
    for bound, hours_needed in (("many", total), ("slow", hours.total_hours(plan, "high"))):
        days = hours.days_needed(hours_needed, venue.hours_per_week)
        if days > hours.exact(venue.days_available):
            note = "plan.venue_too_many_days" if bound == "many" else "plan.venue_slow_days"
            return Note(note, {"days": float(days), "available": venue.days_available})
    return None


def _sessions_of_whole_runs(plan: ComputePlan, session: Fraction) -> int:
    """Count sessions when a run cannot go on in the next one; the margin is spent on whole runs too."""
    runs = Counter(plan.run_time_of(s).minutes for s in plan.settings)
    needed = 0
    for minutes, settings in runs.items():
        with_margin = math.ceil(settings * len(plan.seeds) * (1 + hours.exact(plan.margin)))
        needed += math.ceil(with_margin / math.floor(session * 60 / hours.exact(minutes)))
    return needed
