"""What a plan says: the sections that text, Markdown and HTML have in common."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from labkit.messages import duration, number, text
from labkit.plan.fields import visible
from labkit.plan.notes import Note, Problem, show_count, show_hours, show_range

if TYPE_CHECKING:
    from labkit.plan.model import ComputePlan
    from labkit.plan.parts import RunTime, Setting
    from labkit.plan.plan_b import PlanB


@dataclass(frozen=True)
class Section:
    """One part of a report: a title, rows of (figure, words), and lines. All of it on single lines."""

    title: str
    rows: tuple[tuple[str, str], ...] = ()
    lines: tuple[str, ...] = ()


def sections(
    plan: ComputePlan, lang: str | None = None, problems: Sequence[Problem] | None = None, plan_b: bool = True
) -> list[Section]:
    """Return the whole report on `plan`, in `lang` (None: the language in use).

    `problems` replaces the plan's own list: a draft leaves out what is only not answered yet. A draft also
    goes without `plan_b`: writing it is the student's part.
    """
    parts = [
        question_section(plan, lang),
        Section(text("plan.title_run_time", lang), lines=run_time_lines(plan, lang)),
        runs_section(plan, lang),
        Section(text("plan.title_hours", lang), lines=hours_lines(plan, lang)),
        Section(text("plan.title_venue", lang), lines=venue_lines(plan, lang)),
        Section(text("plan.title_risks", lang), lines=_or_none(map(visible, plan.risks), lang)),
    ]
    if plan_b:
        parts.append(plan_b_section(plan.plan_b(), lang))
    said = tuple(problem.text(lang) for problem in (plan.problems() if problems is None else problems))
    if said:
        parts.append(Section(text("plan.title_problems", lang), lines=said))
    return parts


def plan_b_section(plan_b: PlanB, lang: str | None) -> Section:
    """Say what runs in half of the hours."""
    half = show_hours(plan_b.budget_hours, lang)
    return Section(text("plan.title_plan_b", lang, half=half), lines=plan_b_lines(plan_b, lang))


def question_section(plan: ComputePlan, lang: str | None) -> Section:
    """Return the question."""
    return Section(text("plan.title_question", lang), lines=_or_none([visible(plan.question)], lang))


def run_time_lines(plan: ComputePlan, lang: str | None) -> tuple[str, ...]:
    """Say for each run time whether it is measured or guessed, with its range."""
    groups = _by_run_time(plan)
    lines = []
    for run_time, settings in groups:
        time = show_run_time(run_time, lang)
        which = "_of" if len(groups) > 1 else ""
        lines.append(text(f"plan.{run_time.kind}{which}", lang, time=time, names=_names(settings)))
        why = visible(getattr(run_time, "why", ""))
        if why:
            lines.append(text("plan.guess_why", lang, why=why))
    return tuple(lines)


def show_run_time(run_time: RunTime, lang: str | None) -> str:
    """Return the time of one run with its range: `"40 min (35 to 50 min)"`."""
    return _with_range(run_time.minutes * 60, *_bounds(run_time, 60), lang, in_hours=False)


def runs_section(plan: ComputePlan, lang: str | None) -> Section:
    """Count the runs: methods and ablations, settings, seeds."""
    main = [s for s in plan.settings if s.role == "baseline"] + [
        s for s in plan.settings if s.role == "method"
    ]
    ablations = [s for s in plan.settings if s.role == "ablation"]
    rows: list[tuple[str, str]] = []
    for kind, group in (("methods", main), ("ablations", ablations)):
        if group:
            sign = "+ " if rows else ""
            rows.append((f"{sign}{len(group)}", _row(kind, len(group), lang, names=_names(group))))
    seeds = [str(seed) for seed in plan.seeds[:10]] + ["…"] * (len(plan.seeds) > 10)
    rows += [
        (f"= {len(plan.settings)}", _row("settings", len(plan.settings), lang)),
        (f"x {len(plan.seeds)}", _row("seeds", len(plan.seeds), lang, seeds=", ".join(seeds))),
        (f"= {number(plan.runs)}", _row("runs", plan.runs, lang)),
    ]
    why = visible(plan.seeds_why)
    lines = (text("plan.seeds_why", lang, why=why),) if why else ()
    return Section(text("plan.title_runs", lang), tuple(rows), lines)


def _row(kind: str, count: int, lang: str | None, **values: str) -> str:
    """Return what is counted in a row, in the singular for one."""
    return text(f"plan.row_{kind}" + ("_one" if count == 1 else ""), lang, **values)


def _counts(plan: ComputePlan, lang: str | None) -> dict[str, str]:
    """Return how many settings, seeds and runs, in words."""
    counts = {"settings": len(plan.settings), "seeds": len(plan.seeds), "runs": plan.runs}
    return {what: show_count(what, count, lang) for what, count in counts.items()}


def hours_lines(plan: ComputePlan, lang: str | None) -> tuple[str, ...]:
    """Multiply runs and run time, add the margin: one line a step."""
    groups = _by_run_time(plan)
    base = show_hours(plan.base_hours, lang)
    products = []
    for run_time, settings in groups:
        runs = len(settings) * len(plan.seeds)
        step = f"{number(runs)} x {duration(run_time.minutes * 60, lang)}"
        hours = show_hours(run_time.minutes * runs / 60, lang)
        products.append((_names(settings), step, hours))
    lines = [text("plan.hours_runs", lang, **_counts(plan, lang))]
    if len(products) == 1:
        lines.append(text("plan.hours_total", lang, step=products[0][1], hours=base))
    else:
        lines += [text("plan.hours_of", lang, names=n, step=step, hours=h) for n, step, h in products]
        lines.append(text("plan.hours_together", lang, hours=base))
    total = _with_range(plan.total_hours, *plan.total_range, lang)
    lines.append(text("plan.hours_margin", lang, percent=number(plan.margin * 100), hours=total))
    return tuple(lines)


def venue_lines(plan: ComputePlan, lang: str | None) -> tuple[str, ...]:
    """Say where the plan runs, whether it fits there, and what that takes."""
    venue, fit = plan.venue, plan.venue_fit()
    if venue is None:
        return _or_none([], lang)
    verdict = text("plan.verdict_" + fit.verdict.replace(" ", "_"), lang)
    lines = [text("plan.venue_verdict", lang, name=visible(venue.name), verdict=verdict)]
    lines += [reason.text(lang) for reason in fit.reasons]
    if fit.days is not None and venue.hours_per_week is not None:
        values = {"calendar_days": fit.days, "week_hours": venue.hours_per_week}
        lines.append(Note("plan.fact_days", values).text(lang))
    if fit.cost is not None and venue.price_per_hour is not None:
        values = {"cost": fit.cost, "total_hours": plan.total_hours, "price": venue.price_per_hour}
        lines.append(
            Note("plan.fact_cost", {**values, "currency": visible(venue.currency)}).text(lang).rstrip()
        )
    id_ = "plan.fact_at_risk" if venue.checkpoint_minutes is None else "plan.fact_at_risk_checkpoints"
    lines.append(Note(id_, {"risk_hours": fit.hours_at_risk}).text(lang))
    return tuple(lines)


def plan_b_lines(plan_b: PlanB, lang: str | None) -> tuple[str, ...]:
    """Say what plan B keeps, what it drops and why, and whether it fits."""
    plan = plan_b.plan
    total, half = show_hours(plan_b.total_hours, lang), show_hours(plan_b.budget_hours, lang)
    lines = [text("plan.plan_b_keeps", lang, names=_names(plan.settings), **_counts(plan, lang))]
    lines += [dropped.text(lang) for dropped in plan_b.dropped]
    if any(dropped.kind == "ablation" for dropped in plan_b.dropped):
        lines.append(text("plan.plan_b_later", lang))
    lines.append(
        text("plan.plan_b_fits" if plan_b.fits else "plan.plan_b_too_big", lang, total=total, half=half)
    )
    if plan_b.advice is not None:
        lines.append(plan_b.advice.text(lang))
    return tuple(lines)


def _by_run_time(plan: ComputePlan) -> list[tuple[RunTime, list[Setting]]]:
    groups: dict[RunTime, list[Setting]] = {}
    for setting in plan.settings:
        groups.setdefault(plan.run_time_of(setting), []).append(setting)
    return list(groups.items())


def _bounds(run_time: RunTime, scale: float) -> tuple[float, float]:
    low = run_time.minutes if run_time.low is None else run_time.low
    high = run_time.minutes if run_time.high is None else run_time.high
    return low * scale, high * scale


def _with_range(value: float, low: float, high: float, lang: str | None, in_hours: bool = True) -> str:
    """Return `"12 h (10 to 15 h)"`, or `"12 h"` alone when the range is a point."""
    words = show_hours if in_hours else duration
    shown, shown_low, shown_high = (words(x, lang) for x in (value, low, high))
    if shown_low == shown_high:
        return shown
    return f"{shown} ({show_range(shown_low, shown_high, lang)})"


def _names(settings: Sequence[Setting]) -> str:
    return ", ".join(visible(setting.name) for setting in settings)


def _or_none(lines: Iterable[str], lang: str | None) -> tuple[str, ...]:
    """Return the lines that say something, or one that says that nothing is written yet."""
    return tuple(line for line in lines if line) or (text("plan.not_written", lang),)
