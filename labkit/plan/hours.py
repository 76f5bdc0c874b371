"""The arithmetic of a plan, exact on the numbers as they were written, so that a tie is a tie."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from labkit.plan.model import ComputePlan

Bound = Literal["low", "minutes", "high"]


def exact(value: float) -> Fraction:
    """Return the decimal number that `value` was written as: 0.1 is one tenth."""
    return Fraction(repr(value))


def base_hours(plan: ComputePlan, bound: Bound = "minutes") -> Fraction:
    """Sum over settings of seeds × run time, in hours, before the margin."""
    minutes = sum((exact(getattr(plan.run_time_of(s), bound)) for s in plan.settings), Fraction())
    return minutes * len(plan.seeds) / 60


def total_hours(plan: ComputePlan, bound: Bound = "minutes") -> Fraction:
    """Return `base_hours` × (1 + margin)."""
    return base_hours(plan, bound) * (1 + exact(plan.margin))
