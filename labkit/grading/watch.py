"""Run a command whose output and behaviour are not trusted: bounded in time, memory and what it sends."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal

Ending = Literal["ended", "out of time", "out of memory", "too much output", "stopped"]
_TICK_S = 0.1
_TAIL_BYTES = 4_000
_FILE_BYTES = 2_048  # of the kernel's own memory for one file in memory, with its name; measured: 1.05 kB


@dataclass(frozen=True)
class Watched:
    """What a command sent to standard output (at most the bound), the end of its errors, how it ended."""

    output: bytes
    stderr_tail: str
    ending: Ending
    returncode: int
    seconds: float


def watched(
    command: Sequence[str],
    *,
    total_s: float,
    memory_bytes: int,
    output_bytes: int,
    stdin: Path | None = None,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    stop: threading.Event | None = None,
    folders: Sequence[str] = (),
) -> Watched:
    """Run a command to its end, or to the end of what it may use, and end all its processes.

    Parameters
    ----------
    total_s : wall time.
    memory_bytes : resident memory of the command and all its descendants, and of the files in `folders`.
    output_bytes : of standard output; what is beyond is not kept.
    stop : ends the command early when set.
    folders : in memory, as a sandbox's processes see them.
    """
    begin = time.monotonic()
    with Path(stdin or os.devnull).open("rb") as source:
        process = subprocess.Popen(
            command,
            stdin=source,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env=None if env is None else dict(env),
            start_new_session=True,
        )
    assert process.stdout is not None
    assert process.stderr is not None
    output, errors = _Reader(process.stdout, output_bytes), _Reader(process.stderr, _TAIL_BYTES, tail=True)
    ending: Ending = "ended"
    try:
        while process.poll() is None:
            if time.monotonic() - begin > total_s:
                ending = "out of time"
            elif output.overflowed:
                ending = "too much output"
            elif stop is not None and stop.is_set():
                ending = "stopped"
            elif memory_of(process.pid, folders) > memory_bytes:
                ending = "out of memory"
            if ending != "ended":
                break
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_TICK_S)
    finally:
        _end(process)
    sent, said = output.finish(), errors.finish()
    if output.overflowed:
        ending = "too much output"
    tail = said.decode("utf-8", "replace")
    return Watched(sent, tail, ending, process.returncode, time.monotonic() - begin)


class _Reader(threading.Thread):
    """Reads a pipe until it closes, keeping a bounded part."""

    def __init__(self, pipe: IO[bytes], most: int, tail: bool = False) -> None:
        super().__init__(daemon=True)
        self.pipe, self.most, self.tail = pipe, most, tail
        self.kept = bytearray()
        self.overflowed = False
        self.start()

    def run(self) -> None:
        while chunk := os.read(self.pipe.fileno(), 65_536):
            self.kept += chunk
            if len(self.kept) > self.most:
                self.overflowed = not self.tail
                self.kept = self.kept[-self.most :] if self.tail else self.kept[: self.most]

    def finish(self) -> bytes:
        """Return what was kept; a pipe that somebody still holds open is given up."""
        self.join(timeout=2.0)
        return bytes(self.kept)


def memory_of(pid: int, folders: Sequence[str] = ()) -> int:
    """Return the bytes of memory that a process, its descendants and the files in their folders occupy.

    What cannot be found out counts as 0.
    """
    total, files, waiting = 0, 0, [pid]
    while waiting:
        process = Path("/proc", str(waiting.pop()))
        with contextlib.suppress(OSError, ValueError):
            for line in (process / "status").read_text(encoding="utf-8", errors="replace").splitlines():
                if line.startswith(("RssAnon:", "RssShmem:")):
                    total += int(line.split()[1]) * 1024
            for thread in (process / "task").iterdir():
                waiting += [int(child) for child in (thread / "children").read_text().split()]
            files = files or _memory_of_files(process / "root", folders)
    return total + files


def _memory_of_files(root: Path, folders: Sequence[str]) -> int:
    """Return the bytes of the files in a sandbox's folders; an empty file takes memory too."""
    if root.stat().st_dev == Path("/").stat().st_dev:  # a process that is still outside
        return 0
    used = [os.statvfs(root / folder.lstrip("/")) for folder in folders]
    return sum((f.f_blocks - f.f_bfree) * f.f_frsize + (f.f_files - f.f_ffree) * _FILE_BYTES for f in used)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the command with everything it has started."""
    if sys.platform == "win32":
        process.kill()
    else:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()
