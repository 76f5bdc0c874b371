"""Read a table of runs, (size, seed, metric), from whatever form it comes in, or say all that is wrong."""

from __future__ import annotations

import math
import numbers
import reprlib
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labkit.forecast import is_number
from labkit.messages import number, text

Row = dict[str, Any]
Seed = int | str
Key = tuple[float, Seed]
_SHOWN = 6  # as many rows, seeds or sizes as one sentence bears
_LARGEST = 1e100  # of a metric: squares of it are still numbers


class TableError(ValueError):
    """A table that allows no verdict, or a study that cannot be run.

    Attributes
    ----------
    problems : everything that is wrong, one sentence each.
    title : id of the message above them.
    rows : the finished runs of a study that was ended by this.
    """

    rows: Sequence[Row] = ()

    def __init__(self, problems: Sequence[str], title: str = "scaling.error_title") -> None:
        self.problems = list(problems)
        self.title = title
        super().__init__("\n".join([text(title), *(f"- {p}" for p in self.problems)]))

    def __reduce__(self) -> tuple[type[TableError], tuple[list[str], str], dict[str, Any]]:
        return type(self), (self.problems, self.title), {"rows": self.rows}

    def _render_traceback_(self) -> list[str]:
        """Show the message alone in a notebook: the fault is in the table, not in the code."""
        return str(self).splitlines()


@dataclass(frozen=True)
class Table:
    """A complete grid of runs: every size with every seed.

    Attributes
    ----------
    sizes : rising.
    seeds : those whose runs ended well at every size, in the order of the table.
    values : shape (sizes, seeds).
    diverged : the rows whose value is NaN or infinite. Their seeds are left out at every size, so that what
        is compared stays paired; the rows are shown with the verdict.
    sorted_for_you : whether the sizes did not stand in rising order.
    """

    sizes: tuple[float, ...]
    seeds: tuple[Seed, ...]
    values: NDArray[np.float64]
    diverged: tuple[Row, ...]
    sorted_for_you: bool


def read(
    tables: Mapping[str, Any],
    metric: str,
    size: str,
    level: float,
    *,
    fewest_sizes: int = 2,
    other_problems: Sequence[str] = (),
) -> list[Table]:
    """Return the tables as grids over the same sizes and seeds.

    Parameters
    ----------
    tables : name → a list of rows (dicts), a list of (size, seed, value), or a DataFrame (pandas or polars).
        With one table the name does not matter; with several it is said which one a fault is in.
    metric, size : the names of the columns.
    level : checked here, so that all faults are listed together.
    fewest_sizes : how many sizes the question needs.
    other_problems : what was found wrong elsewhere, to be listed with the rest.

    Raises
    ------
    TableError
        Listing everything that is wrong with any of them.
    """
    problems = list(other_problems)
    if not (is_number(level) and 0.5 <= level < 1):
        problems.append(text("scaling.bad_level", given=reprlib.repr(level)))
    grids = []
    for name, given in tables.items():
        found, cells = _cells(given, metric, size)
        found = found or _grid_problems(cells, fewest_sizes)
        problems += [text("scaling.in_table", name=name, problem=p) if len(tables) > 1 else p for p in found]
        grids.append(cells)
    problems = problems or _differences(list(tables), grids)
    if problems:
        raise TableError(problems)
    lost = {seed for cells in grids for (_, seed), value in cells.items() if not math.isfinite(value)}
    seeds = tuple(seed for seed in _seeds(grids[0]) if seed not in lost)
    if len(seeds) < 2:
        rows = [_place(key) for cells in grids for key, value in cells.items() if not math.isfinite(value)]
        raise TableError([text("scaling.too_many_diverged", rows=_some(rows), left=len(seeds))])
    return [_table(cells, seeds, metric) for cells in grids]


def _table(cells: Mapping[Key, float], seeds: tuple[Seed, ...], metric: str) -> Table:
    sizes = _sizes(cells)
    bad = [(key, value) for key, value in cells.items() if not math.isfinite(value)]
    return Table(
        sizes=tuple(sorted(sizes)),
        seeds=seeds,
        values=np.array([[cells[size, seed] for seed in seeds] for size in sorted(sizes)]),
        diverged=tuple({"size": size, "seed": seed, metric: value} for (size, seed), value in bad),
        sorted_for_you=sizes != sorted(sizes),
    )


def _cells(given: Any, metric: str, size: str) -> tuple[list[str], dict[Key, float]]:
    """Return what is wrong with the rows, and the value of each (size, seed) that is not."""
    rows = _rows(given, metric, size)
    if rows is None:
        return [text("scaling.not_a_table", given=reprlib.repr(given), metric=metric)], {}
    if not rows:
        return [text("scaling.empty", metric=metric)], {}
    known = dict.fromkeys(str(key) for row in rows for key in row)
    absent = [column for column in (size, "seed", metric) if column not in known]
    if absent:
        return [text("scaling.no_column", column=c, known=_some(known)) for c in absent], {}
    problems, keys, cells = [], Counter[Key](), {}
    for place, row in enumerate(rows, start=1):
        found, key, value = _cell(row, metric, size)
        problems += [text("scaling.in_row", row=place, problem=p) for p in found]
        if not found:
            keys[key] += 1
            cells[key] = value
    twice = [_place(key) for key, count in keys.items() if count > 1]
    if twice:
        problems.append(text("scaling.duplicates", rows=_some(twice)))
    more = len(problems) - _SHOWN
    return problems[:_SHOWN] + ([text("scaling.more", count=more)] if more > 0 else []), cells


