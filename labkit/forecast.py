"""Forecast how long a run of many steps takes, with a range, from the times of a few."""

from __future__ import annotations

import math
import numbers
import reprlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, TypeGuard

from labkit.messages import duration, number, text

if TYPE_CHECKING:
    from labkit.plan import Measured


class TimingError(ValueError):
    """A measurement or forecast cannot be made; the message lists everything that is wrong."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(self.problems))

    def _render_traceback_(self) -> list[str]:
        """Show a student the message alone, without labkit's own frames (IPython's hook)."""
        return [f"{type(self).__name__}: {self}"]


@dataclass(frozen=True)
class Forecast:
    """How long a run will take, in seconds, with a range.

    Attributes
    ----------
    low_s, expected_s, high_s : the range, and the mean step times `steps` plus what is paid once.
    level : how often the range should contain the truth, such as 0.8.
    steps : how many steps the run has.
    mean_s : the average measured step.
    warmup_s : what the first steps cost beyond ordinary ones, paid once.
    fixed_s : the other fixed costs, as given: start-up, evaluations, checkpoints.
    """

    low_s: float
    expected_s: float
    high_s: float
    level: float
    steps: int
    mean_s: float
    warmup_s: float = 0.0
    fixed_s: float = 0.0

    def as_run_time(self) -> Measured:
        """Return the forecast as the run time of a compute plan, in minutes."""
        from labkit.plan import Measured

        return Measured(minutes=self.expected_s / 60, low=self.low_s / 60, high=self.high_s / 60)

    def to_dict(self) -> dict[str, Any]:
        """Return the forecast as plain data (for JSON)."""
        return asdict(self)

    def to_text(self, lang: str | None = None) -> str:
        """Return the forecast in words."""
        once = self.warmup_s + self.fixed_s
        said = text(
            "timing.forecast",
            lang,
            steps=number(self.steps),
            expected=duration(self.expected_s, lang),
            low=duration(self.low_s, lang),
            high=duration(self.high_s, lang),
            level=number(100 * self.level),
        )
        if once < 0.005 * self.expected_s:
            return said
        return f"{said} {text('timing.forecast_fixed', lang, fixed=duration(once, lang))}"

    def __str__(self) -> str:
        return self.to_text()


def is_number(value: object) -> TypeGuard[float]:
    """Say whether `value` is a finite real number (numpy's too; not a bool)."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool) and math.isfinite(value)


def is_whole(value: object, least: int) -> TypeGuard[int]:
    """Say whether `value` is a whole number of at least `least` (numpy's too; not a bool)."""
    return isinstance(value, numbers.Integral) and not isinstance(value, bool) and int(value) >= least


def forecast_total(
    times_s: Sequence[float],
    steps: int,
    fixed_s: float = 0.0,
    *,
    warmup_s: float = 0.0,
    level: float = 0.8,
) -> Forecast:
    """Forecast the total of `steps` steps from the times of measured ones."""
    wrong = []
    if not times_s or not all(is_number(t) and t >= 0 for t in times_s):
        wrong.append(text("timing.no_times", given=reprlib.repr(times_s)))
    if not is_whole(steps, least=1):
        wrong.append(text("timing.bad_steps", given=reprlib.repr(steps)))
    if not is_number(fixed_s) or fixed_s < 0:
        wrong.append(text("timing.bad_fixed", given=reprlib.repr(fixed_s)))
    if not is_number(level) or not 0.5 <= level <= 0.99:
        wrong.append(text("timing.bad_level", given=reprlib.repr(level)))
    if wrong:
        raise TimingError(wrong)
    mean = math.fsum(times_s) / len(times_s)
    total = steps * mean
    once = warmup_s + fixed_s
    spread = 0.1 * total
    return Forecast(
        low_s=total - spread + once,
        expected_s=total + once,
        high_s=total + spread + once,
        level=level,
        steps=steps,
        mean_s=mean,
        warmup_s=warmup_s,
        fixed_s=fixed_s,
    )
