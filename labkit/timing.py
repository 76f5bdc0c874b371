"""Time any training step, and forecast a long run from a short measurement.

Works for any callable and needs no torch: only if torch is loaded and a GPU is in use does the clock wait for
the GPU after every step. The times are for *this* machine as busy as it is now.
"""

from __future__ import annotations

import inspect
import itertools
import math
import reprlib
import statistics
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from time import perf_counter, thread_time
from typing import Any

from labkit.clock import Call, GoOn, device_in_use, endless, nothing, time_steps, waiter, wrong_device
from labkit.forecast import Forecast, TimingError, forecast_total, is_number, is_whole
from labkit.messages import duration, number, text

__all__ = ["Forecast", "StepTimes", "TimingError", "measure_steps"]

WAITING_SHARE = 0.2  # from this share of waiting on, loading is what to mend first
DRIFT_RATIO = 1.15  # last third against first third; an idle machine exceeds it in one measurement of 20
SPREAD_RATIO = 2.0  # 90 % quantile against median; idle machines stay below 1.5 in 19 measurements of 20
CPU_SHARE = 0.75  # of the computing time; on an idle machine this thread has a processor nearly all of it
FEW_STEPS = 10  # below this, spread and drift say little
MIN_STEPS = 3  # measured even when the time budget is used up
PATIENCE = 3.0  # times the budget; after that even MIN_STEPS are given up
MAX_STEPS = 200_000  # keeps an empty step from filling the memory
WARMUP_SHARE = 0.1  # of the time budget; at most twice that when the first steps are slow
TIMER_LAPS = 200


