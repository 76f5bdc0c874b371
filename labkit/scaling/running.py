"""Run every size with every seed, keep what is finished, and say how long the rest will take."""

from __future__ import annotations

import contextlib
import inspect
import math
import numbers
import os
import reprlib
import statistics
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from labkit.forecast import is_number
from labkit.messages import duration, text
from labkit.scaling.keeping import TITLE, RowFile
from labkit.scaling.table import Row, Seed, TableError, unwrapped

Train = Callable[[Any, Any], Mapping[str, Any] | float]


class _Study(NamedTuple):
    """What is to be run, as plain data."""

    sizes: list[float]
    seeds: list[Seed]
    forecast: dict[float, float]
    file: Path | None


def run(
    train: Train,
    sizes: Iterable[float],
    seeds: Iterable[Seed],
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
        "parameters": 12000}, or the loss alone. NaN or infinity says that the run diverged. The dict may hold
        text and lists too; arrays are kept as lists.
    sizes, seeds : all different: lists, ranges or arrays.
    progress : whether to show a bar with the time that is left.
    forecast : size → seconds of one run, as measured before. Without it the time left is known once each size
        was run.
    path : a file to keep each row in as soon as it is finished, one JSON object a line. Run again with the
        same file, finished runs are not repeated; two processes may share one. An exception from `train` ends
        the study; what was finished stays in the file.

    Returns
    -------
    list[Row]
        "size", "seed", the figures, and "seconds", the time the run took.

    Raises
    ------
    TableError
        Before the first run, listing every argument that cannot be used, or because the file cannot be
        written or holds something else than such rows. After a run: `train` returned neither a dict nor a
        number, a size or seed that is not the run's, or a value that cannot be kept; or the disk is full.
        `.rows` of the error then holds the rows of all finished runs.
    """
    study = _checked(train, sizes, seeds, forecast, path)
    sizes, seeds, forecast, file = study.sizes, study.seeds, study.forecast, study.file
    kept = None if file is None else RowFile(file)
    rows = dict(kept.rows()) if kept else {}
    wanted = [(size, seed) for seed in seeds for size in sizes]
    left = [key for key in wanted if key not in rows]
    with _bar(len(wanted), len(wanted) - len(left), progress) as bar, _handing_over(rows):
        for place, (size, seed) in enumerate(left):
            bar.set_postfix_str(_time_left(left[place:], rows.values(), forecast))
            if kept and (size, seed) in kept.rows():  # another process was faster
                rows[size, seed] = kept.rows()[size, seed]
            else:
                start = perf_counter()
                figures = _figures(train(size, seed), size, seed)
                row = {"size": size, "seed": seed, "seconds": perf_counter() - start} | figures
                rows[size, seed] = row
                if kept:
                    rows[size, seed] = kept.append(row)
            bar.update()
        bar.set_postfix_str("")
    return [rows[key] for key in wanted]


@contextlib.contextmanager
def _handing_over(rows: Mapping[Any, Row]) -> Iterator[None]:
    """Put all finished rows into the error that ends a study."""
    try:
        yield
    except TableError as error:
        error.rows = list(rows.values())
        raise


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


def _figures(result: object, size: float, seed: Seed) -> dict[str, Any]:
    """Return what a run gave as plain data, or raise TableError listing everything that cannot be kept."""
    result = unwrapped(result)
    if type(result) is not bool and isinstance(result, numbers.Real):
        result = {"loss": result}
    if not isinstance(result, Mapping):
        raise TableError([text("scaling.bad_result", given=reprlib.repr(result))], TITLE)
    figures, problems = {}, []
    for key, value in result.items():
        try:
            figures[str(key)] = _plain(value)
        except TypeError:
            problems.append(text("scaling.not_plain", key=key, kind=type(value).__name__))
        except OverflowError:
            problems.append(text("scaling.too_large", column=key, given=reprlib.repr(value)))
    problems += [
        text("scaling.not_its_own", key=key, given=reprlib.repr(figures[key]), own=own)
        for key, own in (("size", size), ("seed", seed))
        if key in figures and figures[key] != own
    ]
    problems += [
        text("scaling.bad_value", column=key, given=reprlib.repr(result[key]))
        for key in ("loss", "seconds")
        if key in figures and (type(figures[key]) is bool or not isinstance(figures[key], int | float))
    ]
    if problems:
        raise TableError(problems, TITLE)
    return figures


def _plain(value: Any) -> Any:
    """Return a value as JSON keeps it; TypeError if it does not, OverflowError beyond a float."""
    value = value.tolist() if hasattr(value, "tolist") else value
    if type(value) is int:
        float(value)
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    if isinstance(value, numbers.Real):
        return float(value)
    raise TypeError(type(value).__name__)


def _checked(train: object, sizes: object, seeds: object, forecast: object, path: object) -> _Study:
    """Return the arguments as plain data, or raise TableError listing every one that cannot be used."""
    size_list, seed_list = _listed(sizes), _listed(seeds)
    problems = []
    if not callable(train):
        problems.append(text("scaling.bad_train", given=reprlib.repr(train)))
    elif not _takes_two(train):
        problems.append(text("scaling.train_arguments", given=f"{_name(train)}{inspect.signature(train)}"))
    if not all(map(_is_size, size_list)) or not _all_different(size_list):
        problems.append(text("scaling.bad_sizes", given=reprlib.repr(sizes)))
    if not all(type(seed) in (int, str) for seed in seed_list) or not _all_different(seed_list):
        problems.append(text("scaling.bad_seeds", given=reprlib.repr(seeds)))
    times = {unwrapped(key): unwrapped(value) for key, value in _items(forecast)}
    if not isinstance(forecast, Mapping | None) or not all(is_number(s) and s >= 0 for s in times.values()):
        problems.append(text("scaling.bad_forecast", given=reprlib.repr(forecast)))
    if path is not None and not (path and _is_path(path)):
        problems.append(text("scaling.bad_path", given=reprlib.repr(path)))
    if problems:
        raise TableError(problems, TITLE)
    return _Study(size_list, seed_list, times, None if path is None else Path(path))  # type: ignore[arg-type]


def _listed(given: object) -> list[Any]:
    """Return the values as a list, none for what is not a series of values."""
    given = unwrapped(given)
    several = isinstance(given, Iterable) and not isinstance(given, str | bytes | Mapping)
    return [unwrapped(value) for value in given] if several else []  # type: ignore[attr-defined]


def _items(forecast: object) -> Iterable[tuple[Any, Any]]:
    return forecast.items() if isinstance(forecast, Mapping) else ()


def _is_path(path: object) -> bool:
    return isinstance(path, str | os.PathLike) and isinstance(os.fspath(path), str)


def _takes_two(train: Callable[..., object]) -> bool:
    """Say whether `train(size, seed)` is a possible call, as far as its signature is known."""
    try:
        inspect.signature(train).bind(None, None)
    except TypeError:
        return False
    except ValueError:  # written in C
        return True
    return True


def _name(train: object) -> str:
    return getattr(train, "__name__", type(train).__name__)


def _all_different(values: list[Any]) -> bool:
    return 0 < len(values) == len(set(values))


def _is_size(size: object) -> bool:
    return type(size) is not bool and isinstance(size, int | float) and 0 < size <= sys.float_info.max
