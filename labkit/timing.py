"""Time any training step, and forecast a long run from a short measurement.

Works for any callable and needs no torch: if torch is loaded and a GPU is in use, every step is waited for.
"""

from __future__ import annotations

import itertools
import math
import statistics
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from labkit.forecast import Forecast, forecast_total
from labkit.messages import duration, number, text

WAITING_SHARE = 0.2  # from this share of waiting on, the loader is what to mend first
DRIFT_RATIO = 1.15  # last third against first third; repeats on an idle laptop stay within 10 %
SPREAD_RATIO = 3.0  # 90 % quantile against median
MIN_STEPS = 3  # measured whatever the time budget says
MAX_STEPS = 200_000  # keeps an empty step from filling the memory
WARMUP_SHARE = 0.1  # of the time budget

Sync = Callable[[], object]


class TimingError(ValueError):
    """The arguments of a measurement cannot be used; the message lists everything that is wrong."""

    def __init__(self, problems: list[str]) -> None:
        self.problems = problems
        super().__init__("\n".join(problems))

    def _render_traceback_(self) -> list[str]:
        """Show a student the message alone, without labkit's own frames (IPython's hook)."""
        return [f"{type(self).__name__}: {self}"]


@dataclass(frozen=True)
class StepTimes:
    """What a measurement found. All times in seconds.

    Attributes
    ----------
    step_s, wait_s : computing, and waiting for the batch, of each step after the warm-up; same length.
    first_s : the very first step, waiting included.
    warmup_s : all warm-up steps together, the first included.
    warmup_steps : how many these were.
    device : what was waited for after each step: "cpu" (nothing), "cuda:0", "mps".
    timer_s : what the timing itself adds to each step.
    notes : ids of messages about how the measurement went, such as batches that ran out.
    """

    step_s: tuple[float, ...]
    wait_s: tuple[float, ...]
    first_s: float
    warmup_s: float
    warmup_steps: int
    device: str = "cpu"
    timer_s: float = 0.0
    notes: tuple[str, ...] = field(default=())

    @property
    def total_s(self) -> tuple[float, ...]:
        """Waiting plus computing of each step, in seconds."""
        return tuple(s + w for s, w in zip(self.step_s, self.wait_s, strict=True))

    @property
    def median_s(self) -> float:
        """The typical step, waiting included, in seconds."""
        return statistics.median(self.total_s)

    @property
    def mean_s(self) -> float:
        """The average step, waiting included, in seconds: the one that adds up to a long run."""
        return math.fsum(self.total_s) / len(self.step_s)

    def quantile(self, q: float) -> float:
        """Return the time that a share `q` (0 to 1) of the steps stays below, in seconds.

        Linear between neighbours, as `numpy.quantile` does by default.
        """
        if not 0 <= q <= 1:
            raise TimingError([text("timing.bad_quantile", given=repr(q))])
        ordered = sorted(self.total_s)
        place = q * (len(ordered) - 1)
        low = math.floor(place)
        high = min(low + 1, len(ordered) - 1)
        return ordered[low] + (place - low) * (ordered[high] - ordered[low])

    @property
    def data_wait_fraction(self) -> float:
        """The share of the time spent waiting for data, 0 to 1."""
        total = math.fsum(self.total_s)
        return math.fsum(self.wait_s) / total if total > 0 else 0.0

    @property
    def verdict(self) -> str:
        """`"busy"` (computing) or `"waiting for data"`."""
        return "waiting for data" if self.data_wait_fraction >= WAITING_SHARE else "busy"

    @property
    def drift(self) -> float:
        """Median of the last third of the steps divided by that of the first; 1.2 = 20 % slower by the end."""
        third = max(1, len(self.step_s) // 3)
        first = statistics.median(self.total_s[:third])
        return statistics.median(self.total_s[-third:]) / first if first > 0 else 1.0

    def warnings(self, lang: str | None = None) -> list[str]:
        """Return what to know before trusting these numbers, one sentence each."""
        found = [text(note, lang) for note in self.notes]
        if not 1 / DRIFT_RATIO <= self.drift <= DRIFT_RATIO:
            which = "timing.drift_slower" if self.drift > 1 else "timing.drift_faster"
            found.append(text(which, lang, ratio=number(max(self.drift, 1 / self.drift))))
        if self.quantile(0.9) > SPREAD_RATIO * self.median_s:
            found.append(text("timing.spread", lang, ratio=number(self.quantile(0.9) / self.median_s, 2)))
        return found

    def forecast(self, steps: int, fixed_s: float = 0.0, level: float = 0.8) -> Forecast:
        """Forecast the time of a run of `steps` steps like these.

        Parameters
        ----------
        steps : how many steps the run has.
        fixed_s : what the run costs besides its steps, in seconds: start-up, evaluations, checkpoints.
        level : how often the range should contain the truth, 0.5 to 0.99.
        """
        extra = max(0.0, self.warmup_s - self.warmup_steps * self.mean_s)
        return forecast_total(self.total_s, steps, fixed_s=fixed_s + extra, level=level)

    def to_dict(self) -> dict[str, Any]:
        """Return the measurement as plain data (for JSON), times in seconds."""
        return {
            "steps": len(self.step_s),
            "median_s": self.median_s,
            "mean_s": self.mean_s,
            "first_s": self.first_s,
            "warmup_s": self.warmup_s,
            "data_wait_fraction": self.data_wait_fraction,
            "verdict": self.verdict,
            "drift": self.drift,
            "device": self.device,
        }

    def to_text(self, lang: str | None = None) -> str:
        """Return a short summary for people."""
        return text(
            "timing.summary",
            lang,
            steps=len(self.step_s),
            device=self.device,
            median=duration(self.median_s, lang),
            wait=number(100 * self.data_wait_fraction, 2),
        )

    def __str__(self) -> str:
        return self.to_text()


def measure_steps(
    step: Callable[..., object],
    batches: Iterable[Any] | None = None,
    steps: int = 50,
    warmup: int = 5,
    device: object = None,
    seconds: float | None = None,
) -> StepTimes:
    """Run a training step again and again and time it."""
    feed = itertools.repeat(None) if batches is None else itertools.cycle(batches)
    call: Callable[[Any], object] = (lambda _batch: step()) if batches is None else step
    waits, computes = _run(call, feed, warmup + steps, seconds)
    totals = [w + c for w, c in zip(waits, computes, strict=True)]
    warmup = min(warmup, len(totals) - 1)
    return StepTimes(
        step_s=tuple(computes[warmup:]),
        wait_s=tuple(waits[warmup:]),
        first_s=totals[0],
        warmup_s=math.fsum(totals[:warmup]),
        warmup_steps=warmup,
        device="cuda" if "torch" in sys.modules and sys.modules["torch"].cuda.is_initialized() else "cpu",
    )


def _run(
    call: Callable[[Any], object], feed: Iterator[Any], limit: int, seconds: float | None
) -> tuple[list[float], list[float]]:
    waits: list[float] = []
    computes: list[float] = []
    start = before = perf_counter()
    while len(computes) < limit or seconds is not None:
        batch = next(feed)
        ready = perf_counter()
        call(batch)
        done = perf_counter()
        waits.append(ready - before)
        computes.append(done - ready)
        before = done
        if seconds is not None and done - start > seconds and len(computes) > MIN_STEPS:
            break
    return waits, computes
