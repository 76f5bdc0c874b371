"""The arithmetic of a plan, exact on the numbers as they were written, so that a tie is a tie."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from labkit.plan.model import ComputePlan

Bound = Literal["low", "minutes", "high"]


def exact(value: float) -> Fraction:
    """Return the decimal number that `value` was written as: 0.1 is one tenth."""
    return Fraction(repr(float(value)))


def hours_of(minutes: Iterable[float], seeds: int, margin: float = 0.0) -> Fraction:
    """Return hours: sum over settings of seeds × run time, × (1 + margin).

    Parameters
    ----------
    minutes : time of one run, one entry a setting.
    seeds : number of seeds, the same for all settings.
    margin : share added for debugging and reruns.
    """
    return sum(map(exact, minutes), Fraction()) * seeds * (1 + exact(margin)) / 60


def base_hours(plan: ComputePlan) -> Fraction:
    """Return the hours of all runs, without the margin."""
    return hours_of((plan.run_time_of(s).minutes for s in plan.settings), len(plan.seeds))


def total_hours(plan: ComputePlan, bound: Bound = "minutes") -> Fraction:
    """Return the hours of all runs, margin included, by the runs' low, expected or high time."""
    times = (getattr(plan.run_time_of(s), bound) for s in plan.settings)
    return hours_of(times, len(plan.seeds), plan.margin)


def days_needed(total: Fraction, hours_per_week: float | None) -> Fraction:
    """Return calendar days for `total` hours: at so many hours a week, or day and night without a limit."""
    return total / 24 if hours_per_week is None else total / exact(hours_per_week) * 7
