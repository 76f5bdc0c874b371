"""Rubrics of notebook 2 that follow from the student's own draft: total hours (2.4) and plan B (2.6)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from labkit.checks.core import AnswerError, Phrase, Remark, part, right, rubric, wrong
from labkit.checks.plain import JSON, shown
from labkit.checks.shapes import as_number, as_whole, count_words, fields, names_of, near, unanswered
from labkit.checks.words import Hours

if TYPE_CHECKING:
    from labkit.plan import ComputePlan

_TIE = 1 + 1e-9
_NEEDED = ("settings", "seeds", "run_time")


def plan_of(draft: JSON, **theirs: JSON) -> ComputePlan:
    """Return the plan of a draft as far as hours follow from it: settings, seeds, run time, margin.

    `theirs` are the exercise's own answers: where none is given yet, no draft makes them wrong.

    Raises
    ------
    AnswerError
        If the draft is not finished (which counts as not answered) or cannot be calculated.
    """
    from labkit.plan import ComputePlan, PlanError

    if not isinstance(draft, dict):
        raise AnswerError("checks.not_a_draft", given=shown(draft))
    missing = [name for name in _NEEDED if draft.get(name) is None]
    if missing:
        raise AnswerError("checks.draft_unfinished", status="not answered", names=", ".join(missing))
    margin = {} if draft.get("margin") is None else {"margin": draft["margin"]}
    try:
        return ComputePlan.from_dict({name: draft[name] for name in _NEEDED} | margin)
    except PlanError as error:
        if all(value is None for value in theirs.values()):
            raise unanswered(", ".join(theirs)) from None
        raise AnswerError("checks.draft_unusable", problem=error.problems[0]) from error


@rubric("2.4", points=3)
def total_hours(answer: JSON) -> Iterator[Remark]:
    """Grade runs, base hours and total hours; a mistake that later numbers follow from costs only once."""
    draft, runs, base, total = fields(answer, "draft", "runs", "base_hours", "total_hours")
    plan = plan_of(draft, runs=runs, base_hours=base, total_hours=total)
    yield part(1, _runs, runs, plan)
    yield part(1, _base, base, runs, plan)
    yield part(1, _total, total, base, plan)


def _runs(answer: JSON, plan: ComputePlan) -> Remark:
    given = as_whole(answer, "runs")
    settings, seeds = len(plan.settings), len(plan.seeds)
    if given == settings * seeds:
        return right("checks.2_4.runs_right")
    mistakes = {"runs_only_settings": settings, "runs_only_seeds": seeds, "runs_added": settings + seeds}
    for name, value in mistakes.items():
        if given == value:
            return wrong(f"checks.2_4.{name}")
    return wrong("checks.2_4.runs_off", given=shown(answer))


def _base(answer: JSON, runs: JSON, plan: ComputePlan) -> Remark:
    given = as_number(answer, "base_hours")
    truth = plan.base_hours
    if near(given, truth):
        return right("checks.2_4.base_right")
    followed = truth * _usable(runs) / plan.runs
    if near(given, followed):
        return right("checks.2_4.base_follows")
    if near(given, 60 * truth) or near(given, 60 * followed):
        return wrong("checks.2_4.base_minutes", 0.5)
    if near(given, truth / plan.runs):
        return wrong("checks.2_4.base_one_run")
    return wrong("checks.2_4.base_off", given=_said(given, answer))


def _total(answer: JSON, base: JSON, plan: ComputePlan) -> Remark:
    given = as_number(answer, "total_hours")
    truth, theirs = plan.base_hours, _usable(base)
    if near(given, plan.total_hours):
        return right("checks.2_4.total_right")
    if near(given, theirs * (1 + plan.margin)):
        return right("checks.2_4.total_follows")
    mistakes = {
        "total_no_margin": 1.0,
        "total_only_margin": plan.margin,
        "total_margin_as_percent": 1 + 100 * plan.margin,
    }
    for name, factor in mistakes.items():
        if factor and (near(given, factor * theirs) or near(given, factor * truth)):
            return wrong(f"checks.2_4.{name}")
    if near(given, 60 * plan.total_hours):
        return wrong("checks.2_4.total_minutes", 0.5)
    return wrong("checks.2_4.total_off", given=_said(given, answer))


def _said(hours: float, answer: JSON) -> Phrase:
    """Return the hours as they were given and, below one hour, in a smaller unit too."""
    if 0 < hours < 1:
        return Phrase("checks.phrase_hours_small", {"hours": shown(answer), "same": Hours(hours)})
    return Phrase("checks.phrase_hours", {"hours": shown(answer)})


def _usable(value: JSON) -> float:
    """Return a student's earlier number to follow on from, NaN (equal to nothing) where there is none."""
    try:
        number = as_number(value, "")
    except AnswerError:
        return math.nan
    return number if number > 0 else math.nan


