"""Configs to sweep over, and what to read from the histories."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from labkit.config import Config, ConfigError
from labkit.forecast import is_number
from labkit.messages import text
from labkit.sweep.processes import SweepError
from labkit.train import History


def grid(config: Config, **values: Iterable[Any]) -> list[Config]:
    """Return a config for every combination of values, the last setting varying fastest.

    `grid(Config(), learning_rate=[1e-3, 3e-3], seed=range(3))` makes six.

    Parameters
    ----------
    config : has all other settings.
    values : by name of the setting, the values to try.

    Raises
    ------
    ConfigError
        If a setting is unknown, has no values, or has one that cannot be used; lists every one.
    """
    lists = {key: _listed(given) for key, given in values.items()}
    problems = [text("sweep.no_values", key=key) for key, listed in lists.items() if not listed]
    known, configs = config.to_dict(), []
    for chosen in itertools.product(*(listed or [known.get(key)] for key, listed in lists.items())):
        try:
            configs.append(type(config).from_dict(known | dict(zip(lists, chosen, strict=True))))
        except ConfigError as error:
            problems += [problem for problem in error.problems if problem not in problems]
    if problems:
        raise ConfigError(problems)
    return configs


def steps_to(history: History | Sequence[Mapping[str, float]], metric: str, value: float) -> int | None:
    """Return the step of the first evaluation at which a figure was as good as `value`, None if none was.

    Parameters
    ----------
    history : of a run, or its rows.
    metric : a figure of the rows, such as "test_loss". One whose name ends in "accuracy" is good when it is
        at least `value`, any other when it is at most `value`.

    Raises
    ------
    KeyError
        If the rows have no such figure, or no "step"; lists those they have.
    SweepError
        If `history` is none, or `value` is no number.
    """
    rows = history.rows if isinstance(history, History) else history
    problems = []
    if not isinstance(rows, Sequence) or not all(isinstance(row, Mapping) for row in rows):
        problems.append(text("sweep.not_rows", given=repr(history)[:60]))
    if not is_number(value):
        problems.append(text("sweep.bad_value", given=repr(value)[:60]))
    if problems:
        raise SweepError(problems)
    for row in rows:
        for name in (metric, "step"):
            if name not in row:
                raise KeyError(text("sweep.unknown_metric", metric=name, known=", ".join(row)))
        reached = row[metric] >= value if metric.endswith("accuracy") else row[metric] <= value
        if reached:
            return int(row["step"])
    return None


def _listed(given: Iterable[Any]) -> list[Any]:
    """Return the values as a list, none for what is not a series of values."""
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        return []
    return list(given)
