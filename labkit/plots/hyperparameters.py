"""Figures about hyperparameters that carry over from a small model to a wide one.

Every function takes `ask=True` for an exercise: the title is then the question, and no answer is shown.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes

from labkit.messages import number, text
from labkit.plots.figure import (
    BLUE,
    GREY,
    ORANGE,
    PALETTE,
    VERMILLION,
    PlotFigure,
    factor,
    in_style,
    legend_below,
    new_figure,
    small_multiples,
)
from labkit.plots.rows import (
    Row,
    belongs,
    clear_sign,
    is_number,
    mean_if_all,
    parametrizations,
    rows_of,
    values_by,
)

WITHIN = 2.0  # a best setting that moves by no more than this factor has stayed where it was
_MARKERS = "osD^v"
_SIGNS = ("best", "off")


@dataclass(frozen=True)
class _Panel:
    """The sweeps of one parametrisation: width → {value of the setting: mean loss, NaN if one diverged}."""

    name: str
    sweeps: dict[float, dict[float, float]]

    def best(self, width: float) -> float:
        """Return the best value at a width, NaN if every value diverged."""
        finite = {value: loss for value, loss in self.sweeps[width].items() if is_number(loss)}
        return min(finite, key=lambda value: finite[value]) if finite else math.nan

    def at_edge(self) -> float | None:
        """Return a width whose best value is the smallest or the largest tried."""
        ends = ((width, min(sweep), max(sweep)) for width, sweep in self.sweeps.items())
        return next((width for width, low, high in ends if self.best(width) in (low, high)), None)

    @property
    def moved(self) -> float:
        """How many times as large the best value is at the largest width as at the smallest."""
        return self.best(max(self.sweeps)) / self.best(min(self.sweeps))

    @property
    def stays(self) -> bool:
        return 1 / WITHIN / 1.001 <= self.moved <= WITHIN * 1.001


@in_style
def transfer(
    table: Any, setting: str = "learning_rate", ask: bool = False, lang: str | None = None
) -> PlotFigure:
    """Draw the loss against a setting at several widths and mark the best, to see whether it stays.

    Parameters
    ----------
    table : rows with "width", the setting, "loss" (NaN for a diverged run; rows of several seeds are
        averaged) and, to compare the two side by side, "parametrization": `"standard"` or `"mup"`.
    setting : the column on the horizontal axis, positive numbers: `"learning_rate"`, `"noise"`.
    ask : name the panels left and right only, and mark nothing.

    Raises
    ------
    ValueError
        If there are no rows, or columns are missing.
    """
    rows = rows_of(table, "plots.transfer", ("width", setting, "loss"), lang)
    panels = [
        _Panel(name, {width: _sweep(rows, name, width, setting) for width in _widths(rows, name)})
        for name in parametrizations(rows)
    ]
    shown = setting.replace("_", " ")
    title = text("plots.transfer.question", lang) if ask else _transfer_title(panels, shown, lang)
    figure, axes = small_multiples(title, len(panels), line_height=2.9, sharey=True)
    losses = sorted(x for p in panels for s in p.sweeps.values() for x in s.values() if is_number(x))
    # A run that nearly diverged would flatten all the others.
    top = losses[0] + 4 * (losses[len(losses) // 2] - losses[0]) if losses else 1.0
    for number_of_panel, (panel, drawn) in enumerate(zip(panels, axes, strict=True)):
        ends = (losses[0], min(top, losses[-1])) if losses else (0.0, top)
        _draw_sweeps(drawn, panel, *ends, mark=not ask)
        drawn.set_xlabel(shown)
        side = ("left", "right")[number_of_panel % 2]
        drawn.set_title(text(f"plots.transfer.{side if ask else panel.name}", lang) if panel.name else "")
    axes[0].set_ylabel(text("plots.loss_axis", lang))
    handles = {str(h.get_label()): h for drawn in axes for h in drawn.get_legend_handles_labels()[0]}
    legend = {text("plots.width", lang, width=k): h for k, h in handles.items() if k not in _SIGNS}
    legend |= {text(f"plots.transfer.{k}", lang): handles[k] for k in _SIGNS if k in handles}
    legend_below(figure, legend, per_line=min(5, max(3, len(panels[0].sweeps))))
    return figure


def _widths(rows: list[Row], name: str) -> list[float]:
    return sorted({row["width"] for row in rows if belongs(row, name)})


def _sweep(rows: list[Row], name: str, width: float, setting: str) -> dict[float, float]:
    mine = (r for r in rows if belongs(r, name) and r["width"] == width)
    return {value: mean_if_all(losses) for value, losses in values_by(mine, setting, "loss").items()}


def _draw_sweeps(axes: Axes, panel: _Panel, low: float, top: float, mark: bool) -> None:
    for i, (width, sweep) in enumerate(panel.sweeps.items()):
        colour, marker = PALETTE[i % 5], _MARKERS[i % 5]
        inside = {value: loss for value, loss in sweep.items() if is_number(loss) and loss <= top}
        axes.plot(
            list(inside),
            list(inside.values()),
            color=colour,
            marker=marker,
            ms=4,
            lw=1.5,
            label=number(width),
        )
        outside = [value for value in sweep if value not in inside]
        # Small steps aside, so that one width does not hide another.
        axes.plot(
            [value * 1.04**i for value in outside],
            [0.96 - 0.05 * i] * len(outside),
            "x",
            color=colour,
            transform=axes.get_xaxis_transform(),
        )
        if outside:
            axes.plot([], [], "x", color="black", label="off")
        best = panel.best(width)
        if mark and best in inside:
            axes.plot(best, inside[best], "*", color=colour, ms=15, mec="black", mew=0.8, zorder=4)
            axes.plot([], [], "*", color="white", ms=12, mec="black", mew=0.8, label="best")
    tried = sorted({value for sweep in panel.sweeps.values() for value in sweep})
    named = tried[:: -(-len(tried) // 5)]
    axes.set_xscale("log")
    axes.set_xticks(named, [number(value) for value in named])
    axes.set_xticks(tried, [""] * len(tried), minor=True)
    span = (top - low) or abs(top) or 1.0
    room = 0.07 * span  # for a star on the lowest point of either panel
    axes.set_ylim(low - room, top + (0.08 + 0.05 * len(panel.sweeps)) * (span + room))


def _transfer_title(panels: list[_Panel], setting: str, lang: str | None) -> str:
    names = {panel.name: text(f"plots.transfer.{panel.name}", lang) if panel.name else "" for panel in panels}

    def place(panel: _Panel, width: float) -> str:
        where = f"{names[panel.name]}, " if panel.name else ""
        return where + text("plots.width", lang, width=number(width))

    untrained = [
        (panel, width) for panel in panels for width in panel.sweeps if math.isnan(panel.best(width))
    ]
    if len(untrained) == sum(len(panel.sweeps) for panel in panels):
        return text("plots.transfer.title_all_diverged", lang, setting=setting)
    if untrained:
        return text("plots.transfer.title_diverged", lang, setting=setting, where=place(*untrained[0]))
    for panel in panels:
        if (width := panel.at_edge()) is not None:
            return text("plots.transfer.title_edge", lang, setting=setting, where=place(panel, width))
    widths = panels[0].sweeps
    values = {"setting": setting, "small": number(min(widths)), "large": number(max(widths))}
    values["within"] = number(WITHIN)
    if len(panels) == 1:
        which = "stays" if panels[0].stays else "moves"
        return text(f"plots.transfer.title_{which}", lang, moved=factor(panels[0].moved), **values)
    standard, mup = panels[:2]
    values |= {"standard": factor(standard.moved), "mup": factor(mup.moved)}
    case = {
        (False, True): "title_mup_stays",
        (True, True): "title_both_stay",
        (True, False): "title_mup_moves",
        (False, False): "title_both_move",
    }[standard.stays, mup.stays]
    return text(f"plots.transfer.{case}", lang, **values)


@in_style
def noise_sweep(table: Any, ask: bool = False, lang: str | None = None) -> PlotFigure:
    """Draw the final loss of widened models against the size of the noise, seed by seed.

    Parameters
    ----------
    table : rows with "noise" (0 for none) and "loss", and "seed" where there are several.

    Raises
    ------
    ValueError
        If there are no rows, or columns are missing.
    """
    rows = rows_of(table, "plots.noise_sweep", ("noise", "loss"), lang)
    losses = values_by(rows, "noise", "loss")
    means = {noise: mean_if_all(values) for noise, values in losses.items()}
    finite = {noise: loss for noise, loss in means.items() if is_number(loss)}
    best = min(finite, key=lambda noise: finite[noise]) if finite else math.nan
    title = text("plots.noise_sweep.question", lang) if ask else _noise_title(rows, finite, best, lang)
    figure, (axes,) = new_figure(title)
    places = {noise: place for place, noise in enumerate(losses)}
    for noise, values in losses.items():
        axes.plot([places[noise]] * len(values), values, "o", color=GREY, ms=5)
        if noise not in finite:
            axes.plot(places[noise], 0.97, "x", color=VERMILLION, ms=8, transform=axes.get_xaxis_transform())
    axes.plot([], [], "o", color=GREY, label=text("plots.one_seed", lang))
    mean_line = [places[noise] for noise in finite]
    axes.plot(
        mean_line, list(finite.values()), "-D", color=BLUE, ms=6, label=text("plots.noise_sweep.mean", lang)
    )
    if len(finite) < len(losses):
        axes.plot([], [], "x", color=VERMILLION, ms=8, label=text("plots.diverged", lang))
    if best in finite and not ask:
        label = text("plots.noise_sweep.best", lang)
        axes.plot(places[best], finite[best], "*", color=ORANGE, ms=17, mec="black", zorder=4, label=label)
    axes.set_xticks(range(len(places)), [number(noise) for noise in places])
    axes.set_xlabel(text("plots.noise_sweep.axis", lang))
    axes.set_ylabel(text("plots.loss_axis", lang))
    figure.legend(loc="outside lower center", ncols=4)
    return figure


def _noise_title(rows: list[Row], means: Mapping[float, float], best: float, lang: str | None) -> str:
    if not means:
        return text("plots.noise_sweep.title_diverged", lang)
    values = {"noise": number(best), "loss": number(means[best])}
    if best == 0:
        return text("plots.noise_sweep.title_none", lang, **values)
    if best == max(row["noise"] for row in rows):
        return text("plots.noise_sweep.title_edge", lang, **values)
    if 0 not in means:
        return text("plots.noise_sweep.title_best", lang, **values)
    by_seed = {(row["noise"], row.get("seed")): row["loss"] for row in rows}
    gains = [
        loss - by_seed[best, seed]
        for (noise, seed), loss in by_seed.items()
        if noise == 0 and (best, seed) in by_seed
    ]
    which = "title_helps" if clear_sign(gains) > 0 else "title_unclear"
    return text(f"plots.noise_sweep.{which}", lang, without=number(means[0]), **values)
