"""The figure of an upscaled model against one from scratch, with the small network's cost and without."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from labkit.messages import number, text
from labkit.plots.figure import (
    BLUE,
    GREY,
    ORANGE,
    PlotFigure,
    in_style,
    panel_title,
    plain_ticks,
    power_of_thousand,
    small_multiples,
)
from labkit.plots.rows import Row, clear_sign, mean, mean_if_all, rows_of, values_by

_WIDE = 20  # losses further apart than this factor are drawn on a logarithmic axis
_COLOURS = {"scratch": ORANGE, "upscaled": BLUE}
Curves = dict[Any, list[tuple[float, float]]]  # seed → (compute, loss), compute ascending


@in_style
def race(table: Any, base_compute: float, lang: str | None = None) -> PlotFigure:
    """Draw the loss of an upscaled model and of one trained from scratch against the compute spent.

    Left, the compute that trained the small network counts for the upscaled one; right, it does not. The
    title compares the losses at equal total compute, the small network's counted, seed by seed.

    Parameters
    ----------
    table : rows with "route" (`"scratch"` or `"upscaled"`), "seed", "compute" (training FLOPs spent by this
        run so far) and "loss".
    base_compute : training FLOPs that the small network took.

    Raises
    ------
    ValueError
        If there are no rows, columns are missing, or one of the two routes has no row.
    """
    rows = rows_of(table, "plots.race", ("compute", "loss"), lang, names=("route", "seed"))
    curves = {route: _curves(rows, route) for route in _COLOURS}
    if missing := [route for route in curves if not curves[route]]:
        known = ", ".join(sorted({repr(row["route"]) for row in rows}))
        raise ValueError(text("plots.race.no_route", lang, missing=", ".join(missing), known=known))
    figure, axes = small_multiples(
        _title(curves, base_compute, lang), 2, line_height=2.9, sharex=True, sharey=True
    )
    unit, unit_name = power_of_thousand(max(row["compute"] for row in rows))
    for panel, start, name in zip(axes, (base_compute, 0.0), ("counted", "not_counted"), strict=True):
        for route, of_seed in curves.items():
            _draw_route(panel, of_seed, start if route == "upscaled" else 0.0, route, lang)
        if start:
            panel.axvspan(0, start, color=GREY, alpha=0.4, lw=0, label=text("plots.race.base", lang))
        goal = _final(curves["scratch"])
        panel.axhline(goal, color="black", lw=1, ls=":")
        panel.set_title(_panel_title(curves, start, name, lang))
        panel.set_xlabel(text("plots.scaling.compute_axis", lang, unit=unit_name))
        panel.xaxis.set_major_formatter(lambda x, _: number(x / unit))
    axes[0].set_ylabel(text("plots.loss_axis", lang))
    axes[0].set_xlim(left=0)
    losses = [loss for row in rows if math.isfinite(loss := float(row["loss"])) and loss > 0]
    if losses and max(losses) > _WIDE * min(losses):
        axes[0].set_yscale("log")  # else the ends, which decide, could not be told apart
        plain_ticks(axes[0].yaxis)
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3)
    return figure


def _curves(rows: list[Row], route: str) -> Curves:
    curves: Curves = {}
    for row in rows:
        if row["route"] == route:
            curves.setdefault(row["seed"], []).append((float(row["compute"]), float(row["loss"])))
    return {seed: sorted(points) for seed, points in curves.items()}


def _draw_route(axes: Axes, curves: Curves, start: float, route: str, lang: str | None) -> None:
    for points in curves.values() if len(curves) > 1 else []:
        axes.plot(
            [start + x for x, _ in points], [y for _, y in points], color=_COLOURS[route], lw=0.7, alpha=0.5
        )
    middle = _mean_curve(curves)
    label = text(f"plots.race.{route}", lang)
    axes.plot([start + x for x in middle], list(middle.values()), color=_COLOURS[route], lw=2.2, label=label)


def _mean_curve(curves: Curves) -> dict[float, float]:
    points = [{"compute": x, "loss": y} for curve in curves.values() for x, y in curve]
    return {x: mean_if_all(losses) for x, losses in values_by(points, "compute", "loss").items()}


def _final(curves: Curves) -> float:
    """Return the mean loss at the end of the runs."""
    return mean(points[-1][1] for points in curves.values())


def _loss_at(points: list[tuple[float, float]], compute: float) -> float:
    return float(np.interp(compute, [x for x, _ in points], [loss for _, loss in points]))


def _title(curves: dict[str, Curves], base_compute: float, lang: str | None) -> str:
    ends = {route: min(points[-1][0] for points in curves[route].values()) for route in curves}
    common = min(ends["scratch"], base_compute + ends["upscaled"])
    scratch = {seed: _loss_at(points, common) for seed, points in curves["scratch"].items()}
    upscaled = {seed: _loss_at(points, common - base_compute) for seed, points in curves["upscaled"].items()}
    seeds = [seed for seed in scratch if seed in upscaled]
    sign = clear_sign([upscaled[seed] - scratch[seed] for seed in seeds])
    values = {
        "upscaled": number(mean(upscaled.values())),
        "scratch": number(mean(scratch.values())),
        "seeds": len(seeds),
    }
    which = {-1: "title_upscaled", 0: "title_unclear", 1: "title_scratch"}[sign]
    return text(f"plots.race.{which}", lang, **values)


def _panel_title(curves: dict[str, Curves], start: float, name: str, lang: str | None) -> str:
    """Return the panel's accounting, and what share of scratch's compute reaches scratch's final loss."""
    goal = _final(curves["scratch"])
    whole = max(points[-1][0] for points in curves["scratch"].values())
    reached = next(
        (start + x for x, loss in _mean_curve(curves["upscaled"]).items() if loss <= goal), math.inf
    )
    if math.isinf(reached):
        outcome = text("plots.race.never", lang)
    else:
        outcome = text("plots.race.reached", lang, percent=number(100 * reached / whole, 2))
    return "\n".join(panel_title(words) for words in (text(f"plots.race.{name}", lang), outcome))