@dataclass(frozen=True)
class _Kept:
    """What the student's plan B keeps of `plan`."""

    plan: ComputePlan
    names: frozenset[str]
    seeds: int

    @property
    def hours(self) -> float:
        """Hours of what is kept, margin included."""
        minutes = sum(self.plan.run_time_of(s).minutes for s in self.plan.settings if s.name in self.names)
        return minutes / 60 * self.seeds * (1 + self.plan.margin)

    @property
    def ablations(self) -> list[bool]:
        """Which ablations are kept, the most important first."""
        from labkit.plan import by_importance

        return [s.name in self.names for s in by_importance(self.plan.settings)]

    @property
    def main_is_whole(self) -> bool:
        """Whether every baseline and method is kept."""
        return all(s.name in self.names for s in self.plan.settings if s.role != "ablation")


@rubric("2.6", points=3)
def plan_b(answer: JSON) -> Iterator[Remark]:
    """Grade a plan B: main comparison kept, fits in half of the hours, least important runs dropped first."""
    draft, names, seeds, why = fields(answer, "draft", "keep_settings", "keep_seeds", "why")
    plan = plan_of(draft, keep_settings=names, keep_seeds=seeds, why=why)
    kept = _Kept(plan, _kept_names(names, plan), _kept_seeds(seeds, plan))
    yield part(1, _keeps_main, kept)
    yield part(1, _fits, kept)
    yield part(1, _order, kept, why)


def _kept_names(names: JSON, plan: ComputePlan) -> frozenset[str]:
    if names is None:
        raise unanswered("keep_settings")
    if not isinstance(names, list):
        raise AnswerError("checks.2_6.names_not_a_list", given=shown(names))
    if not names:
        raise AnswerError("checks.2_6.keeps_nothing")
    exact = {s.name: s.name for s in plan.settings}
    known = {_bare(name): name for name in exact} | exact
    kept = set()
    for name in names:
        found = known.get(name, known.get(_bare(name))) if isinstance(name, str) else None
        if found is None:
            raise AnswerError("checks.2_6.unknown_setting", given=shown(name), names=names_of(exact))
        kept.add(found)
    return frozenset(kept)


def _bare(name: str) -> str:
    return name.strip().casefold()


def _kept_seeds(seeds: JSON, plan: ComputePlan) -> int:
    if isinstance(seeds, list) and seeds:
        seeds = len(seeds)
    given = as_whole(seeds, "keep_seeds")
    if not 1 <= given <= len(plan.seeds):
        raise AnswerError("checks.2_6.seeds_out_of_range", given=shown(seeds), most=len(plan.seeds))
    return given


def _keeps_main(kept: _Kept) -> Remark:
    if not kept.main_is_whole:
        lost = {s.role for s in kept.plan.settings if s.role != "ablation" and s.name not in kept.names}
        return wrong(f"checks.2_6.lost_{min(lost)}")
    if kept.seeds < 2 <= len(kept.plan.seeds):
        return wrong("checks.2_6.one_seed", 0.5)
    return right("checks.2_6.main_right")


def _fits(kept: _Kept) -> Remark:
    budget = kept.plan.total_hours / 2
    hours, half = Hours(kept.hours), Hours(budget)
    if kept.hours <= budget * _TIE:
        seeds = int(budget * _TIE / (kept.hours / kept.seeds))
        if kept.main_is_whole and min(seeds, len(kept.plan.seeds)) > kept.seeds:
            return right("checks.2_6.fits_more", seeds=min(seeds, len(kept.plan.seeds)))
        return right("checks.2_6.fits")
    smallest = kept.main_is_whole and not any(kept.ablations) and kept.seeds <= 2
    if smallest:
        return right("checks.2_6.cannot_fit", hours=hours, budget=half)
    return wrong("checks.2_6.too_big", hours=hours, budget=half)


def _order(kept: _Kept, why: JSON) -> Remark:
    ablations, seeds = kept.ablations, len(kept.plan.seeds)
    if kept.main_is_whole and all(ablations) and kept.seeds == seeds:
        droppable = ablations or seeds > 2
        return wrong("checks.2_6.nothing_dropped") if droppable else right("checks.2_6.nothing_to_drop")
    if ablations != sorted(ablations, reverse=True):
        return wrong("checks.2_6.important_first")
    if kept.seeds < seeds and any(ablations):
        return wrong("checks.2_6.seeds_before_ablations", 0.5)
    if not isinstance(why, str) or count_words(why) < 3:
        return wrong("checks.2_6.no_why", 0.5, given=shown(why))
    return right("checks.2_6.order_right")
