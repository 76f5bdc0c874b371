"""Read a history, whatever it comes as: labkit's own, a list of rows, a data frame or a CSV file."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from labkit.forecast import is_number
from labkit.messages import text
from labkit.training_length.result import TrainingLengthError
from labkit.training_length.rows import STEP_NAMES, is_columns, is_frame, read_numbers, read_rows

TRAIN_NAMES = ("train_loss", "training_loss", "loss_train", "loss")
VALIDATION_NAMES = ("validation_loss", "val_loss", "valid_loss", "eval_loss", "test_loss")
ACCURACY_NAMES = ("train_accuracy", "training_accuracy", "train_acc")


@dataclass(frozen=True)
class Curve:
    """One run's history.

    Attributes
    ----------
    steps : training steps done at each evaluation, increasing.
    columns : name → one number per evaluation (NaN or inf where the run diverged).
    config : the run's settings as far as known.
    gaps : name → the steps at which a column has no number, for columns that lack some.
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
    config = {} if is_frame(history) else getattr(history, "config", {})
    config = config.to_dict() if hasattr(config, "to_dict") else config
    rows = read_rows(history if is_frame(history) else getattr(history, "rows", history))
    numbers, problems = read_numbers(rows)
    name = next((n for n in STEP_NAMES if rows and n in rows[0]), None)
    if not rows:
        problems.append(text("training_length.no_rows"))
    elif name is None:
        known = ", ".join(map(str, rows[0]))
        problems.append(text("training_length.no_column", wanted=", ".join(STEP_NAMES), known=known))
    if problems:
        raise TrainingLengthError(problems)
    return _in_order(numbers, str(name), config)


def read_curves(histories: Any) -> list[Curve]:
    """Return the curves of one history or of several (a list, or a mapping from seed to history)."""
    if isinstance(histories, Mapping) and not is_columns(histories):
        histories = list(histories.values())
    many = isinstance(histories, list | tuple) and not (histories and isinstance(histories[0], Mapping))
    curves = [read_curve(one) for one in (histories if many else [histories])]
    if not curves:
        raise TrainingLengthError([text("training_length.no_histories")])
    return curves


def _in_order(numbers: Sequence[dict[str, float]], name: str, config: Mapping[str, Any]) -> Curve:
    """Return the curve of rows of numbers whose steps are in the column `name`."""
    steps = [row.get(name) for row in numbers]
    if not all(is_number(step) and step >= 0 for step in steps):
        raise TrainingLengthError([text("training_length.bad_steps", given=reprlib.repr(steps))])
    if not all(row[name].is_integer() for row in numbers):
        raise TrainingLengthError([text("training_length.fractional_steps", given=reprlib.repr(steps))])
    rows = sorted(_merged(_without_gaps(numbers, name), name), key=lambda row: row[name])
    whole = tuple(int(row[name]) for row in rows)
    if len(set(whole)) < len(whole):
        raise TrainingLengthError([text("training_length.bad_steps", given=reprlib.repr(steps))])
    keys = [key for key in dict.fromkeys(key for row in numbers for key in row) if key != name]
    gaps = {key: tuple(step for step, row in zip(whole, rows, strict=True) if key not in row) for key in keys}
    columns = {key: tuple(row[key] for row in rows) for key in keys if not gaps[key]}
    return Curve(whole, columns, config, {key: steps for key, steps in gaps.items() if steps})


def _without_gaps(rows: Sequence[dict[str, float]], name: str) -> list[dict[str, float]]:
    """Return the rows without the NaN that a data frame writes where nothing was recorded.

    A loss that is NaN stays NaN for the rest of the run. So where a number follows, or stands beside it at
    the same step, NaN means an empty cell. A column without any number is one that was not recorded, unless
    it is a loss.
    """
    last: dict[str, float] = {}  # column → the last step at which it has a number
    first_nan: dict[str, float] = {}
    for row in rows:
        for key, value in row.items():
            if math.isnan(value):
                first_nan[key] = min(row[name], first_nan.get(key, math.inf))
            else:
                last[key] = max(row[name], last.get(key, 0.0))
    empty = {
        key
        for key, step in first_nan.items()
        if step <= last.get(key, -1 if key.endswith("loss") else math.inf)
    }
    return [
        {key: value for key, value in row.items() if not (key in empty and math.isnan(value))} for row in rows
    ]


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


def named(metric: str, lang: str | None) -> str:
    """Return a figure's name in words: what is measured beside the training set is the validation loss."""
    return text("training_length.validation_loss", lang) if metric in VALIDATION_NAMES else metric
