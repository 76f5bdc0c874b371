"""Figures of scaling checks: a loss and an effect over sizes, and how far a fit may be drawn out.

The verdicts are those of `labkit.scaling`; what it needs of a table holds here too.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import NullLocator

from labkit import scaling
from labkit.messages import number, text
from labkit.plots.figure import (
    BLUE,
    GREY,
    ORANGE,
    SKY,
    VERMILLION,
    PlotFigure,
    grouped,
    in_style,
    legend_below,
    new_figure,
    panel_title,
    power_of_thousand,
    short,
    small_multiples,
    value_axis,
)
from labkit.plots.given import judged, need, refusal
from labkit.plots.rows import Row, is_number, rows_of, values_by

_AXES = ("parameters", "width", "compute")


@in_style
def loss_by_size(
    table: Any,
    floor: float | None = None,
    axis: str = "parameters",
    metric: str = "loss",
    lang: str | None = None,
) -> PlotFigure:
    """Draw a loss against size, every seed and the mean with its interval, and say whether it falls steadily.

    Parameters
    ----------
    table : as `labkit.scaling.trend` takes it, or what it returned.
    floor : the best possible loss where it is known, as for Kahani.
    axis : what a size is: `"parameters"`, `"width"`; or `"compute"` to draw against the mean of the rows'
        "flops" (training FLOPs), for which `table` has to be rows.
    metric : the column to draw.

    Raises
    ------
    TableError
        If no verdict can be based on the table, see `labkit.scaling.trend`.
    ValueError
        If there is no such `axis`, or it is `"compute"` and rows lack "flops".
    """
    if axis not in _AXES:
        raise ValueError(text("plots.unknown_axis", lang, given=axis, known=", ".join(_AXES)))
    trend = table if hasattr(table, "verdict") else scaling.trend(table, metric)
    places = {size: float(size) for size in (*trend.sizes, *(row["size"] for row in trend.diverged))}
    unit, unit_name = 1.0, ""
    if axis == "compute":
        rows = rows_of(table, "plots.loss_by_size", ("size", "flops"), lang)
        places = {size: statistics.fmean(flops) for size, flops in values_by(rows, "size", "flops").items()}
        unit, unit_name = power_of_thousand(max(places.values()))
    figure, (axes,) = new_figure(_trend_title(trend, lang))
    _draw_sizes(axes, trend, places, lang)
    if trend.diverged:
        diverged, label = [places[row["size"]] for row in trend.diverged], text("plots.diverged", lang)
        marks = axes.plot(diverged, [0.96] * len(diverged), "x", color=VERMILLION, ms=8, mew=2, label=label)
        marks[0].set_transform(axes.get_xaxis_transform())
    if floor is not None:
        label = text("plots.scaling.floor", lang, floor=number(floor))
        axes.axhline(floor, color=VERMILLION, ls="--", lw=1.5, label=label)
    _size_axis(axes, {x: number(x / unit) for x in places.values()})
    axes.set_xlabel(text(f"plots.scaling.{axis}_axis", lang, unit=unit_name))
    axes.set_ylabel(value_axis(trend.metric, lang))
    handles, labels = axes.get_legend_handles_labels()
    legend_below(figure, dict(zip(labels, handles, strict=True)), per_line=3 if len(labels) != 4 else 2)
    return figure


def _draw_sizes(axes: Axes, result: Any, places: Mapping[float, float], lang: str | None) -> None:
    """Draw a trend or an effect: each seed, a little aside, and the means with their intervals."""
    at_places = [places[at.size] for at in result.per_size]
    aside = (max(at_places) / min(at_places)) ** -0.012
    for at in result.per_size:
        axes.plot([places[at.size] * aside] * len(at.values), at.values, "o", color=GREY, ms=5)
    axes.plot([], [], "o", color=GREY, label=text("plots.one_seed", lang))
    means = [at.mean for at in result.per_size]
    reach = [[at.mean - at.low for at in result.per_size], [at.high - at.mean for at in result.per_size]]
    label = text("plots.scaling.mean", lang, level=number(100 * result.level))
    axes.errorbar(at_places, means, reach, fmt="-D", color=BLUE, ms=5, capsize=4, lw=1.5, label=label)


def _size_axis(axes: Axes, names: Mapping[float, str]) -> None:
    """Make a logarithmic axis with a tick at each size tried."""
    axes.set_xscale("log")
    axes.set_xticks(list(names), list(names.values()))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.margins(x=0.08)


def _trend_title(trend: Any, lang: str | None) -> str:
    case = {"steady": trend.direction, "not steady": "not_steady", "too noisy": "too_noisy"}[trend.verdict]
    if trend.verdict == "too noisy" and trend.direction in ("falls", "rises"):
        case = f"{trend.direction}_but_noisy"
    return text(
        f"plots.loss_by_size.title_{case}",
        lang,
        metric=trend.metric.replace("_", " "),
        first=number(trend.means[0]),
        last=number(trend.means[-1]),
        count=len(trend.sizes),
        seeds=len(trend.seeds),
    )


@in_style
def effect_by_size(effects: Mapping[str, Any], ask: bool = False, lang: str | None = None) -> PlotFigure:
    """Draw the effect of a method at each size, one panel per label, and say what it does as size grows.

    Parameters
    ----------
    effects : label → as `labkit.scaling.effect` returns it, or a pair of tables (baseline, method).
    ask : for an exercise: the title is the question, and no verdict is shown.

    Raises
    ------
    ValueError
        If `effects` is empty or no mapping, or an effect is neither of the two.
    TableError
        If no verdict can be based on a pair of tables.
    """
    need(effects, "plots.effect_by_size", "Effect", "{'mine': effect}", lang)
    found = judged(effects, scaling.effect, "plots.effect_by_size", "(baseline, method)", lang)
    words = {label: text(f"plots.effect.{e.verdict.replace(' ', '_')}", lang) for label, e in found.items()}
    title = text("plots.effect.question", lang) if ask else grouped(words)
    figure, panels = small_multiples(title, len(found), line_height=2.6 if len(found) <= 2 else 1.9)
    for panel, (label, effect) in zip(panels, found.items(), strict=True):
        panel.axhline(0, color="black", lw=1)
        panel.yaxis.set_major_formatter(lambda value, _: number(round(value, 9)))
        _draw_sizes(panel, effect, {at.size: at.size for at in effect.per_size}, lang)
        _size_axis(panel, {at.size: number(at.size) for at in effect.per_size})
        if len(found) > 1:
            panel.set_title(panel_title(short(label) if ask else grouped({label: words[label]})))
    for panel in panels[-2:]:
        panel.set_xlabel(text("plots.scaling.size_axis", lang))
    for panel, effect in list(zip(panels, found.values(), strict=True))[::2]:
        panel.set_ylabel(text("plots.effect.axis", lang, metric=effect.metric.replace("_", " ")))
    handles, labels = panels[0].get_legend_handles_labels()
    legend_below(figure, dict(zip(labels, handles, strict=True)), per_line=2)
    return figure


@in_style
def extrapolation(
    power_law: Any,
    table: Any,
    held_out: Any = None,
    floor: float | None = None,
    lang: str | None = None,
    *,
    ask: bool = False,
) -> PlotFigure:
    """Draw a fitted power law, its band beyond the sizes tried, and where a run kept for later fell.

    Parameters
    ----------
    power_law : as `labkit.scaling.fit_power_law` returns it for `table`.
    table : rows with "size", "seed" and "loss", or tuples of the three.
    held_out : such rows of one larger size that the fit has not seen. Several seeds are
        averaged, and the band is that of a mean of so many runs. None draws the band of the law itself, to
        four times the largest size.
    floor : the best possible loss where it is known.
    ask : draw the band for `held_out`, and not yet where it fell.

    Raises
    ------
    ValueError
        If there are no rows, columns are missing, or `power_law` is none.
    """
    if not hasattr(power_law, "band"):
        expected = text("plots.extrapolation.expected", lang)
        raise refusal("plots.extrapolation", "power_law", power_law, expected, lang)
    tried = values_by(_runs(table, lang), "size", "loss")
    far, landed, seeds = 4 * max(tried), None, None
    if held_out is not None:
        rows = _runs(held_out, lang)
        far = max(row["size"] for row in rows)
        losses = [row["loss"] for row in rows if row["size"] == far]
        seeds, landed = len(losses), None if ask else statistics.fmean(losses)
    figure, (axes,) = new_figure(_extrapolation_title(power_law.band(far, seeds), far, landed, lang))
    sizes = np.geomspace(min(tried), 1.15 * far, 60)
    low, high = np.transpose([power_law.band(float(size), seeds) for size in sizes])
    label = text("plots.extrapolation.band", lang, level=number(100 * power_law.level))
    axes.fill_between(sizes, low, high, color=SKY, alpha=0.45, lw=0, label=label)
    label = text("plots.extrapolation.fit", lang)
    axes.plot(sizes, [power_law.predict(float(size)) for size in sizes], color=BLUE, lw=1.5, label=label)
    for size, losses in tried.items():
        axes.plot([size] * len(losses), losses, "o", color="black", ms=4)
    axes.plot([], [], "o", color="black", ms=4, label=text("plots.extrapolation.tried", lang))
    if landed is not None and is_number(landed):
        label = text("plots.extrapolation.held_out", lang)
        axes.plot(far, landed, "*", color=ORANGE, ms=17, mec="black", zorder=4, label=label)
    if floor is not None:
        label = text("plots.scaling.floor", lang, floor=number(floor))
        axes.axhline(floor, color=VERMILLION, ls="--", lw=1.5, label=label)
    _draw_fitted_floor(axes, power_law.floor, 1.3 * far, lang)
    _size_axis(axes, {size: number(size) for size in (*tried, far)})
    axes.set_xlabel(text("plots.scaling.size_axis", lang))
    axes.set_ylabel(text("plots.loss_axis", lang))
    figure.legend(loc="outside lower center", ncols=2)
    return figure


def _draw_fitted_floor(axes: Axes, floor: Any, place: float, lang: str | None) -> None:
    """Draw the interval of the fitted floor: down to its end, or with an arrow where that is far below."""
    bottom, top = axes.get_ylim()
    height = top - bottom
    lowest = min(bottom, floor.low - 0.03 * height)
    cut = top - lowest > 1.5 * height
    if cut:
        lowest = min(bottom, floor.high - 0.1 * height)
        axes.plot(place, lowest + 0.02 * height, "v", color=BLUE, ms=12)
    axes.set_ylim(lowest, top)
    label = text("plots.extrapolation.floor", lang, low=number(floor.low), high=number(floor.high))
    ends = [max(floor.low, lowest), floor.high]
    axes.plot([place] * 2, ends, color=BLUE, lw=5, solid_capstyle="butt", label=label)


def _runs(table: Any, lang: str | None) -> list[Row]:
    return rows_of(table, "plots.extrapolation", ("size", "loss"), lang, places=("size", "seed", "loss"))


def _extrapolation_title(
    band: tuple[float, float], size: float, landed: float | None, lang: str | None
) -> str:
    values = {"low": number(band[0], 4), "high": number(band[1], 4), "size": number(size)}
    if landed is None:
        return text("plots.extrapolation.title_open", lang, **values)
    if not is_number(landed):
        return text("plots.extrapolation.title_diverged", lang, **values)
    which = "title_inside" if band[0] <= landed <= band[1] else "title_outside"
    return text(f"plots.extrapolation.{which}", lang, landed=number(landed, 4), **values)
