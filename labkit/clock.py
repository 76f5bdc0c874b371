"""The stopwatch behind `labkit.timing`: times calls one by one, waiting for a GPU where one is in use."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Iterator
from time import perf_counter
from typing import Any, NamedTuple

from labkit.messages import text

Call = Callable[[Any], object]
Wait = Callable[[], object]
GoOn = Callable[[int, float], bool]


class Laps(NamedTuple):
    """Seconds waited and computed in each step, and whether the batches ended before enough were seen."""

    wait_s: list[float]
    step_s: list[float]
    ran_out: bool

    @property
    def total_s(self) -> float:
        """All of it together, in seconds."""
        return math.fsum(self.wait_s) + math.fsum(self.step_s)


def time_steps(call: Call, feed: Iterator[Any], wait: Wait, go_on: GoOn) -> Laps:
    """Time steps until `go_on` says no or `feed` ends. What `go_on` itself takes is not counted."""
    waits: list[float] = []
    computes: list[float] = []
    last = 0.0
    while go_on(len(computes), last):
        begin = perf_counter()
        try:
            batch = next(feed)
        except StopIteration:
            return Laps(waits, computes, ran_out=True)
        ready = perf_counter()
        call(batch)
        wait()
        done = perf_counter()
        waits.append(ready - begin)
        computes.append(done - ready)
        last = done - begin
    return Laps(waits, computes, ran_out=False)


def endless(batches: Iterable[Any]) -> Iterator[Any]:
    """Yield the batches, again from the start when they end; end only if they cannot be begun again."""
    again = True
    while again:
        again = False
        for batch in batches:
            again = not isinstance(batches, Iterator)
            yield batch


def device_in_use() -> str:
    """Return the GPU on which a loaded torch holds memory, or "cpu". Imports and initialises nothing."""
    torch = sys.modules.get("torch")
    if torch is None:
        return "cpu"
    if torch.cuda.is_initialized():
        for index in range(torch.cuda.device_count()):
            if torch.cuda.memory_allocated(index) > 0:
                return f"cuda:{index}"
    if torch.backends.mps.is_available() and torch.mps.current_allocated_memory() > 0:
        return "mps"
    return "cpu"


def waiter(device: str) -> Wait:
    """Return what to call for all work given to `device` to be finished."""
    if device == "cpu":
        return nothing
    torch = sys.modules["torch"]
    if device == "mps":
        wait: Wait = torch.mps.synchronize
        return wait
    return lambda: torch.cuda.synchronize(device)


def nothing(_batch: object = None) -> None:
    """Do nothing: there is nothing to wait for on a CPU, and it is the empty step for `timer_s`."""


def wrong_device(device: str) -> list[str]:
    """Return what is wrong with a device's name, or with it on this machine."""
    kind, _, index = device.partition(":")
    if kind not in ("cpu", "cuda", "mps") or (index and not index.isdecimal()):
        return [text("timing.bad_device", given=repr(device))]
    if kind == "cpu":
        return []
    torch = sys.modules.get("torch")
    if torch is None:
        return [text("timing.device_without_torch", given=repr(device))]
    if kind == "cuda":
        present = torch.cuda.is_available() and int(index or 0) < torch.cuda.device_count()
    else:
        present = torch.backends.mps.is_available()
    return [] if present else [text("timing.device_missing", given=repr(device))]
