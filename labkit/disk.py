"""Files that are whole or not there, and disks that are full: a process may be killed at any moment."""

from __future__ import annotations

import contextlib
import errno
import glob
import os
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
    except OSError as error:
        raise UnwritableError(target, error) from None
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


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
        probe = target.with_name(f"{target.name}.{os.getpid()}.probe")
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
    for temporary in target.parent.glob(f"{glob.escape(target.name)}.*.tmp"):
        with contextlib.suppress(OSError):
            if not _is_being_written(temporary):
                temporary.unlink()


def _is_being_written(temporary: Path) -> bool:
    """Return whether a temporary file is new and the process in its name lives, where that can be told."""
    number = temporary.name.split(".")[-2]
    if time.time() - temporary.stat().st_mtime > _ABANDONED_S or not number.isdecimal():
        return False
    if os.name != "posix":  # there a file that is open cannot be deleted
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return int(number) != os.getpid()


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
