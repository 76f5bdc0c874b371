"""Read a history, whatever it comes as: labkit's own, a list of rows, a data frame or a CSV file."""

from __future__ import annotations

import csv
import math
import os
import reprlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from labkit.forecast import is_number
from labkit.messages import text
from labkit.training_length.result import TrainingLengthError, shortened

STEP_NAMES = ("step", "steps", "iteration")
TRAIN_NAMES = ("train_loss", "training_loss", "loss_train", "loss")
VALIDATION_NAMES = ("validation_loss", "val_loss", "valid_loss", "eval_loss", "test_loss")
ACCURACY_NAMES = ("train_accuracy", "training_accuracy", "train_acc")

Row = dict[str, Any]


@dataclass(frozen=True)
class Curve:
    """One run's history.

    Attributes
    ----------
    steps : training steps done at each evaluation, increasing.
    columns : name → one number per evaluation (NaN or inf where the run diverged).
    config : the run's settings as far as known.
    gaps : name → the steps at which a column has no number, for columns that have one elsewhere.
    """

    steps: tuple[int, ...]
    columns: Mapping[str, tuple[float, ...]]
    config: Mapping[str, Any] = field(default_factory=dict)
    gaps: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    @property
    def max_train_steps(self) -> int:
        """How long the run was meant to be: the config's `steps`, else the last step recorded."""
        planned = self.config.get("steps")
        return max(self.steps[-1], planned) if isinstance(planned, int) else self.steps[-1]

    @property
    def diverged(self) -> bool:
        """Whether any loss is no longer a number."""
        return any(not math.isfinite(v) for name in self.columns for v in self.columns[name])

    def find(self, names: Sequence[str]) -> tuple[float, ...] | None:
        """Return the first of the columns that is there, None if none is."""
        return next((self.columns[name] for name in names if name in self.columns), None)

    def has(self, names: Sequence[str]) -> bool:
        """Say whether one of the columns was recorded, at some steps at least."""
        return any(name in self.columns or name in self.gaps for name in names)

    def column(self, names: Sequence[str]) -> tuple[float, ...]:
        """Return the first of the columns that is there; TrainingLengthError if none is."""
        found = self.find(names)
        if found is not None:
            return found
        problems = [
            text(
                "training_length.gaps",
                column=name,
                steps=reprlib.repr(list(self.gaps[name])),
                count=len(self.gaps[name]),
                rows=len(self.steps),
            )
            for name in names
            if name in self.gaps
        ]
        known = ", ".join([*self.columns, *self.gaps]) or "-"
        raise TrainingLengthError(
            problems or [text("training_length.no_column", wanted=", ".join(names), known=known)]
        )


def read_curve(history: Any) -> Curve:
    """Return the curve of a `labkit.train.History`, rows (list of dicts, data frame) or a CSV file's path.

    Rows are put in the order of their steps, those of one step together; every column of numbers is kept. In
    a CSV file the columns are parted by commas, semicolons or tabs, and an empty cell is no number.

    Columns that are known by their names (the first that is there counts):

    - steps: `step`, `steps`, `iteration`
    - training loss: `train_loss`, `training_loss`, `loss_train`, `loss`
    - validation loss: `validation_loss`, `val_loss`, `valid_loss`, `eval_loss`, `test_loss`
    - training accuracy: `train_accuracy`, `training_accuracy`, `train_acc`

    Raises
    ------
    TrainingLengthError
        Listing everything that is wrong.
    """
    if isinstance(history, Curve):
        return history
    config = getattr(history, "config", {})
    config = config.to_dict() if hasattr(config, "to_dict") else config
    rows = read_rows(getattr(history, "rows", history))
    problems: list[str] = []
    numbers = [_numeric(row, place, problems) for place, row in enumerate(rows, 1)]
    problems = shortened(problems)
    name = next((n for n in STEP_NAMES if rows and n in rows[0]), None)
    if not rows:
        problems.append(text("training_length.no_rows"))
    elif name is None:
        known = ", ".join(map(str, rows[0]))
        problems.append(text("training_length.no_column", wanted=", ".join(STEP_NAMES), known=known))
    if problems:
        raise TrainingLengthError(problems)
    name = str(name)
    numbers = _merged(numbers, name)
    steps = [row.get(name) for row in numbers]
    if not all(is_number(step) and step >= 0 for step in steps) or len(set(steps)) < len(steps):
        raise TrainingLengthError([text("training_length.bad_steps", given=reprlib.repr(steps))])
    ordered = sorted(numbers, key=lambda row: row[name])
    keys = [key for key in dict.fromkeys(key for row in ordered for key in row) if key != name]
    gaps = {key: tuple(int(row[name]) for row in ordered if key not in row) for key in keys}
    columns = {key: tuple(row[key] for row in ordered) for key in keys if not gaps[key]}
    gaps = {key: steps for key, steps in gaps.items() if steps}
    return Curve(tuple(int(row[name]) for row in ordered), columns, config, gaps)


