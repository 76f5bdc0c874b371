"""Checkpoints: the whole state of a run in a file that is read without running code from it."""

from __future__ import annotations

import io
import os
import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from labkit.disk import UnwritableError, atomic_file
from labkit.disk import reason as reason_of
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
    UnwritableError
        If the file cannot be written (an OSError); the old checkpoint is untouched.
    """
    with atomic_file(path) as file:
        try:
            torch.save({"labkit_checkpoint": FORMAT, **state}, file)
        except RuntimeError as error:
            if isinstance(error.__context__, OSError):  # what torch makes of a full disk
                raise UnwritableError(Path(path), error.__context__) from None
            raise


def load(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read a checkpoint onto the CPU, without running any code that the file may contain.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    CheckpointError
        If the file cannot be read, or is not a whole checkpoint of this format.
    """
    try:
        content = io.BytesIO(Path(path).read_bytes())
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:  # a folder, a file that we may not read, a path with a null
        problem = text("train.checkpoint_damaged", path=Path(path), reason=f"{reason_of(error)}.")
        raise CheckpointError(problem) from None
    try:
        state = torch.load(content, map_location="cpu", weights_only=True)
    except (pickle.UnpicklingError, RuntimeError, EOFError, OSError, ValueError, KeyError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise CheckpointError(text("train.checkpoint_damaged", path=Path(path), reason=reason)) from None
    if not isinstance(state, dict) or state.pop("labkit_checkpoint", None) != FORMAT:
        reason = text("train.checkpoint_format", format=FORMAT)
        raise CheckpointError(text("train.checkpoint_damaged", path=Path(path), reason=reason))
    return state
