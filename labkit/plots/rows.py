"""What the figures read: rows from anywhere, their columns checked, and simple sums over seeds."""

from __future__ import annotations

import math
import reprlib
import statistics
from collections.abc import Iterable, Mapping, Sequence
from numbers import Real
from typing import Any

from labkit.messages import text
from labkit.plots.given import refusal

Row = Mapping[str, Any]
_PARAMETRIZATIONS = ("standard", "mup")
_MOST_PROBLEMS = 10  # as many are listed; the others are counted


def rows_of(
    given: Any,
    function: str,
    columns: Sequence[str],
    lang: str | None = None,
    *,
    names: Sequence[str] = (),
    places: Sequence[str] = (),
) -> list[Row]:
    """Return the rows of a table: a list of dicts, something with `.rows`, or a DataFrame.

    Parameters
    ----------
    given : the table.
    function : name of the function that was called, for the message.
    columns : what every row must have, numbers.
    names : what every row must have, whatever it is.
    places : the columns that a row has in this order if it is a tuple or a list.

    Raises
    ------
    ValueError
        If there are no rows, or some lack a column or hold no number there: the first ones are named.
    """
    table = getattr(given, "rows", given)
    example = "{" + ", ".join(f'"{column}": …' for column in (*names, *columns)) + "}"
    if not isinstance(table, Iterable):
        expected = text("plots.expected_rows", lang, example=f"[{example}, …]")
        raise refusal(function, text("plots.argument", lang), given, expected, lang)
    rows: list[Any] = table.to_dict("records") if hasattr(table, "to_dict") else list(table)
    if places:
        rows = [
            dict(zip(places, row, strict=True))
            if isinstance(row, list | tuple) and len(row) == len(places)
            else row
            for row in rows
        ]
    if not rows:
        words = {"function": function, "what": text("plots.rows", lang), "example": f"[{example}, …]"}
        raise ValueError(text("plots.nothing_to_draw", lang, **words))
    problems = [p for place, row in enumerate(rows) for p in _problems(place, row, columns, names, lang)]
    if problems:
        hidden = len(problems) - _MOST_PROBLEMS
        more = [text("plots.more_problems", lang, count=hidden)] if hidden > 0 else []
        shown = [text("plots.bad_rows", lang, function=function), *problems[:_MOST_PROBLEMS], *more]
        raise ValueError("\n- ".join(shown))
    return rows


def _problems(
    place: int, row: Any, columns: Sequence[str], names: Sequence[str], lang: str | None
) -> list[str]:
    if not isinstance(row, Mapping):
        return [text("plots.no_row", lang, row=place, given=type(row).__name__)]
    if missing := [column for column in (*names, *columns) if column not in row]:
        known = ", ".join(map(str, row)) or "–"
        return [text("plots.row_lacks", lang, row=place, missing=", ".join(missing), known=known)]
    return [
        text("plots.no_number", lang, row=place, column=column, given=reprlib.repr(row[column]))
        for column in columns
        if not isinstance(row[column], Real)
    ]


def values_by(rows: Iterable[Row], key: str, value: str) -> dict[Any, list[float]]:
    """Return the values of one column, grouped by another: key → values, keys ascending."""
    groups: dict[Any, list[float]] = {}
    for row in rows:
        groups.setdefault(row[key], []).append(float(row[value]))
    return dict(sorted(groups.items()))


def parametrizations(rows: Sequence[Row]) -> list[str]:
    """Return the parametrisations in the rows, the usual two first; `[""]` if the rows name none."""
    found = {str(row.get("parametrization", "")) for row in rows}
    return [name for name in _PARAMETRIZATIONS if name in found] + sorted(found - set(_PARAMETRIZATIONS))


def belongs(row: Row, parametrization: str) -> bool:
    """Return whether a row is one of this parametrisation."""
    return str(row.get("parametrization", "")) == parametrization


def is_number(value: Any) -> bool:
    """Return whether a value is a finite number: a diverged run's loss is not, nor a missing one."""
    return isinstance(value, Real) and math.isfinite(value)


def mean(values: Iterable[float]) -> float:
    """Return the mean of the finite values, NaN if there are none."""
    finite = [value for value in values if is_number(value)]
    return statistics.fmean(finite) if finite else math.nan


def mean_if_all(values: Iterable[float]) -> float:
    """Return the mean, NaN if one of the values is (a setting that diverges for some seed is no choice)."""
    values = list(values)
    return statistics.fmean(values) if values and all(map(is_number, values)) else math.nan


def clear_sign(differences: Sequence[float]) -> int:
    """Return 1 or -1 if paired differences clearly lie on one side of zero, else 0.

    Clearly: there are at least two, all have the same sign, and their mean is more than two standard errors
    from zero.
    """
    finite = [d for d in differences if is_number(d)]
    if len(finite) < 2 or not (min(finite) > 0 or max(finite) < 0):
        return 0
    error = statistics.stdev(finite) / math.sqrt(len(finite))
    middle = statistics.fmean(finite)
    return 0 if abs(middle) <= 2 * error else (1 if middle > 0 else -1)
