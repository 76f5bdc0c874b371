"""Read the rows of a table, whatever it comes as, and the numbers that stand in them."""

from __future__ import annotations

import csv
import math
import os
import reprlib
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from labkit.messages import text
from labkit.training_length.result import TrainingLengthError, shortened

STEP_NAMES = ("step", "steps", "iteration")

Row = dict[str, Any]


def read_rows(table: Any) -> list[Row]:
    """Return the rows of a list of dicts, a data frame, a mapping of columns, or a CSV file.

    Raises
    ------
    TrainingLengthError
        If it is none of these, if two columns share a name, or if columns are not equally long.
    """
    if isinstance(table, str | os.PathLike):
        return _read_csv(Path(table))
    if is_frame(table):
        problems = _same_names(table.columns)
        if problems:
            raise TrainingLengthError(problems)
        return [dict(row) for row in (table.to_dicts() if _is_polars(table) else table.to_dict("records"))]
    if isinstance(table, Mapping) and is_columns(table):
        return _from_columns(table)
    if isinstance(table, Iterable) and not isinstance(table, Mapping):
        rows = list(table)
        if all(isinstance(row, Mapping) for row in rows):
            return [dict(row) for row in rows]
    raise TrainingLengthError([text("training_length.not_a_history", given=reprlib.repr(table))])


def is_frame(table: Any) -> bool:
    """Say whether this is a data frame, of pandas or of polars."""
    return hasattr(table, "columns") and (_is_polars(table) or hasattr(table, "to_dict"))


def is_columns(table: Mapping[Any, Any]) -> bool:
    """Say whether a mapping holds columns of numbers, {"step": [...], "test_loss": [...]}."""
    return any(name in table for name in STEP_NAMES)


def is_missing(value: Any) -> bool:
    """Say whether a cell is empty, in whatever way the table's library writes that."""
    if isinstance(value, str):
        return not value.strip()
    nan = isinstance(value, float) and math.isnan(value)
    return value is None or nan or type(value).__name__ == "NAType"  # pandas.NA


def read_numbers(rows: Sequence[Mapping[Any, Any]]) -> tuple[list[dict[str, float]], list[str]]:
    """Return the numbers of each row, NaN included, and what is wrong with the rest.

    Wrong is a step or a loss that is text but no number, or too large for a float; other text is left out.
    """
    problems: list[str] = []
    numbers = [_numbers(row, place, problems) for place, row in enumerate(rows, 1)]
    return numbers, shortened(problems)


def _numbers(row: Mapping[Any, Any], place: int, problems: list[str]) -> dict[str, float]:
    numbers: dict[str, float] = {}
    for key, value in row.items():
        if isinstance(value, bool) or (is_missing(value) and not isinstance(value, float)):
            continue
        try:
            numbers[str(key)] = float(value)
        except (TypeError, ValueError):
            if _counts(key):
                given = reprlib.repr(value)
                problems.append(text("training_length.not_a_number", row=place, column=key, given=given))
        except OverflowError:
            if _counts(key):
                problems.append(text("training_length.too_large", row=place, column=key))
    return numbers


def _counts(column: Any) -> bool:
    """Say whether a column is one that must hold numbers."""
    return str(column) in STEP_NAMES or str(column).endswith("loss")


def _is_polars(table: Any) -> bool:
    return hasattr(table, "to_dicts")


def _from_columns(table: Mapping[Any, Any]) -> list[Row]:
    columns = {name: _listed(values) for name, values in table.items()}
    lengths = {name: len(values) for name, values in columns.items()}
    if len(set(lengths.values())) > 1:
        shown = ", ".join(f"{name}: {length}" for name, length in lengths.items())
        raise TrainingLengthError([text("training_length.unequal_columns", lengths=shown)])
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _listed(values: Any) -> list[Any]:
    """Return a column as a list, a single value as a list of one."""
    return [values] if isinstance(values, str) or not isinstance(values, Iterable) else list(values)


def _read_csv(path: Path) -> list[Row]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            head = file.readline()
            file.seek(0)
            lines = list(csv.reader(file, delimiter=max(",;\t", key=head.count)))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise TrainingLengthError(
            [text("training_length.cannot_read", path=str(path), reason=str(error))]
        ) from None
    lines = [line for line in lines if line]
    names = [name.strip() for name in lines[0]] if lines else []
    problems = [
        text("training_length.cells_too_many", row=place, cells=len(line), columns=len(names))
        for place, line in enumerate(lines[1:], 1)
        if len(line) > len(names)
    ]
    problems = [*_same_names(name for name in names if name), *shortened(problems)]
    if problems:
        raise TrainingLengthError(problems)
    return [dict(zip(names, line, strict=False)) for line in lines[1:]]  # a short line has empty cells


def _same_names(names: Iterable[Hashable]) -> list[str]:
    twice = [str(name) for name, count in Counter(names).items() if count > 1]
    return [text("training_length.same_names", columns=", ".join(twice))] if twice else []
