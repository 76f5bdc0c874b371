"""Compute plans: what will be run, how many hours it takes, where it fits, and what half of them can do.

Needs neither numpy nor torch. The rules are in `validate`, the arithmetic in `hours`, plan B in `plan_b`.
"""

from labkit.plan.draft import Draft, draft_plan
from labkit.plan.files import problems_in_file
from labkit.plan.model import ComputePlan
from labkit.plan.notes import Note, PlanError, Problem
from labkit.plan.parts import Guess, Measured, Setting, Venue
from labkit.plan.plan_b import Dropped, PlanB, by_importance
from labkit.plan.validate import problems_in
from labkit.plan.venue import VenueFit

__all__ = [
    "ComputePlan",
    "Draft",
    "Dropped",
    "Guess",
    "Measured",
    "Note",
    "PlanB",
    "PlanError",
    "Problem",
    "Setting",
    "Venue",
    "VenueFit",
    "by_importance",
    "draft_plan",
    "problems_in",
    "problems_in_file",
]
