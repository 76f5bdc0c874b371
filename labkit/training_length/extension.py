"""Lengthen a schedule from one round of tuning to the next."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from labkit.messages import number, text
from labkit.schedules import Schedule, ScheduleError
from labkit.training_length.result import Result


@dataclass(frozen=True, repr=False)
class Extension(Result):
    """A schedule lengthened as the playbook advises, and the usual mistake beside it.

    Attributes
    ----------
    verdict : "constant part lengthened", "cosine stretched" or "unchanged".
    original, schedule : before and after.
    mistake : the same number of steps, the extra ones at the rate of the end; None for a constant rate.
    """

    verdict: str
    original: Schedule
    schedule: Schedule
    mistake: Schedule | None

    @property
    def extra_steps(self) -> int:
        """How many steps longer the new schedule is."""
        return self.schedule.steps - self.original.steps

    @property
    def same_until(self) -> int:
        """The last step up to which both are the same: a checkpoint until there can be carried on."""
        if self.extra_steps == 0 or self.original.kind == "constant":
            return self.original.steps
        return self.original.decay_begins

    @property
    def numbers(self) -> dict[str, Any]:
        """Lengths, the step up to which nothing changes, and the mean rate that the longer run trains at."""
        return {
            "steps": self.schedule.steps,
            "extra_steps": self.extra_steps,
            "same_until": self.same_until,
            "mean_rate": _mean(self.schedule),
            "mean_rate_before": _mean(self.original),
            "mean_rate_of_mistake": None if self.mistake is None else _mean(self.mistake),
        }

    def reason(self, lang: str | None = None) -> str:
        """Return what stays, what grows, and what the mistake would cost."""
        said = text(
            "training_length.extend_" + self.verdict.replace(" ", "_"),
            lang,
            extra=number(self.extra_steps),
            decay=number(self.schedule.decay_steps),
            rate=number(self.schedule.base_rate),
            same_until=number(self.same_until),
        )
        if self.mistake is None or self.extra_steps == 0:
            return said
        shares = [
            100 * _mean(schedule) / self.schedule.base_rate for schedule in (self.schedule, self.mistake)
        ]
        values = {"ours": number(shares[0], 2), "mistake": number(shares[1], 2)}
        return f"{said} {text('training_length.extend_mistake', lang, **values)}"


def extend(schedule: Schedule, new_steps: int) -> Extension:
    """Lengthen a schedule to `new_steps` steps, spending the extra steps at a high learning rate.

    Linear: the decay keeps its length and the constant part grows. Cosine: the base rate stays and the half
    cosine is stretched. See `Schedule.extended` for the sources.

    Raises
    ------
    ScheduleError
        If `schedule` is none of labkit's, or `new_steps` is not a whole number of at least its own.
    """
    if type(schedule) is not Schedule:
        raise ScheduleError([text("training_length.not_a_schedule", given=type(schedule).__name__)])
    longer = schedule.extended(new_steps)
    if longer.steps == schedule.steps:
        verdict = "unchanged"
    else:
        verdict = "cosine stretched" if schedule.kind == "cosine" else "constant part lengthened"
    mistake = None if schedule.kind == "constant" else schedule.mistaken(new_steps)
    return Extension(verdict, schedule, longer, mistake)


def _mean(schedule: Schedule) -> float:
    """Return the mean learning rate over all steps of a schedule."""
    return math.fsum(schedule.rates()) / schedule.steps
