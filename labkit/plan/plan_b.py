"""Plan B: the same question in half of the hours."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

from labkit.plan import hours
from labkit.plan.fields import visible
from labkit.plan.notes import Note

if TYPE_CHECKING:
    from labkit.plan.model import ComputePlan
    from labkit.plan.parts import Setting

MIN_SEEDS = 2
# Run times may come from a division (20/3 minutes): this much over the budget is still a tie.
_TIE = 1 + Fraction(1, 10**9)


@dataclass(frozen=True)
class Dropped:
    """What plan B leaves out.

    Attributes
    ----------
    what : the ablation's name, or `"seeds"`.
    kind : `"ablation"` or `"seeds"`.
    why_id : id of the message that says what was left out and why.
    values : the values of the message's placeholders.
    """

    what: str
    kind: Literal["ablation", "seeds"]
    why_id: str
    values: Mapping[str, Any] = field(default_factory=dict)

    def text(self, lang: str | None = None) -> str:
        """Return what was left out and why, in `lang` (None: the language in use)."""
        return Note(self.why_id, self.values).text(lang)

    def __str__(self) -> str:
        return self.text()


@dataclass(frozen=True)
class PlanB:
    """A plan that keeps the main comparison and aims at half of the hours.

    Attributes
    ----------
    plan : the smaller plan; the smallest one found if even that does not fit.
    dropped : what was left out, in the order in which it was given up.
    budget_hours : half of the original total, margin included.
    total_hours : hours of `plan`, margin included.
    fits : whether `total_hours` is within the budget; a tie fits.
    advice : what to do when it does not fit, else None.
    """

    plan: ComputePlan
    dropped: tuple[Dropped, ...]
    budget_hours: float
    total_hours: float
    fits: bool
    advice: Note | None = None

    def to_text(self, lang: str | None = None) -> str:
        """Return plan B in words, in `lang` (None: the language in use)."""
        from labkit.plan.report import plan_b_lines

        return "\n".join(plan_b_lines(self, lang))

    def __str__(self) -> str:
        return self.to_text()


def by_importance(settings: Sequence[Setting]) -> list[Setting]:
    """Return the ablations, most important first: higher priority, then earlier in the list.

    An ablation without a priority counts as 0.
    """
    return sorted((s for s in settings if s.role == "ablation"), key=lambda s: -(s.priority or 0.0))


def make_plan_b(plan: ComputePlan) -> PlanB:
    """Drop the least important ablations, then seeds, until half of the hours are enough.

    The main comparison (every baseline and method) always stays, and so do two seeds.
    """
    total = hours.total_hours(plan)
    budget = total / 2
    if all(setting.role == "ablation" for setting in plan.settings):
        return PlanB(plan, (), float(budget), float(total), False, Note("plan.advice_no_main"))
    limit = budget * _TIE
    settings = list(plan.settings)
    seeds = plan.seeds
    dropped: list[Dropped] = []
    for ablation in reversed(by_importance(plan.settings)):
        if total <= limit:
            break
        saved = hours.hours_of([plan.run_time_of(ablation).minutes], len(seeds), plan.margin)
        settings = [setting for setting in settings if setting is not ablation]
        total -= saved
        values = {"name": visible(ablation.name), "saved_hours": float(saved)}
        dropped.append(Dropped(ablation.name, "ablation", "plan.dropped_ablation", values))
    if total > limit and len(seeds) > MIN_SEEDS:
        per_seed = total / len(seeds)
        seeds = seeds[: max(MIN_SEEDS, int(limit / per_seed))]
        saved = per_seed * (len(plan.seeds) - len(seeds))
        total -= saved
        values = {"before": len(plan.seeds), "after": len(seeds), "saved_hours": float(saved)}
        dropped.append(Dropped("seeds", "seeds", "plan.dropped_seeds", values))
    fits = total <= limit
    return PlanB(
        plan=dataclasses.replace(plan, settings=settings, seeds=seeds),
        dropped=tuple(dropped),
        budget_hours=float(budget),
        total_hours=float(min(total, budget) if fits else total),
        fits=fits,
        advice=None if fits else Note("plan.advice_smaller", {"over_hours": float(total - budget)}),
    )
