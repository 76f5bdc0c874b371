"""Run a notebook under nbval and report, line by line, what its check cells send out.

    python runner.py NOTEBOOK CELL_SECONDS OUTPUT_BYTES

Each line on standard output is a JSON object about one code cell that has run; the last one says that the
end was reached. What the cells print is dropped while it streams; its size counts.
"""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import sys
import time
from collections import deque
from pathlib import Path
from queue import Empty
from types import SimpleNamespace
from typing import Any, TextIO

from kernel import KernelProcess  # type: ignore[import-not-found]

while os.open(os.devnull, os.O_RDWR) < 3:  # bubblewrap leaves 0 closed: no pipe may get a standard number
    pass
STARTING = KernelProcess() if sys.platform == "linux" and __name__ == "__main__" else None

# Seconds that no notebook needs: jsonschema's grammar of web addresses, nbval's measuring of coverage.
sys.modules["rfc3987_syntax"] = None  # type: ignore[assignment]
sys.modules["nbval.cover"] = SimpleNamespace(setup_coverage=None, teardown_coverage=None)  # type: ignore[assignment]

import pytest  # noqa: E402
from jupyter_client.provisioning import local_provisioner  # noqa: E402
from nbval import plugin as nbval_plugin  # noqa: E402
from nbval.kernel import RunningKernel  # noqa: E402
from zmq import POLLIN, Poller  # noqa: E402

ANSWERS = ("application/vnd.labkit.answer+json", "application/vnd.labkit.returned+json")
NEEDED = ("status", "execute_result", "error")  # kinds of messages; all others are counted and dropped
MOST_BYTES = 2**20  # of one message that is needed
GRACE_S = 3.0  # for a kernel to react to its interruption
_POLL_MS = 250
_PR_SET_DUMPABLE = 4  # of <sys/prctl.h>


class KernelDiedError(Exception):
    """The kernel's process has ended by itself."""


class WatchedKernel(RunningKernel):  # type: ignore[misc]
    """nbval's kernel, which notices at once when its process dies, and drops what cells print."""

    cell_s = 60.0
    output_bytes = 2**20

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self.waiting: deque[dict[str, Any]] = deque()
        self.sent = 0
        self.end = float("inf")
        super().__init__(*arguments, **options)

    def execute_cell_input(self, cell_input: str, allow_stdin: bool | None = None) -> str:
        """Start a cell: its time and its output count from here."""
        self.sent = 0
        self.end = time.monotonic() + self.cell_s + GRACE_S
        return str(super().execute_cell_input(cell_input, allow_stdin))

    def get_message(self, stream: str, timeout: float | None = None) -> dict[str, Any]:
        """Return the next message of a channel; output that arrives meanwhile waits its turn.

        Raises
        ------
        Empty
            If none comes in time (nbval then interrupts or ends the kernel), or too much was printed.
        KernelDiedError
            If there is no kernel any more.
        """
        deadline = min(self.end, time.monotonic() + (timeout or 0))
        while True:
            if stream == "iopub" and self.waiting:
                return self.waiting.popleft()
            message = self._next(stream)
            if message is not None:
                return message
            if time.monotonic() > deadline:
                raise Empty
            if stream == "shell" and self.sent > self.output_bytes:
                self.end = time.monotonic() + GRACE_S
                raise Empty
            if not self.is_alive():
                raise KernelDiedError

    def _next(self, stream: str) -> dict[str, Any] | None:
        shell, iopub = self.kc.shell_channel.socket, self.kc.iopub_channel.socket
        poller = Poller()
        poller.register(iopub, POLLIN)
        if stream == "shell":
            poller.register(shell, POLLIN)
        ready = dict(poller.poll(_POLL_MS))
        if iopub in ready:
            self._keep(iopub.recv_multipart())
        if shell in ready:
            reply: dict[str, Any] = self.kc.get_shell_msg(timeout=1)
            return reply
        return None

    def _keep(self, frames: list[bytes]) -> None:
        """Queue a message if the grader needs it; count it in any case."""
        size = sum(map(len, frames))
        self.sent += size
        _, parts = self.kc.session.feed_identities(frames)
        if size <= MOST_BYTES and json.loads(parts[1]).get("msg_type") in NEEDED:
            self.waiting.append(self.kc.session.deserialize(parts))


class Recorder:
    """The pytest plugin: after each cell, writes one line about it."""

    def __init__(self, channel: TextIO) -> None:
        self.channel = channel

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: Any, call: Any) -> Any:
        """Report the cell, whatever nbval thinks of it."""
        if call.when == "call":
            self.write({"cell": _grade_id(item.cell), **_seen(item, call.excinfo)})
            if not item.parent.kernel.is_alive():
                item.session.shouldstop = "the kernel is gone"
        elif call.when == "setup" and call.excinfo is not None:
            self.write({"failed": f"{call.excinfo.typename}: {call.excinfo.value}"[:500]})
        return (yield)

    def write(self, line: dict[str, Any]) -> None:
        """Write one line."""
        self.channel.write(json.dumps(line, default=str) + "\n")
        self.channel.flush()


def _grade_id(cell: Any) -> Any:
    return cell.metadata.get("nbgrader", {}).get("grade_id")


def _seen(item: Any, failure: Any) -> dict[str, Any]:
    """Return what a cell sent out, and how it ended."""
    outputs = item.test_outputs or []
    results = [o["data"] for o in outputs if o["output_type"] == "execute_result"]
    errors = [o for o in outputs if o["output_type"] == "error"]
    sent = [data[mime] for data in results for mime in ANSWERS if mime in data]
    kernel = item.parent.kernel
    if failure is None:
        state = "ran"
    elif failure.errisinstance(KernelDiedError):
        state = "died"
    elif kernel.sent > kernel.output_bytes:
        state = "too much output"
    else:
        state = "timed out" if item.parent.timed_out else "error"
    item.parent.timed_out = False
    seen = {"state": state, "sent": sent}
    if errors:
        seen["error"] = [str(errors[-1].get(name, ""))[:300] for name in ("ename", "evalue")]
    elif state == "error":  # what the kernel sent could not be read
        seen["error"] = [failure.typename]
    return seen


def main(notebook: str, cell_s: str, output_bytes: str) -> None:
    """Run one notebook."""
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    WatchedKernel.cell_s, WatchedKernel.output_bytes = float(cell_s), int(output_bytes)
    if sys.platform == "linux":  # the kernel, which has the same uid, has no way into this process
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0)
    nbval_plugin.RunningKernel = WatchedKernel
    nbval_plugin.find_comment_markers = lambda _source: ()  # comments such as NBVAL_SKIP mean nothing here
    if STARTING is not None:
        local_provisioner.launch_kernel = STARTING.launch  # type: ignore[attr-defined]
    fonts = Path(__file__).parent / "matplotlib"
    if fonts.is_dir():
        shutil.copytree(fonts, Path(os.environ["MPLCONFIGDIR"]), dirs_exist_ok=True)
    recorder = Recorder(channel)
    options = ["--nbval", "--nbval-kernel-name", "labkit", "--nbval-cell-timeout", cell_s]
    options += ["--noconftest", "-c", os.devnull, "--rootdir", str(Path(notebook).parent)]
    without = [word for name in ("cacheprovider", "faulthandler") for word in ("-p", f"no:{name}")]
    options += [*without, "--assert", "plain", "--capture", "no", "-q"]
    pytest.main([*options, notebook], plugins=[nbval_plugin, recorder])
    recorder.write({"end": True})


if __name__ == "__main__":
    main(*sys.argv[1:])
