"""The loss against the step, for one run or for several seeds."""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from matplotlib.lines import Line2D

from labkit.messages import number, text
from labkit.plots.figure import PALETTE, PlotFigure, in_style, need, new_figure, short

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
        If `histories` or one of the runs is empty, or the rows do not have that column.
    """
    curves = {
        label: [_curve(run, column, lang) for run in _runs(value)] for label, value in histories.items()
    }
    curves = {label: runs for label, runs in curves.items() if runs}
    need(curves, "plots.losses", "History", "{'baseline': history}", lang)
    means = {label: _mean_curve(runs) for label, runs in curves.items()}
    shown = column.replace("_", " ")
    best = min(means, key=lambda label: means[label][-1][1])
    (_, first), (steps, last) = means[best][0], means[best][-1]
    if len(means) > 1:
        title = text("plots.losses.title_several", lang, column=shown, label=short(best), last=number(last))
    else:
        which = "plots.losses.title_falls" if last < first else "plots.losses.title_does_not_fall"
        values = {"first": number(first), "last": number(last), "steps": number(steps)}
        title = text(which, lang, column=shown, **values)
    figure, (axes,) = new_figure(title)
    several = any(len(runs) > 1 for runs in curves.values())
    thick: list[Line2D] = []
    lines = itertools.product(("-", "--", ":"), PALETTE[:-1])
    for (line, colour), (label, runs) in zip(itertools.cycle(lines), curves.items(), strict=False):
        for run in runs if len(runs) > 1 else []:
            axes.plot(*zip(*run, strict=True), color=colour, lw=0.8, alpha=0.5, ls=line)
        thick += axes.plot(*zip(*means[label], strict=True), color=colour, lw=2.2, ls=line)
    axes.set_xlabel(text("plots.losses.step_axis_seeds" if several else "plots.step_axis", lang))
    axes.set_ylabel(text("plots.losses.value_axis", lang, column=shown))
    if len(curves) > 1 or several:
        axes.legend(thick, [short(label) for label in curves])
    return figure


def _runs(value: Any) -> list[Any]:
    """Return the runs behind one label: one, or several seeds."""
    if hasattr(value, "rows"):
        return [value]
    runs = list(value)
    return [runs] if runs and isinstance(runs[0], Mapping) else runs


def _curve(run: Any, column: str, lang: str | None) -> list[tuple[float, float]]:
    rows = list(getattr(run, "rows", run))
    known = sorted({key for row in rows for key in row})
    if column not in known:
        raise ValueError(text("plots.no_such_column", lang, column=column, known=", ".join(known) or "–"))
    return [(row["step"], row[column]) for row in rows if column in row]


def _mean_curve(runs: list[list[tuple[float, float]]]) -> list[tuple[float, float]]:
    """Return the mean over the runs at every step that all of them have (or the first run if none)."""
    tables = [dict(run) for run in runs]
    common = [step for step, _ in runs[0] if all(step in t for t in tables)]
    return [(step, statistics.fmean(t[step] for t in tables)) for step in common] or runs[0]
