"""Learning-rate schedules: warm-up, then a constant rate, a linear decay or half a cosine.

Torch is loaded by `to_torch` alone.
"""

from __future__ import annotations

import math
import reprlib
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from labkit.forecast import is_number, is_whole
from labkit.messages import text

if TYPE_CHECKING:
    from torch.optim import Optimizer
    from torch.optim.lr_scheduler import LambdaLR

KINDS = ("constant", "linear", "cosine")


class ScheduleError(ValueError):
    """A schedule cannot be made; the message lists everything that is wrong."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(self.problems))

    def _render_traceback_(self) -> list[str]:
        """Show the message alone in a notebook."""
        return [f"{type(self).__name__}: {self}"]


@dataclass(frozen=True)
class Schedule:
    """A learning rate for every step: linear warm-up from 0, a constant part, a decay, then held at its end.

    Attributes
    ----------
    kind : "constant" (no decay), "linear", or "cosine": half a cosine from the end of the warm-up to the last
        step, without a constant part (Loshchilov and Hutter, arXiv 1608.03983, without restarts).
    base_rate : the learning rate after the warm-up.
    warmup_steps, constant_steps, decay_steps : the lengths of the three parts.
    end : the learning rate after the decay.
    held_steps : how many steps are trained at `end`; more than 0 is rarely meant.

    Raises
    ------
    ScheduleError
        Listing every value that cannot be used.
    """

    kind: str
    base_rate: float
    warmup_steps: int = 0
    constant_steps: int = 0
    decay_steps: int = 0
    end: float = 0.0
    held_steps: int = 0

    def __post_init__(self) -> None:
        problems = _problems(self)
        if problems:
            raise ScheduleError(problems)

    @property
    def decay_begins(self) -> int:
        """The first step of the decay."""
        return self.warmup_steps + self.constant_steps

    @property
    def steps(self) -> int:
        """The number of training steps: all parts together."""
        return self.decay_begins + self.decay_steps + self.held_steps

    def rate(self, step: float) -> float:
        """Return the learning rate at `step`, counted from 0; from step `steps` on, that of the end.

        Raises
        ------
        ScheduleError
            If `step` is no number of at least 0.
        """
        if not (is_number(step) and step >= 0):
            raise ScheduleError([text("training_length.bad_step", given=reprlib.repr(step))])
        if step < self.warmup_steps:
            return self.base_rate * step / self.warmup_steps
        if step < self.decay_begins or self.kind == "constant":
            return self.base_rate
        done = min(1.0, (step - self.decay_begins) / self.decay_steps)
        left = 1 - done if self.kind == "linear" else (1 + math.cos(math.pi * done)) / 2
        return self.end * (1 - left) + self.base_rate * left  # exact where `left` is 1 or 0

    def rates(self) -> list[float]:
        """Return the learning rate of every training step, `steps` numbers."""
        return [self.rate(step) for step in range(self.steps)]

    def factor(self, step: float) -> float:
        """Return the learning rate at `step` as a share of `base_rate`."""
        return self.rate(step) / self.base_rate

    def to_torch(self, optimizer: Optimizer) -> LambdaLR:
        """Return the schedule for an optimiser; call its `.step()` after each training step.

        Each parameter group's own learning rate is multiplied by `factor`, so the ratios between groups stay
        (as muP needs). The scheduler can be pickled, and its `state_dict` holds the position alone: loaded
        into the scheduler of an extended schedule, training goes on with the extended one.

        Warns
        -----
        UserWarning
            If no parameter group has the learning rate `base_rate`: the optimiser's own counts.

        Raises
        ------
        ScheduleError
            If `optimizer` is no torch optimiser.
        """
        from torch.optim.lr_scheduler import LambdaLR

        if not hasattr(optimizer, "param_groups"):
            given = reprlib.repr(optimizer)
            raise ScheduleError([text("training_length.bad_optimizer", given=given)])
        rates = [float(group.get("initial_lr", group["lr"])) for group in optimizer.param_groups]
        if not any(math.isclose(rate, self.base_rate, rel_tol=1e-6) for rate in rates):
            shown = ", ".join(f"{rate:g}" for rate in dict.fromkeys(rates))
            base_rate = f"{self.base_rate:g}"
            warnings.warn(text("training_length.other_rate", rates=shown, base_rate=base_rate), stacklevel=2)
        return LambdaLR(optimizer, self.factor)

    def extended(self, new_steps: int) -> Schedule:
        """Return the schedule for a longer run, most extra steps at a high rate.

        Linear and constant: the decay keeps its length and the constant part grows. Cosine: the base rate
        stays and the half cosine is stretched. After the Deep Learning Tuning Playbook (CC BY 4.0), which
        calls it speculative; the cosine as in Hoffmann et al., arXiv 2203.15556.

        Raises
        ------
        ScheduleError
            If `new_steps` is not a whole number of at least `steps`.
        """
        extra = self._extra(new_steps)
        if self.kind == "cosine":
            return replace(self, decay_steps=self.decay_steps + self.held_steps + extra, held_steps=0)
        return replace(self, constant_steps=self.constant_steps + self.held_steps + extra, held_steps=0)

    def mistaken(self, new_steps: int) -> Schedule:
        """Return the usual mistake, for comparison: all extra steps at the small rate of the end.

        Raises
        ------
        ScheduleError
            If the rate is constant, or as for `extended`.
        """
        if self.kind == "constant":
            raise ScheduleError([text("training_length.nothing_decays")])
        return replace(self, held_steps=self.held_steps + self._extra(new_steps))

    def stretched(self, new_steps: int) -> Schedule:
        """Return a milder mistake (for linear decay), for comparison: the decay takes all extra steps.

        Raises
        ------
        ScheduleError
            If the rate is constant, or as for `extended`.
        """
        if self.kind == "constant":
            raise ScheduleError([text("training_length.nothing_decays")])
        return replace(self, decay_steps=self.decay_steps + self._extra(new_steps))

    def _extra(self, new_steps: int) -> int:
        if not is_whole(new_steps, least=self.steps):
            raise ScheduleError(
                [text("training_length.bad_new_steps", given=reprlib.repr(new_steps), steps=self.steps)]
            )
        return int(new_steps) - self.steps


def constant(base_rate: float, steps: int, warmup_steps: int = 0) -> Schedule:
    """Return warm-up, then a constant rate, `steps` steps in all."""
    return _made("constant", base_rate, steps, warmup_steps, decay_steps=0)


def linear(
    base_rate: float, steps: int, warmup_steps: int = 0, decay_steps: int | None = None, end: float = 0.0
) -> Schedule:
    """Return warm-up, a constant part, then a linear decay; by default all after the warm-up is decay."""
    return _made("linear", base_rate, steps, warmup_steps, decay_steps=decay_steps, end=end)


def cosine(base_rate: float, steps: int, warmup_steps: int = 0, end: float = 0.0) -> Schedule:
    """Return warm-up, then half a cosine, `steps` steps in all."""
    return _made("cosine", base_rate, steps, warmup_steps, decay_steps=None, end=end)


def _made(
    kind: str, base_rate: float, steps: int, warmup_steps: int, *, decay_steps: int | None, end: float = 0.0
) -> Schedule:
    counts = {"steps": steps, "warmup_steps": warmup_steps, "decay_steps": decay_steps or 0}
    problems = [_wrong(name, value) for name, value in counts.items() if not is_whole(value, least=0)]
    if problems:
        raise ScheduleError(problems)
    decay = steps - warmup_steps if decay_steps is None else decay_steps
    left = steps - warmup_steps - decay
    if decay < 0 or left < 0:
        raise ScheduleError([text("training_length.parts_too_long", steps=steps, parts=steps - left)])
    return Schedule(kind, base_rate, warmup_steps, left, decay, end)


def _problems(schedule: Schedule) -> list[str]:
    problems = []
    if schedule.kind not in KINDS:
        problems.append(_wrong("kind", schedule.kind))
    if not (is_number(schedule.base_rate) and schedule.base_rate > 0):
        problems.append(_wrong("base_rate", schedule.base_rate))
    elif not (is_number(schedule.end) and 0 <= schedule.end <= schedule.base_rate):
        problems.append(_wrong("end", schedule.end))
    counts = {name: getattr(schedule, name) for name in _COUNTS}
    wrong = {name for name, value in counts.items() if not is_whole(value, least=0)}
    problems += [_wrong(name, counts[name]) for name in _COUNTS if name in wrong]
    if wrong:
        return problems
    if sum(counts.values()) == 0:
        problems.append(text("training_length.no_steps"))
    problems += [text(message) for rule, message in _PARTS if rule(schedule)]
    return problems


_COUNTS = ("warmup_steps", "constant_steps", "decay_steps", "held_steps")
_PARTS: tuple[tuple[Callable[[Schedule], bool], str], ...] = (
    (lambda s: s.kind == "constant" and s.decay_steps + s.held_steps > 0, "training_length.constant_decays"),
    (lambda s: s.kind == "cosine" and s.constant_steps > 0, "training_length.cosine_constant"),
    (lambda s: s.kind in ("linear", "cosine") and s.decay_steps == 0, "training_length.no_decay"),
)


def _wrong(name: str, given: Any) -> str:
    return text(
        "training_length.bad_schedule_value",
        name=name,
        given=reprlib.repr(given),
        expected=text(
            f"training_length.expected_{name if name in ('kind', 'base_rate', 'end') else 'count'}"
        ),
    )
