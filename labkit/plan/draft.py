"""A plan that is still being written: for notebooks, where `...` marks what is not answered yet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from labkit.messages import checked_language, text
from labkit.plan import render, report
from labkit.plan.model import ComputePlan, raw_dict
from labkit.plan.notes import Problem
from labkit.plan.validate import problems_in


@dataclass(frozen=True)
class Draft:
    """A plan as far as it is written.

    Attributes
    ----------
    data : the plain dict of the plan; what is not answered yet is None.
    missing : places that are not answered yet, such as `"seeds"` or `"settings[1].name"`.
    problems : what is wrong with the answers given so far.
    plan : the plan, as soon as there is enough to calculate with, else None.
    """

    data: dict[str, Any]
    missing: tuple[str, ...]
    problems: tuple[Problem, ...]
    plan: ComputePlan | None

    def to_text(self, lang: str | None = None) -> str:
        """Return the plan without plan B, or what it still needs, as plain text."""
        return render.to_text(text("plan.title", lang), self._sections(lang))

    def to_html(self, lang: str | None = None) -> str:
        """Return the plan without plan B, or what it still needs, as an HTML fragment."""
        lang = checked_language(lang)
        return render.to_html(text("plan.title", lang), self._sections(lang), lang)

    def _sections(self, lang: str | None) -> list[report.Section]:
        parts = [] if self.plan is None else report.sections(self.plan, lang, self.problems, plan_b=False)
        if self.missing:
            parts.append(report.Section(text("plan.title_missing", lang), lines=(", ".join(self.missing),)))
        if self.plan is None and self.problems:
            problems = tuple(problem.text(lang) for problem in self.problems)
            parts.append(report.Section(text("plan.title_problems", lang), lines=problems))
        return parts

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return self.to_html()


def draft_plan(
    *,
    question: Any = ...,
    settings: Any = ...,
    seeds: Any = ...,
    seeds_why: Any = ...,
    run_time: Any = ...,
    margin: Any = 0.5,
    venue: Any = ...,
    risks: Any = ...,
) -> Draft:
    """Collect the answers given so far; `...` stands for one that is not given yet. Never raises.

    The arguments are those of `ComputePlan`.
    """
    missing: list[str] = []
    data = raw_dict(
        missing,
        question=question,
        settings=settings,
        seeds=seeds,
        seeds_why=seeds_why,
        run_time=run_time,
        margin=margin,
        venue=venue,
        risks=risks,
    )
    problems = problems_in(data)
    plan = None if any(problem.fatal for problem in problems) else ComputePlan.from_dict(data)
    if plan is not None and "run_time" in missing:
        missing.remove("run_time")  # every setting has its own
    said = tuple(problem for problem in problems if problem.where not in missing)
    return Draft(data, tuple(missing), said, plan)
