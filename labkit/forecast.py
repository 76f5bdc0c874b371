"""Forecast how long a run of many steps takes, with a range, from the times of a few.

Step times are not independent: a machine is slow for a while, then fast for a while, on every time scale.
With independent steps the mean of 10,000 would be ten times as certain as that of 100; on real machines
longer averages gain far less. The usual model of such fluctuations is flicker noise (or 1/f noise:
M. S. Keshner, "1/f noise", Proceedings of the IEEE 70(3), 1982), whose values at times t and u covary as
-ln|t - u|. Its one unknown, the amplitude, is read off the means of eight blocks of the measured steps; from
it follows how far the mean of any later run may lie from the measured one.
"""

from __future__ import annotations

import math
import numbers
import reprlib
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, TypeGuard

from labkit.messages import duration, number, text

if TYPE_CHECKING:
    from labkit.plan import Measured

BLOCKS = 8  # enough to see the spread of block means, few enough that a block averages over single slow steps
# Amplitude (relative) that every machine is taken to have even if the measurement shows less: slow drift.
# Found on a shared two-core virtual machine, from 50 forecasts by tests/benchmarks/forecast.py (0.6 and 1 s
# measured, runs eleven times longer): with 1 % the 80 % ranges held the truth in 38 of 50 cases, with 1.5 %
# in 41. While other programs came and went (nine recordings more, 1 %) it was 47 to 98 %, most often 70 to
# 90 %: no measurement can know what will be started next.
FLOOR = 0.015
UNKNOWN = 0.5  # added amplitude for a single step; divided by the number of steps while there are few
WIDEST = 10.0  # no range is wider than this factor either way: the measurement then says next to nothing


class TimingError(ValueError):
    """A measurement or forecast cannot be made; the message lists everything that is wrong."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(self.problems))

    def _render_traceback_(self) -> list[str]:
        """Show a student the message alone, without labkit's own frames (IPython's hook)."""
        return [f"{type(self).__name__}: {self}"]


@dataclass(frozen=True, repr=False)
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
        if once <= 0.005 * self.expected_s:
            return said
        return f"{said} {text('timing.forecast_fixed', lang, fixed=duration(once, lang))}"

    def __repr__(self) -> str:
        return self.to_text()  # what a notebook shows


def is_number(value: object) -> TypeGuard[float]:
    """Say whether `value` is a finite real number (numpy's too; not a bool)."""
    if type(value) is bool or not isinstance(value, numbers.Real):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # an int too large for a float
        return False


def is_whole(value: object, least: int) -> TypeGuard[int]:
    """Say whether `value` is a whole number of at least `least` (numpy's too; not a bool)."""
    return type(value) is not bool and isinstance(value, numbers.Integral) and int(value) >= least


def forecast_total(
    times_s: Sequence[float],
    steps: int,
    fixed_s: float = 0.0,
    *,
    warmup_s: float = 0.0,
    level: float = 0.8,
) -> Forecast:
    """Forecast the total time of a run from the times of measured steps.

    Expected is the *mean* step times the number of steps: the median forgets the slow steps, which a long run
    pays for. The range is a factor either way, since a machine is slower or faster by a factor.

    Parameters
    ----------
    times_s : times of steps after the warm-up, in the order measured, in seconds.
    steps : how many steps the run has.
    fixed_s, warmup_s : what is paid once, in seconds; taken as exact.
    level : how often the range should contain the truth, from 0.5 to 0.99.

    Raises
    ------
    TimingError
        Listing every argument that cannot be used.
    """
    _check(times_s, steps, fixed_s, level)
    mean = math.fsum(times_s) / len(times_s)
    variance = flicker_amplitude2(times_s) + FLOOR**2
    deviation = math.sqrt(variance * flicker_variance(steps / len(times_s)))
    z = statistics.NormalDist().inv_cdf((1 + level) / 2)
    factor = min(math.exp(z * deviation), WIDEST)
    once = warmup_s + fixed_s
    return Forecast(
        low_s=steps * mean / factor + once,
        expected_s=steps * mean + once,
        high_s=steps * mean * factor + once,
        level=level,
        steps=int(steps),
        mean_s=mean,
        warmup_s=warmup_s,
        fixed_s=fixed_s,
    )


def flicker_amplitude2(times_s: Sequence[float]) -> float:
    """Return the squared amplitude of the flicker noise in step times, relative to their mean.

    The variance of flicker noise among the means of k blocks is ln(k) k / (k - 1) times the squared amplitude
    (with k - 1 in the variance's denominator). As it comes from so few blocks it is itself uncertain; the
    factor (k + 1) / (k - 1), the variance of Student's t of k + 1 degrees of freedom, allows for that.
    """
    blocks = min(BLOCKS, len(times_s))
    guessed = (UNKNOWN / blocks) ** 2 if blocks < BLOCKS else 0.0
    mean = statistics.fmean(times_s)
    if blocks < 2 or mean == 0:
        return guessed
    size = len(times_s) // blocks
    recent = times_s[len(times_s) - blocks * size :]
    means = [statistics.fmean(recent[i : i + size]) / mean for i in range(0, len(recent), size)]
    seen = statistics.variance(means)
    return guessed + seen * (blocks + 1) / (blocks * math.log(blocks))


def flicker_variance(ratio: float) -> float:
    """Return the variance of (mean of a run) - (mean of the measurement just before it), for amplitude 1.

    `ratio` is the length of the run over that of the measurement. Averaging the covariance -ln|t - u| over a
    stretch of length r with itself gives 3/2 - ln(r); over two adjacent stretches of lengths 1 and r it gives
    -(g(1 + r) - g(1) - g(r)) / r, where g(x) = x² ln(x) / 2 - 3 x² / 4, the logarithm integrated twice.
    """

    def g(x: float) -> float:
        return x * x * (math.log(x) / 2 - 0.75)

    shared = -(g(1 + ratio) - g(1) - g(ratio)) / ratio
    return 1.5 + (1.5 - math.log(ratio)) - 2 * shared


def _check(times_s: Sequence[float], steps: object, fixed_s: object, level: object) -> None:
    """Raise TimingError listing every argument that cannot be used."""
    wrong = []
    if not times_s or not all(is_number(t) and t >= 0 for t in times_s):
        wrong.append(text("timing.no_times", given=reprlib.repr(times_s)))
    if not is_whole(steps, least=1):
        wrong.append(text("timing.bad_steps", given=reprlib.repr(steps)))
    if not (is_number(fixed_s) and fixed_s >= 0):
        wrong.append(text("timing.bad_fixed", given=reprlib.repr(fixed_s)))
    if not (is_number(level) and 0.5 <= level <= 0.99):
        wrong.append(text("timing.bad_level", given=reprlib.repr(level)))
    if wrong:
        raise TimingError(wrong)
