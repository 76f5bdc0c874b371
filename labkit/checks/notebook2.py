"""Rubrics of notebook 2, "The compute plan": the pieces of the student's own plan (2.2, 2.3, 2.5)."""

from __future__ import annotations

from collections.abc import Iterator

from labkit.checks.core import AnswerError, Remark, part, right, rubric, wrong
from labkit.checks.plain import JSON, shown
from labkit.checks.shapes import as_number, choice, count_words, fields, sentence, unanswered

LIMITS = ("session_hours", "hours_per_week", "days_available", "price_per_hour")


@rubric("2.2", points=2)
def seeds(answer: JSON) -> Iterator[Remark]:
    """Grade one list of seeds for all settings, and the reason for their number."""
    listed, why = fields(answer, "seeds", "seeds_why")
    yield part(1, _seeds, listed)
    yield part(1, _seeds_why, why)


def _seeds(listed: JSON) -> Remark:
    if listed is None:
        raise unanswered("seeds")
    if isinstance(listed, int | float) and not isinstance(listed, bool):
        raise AnswerError("checks.2_2.count_not_list", given=shown(listed))
    if isinstance(listed, dict):
        raise AnswerError("checks.2_2.per_setting", given=shown(listed))
    if not isinstance(listed, list):
        raise AnswerError("checks.2_2.not_a_list", given=shown(listed))
    odd = [s for s in listed if not isinstance(s, int) or isinstance(s, bool) or s < 0]
    if odd:
        raise AnswerError("checks.2_2.not_a_seed", given=shown(odd[0]))
    distinct = len(set(listed))
    if distinct < len(listed):
        return wrong("checks.2_2.repeated", 0.5 if distinct >= 2 else 0, given=shown(listed))
    if distinct >= 3:
        return right("checks.2_2.seeds_right")
    return wrong("checks.2_2.two", 0.5) if distinct == 2 else wrong("checks.2_2.too_few", given=shown(listed))


def _seeds_why(why: JSON) -> Remark:
    sentence(why, "seeds_why")
    return right("checks.2_2.why_right")


@rubric("2.3", points=2)
def run_time(answer: JSON) -> Iterator[Remark]:
    """Grade a run time that arithmetic can use, and that is measured or an explained guess."""
    if isinstance(answer, int | float) and not isinstance(answer, bool):
        raise AnswerError("checks.2_3.bare_number", given=shown(answer))
    if not isinstance(answer, dict):
        raise AnswerError("checks.2_3.not_a_run_time", given=shown(answer))
    yield part(1, _usable_minutes, answer)
    yield part(1, _source, answer)


def _usable_minutes(answer: dict[str, JSON]) -> Remark:
    minutes = as_number(answer.get("minutes"), "minutes")
    if minutes <= 0:
        return wrong("checks.2_3.not_positive", given=shown(answer["minutes"]))
    low, high = (minutes if answer.get(n) is None else as_number(answer[n], n) for n in ("low", "high"))
    if not 0 < low <= minutes <= high:
        return wrong("checks.2_3.range", low=low, minutes=minutes, high=high)
    return right("checks.2_3.minutes_right")


def _source(answer: dict[str, JSON]) -> Remark:
    if choice(answer.get("kind"), "kind", ("measured", "guess")) == "measured":
        return right("checks.2_3.measured")
    why = answer.get("why")
    if not isinstance(why, str) or count_words(why) < 3:
        return wrong("checks.2_3.guess_without_why", given=shown(why))
    return right("checks.2_3.guess_right")


@rubric("2.5", points=2)
def venue_and_risks(answer: JSON) -> Iterator[Remark]:
    """Grade a venue with at least one of its limits, and at least one risk in words."""
    venue, risks = fields(answer, "venue", "risks")
    yield part(1, _venue, venue)
    yield part(1, _risks, risks)


def _venue(venue: JSON) -> Remark:
    if venue is None:
        raise unanswered("venue")
    if not isinstance(venue, dict):
        raise AnswerError("checks.2_5.not_a_venue", given=shown(venue))
    name = venue.get("name")
    if not isinstance(name, str) or not name.strip():
        return wrong("checks.2_5.no_name", 0.5 if _has_limit(venue) else 0)
    return right("checks.2_5.venue_right") if _has_limit(venue) else wrong("checks.2_5.no_limit", 0.5)


def _has_limit(venue: dict[str, JSON]) -> bool:
    filled = [as_number(venue[n], n) for n in LIMITS if venue.get(n) is not None]
    return any(limit > 0 for limit in filled)


def _risks(risks: JSON) -> Remark:
    if risks is None:
        raise unanswered("risks")
    if isinstance(risks, str) and count_words(risks) >= 3:
        return wrong("checks.2_5.risk_not_in_list", 0.5)
    if not isinstance(risks, list):
        raise AnswerError("checks.2_5.risks_not_a_list", given=shown(risks))
    if not risks:
        return wrong("checks.2_5.no_risk")
    if not any(isinstance(r, str) and count_words(r) >= 3 for r in risks):
        return wrong("checks.2_5.risk_too_short", given=shown(risks))
    return right("checks.2_5.risks_right")
