"""Rules for a plan whose values are all usable: a sound comparison, a venue where the runs can take place."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from labkit.plan import hours
from labkit.plan.fields import Findings, visible

WEEK_HOURS = 168.0


def check_comparison(found: Findings, settings: Sequence[Mapping[str, Any]]) -> None:
    """Add a problem for a missing baseline, a missing method, and for each name that is used twice."""
    roles = {setting["role"] for setting in settings}
    if "baseline" not in roles:
        found.soft("no_baseline", "settings")
    if "method" not in roles:
        found.soft("no_method", "settings")
    first: dict[str, int] = {}
    for index, setting in enumerate(settings):
        name = visible(setting["name"])
        same = first.setdefault(unicodedata.normalize("NFKC", name).casefold(), index)
        if same != index:
            found.soft("duplicate_name", f"settings[{index}].name", name=name, other=f"settings[{same}]")


def check_venue(
    found: Findings,
    venue: Mapping[str, Any],
    minutes: Sequence[tuple[str, float]],
    seeds: int,
    margin: float,
) -> None:
    """Add a problem for each limit of the venue that the runs break.

    Parameters
    ----------
    found : where problems are added.
    venue : the plain dict of a venue, its values usable.
    minutes : name and minutes of one run, for each setting.
    seeds, margin : as in the plan.
    """
    session, checkpoint = venue.get("session_hours"), venue.get("checkpoint_minutes")
    per_week, available = venue.get("hours_per_week"), venue.get("days_available")
    if per_week is not None and per_week > WEEK_HOURS:
        found.soft("week_too_long", "venue.hours_per_week", given=per_week)
    long = [name for name, time in minutes if session is not None and time > session * 60]
    if session is not None and checkpoint is not None and checkpoint >= session * 60:
        values = {"checkpoint_minutes": checkpoint, "session_hours": session}
        found.soft("checkpoint_beyond_session", "venue.checkpoint_minutes", **values)
    elif long and checkpoint is None:
        values = {"run_minutes": max(time for _, time in minutes), "session_hours": session}
        names = [visible(name) for name in long]
        found.soft("run_beyond_session", "venue.session_hours", names=names, **values)
    total = hours.hours_of((time for _, time in minutes), seeds, margin)
    if available is not None and hours.days_needed(total, per_week) > hours.exact(available):
        days = float(hours.days_needed(total, per_week))
        found.soft("too_many_days", "venue.days_available", available=available, days=days)
