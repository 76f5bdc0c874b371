"""Files that are whole or not there, and disks that are full: a process may be killed at any moment."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from labkit.messages import text

_PROBE = 4096  # bytes
_ABANDONED_S = 3600.0  # no file takes longer to write


class UnwritableError(OSError):
    """A file cannot be written; what stood there before is untouched."""

    def __init__(self, path: Path, error: Exception) -> None:
        self.path, self.reason = path, reason(error)
        super().__init__(getattr(error, "errno", None), self.reason, str(path))

    def __str__(self) -> str:
        return text("common.unwritable", path=self.path, reason=self.reason)

    def _render_traceback_(self) -> list[str]:
        """Show the message alone in a notebook."""
        return str(self).splitlines()


def reason(error: Exception) -> str:
    """Return why the system refused, in its own words."""
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


@contextlib.contextmanager
def atomic_file(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a temporary file beside `path` for writing; when all went well, it takes the place of `path`.

    Flush and fsync come before the rename, so that the name never points at half a file. Two processes
    writing to one path do not disturb each other: the last rename counts.

    Raises
    ------
    UnwritableError
        If the system refuses.
    """
    target = Path(path)
    temporary = target.with_name(f"{target.name}.{os.getpid()}.tmp") if target.name else target
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        _replace(temporary, target)
    except UnwritableError:  # of another file that is written at the same time
        raise
    except OSError as error:
        raise UnwritableError(target, error) from None
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def append_line(path: str | os.PathLike[str], line: bytes) -> None:
    """Append a line and wait for the disk; what an earlier kill has cut off stays a line of its own.

    Raises
    ------
    OSError
        If the system refuses; a part of the line may then stand in the file.
    """
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    with Path(path).open("ab+") as file:
        if file.tell():
            file.seek(-1, os.SEEK_END)
            line = line if file.read(1) == b"\n" else b"\n" + line
        file.write(line + b"\n")
        file.flush()
        os.fsync(file.fileno())


def ensure_room(path: str | os.PathLike[str]) -> None:
    """Find out before time is spent whether a file can be written: its folder is made, a few bytes are tried.

    Raises
    ------
    UnwritableError
        If the path is a folder or none, or the disk is full or does not take files there.
    """
    target = Path(path)
    try:
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        target.parent.mkdir(parents=True, exist_ok=True)
        probe = target.with_name(f"{target.name}.{os.getpid()}.tmp")
        try:
            with probe.open("wb") as file:
                file.write(b"\0" * _PROBE)
                file.flush()
                os.fsync(file.fileno())
        finally:
            probe.unlink(missing_ok=True)
    except (OSError, ValueError) as error:
        raise UnwritableError(target, error) from None


def remove_leftovers(path: str | os.PathLike[str]) -> None:
    """Delete temporary files that processes killed while writing `path` have left; not one being written."""
    target = Path(path)
    temporary_name = re.compile(re.escape(target.name) + r"\.([0-9]+)\.tmp")
    for file in target.parent.glob("*.tmp"):
        found = temporary_name.fullmatch(file.name)
        with contextlib.suppress(OSError):
            if found and not _is_being_written(file, int(found[1])):
                file.unlink()


def _is_being_written(temporary: Path, process: int) -> bool:
    """Return whether a temporary file is new and the process that made it lives, where that can be told."""
    if time.time() - temporary.stat().st_mtime > _ABANDONED_S:
        return False
    if os.name != "posix":  # there a file that is open cannot be deleted
        return False
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return process != os.getpid()


def _replace(temporary: Path, target: Path) -> None:
    """Rename; on Windows wait up to a second while a reader or a virus scanner has the target open."""
    for _ in range(50):
        try:
            temporary.replace(target)
        except PermissionError:
            time.sleep(0.02)
        else:
            return
    temporary.replace(target)
