"""The four recorded runs of notebook 4's exercise on kinds of workload, without their names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from labkit.recorded import load

_PANELS = {"A": ("kahani", 1.0), "B": ("digits", 1.0), "C": ("kahani", 0.06), "D": ("mnist1d", 1.0)}
COLUMNS = ("step", "train_loss", "test_loss")


def recorded_runs(task: str, share: float = 1.0) -> list[list[dict[str, Any]]]:
    """Return the recorded runs of a task ("kahani", "mnist1d" or "digits"), a list of rows a seed.

    Parameters
    ----------
    share : of the steps, counted from the beginning.
    """
    rows = [row for row in load("training_length").rows if row["task"] == task]
    end = share * max(row["step"] for row in rows)
    return [_curve(rows, seed, end) for seed in sorted({row["seed"] for row in rows})]


def four_curves() -> dict[str, list[list[dict[str, Any]]]]:
    """Return letter → the runs behind it."""
    return {letter: recorded_runs(*which) for letter, which in _PANELS.items()}


def _curve(rows: Sequence[dict[str, Any]], seed: int, end: float) -> list[dict[str, Any]]:
    return [{c: row[c] for c in COLUMNS} for row in rows if row["seed"] == seed and row["step"] <= end]
