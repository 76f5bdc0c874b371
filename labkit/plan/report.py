"""The plan as text, Markdown and HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from labkit.plan.notes import show_hours

if TYPE_CHECKING:
    from labkit.plan.model import ComputePlan
    from labkit.plan.plan_b import PlanB


def to_text(plan: ComputePlan, lang: str | None = None) -> str:
    """Return the plan as plain text."""
    return f"= {plan.runs} runs = {show_hours(plan.total_hours, lang)}"


def to_markdown(plan: ComputePlan, lang: str | None = None) -> str:
    """Return the plan as Markdown."""
    return to_text(plan, lang)


def to_html(plan: ComputePlan, lang: str | None = None) -> str:
    """Return the plan as HTML."""
    return f"<pre>{to_text(plan, lang)}</pre>"


def plan_b_lines(plan_b: PlanB, lang: str | None = None) -> list[str]:
    """Return plan B in words."""
    return [f"Plan B: {show_hours(plan_b.total_hours, lang)}"]