def read_curves(histories: Any) -> list[Curve]:
    """Return the curves of one history or of several (a list, or a mapping from seed to history)."""
    if isinstance(histories, Mapping) and not is_columns(histories):
        histories = list(histories.values())
    many = isinstance(histories, list | tuple) and not (histories and isinstance(histories[0], Mapping))
    curves = [read_curve(one) for one in (histories if many else [histories])]
    if not curves:
        raise TrainingLengthError([text("training_length.no_histories")])
    return curves


def read_rows(table: Any) -> list[Row]:
    """Return the rows of a list of dicts, a data frame, a mapping of columns, or a CSV file.

    Raises
    ------
    TrainingLengthError
        If it is none of these.
    """
    if isinstance(table, str | os.PathLike):
        return _read_csv(Path(table))
    if hasattr(table, "to_dict") and hasattr(table, "columns"):
        return [dict(row) for row in table.to_dict("records")]
    if isinstance(table, Mapping) and is_columns(table):
        return [dict(zip(table, row, strict=False)) for row in zip(*table.values(), strict=False)]
    if isinstance(table, Iterable) and not isinstance(table, Mapping):
        rows = list(table)
        if all(isinstance(row, Mapping) for row in rows):
            return [dict(row) for row in rows]
    raise TrainingLengthError([text("training_length.not_a_history", given=reprlib.repr(table))])


def is_columns(table: Mapping[Any, Any]) -> bool:
    """Say whether a mapping holds columns of numbers, {"step": [...], "test_loss": [...]}."""
    return any(name in table for name in STEP_NAMES)


def _read_csv(path: Path) -> list[Row]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            head = file.readline()
            file.seek(0)
            return [dict(row) for row in csv.DictReader(file, delimiter=max(",;\t", key=head.count))]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise TrainingLengthError(
            [text("training_length.cannot_read", path=str(path), reason=str(error))]
        ) from None


def _merged(rows: Iterable[dict[str, float]], name: str) -> list[dict[str, float]]:
    """Return the rows with those of one step as one, unless they contradict each other."""
    merged: list[dict[str, float]] = []
    at: dict[float | None, dict[str, float]] = {}
    for row in rows:
        other = at.get(row.get(name))
        if other is not None and all(other[key] == row[key] for key in row.keys() & other.keys()):
            other |= row
            continue
        at[row.get(name)] = row
        merged.append(row)
    return merged


def _numeric(row: Mapping[Any, Any], place: int, problems: list[str]) -> dict[str, float]:
    """Return the row's numbers; a loss that is text but no number is a problem, other text is left out."""
    numbers: dict[str, float] = {}
    for key, value in row.items():
        if isinstance(value, bool) or value is None or value == "":
            continue
        try:
            numbers[str(key)] = float(value)
        except (TypeError, ValueError):
            if str(key) in STEP_NAMES or str(key).endswith("loss"):
                given = reprlib.repr(value)
                problems.append(text("training_length.not_a_number", row=place, column=key, given=given))
    return numbers
