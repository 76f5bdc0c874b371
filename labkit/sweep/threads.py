"""Jobs side by side in threads, and a progress bar that they share."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from typing import TypeVar

from tqdm.auto import tqdm

T = TypeVar("T")


class StoppedError(RuntimeError):
    """Another job has failed, or the user has interrupted the sweep."""


class Progress:
    """A progress bar for jobs in several threads; as they report their steps, it can also stop them."""

    def __init__(self, total: int, show: bool) -> None:
        self._bar = tqdm(total=total, disable=not show, unit="step")
        self._lock = threading.Lock()
        self._stopped = False

    def __call__(self, steps: int) -> None:
        """Report steps done.

        Raises
        ------
        StoppedError
            After `stop`.
        """
        if self._stopped:
            raise StoppedError
        with self._lock:
            self._bar.update(steps)

    def stop(self) -> None:
        """Let every later report fail, so that each job ends soon."""
        self._stopped = True

    def close(self) -> None:
        """Leave the bar as it is."""
        self._bar.close()


def in_threads(jobs: Sequence[Callable[[], T]], count: int, stop: Callable[[], object]) -> list[T]:
    """Run jobs in `count` threads and return their results in order.

    When one fails, or on an interrupt, those waiting are dropped, `stop` is called, and when the running ones
    have ended the first exception is raised.
    """
    with ThreadPoolExecutor(max(1, count)) as pool:
        futures = [pool.submit(job) for job in jobs]
        try:
            for future in wait(futures, return_when=FIRST_EXCEPTION).done:
                future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            stop()
            raise
        return [future.result() for future in futures]
