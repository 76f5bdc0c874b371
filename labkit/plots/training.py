"""The loss against the step, for one run or for several seeds."""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from matplotlib.lines import Line2D

from labkit.messages import number, text
from labkit.plots.figure import PALETTE, PlotFigure, in_style, new_figure, short, value_axis
from labkit.plots.given import need, refusal
from labkit.plots.rows import is_number

Curve = list[tuple[float, float]]

if TYPE_CHECKING:
    from labkit.train import History

    Rows = Sequence[Mapping[str, Any]]


@in_style
def losses(
    histories: Mapping[str, History | Rows | Sequence[History | Rows]],
    column: str = "train_loss",
    lang: str | None = None,
) -> PlotFigure:
    """Draw a loss against the step.

    Parameters
    ----------
    histories : label → one run (a `History` or its rows), or a list of runs that differ only in the seed:
        these are drawn as thin lines with their mean as a thick one.
    column : the loss to draw, as it is called in the rows: `"train_loss"`, `"test_loss"`.

    Raises
    ------
    ValueError
        If `histories` is empty or no mapping, a run is empty or none, or the rows do not have that column.
    """
    need(histories, "plots.losses", "History", "{'baseline': history}", lang)
    curves = {
        label: [_curve(run, column, lang) for run in _runs(label, value, lang)]
        for label, value in histories.items()
    }
    curves = {label: runs for label, runs in curves.items() if runs}
    need(curves, "plots.losses", "History", "{'baseline': history}", lang)
    means = {label: _mean_curve(runs) for label, runs in curves.items()}
    shown = column.replace("_", " ")
    figure, (axes,) = new_figure(_title(means, shown, lang))
    several = any(len(runs) > 1 for runs in curves.values())
    thick: list[Line2D] = []
    lines = itertools.product(("-", "--", ":"), PALETTE[:-1])
    for (line, colour), (label, runs) in zip(itertools.cycle(lines), curves.items(), strict=False):
        for run in runs if len(runs) > 1 else []:
            axes.plot(*zip(*run, strict=True), color=colour, lw=0.8, alpha=0.5, ls=line)
        thick += axes.plot(*zip(*means[label], strict=True), color=colour, lw=2.2, ls=line)
    axes.set_xlabel(text("plots.losses.step_axis_seeds" if several else "plots.step_axis", lang))
    axes.set_ylabel(value_axis(column, lang))
    if len(curves) > 1 or several:
        axes.legend(thick, [short(label) for label in curves])
    return figure


def _title(means: Mapping[str, Curve], column: str, lang: str | None) -> str:
    """Return what the mean curves show: label → (step, loss), the steps ascending."""
    ends = {label: curve[-1][1] for label, curve in means.items()}
    diverged = [label for label, end in ends.items() if not is_number(end)]
    if len(means) == 1:
        (curve,) = means.values()
        if diverged:
            step = next(step for step, loss in curve if not is_number(loss))
            return text("plots.losses.title_diverged", lang, column=column, step=number(step))
        (_, first), (steps, last) = curve[0], curve[-1]
        which = "title_falls" if last < first else "title_does_not_fall"
        values = {"first": number(first), "last": number(last), "steps": number(steps)}
        return text(f"plots.losses.{which}", lang, column=column, **values)
    if len(diverged) == len(means):
        return text("plots.losses.title_all_diverged", lang, column=column)
    lowest = min(end for label, end in ends.items() if label not in diverged)
    best = [label for label, end in ends.items() if math.isclose(end, lowest, rel_tol=1e-9)]
    if len(best) == len(means):
        return text("plots.losses.title_equal", lang, column=column, last=number(lowest))
    labels = {"label": ", ".join(map(short, best)), "diverged": ", ".join(map(short, diverged))}
    which = "title_several_diverged" if diverged else "title_several"
    return text(f"plots.losses.{which}", lang, column=column, last=number(lowest), **labels)


def _runs(label: str, value: Any, lang: str | None) -> list[Any]:
    """Return the runs behind one label: one, or several seeds."""
    if hasattr(value, "rows"):
        return [value]
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise refusal("plots.losses", f"“{label}”", value, text("plots.losses.expected", lang), lang)
    runs = list(value)
    return [runs] if runs and isinstance(runs[0], Mapping) else runs


def _curve(run: Any, column: str, lang: str | None) -> Curve:
    rows = list(getattr(run, "rows", run))
    known = sorted({key for row in rows for key in row})
    if column not in known:
        raise ValueError(text("plots.no_such_column", lang, column=column, known=", ".join(known) or "–"))
    return [(row["step"], row[column]) for row in rows if column in row]


def _mean_curve(runs: list[Curve]) -> Curve:
    """Return the mean over the runs at every step that all of them have (or the first run if none)."""
    tables = [dict(run) for run in runs]
    common = [step for step, _ in runs[0] if all(step in t for t in tables)]
    return [(step, statistics.fmean(t[step] for t in tables)) for step in common] or runs[0]