@dataclass(frozen=True, repr=False)
class StepTimes:
    """What a measurement found. All times in seconds.

    Attributes
    ----------
    step_s, wait_s : computing, and waiting for the batch, of each step after the warm-up; same length.
    first_s : the very first step, waiting included.
    warmup_s : all warm-up steps together, the first included.
    warmup_steps : how many these were.
    device : what was waited for after each step: "cuda:0", "mps", or "cpu" (nothing to wait for).
    timer_s : what the timing itself adds to each step, measured with an empty one.
    cpu_share : how much of the measured time this thread had a processor, 0 to 1.
    notes : ids of messages about how the measurement went, such as batches that ran out.
    """

    step_s: tuple[float, ...]
    wait_s: tuple[float, ...]
    first_s: float
    warmup_s: float
    warmup_steps: int
    device: str = "cpu"
    timer_s: float = 0.0
    cpu_share: float = 1.0
    notes: tuple[str, ...] = ()

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
        """The average step, waiting included, in seconds: slow steps count, so it adds up to a long run."""
        return math.fsum(self.total_s) / len(self.step_s)

    def quantile(self, q: float) -> float:
        """Return the time that a share `q` (0 to 1) of the steps stays below, in seconds.

        Linear between neighbours, as `numpy.quantile` does by default.
        """
        if not is_number(q) or not 0 <= q <= 1:
            raise TimingError([text("timing.bad_quantile", given=reprlib.repr(q))])
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
    def slow_start_s(self) -> float:
        """What the warm-up cost beyond as many ordinary steps, in seconds; a run pays it once."""
        return max(0.0, self.warmup_s - self.warmup_steps * self.mean_s)

    @property
    def verdict(self) -> str:
        """`"busy"` (computing), or `"waiting for data"` for a fifth of the time or more."""
        return "waiting for data" if self.data_wait_fraction >= WAITING_SHARE else "busy"

    @property
    def drift(self) -> float:
        """Median of the last third of the steps over that of the first: 1.2 is 20 % slower by the end."""
        third = max(1, len(self.step_s) // 3)
        first = statistics.median(self.total_s[:third])
        return statistics.median(self.total_s[-third:]) / first if first > 0 else 1.0

    def warnings(self, lang: str | None = None) -> list[str]:
        """Return what to know before trusting these numbers, one sentence each."""
        found = [text(note, lang) for note in self.notes]
        if len(self.step_s) < FEW_STEPS:
            found.append(text("timing.few_steps", lang, steps=len(self.step_s)))
            return found
        if not 1 / DRIFT_RATIO <= self.drift <= DRIFT_RATIO:
            change = "timing.drift_slower" if self.drift > 1 else "timing.drift_faster"
            found.append(text(change, lang, percent=number(100 * abs(self.drift - 1), 2)))
        computing = 1 - self.data_wait_fraction
        if self.device == "cpu" and self.cpu_share < CPU_SHARE * computing:
            found.append(text("timing.shared", lang, share=number(100 * self.cpu_share / computing, 2)))
        elif self.quantile(0.9) > SPREAD_RATIO * self.median_s:
            found.append(text("timing.spread", lang, ratio=number(self.quantile(0.9) / self.median_s, 2)))
        if self.timer_s > 0.02 * self.median_s:
            found.append(text("timing.tiny_step", lang, timer=duration(self.timer_s, lang)))
        return found

    def forecast(self, steps: int, fixed_s: float = 0.0, level: float = 0.8) -> Forecast:
        """Forecast the time of a run of `steps` steps like these, on this machine as busy as it is now.

        What the warm-up cost beyond ordinary steps is added once.

        Parameters
        ----------
        steps : how many steps the run has.
        fixed_s : what the run costs besides its steps, in seconds: start-up, evaluations, checkpoints.
        level : how often the range should contain the truth, from 0.5 to 0.99.

        Raises
        ------
        TimingError
            Listing every argument that cannot be used.
        """
        return forecast_total(self.total_s, steps, fixed_s, warmup_s=self.slow_start_s, level=level)

    def to_dict(self) -> dict[str, Any]:
        """Return the measurement as plain data (for JSON), times in seconds."""
        return {
            "steps": len(self.step_s),
            "device": self.device,
            "median_s": self.median_s,
            "mean_s": self.mean_s,
            "quantile_90_s": self.quantile(0.9),
            "first_s": self.first_s,
            "warmup_s": self.warmup_s,
            "warmup_steps": self.warmup_steps,
            "data_wait_fraction": self.data_wait_fraction,
            "verdict": self.verdict,
            "drift": self.drift,
            "timer_s": self.timer_s,
            "cpu_share": self.cpu_share,
        }

    def to_text(self, lang: str | None = None) -> str:
        """Return a short summary for people, warnings included."""
        verdict = "timing.waiting" if self.verdict == "waiting for data" else "timing.busy"
        summary = text(
            "timing.summary",
            lang,
            steps=len(self.step_s),
            device=self.device,
            warmup_steps=self.warmup_steps,
            warmup=duration(self.warmup_s, lang),
            first=duration(self.first_s, lang),
            median=duration(self.median_s, lang),
            mean=duration(self.mean_s, lang),
            quantile=duration(self.quantile(0.9), lang),
            wait=number(100 * self.data_wait_fraction, 2),
            verdict=text(verdict, lang),
        )
        return "\n".join([summary, *(text("timing.note", lang, note=w) for w in self.warnings(lang))])

    def __repr__(self) -> str:
        return self.to_text()  # what a notebook shows; the fields would fill pages


def measure_steps(
    step: Callable[..., object],
    batches: Iterable[Any] | None = None,
    steps: int = 50,
    warmup: int = 5,
    device: object = None,
    *,
    seconds: float | None = None,
) -> StepTimes:
    """Run a training step again and again, and time it.

    On a GPU every step is waited for, which an ordinary run need not do: the times err on the long side.

    Parameters
    ----------
    step : any callable; called as `step(batch)`, or `step()` when `batches` is None. It really runs: a model
        is trained by it.
    batches : list, DataLoader, generator, …; begun again when it ends, if it can be.
    steps : how many steps to measure after the warm-up. Ignored when `seconds` is given.
    warmup : how many first steps to keep apart, at least one: the first can take 60 times a typical one.
    device : "cpu", "cuda", "cuda:1", "mps" or a torch device; None finds out what is in use.
    seconds : time budget for all of it; then the numbers of measured and warm-up steps follow from it. At
        least three steps are measured unless a step is longer than the budget.

    Raises
    ------
    TimingError
        Listing every argument that cannot be used; or the batches ended before a step could be measured; or
        calling `step` only made a coroutine or a generator, which trains nothing yet.
        Exceptions from `step` and `batches` themselves pass through unchanged.
    """
    _check(step, batches, steps=steps, warmup=warmup, device=device, seconds=seconds)
    call: Call = (lambda _batch: step()) if batches is None else step
    feed = itertools.repeat(None) if batches is None else endless(batches)
    name = None if device is None else str(device)

    def wait_first() -> None:
        waiter(name or device_in_use())()  # looks only after the step, which may be what first uses the GPU

    start = perf_counter()

    def call_first(batch: Any) -> None:
        _refuse_unstarted(call(batch))

    first = time_steps(call_first, feed, wait_first, lambda done, _last: done < 1)
    name = name or device_in_use()
    more_warmup, more_steps = _stopping(start, steps, warmup, seconds)
    warm = time_steps(call, feed, waiter(name), more_warmup)
    begin, begin_cpu = perf_counter(), thread_time()
    laps = time_steps(call, feed, waiter(name), more_steps)
    cpu_share = (thread_time() - begin_cpu) / max(perf_counter() - begin, 1e-9)
    if not laps.step_s:
        seen = len(first.step_s) + len(warm.step_s)
        raise TimingError([text("timing.no_steps", seen=seen) if seen else text("timing.no_batches")])
    notes = ["timing.ran_out"] if laps.ran_out else []
    if seconds is not None and len(laps.step_s) < MIN_STEPS and not laps.ran_out:
        notes.append("timing.long_step")
    empty = time_steps(nothing, itertools.repeat(None), nothing, lambda done, _last: done < TIMER_LAPS)
    return StepTimes(
        step_s=tuple(laps.step_s),
        wait_s=tuple(laps.wait_s) if batches is not None else (0.0,) * len(laps.step_s),
        first_s=first.total_s,
        warmup_s=first.total_s + warm.total_s,
        warmup_steps=1 + len(warm.step_s),
        device=name,
        timer_s=empty.total_s / TIMER_LAPS,
        cpu_share=min(1.0, cpu_share),
        notes=tuple(notes),
    )


def _stopping(start: float, steps: int, warmup: int, seconds: float | None) -> tuple[GoOn, GoOn]:
    """Return two questions, whether to go on warming up and whether to go on measuring.

    Each takes the number of steps done in its phase and the seconds of the last one. The very first step is
    done already.
    """
    if seconds is None:
        return (lambda done, _last: done + 1 < warmup), (lambda done, _last: done < steps)

    def more_warmup(done: int, _last: float) -> bool:
        spent = (perf_counter() - start) / seconds
        return spent < WARMUP_SHARE or (done + 1 < warmup and spent < 2 * WARMUP_SHARE)

    def more_steps(done: int, last: float) -> bool:
        spent = perf_counter() - start
        if done < MIN_STEPS:
            return done == 0 or spent < PATIENCE * seconds
        return done < MAX_STEPS and spent + last < seconds

    return more_warmup, more_steps


def _check(
    step: object, batches: object, *, steps: object, warmup: object, device: object, seconds: object
) -> None:
    """Raise TimingError listing every argument that cannot be used."""
    wrong = []
    if not callable(step):
        wrong.append(text("timing.bad_step", given=reprlib.repr(step)))
    elif _starts_nothing(step) or _starts_nothing(type(step).__call__):
        wrong.append(text("timing.step_starts_nothing"))
    elif not _accepts(step, 0 if batches is None else 1):
        wrong.append(text("timing.step_needs_batch" if batches is None else "timing.step_takes_no_batch"))
    if batches is not None and not (hasattr(batches, "__iter__") or hasattr(batches, "__getitem__")):
        wrong.append(text("timing.bad_batches", given=reprlib.repr(batches)))
    if not is_whole(steps, least=1):
        wrong.append(text("timing.bad_steps", given=reprlib.repr(steps)))
    if not is_whole(warmup, least=1):
        wrong.append(text("timing.bad_warmup", given=reprlib.repr(warmup)))
    if seconds is not None and not (is_number(seconds) and seconds > 0):
        wrong.append(text("timing.bad_seconds", given=reprlib.repr(seconds)))
    if device is not None:
        wrong += wrong_device(str(device))
    if wrong:
        raise TimingError(wrong)


def _starts_nothing(step: Callable[..., object]) -> bool:
    """Say whether calling `step` runs none of its body: `async def`, or a function with `yield`."""
    kinds = (inspect.iscoroutinefunction, inspect.isgeneratorfunction, inspect.isasyncgenfunction)
    return any(is_kind(step) for is_kind in kinds)


def _refuse_unstarted(returned: object) -> None:
    """Raise TimingError if a step returned a coroutine or a generator instead of running it."""
    if inspect.iscoroutine(returned):
        returned.close()  # or Python warns that it was never awaited
    elif not (inspect.isgenerator(returned) or inspect.isasyncgen(returned)):
        return
    raise TimingError([text("timing.step_starts_nothing")])


def _accepts(step: Callable[..., object], arguments: int) -> bool:
    """Say whether `step` can be called with so many arguments; True where Python cannot tell."""
    try:
        signature = inspect.signature(step)
    except (TypeError, ValueError):
        return True
    try:
        signature.bind(*[None] * arguments)
    except TypeError:
        return False
    return True
