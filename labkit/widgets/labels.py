"""The plan's problems in the form's own words: a field is named by its label, not by its place in data."""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from labkit.messages import text

if TYPE_CHECKING:
    from labkit.plan import Problem

_LABELS = {
    "question": "question",
    "settings": "part_settings",
    "seeds": "seed_list",
    "seeds_why": "seeds_why",
    "run_time": "part_run_time",
    "run_time.kind": "kind",
    "run_time.minutes": "minutes",
    "run_time.low": "low",
    "run_time.high": "high",
    "run_time.why": "guess_why",
    "margin": "margin",
    "venue": "part_venue",
    "venue.name": "venue_name",
    "venue.session_hours": "session_hours",
    "venue.hours_per_week": "hours_per_week",
    "venue.checkpoint_minutes": "checkpoint_minutes",
    "venue.price_per_hour": "price_per_hour",
    "venue.currency": "currency",
    "venue.days_available": "days_available",
    "risks": "risks",
}
_SETTING_LABELS = {"role": "role", "priority": "part_priority"}
_SETTING = re.compile(r"settings\[(\d+)\](?:\.(.+))?")
_ENTRY = re.compile(r"(seeds|risks)\[\d+\]")


def problem_text(problem: Problem, lang: str | None) -> str:
    """Return what `problem` says, in `lang`, with the label of the field that it is about."""
    place = problem.where
    label = field_label(place, lang)
    if label is None:
        return problem.text(lang)
    named = str(problem.values.get("where", place)).replace(place, label, 1)
    values = {**problem.values, "where": named}
    if "other" in values:
        values["other"] = field_label(values["other"], lang) or values["other"]
    sentence = dataclasses.replace(problem, values=values).text(lang)
    return f"{label}{sentence.removeprefix(place)}" if sentence.startswith(f"{place} ") else sentence


def field_label(place: str, lang: str | None) -> str | None:
    """Return the quoted label of the field that shows `place` (such as `"settings[2].name"`), else None."""
    setting = _SETTING.fullmatch(place)
    if setting is None:
        entry = _ENTRY.fullmatch(place)
        label = _LABELS.get(entry[1] if entry else place)
        return label and f"“{text(f'widgets.{label}', lang)}”"
    words = text("widgets.setting", lang, number=int(setting[1]) + 1)
    if setting[2] in (None, "name"):
        return f"“{words}”"
    label = _SETTING_LABELS.get(setting[2]) or _LABELS.get(setting[2])
    return label and f"“{words}: {text(f'widgets.{label}', lang)}”"