def _rows(given: Any, metric: str, size: str) -> list[Mapping[str, Any]] | None:
    """Return the rows as mappings, None if this is no table."""
    if hasattr(given, "to_dicts"):  # polars
        given = given.to_dicts()
    elif hasattr(given, "to_dict") and hasattr(given, "columns"):  # pandas
        given = given.to_dict("records")
    elif getattr(getattr(given, "dtype", None), "names", None):  # an array of records, or a DataFrame's
        given = list(given.reshape(-1))
    elif hasattr(given, "tolist"):  # an array with the three as its columns
        given = given.tolist()
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        return None
    rows: list[Mapping[str, Any]] = []
    for row in given:
        names = getattr(getattr(row, "dtype", None), "names", None)
        if isinstance(row, Mapping):
            rows.append(row)
        elif hasattr(row, "_asdict"):  # a named tuple
            rows.append(row._asdict())
        elif names:  # a record of numpy
            rows.append(dict(zip(names, row.tolist(), strict=True)))
        elif hasattr(row, "keys"):  # of a database, or a Series
            rows.append({name: row[name] for name in row.keys()})  # noqa: SIM118 - iterating gives values
        elif isinstance(row, Sequence) and not isinstance(row, str) and len(row) == 3:
            rows.append(dict(zip((size, "seed", metric), row, strict=True)))
        else:
            return None
    return rows


def _cell(row: Mapping[str, Any], metric: str, size: str) -> tuple[list[str], Key, float]:
    problems = []
    at, seed, value = (_plain(row.get(column)) for column in (size, "seed", metric))
    if not isinstance(at, int | float) or not 0 < at <= sys.float_info.max:
        problems.append(text("scaling.bad_size", column=size, given=reprlib.repr(row.get(size))))
    if not isinstance(seed, int | str):
        problems.append(text("scaling.bad_seed", given=reprlib.repr(row.get("seed"))))
    if isinstance(value, str) or not isinstance(value, int | float):
        problems.append(text("scaling.bad_value", column=metric, given=reprlib.repr(row.get(metric))))
    elif _LARGEST < abs(value) < math.inf:
        problems.append(text("scaling.too_large", column=metric, given=reprlib.repr(row.get(metric))))
    return problems, (at, seed), math.nan if problems else float(value)


def unwrapped(value: Any) -> Any:
    """Return a scalar of numpy, torch or the like as Python's own, anything else as it is."""
    return value.item() if getattr(value, "ndim", None) == 0 and hasattr(value, "item") else value


def _plain(value: Any) -> Any:
    """Return any number as Python's, a whole one as int; None for a bool."""
    value = unwrapped(value)
    if isinstance(value, bool):
        return None
    if isinstance(value, numbers.Real):
        try:
            real = float(value)
        except OverflowError:  # a whole number of over 308 digits
            return value
        return int(real) if real.is_integer() else real
    return value


def _grid_problems(cells: Mapping[Key, float], fewest_sizes: int) -> list[str]:
    """Say what keeps these runs from being a grid of enough sizes and seeds."""
    sizes, seeds = _sizes(cells), _seeds(cells)
    problems = []
    if len(sizes) < fewest_sizes:
        which = "scaling.one_size" if len(sizes) == 1 else "scaling.few_sizes"
        problems.append(text(which, size=number(sizes[0]), count=len(sizes), least=fewest_sizes))
    if len(seeds) == 1:
        problems.append(text("scaling.one_seed", seed=seeds[0]))
    for at in sorted(sizes):
        missing = [str(seed) for seed in seeds if (at, seed) not in cells]
        if missing:
            problems.append(text("scaling.missing_seeds", size=number(at), seeds=_some(missing)))
    if not problems and all(len({cells[at, seed] for seed in seeds}) == 1 for at in sizes):
        problems.append(text("scaling.seeds_do_nothing", seeds=_some(map(str, seeds))))
    return problems


def _differences(names: list[str], grids: list[dict[Key, float]]) -> list[str]:
    """Say in what sizes and seeds the tables differ from the first."""
    problems = []
    for name, cells in zip(names[1:], grids[1:], strict=True):
        for which, values in (("sizes", _sizes), ("seeds", _seeds)):
            ours, theirs = set(values(grids[0])), set(values(cells))
            if ours != theirs:
                odd = [str(v) for v in [*values(grids[0]), *values(cells)] if (v in ours) != (v in theirs)]
                problems.append(text(f"scaling.other_{which}", first=names[0], second=name, odd=_some(odd)))
    return problems


def _sizes(cells: Mapping[Key, float]) -> list[float]:
    return list(dict.fromkeys(size for size, _ in cells))


def _seeds(cells: Mapping[Key, float]) -> list[Seed]:
    return list(dict.fromkeys(seed for _, seed in cells))


def _place(key: Key) -> str:
    return text("scaling.place", size=number(key[0]), seed=key[1])


def _some(names: Iterable[str]) -> str:
    listed = list(names)
    return ", ".join(listed[:_SHOWN]) + (", …" if len(listed) > _SHOWN else "")
