"""Files that are whole or not there: a process may be killed at any moment, also while it writes."""

from __future__ import annotations

import contextlib
import io
import os
import pickle
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any

import torch

from labkit.messages import text

FORMAT = 1


class CheckpointError(ValueError):
    """A checkpoint cannot be used: it is damaged, of another format, or of another run."""

    def _render_traceback_(self) -> list[str]:
        """Show the message alone in a notebook."""
        return str(self).splitlines()


def save(path: str | os.PathLike[str], state: Mapping[str, Any]) -> None:
    """Write a checkpoint so that `path` always holds a whole one, the old or the new.

    Parameters
    ----------
    path : the checkpoint's file; its folder is made if needed.
    state : tensors, numbers, strings, None, and lists and dicts of them.

    Raises
    ------
    OSError
        If the file cannot be written; the old checkpoint is untouched.
    """
    with atomic_file(path) as file:
        torch.save({"labkit_checkpoint": FORMAT, **state}, file)


def load(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read a checkpoint onto the CPU, without running any code that the file may contain.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    CheckpointError
        If the file is not a whole checkpoint of this format.
    """
    content = io.BytesIO(Path(path).read_bytes())
    try:
        state = torch.load(content, map_location="cpu", weights_only=True)
    except (pickle.UnpicklingError, RuntimeError, EOFError, OSError, ValueError, KeyError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise CheckpointError(text("train.checkpoint_damaged", path=Path(path), reason=reason)) from None
    if not isinstance(state, dict) or state.pop("labkit_checkpoint", None) != FORMAT:
        reason = text("train.checkpoint_format", format=FORMAT)
        raise CheckpointError(text("train.checkpoint_damaged", path=Path(path), reason=reason))
    return state


@contextlib.contextmanager
def atomic_file(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a temporary file beside `path` for writing; when all went well, it takes the place of `path`.

    Flush and fsync come before the rename, so that the name never points at half a file. Two processes
    writing to one path do not disturb each other: the last rename counts.
    """
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f"{target.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        _replace(temporary, target)
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def remove_leftovers(path: str | os.PathLike[str]) -> None:
    """Delete the temporary files that processes killed while writing `path` have left behind."""
    target = Path(path)
    for temporary in target.parent.glob(f"{target.name}.*.tmp"):
        with contextlib.suppress(OSError):
            temporary.unlink()


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
