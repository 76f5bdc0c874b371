"""The one-page request for compute, filled from a plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from labkit.plan.model import ComputePlan


def make_request(plan: ComputePlan, why_it_matters: str, team: str, lang: str | None) -> str:
    """Return the request as Markdown."""
    return plan.to_markdown(lang)
