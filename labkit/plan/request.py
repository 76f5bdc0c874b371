"""The one-page request for compute, filled from a plan; what a plan cannot know stays a marked blank."""

from __future__ import annotations

from typing import TYPE_CHECKING

from labkit.messages import text
from labkit.plan import report
from labkit.plan.fields import visible
from labkit.plan.notes import show_hours
from labkit.plan.render import to_markdown

if TYPE_CHECKING:
    from labkit.plan.model import ComputePlan


def make_request(plan: ComputePlan, why_it_matters: str, team: str, lang: str | None) -> str:
    """Return the request as Markdown, in `lang` (None: the language in use).

    Raises
    ------
    TypeError
        If `why_it_matters` or `team` is not text.
    """
    for name, value in (("why_it_matters", why_it_matters), ("team", team)):
        if not isinstance(value, str):
            raise TypeError(text("plan.request_text", lang, name=name, kind=type(value).__name__))

    def blank(what: str) -> str:
        return text("plan.blank", lang, what=text(f"plan.blank_{what}", lang))

    def section(name: str, *lines: str) -> report.Section:
        return report.Section(text(f"plan.request_{name}", lang), lines=lines)

    plan_b = plan.plan_b()
    runs = report.runs_section(plan, lang)
    venue = report.venue_lines(plan, lang) if plan.venue else (blank("venue"),)
    half = show_hours(plan_b.budget_hours, lang)
    sections = [
        section("who", visible(team) or blank("team")),
        section("question", visible(plan.question) or blank("question")),
        section("why", visible(why_it_matters) or blank("why")),
        report.Section(text("plan.request_runs", lang), runs.rows, runs.lines or (blank("seeds_why"),)),
        section("hours", *report.run_time_lines(plan, lang), *report.hours_lines(plan, lang)),
        section("where", *venue, blank("safeguards")),
        report.Section(text("plan.request_half", lang, half=half), lines=report.plan_b_lines(plan_b, lang)),
        section("data", blank("data")),
        section("publication", blank("publication")),
        section("contact", blank("contact")),
    ]
    problems = [problem.text(lang) for problem in plan.problems()]
    if problems:
        sections.append(section("mend", *problems))
    return to_markdown(text("plan.request_title", lang), sections)
