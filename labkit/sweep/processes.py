"""Runs in several processes of their own, each of which takes one after the other.

    python -m labkit.sweep.processes

is such a process: it reads a config from each line of its input, and answers in lines of JSON.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

from labkit import train
from labkit.config import Config
from labkit.messages import language, text
from labkit.sweep.threads import Progress, in_threads
from labkit.train import History
from labkit.workload import Workload

REPORTS = 20  # progress reports of a run
LOG_LINES = 15  # of a failed process, in the error
GRACE_S = 5.0  # for a process that fails to end


class SweepError(ValueError):
    """A sweep cannot be run as asked; `.problems` lists why."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(self.problems))

    def _render_traceback_(self) -> list[str]:
        """Show the message alone in a notebook."""
        return str(self).splitlines()


def run_in_processes(
    configs: Sequence[Config], workload: type[Workload] | None, bar: Progress, count: int
) -> list[History]:
    """Run each config in one of `count` processes and return the histories in order.

    Parameters
    ----------
    configs, workload : as for `labkit.train.run`; their classes must be importable, see `importable`.
    bar : is told the steps done.

    Raises
    ------
    SweepError
        If a process fails; the message holds the end of its log. The others are ended.
    """
    workers = [_Worker() for _ in range(min(count, len(configs)))]
    idle: queue.SimpleQueue[_Worker] = queue.SimpleQueue()
    for worker in workers:
        idle.put(worker)

    def job(config: Config) -> History:
        worker = idle.get()
        try:
            return worker.run(config, workload, bar)
        finally:  # whoever waits for a worker gets one, and fails at once if it is dead
            idle.put(worker)

    def stop() -> None:
        bar.stop()
        for worker in workers:
            worker.kill()

    try:
        return in_threads([functools.partial(job, config) for config in configs], len(workers), stop)
    finally:
        for worker in workers:
            worker.close()


def importable(kind: type) -> bool:
    """Whether another process finds a class: not if it was made in a notebook, a script or a function."""
    return kind.__module__ != "__main__" and "<locals>" not in kind.__qualname__


class _Worker:
    """A process that waits for configs."""

    def __init__(self) -> None:
        self._log: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        self._process = subprocess.Popen(
            [sys.executable, "-m", "labkit.sweep.processes"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            encoding="utf-8",
            env=_environment(),
        )

    def run(self, config: Config, workload: type[Workload] | None, bar: Progress) -> History:
        asked = {
            "config": _address(type(config)),
            "settings": config.to_dict(),
            "workload": None if workload is None else _address(workload),
        }
        answer: dict[str, Any] = {}
        try:
            assert self._process.stdin is not None
            print(json.dumps(asked), file=self._process.stdin, flush=True)
            while "rows" not in answer:
                answer = json.loads(self._answers().readline())
                bar(answer["steps"])
        except (OSError, ValueError):
            raise SweepError([self._why_it_ended()]) from None
        return History(config, answer["rows"], answer["seconds"])

    def _answers(self) -> IO[str]:
        assert self._process.stdout is not None
        return self._process.stdout

    def _why_it_ended(self) -> str:
        try:
            status = self._process.wait(GRACE_S)
        except subprocess.TimeoutExpired:  # it lives, but what it sent is no answer
            status = 0
            self.kill()
            self._process.wait()
        self._log.seek(0)
        lines = self._log.read().decode("utf-8", "replace").splitlines()
        log = "\n".join(lines[-LOG_LINES:]) or "–"
        if status < 0:
            return text("sweep.process_killed", signal=-status, log=log)
        return text("sweep.process_ended", log=log)

    def kill(self) -> None:
        self._process.kill()

    def close(self) -> None:
        self.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):  # a config that a dead process did not take
                assert pipe is not None
                pipe.close()
        self._process.wait()
        self._log.close()


def _address(kind: type) -> list[str]:
    return [kind.__module__, kind.__qualname__]


def _found(address: Sequence[str]) -> Any:
    module, name = address
    found: Any = importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    return found


def _environment() -> dict[str, str]:
    """Return an environment in which the child finds the same modules and uses the same language."""
    path = os.pathsep.join(folder or str(Path.cwd()) for folder in sys.path)
    return os.environ | {"PYTHONPATH": path, "LABKIT_LANG": language(), "PYTHONIOENCODING": "utf-8"}


def _read(lines: queue.SimpleQueue[str]) -> None:
    """Pass the input on; its end is that of the process that wants the runs, so nobody waits for them."""
    for line in sys.stdin:
        lines.put(line)
    os._exit(1)


def main() -> None:
    """Take runs for as long as there is input: see the module's docstring."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a workload prints is no answer

    def answer(**values: Any) -> None:
        print(json.dumps(values), file=answers, flush=True)

    asked_for: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(asked_for,), daemon=True).start()
    while True:
        asked = json.loads(asked_for.get())
        config = _found(asked["config"]).from_dict(asked["settings"])
        workload = None if asked["workload"] is None else _found(asked["workload"])
        every = max(1, config.steps // REPORTS)
        told = config.steps // every * every

        def report(step: int, every: int = every) -> None:
            if step % every == 0:
                answer(steps=every)

        history = train.run(config, workload=workload, on_step=report)
        answer(steps=config.steps - told, rows=history.rows, seconds=history.seconds)


if __name__ == "__main__":
    main()
