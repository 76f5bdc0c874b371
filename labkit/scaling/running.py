"""Run every size with every seed, keep what is finished, and say how long the rest will take."""

from __future__ import annotations

import json
import math
import numbers
import os
import reprlib
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

from labkit.messages import duration, text
from labkit.scaling.table import Row, Seed, TableError

Train = Callable[[Any, Any], Mapping[str, Any] | float]


def run(
    train: Train,
    sizes: Sequence[float],
    seeds: Sequence[Seed],
    *,
    progress: bool = True,
    forecast: Mapping[float, float] | None = None,
    path: str | os.PathLike[str] | None = None,
) -> list[Row]:
    """Train every size with every seed and return one row for each run, ready for `trend`.

    All sizes are run with the first seed, then all with the second, so that an interrupted study still is a
    fair one.

    Parameters
    ----------
    train : called as `train(size, seed)`; returns the run's figures as a dict such as {"loss": 1.9,
        "parameters": 12000}, or the loss alone. NaN or infinity says that the run diverged.
    sizes, seeds : all different.
    progress : whether to show a bar with the time that is left.
    forecast : size → seconds of one run, as measured before. Without it the time left is known once each size
        was run.
    path : a file to keep each row in as soon as it is finished, one JSON object a line. Run again with the
        same file, finished runs are not repeated. An exception from `train` ends the study; what was finished
        stays in the file.

    Returns
    -------
    list[Row]
        "size", "seed", the figures, and "seconds", the time the run took.

    Raises
    ------
    TableError
        Listing every argument that cannot be used; or `train` returned neither a dict nor a number, or the
        file holds something else than such rows.
    """
    _check(train, sizes, seeds)
    file = None if path is None else Path(path)
    rows = {(row["size"], row["seed"]): row for row in _finished(file)}
    wanted = [(size, seed) for seed in seeds for size in sizes]
    left = [key for key in wanted if key not in rows]
    with _bar(len(wanted), len(wanted) - len(left), progress) as bar:
        for place, (size, seed) in enumerate(left):
            bar.set_postfix_str(_time_left(left[place:], rows.values(), forecast or {}))
            start = perf_counter()
            figures = _figures(train(size, seed))
            row = {"size": size, "seed": seed, "seconds": perf_counter() - start} | figures
            rows[size, seed] = row
            if file is not None:
                _append(file, row)
            bar.update()
        bar.set_postfix_str("")
    return [rows[key] for key in wanted]


def _bar(total: int, done: int, progress: bool) -> Any:
    from tqdm.auto import tqdm

    return tqdm(total=total, initial=done, disable=not progress, unit="run")


def _time_left(left: list[tuple[float, Seed]], rows: Iterable[Row], forecast: Mapping[float, float]) -> str:
    """Return the time for the runs that are left, empty as long as one of their sizes is unknown."""
    measured: dict[float, list[float]] = {}
    for row in rows:
        measured.setdefault(row["size"], []).append(row["seconds"])
    each = dict(forecast) | {size: statistics.fmean(seconds) for size, seconds in measured.items()}
    if any(size not in each for size, _ in left):
        return ""
    return text("scaling.time_left", time=duration(math.fsum(each[size] for size, _ in left)))


def _figures(result: object) -> dict[str, Any]:
    if isinstance(result, Mapping):
        return dict(result)
    if type(result) is not bool and isinstance(result, numbers.Real):
        return {"loss": float(result)}
    raise TableError([text("scaling.bad_result", given=reprlib.repr(result))])


def _finished(file: Path | None) -> list[Row]:
    """Return the rows of an earlier call; a last line cut off by a kill is removed from the file."""
    if file is None or not file.exists():
        return []
    content = file.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    try:
        rows = [json.loads(line) for line in whole.decode("utf-8").splitlines()]
    except ValueError:
        rows = [None]
    if not all(isinstance(row, dict) and {"size", "seed", "seconds"} <= row.keys() for row in rows):
        raise TableError([text("scaling.bad_file", path=file)])
    if whole != content:
        file.write_bytes(whole)
    return rows


def _append(file: Path, row: Row) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("ab") as stream:
        stream.write(json.dumps(row, default=float).encode("utf-8") + b"\n")
        stream.flush()
        os.fsync(stream.fileno())


def _check(train: object, sizes: Sequence[Any], seeds: Sequence[Any]) -> None:
    """Raise TableError listing every argument that cannot be used."""
    problems = []
    if not callable(train):
        problems.append(text("scaling.bad_train", given=reprlib.repr(train)))
    if not sizes or len(set(sizes)) < len(sizes) or not all(map(_is_size, sizes)):
        problems.append(text("scaling.bad_sizes", given=reprlib.repr(sizes)))
    if not seeds or len(set(seeds)) < len(seeds) or not all(type(seed) in (int, str) for seed in seeds):
        problems.append(text("scaling.bad_seeds", given=reprlib.repr(seeds)))
    if problems:
        raise TableError(problems)


def _is_size(size: object) -> bool:
    return type(size) is not bool and isinstance(size, int | float) and 0 < size < math.inf
