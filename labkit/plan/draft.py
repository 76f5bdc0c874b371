"""A plan that is still being written: for notebooks, where `...` marks what is not answered yet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from labkit.plan.model import ComputePlan, raw_dict
from labkit.plan.notes import Problem
from labkit.plan.validate import problems_in


@dataclass(frozen=True)
class Draft:
    """A plan as far as it is written.

    Attributes
    ----------
    data : the plain dict; what is not answered yet is None.
    missing : places that are not answered yet, such as `"seeds"` or `"settings[1].name"`.
    problems : what is wrong with the answers given so far.
    plan : the plan, as soon as there is enough to calculate with, else None.
    """

    data: dict[str, Any]
    missing: tuple[str, ...]
    problems: tuple[Problem, ...]
    plan: ComputePlan | None


def draft_plan(
    question: Any = ...,
    settings: Any = ...,
    seeds: Any = ...,
    seeds_why: Any = ...,
    run_time: Any = ...,
    margin: Any = 0.5,
    venue: Any = ...,
    risks: Any = ...,
) -> Draft:
    """Collect the answers given so far; `...` stands for one that is not given yet. Never raises."""
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
    said = tuple(problem for problem in problems if problem.where not in missing)
    return Draft(data, tuple(missing), said, plan)
