"""The map of two settings at several widths: does the best pair of a small width stay the best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib import colormaps, colors
from matplotlib.axes import Axes

from labkit.messages import number, text
from labkit.plots.figure import (
    ORANGE,
    VERMILLION,
    PlotFigure,
    in_style,
    ink,
    legend_below,
    panel_title,
    short,
    small_multiples,
)
from labkit.plots.rows import Row, clear_sign, is_number, mean_if_all, rows_of

_COLOURS = colormaps["YlGnBu_r"]
_LIGHTEST, _DARKEST = 0.92, 0.15  # of the colour map: on all of it black or white can be read
Pair = tuple[float, float]  # a value of the setting across, and one of the setting down


@dataclass(frozen=True)
class _Map:
    """The runs at one width: (across, down) → {seed: loss}; `name` as in the title of its panel."""

    width: float
    name: str
    losses: dict[Pair, dict[Any, float]]

    @property
    def means(self) -> dict[Pair, float]:
        """Mean loss of each pair of settings, NaN where a run diverged."""
        return {pair: mean_if_all(by_seed.values()) for pair, by_seed in self.losses.items()}

    @property
    def best(self) -> Pair | None:
        """The pair with the lowest mean, None if each one diverged."""
        finite = {pair: loss for pair, loss in self.means.items() if is_number(loss)}
        return min(finite, key=finite.__getitem__) if finite else None

    def at_edge(self) -> int | None:
        """Return which setting (0 or 1) of the best pair is the smallest or largest tried; 0 is no edge."""
        for which in (0, 1):
            tried = {pair[which] for pair in self.losses}
            if self.best and len(tried) > 1 and self.best[which] in {min(tried) or None, max(tried)}:
                return which
        return None

    def is_worse(self, pair: Pair) -> bool:
        """Return whether a pair is clearly worse than the best: it diverged, or is worse seed by seed."""
        mine, lowest = self.losses.get(pair, {}), self.losses[self.best] if self.best else {}
        if not is_number(mean_if_all(mine.values())):
            return True
        return clear_sign([mine[seed] - lowest[seed] for seed in mine.keys() & lowest.keys()]) > 0


@in_style
def settings_map(
    table: Any,
    across: str = "noise",
    down: str = "learning_rate",
    panels: Mapping[float, str] | None = None,
    lang: str | None = None,
) -> PlotFigure:
    """Draw the loss for every pair of two settings, a map a width, and mark the best pair of each.

    A pair counts as worse than the best if it is so for every seed, and its mean by more than two standard
    errors of the paired differences.

    Parameters
    ----------
    table : rows with "width", the two settings, "loss" (NaN for a diverged run; rows of several seeds are
        averaged), and "seed" where there are several.
    across, down : the columns of the two settings, numbers.
    panels : width → what its map is called; None calls it "width …".

    Raises
    ------
    ValueError
        If there are no rows, or columns are missing.
    """
    rows = rows_of(table, "plots.settings_map", ("width", across, down, "loss"), lang)
    widths = sorted({row["width"] for row in rows})
    called = {width: text("plots.width", lang, width=number(width)) for width in widths}
    called |= {width: short(name) for width, name in (panels or {}).items()}
    maps = [_map(rows, width, called[width], across, down) for width in widths]
    names = tuple(name.replace("_", " ") for name in (across, down))
    figure, axes = small_multiples(_title(maps, names, lang), len(maps), line_height=3.1)
    carried = maps[0].best if len(maps) > 1 else None
    for one, panel in zip(maps, axes, strict=True):
        _draw(panel, one, carried if one is not maps[0] else None)
        panel.set_title(panel_title(one.name))
        panel.set_xlabel(names[0])
        panel.set_ylabel(names[1])
    handles = {h.get_label(): h for panel in axes for h in panel.get_legend_handles_labels()[0]}
    words = {name: text(f"plots.settings_map.{name}", lang, where=maps[0].name) for name in handles}
    legend_below(figure, {words[name]: handle for name, handle in handles.items()}, per_line=2)
    return figure


def _map(rows: Sequence[Row], width: float, name: str, across: str, down: str) -> _Map:
    losses: dict[Pair, dict[Any, float]] = {}
    for place, row in enumerate(rows):
        if row["width"] == width:
            losses.setdefault((row[across], row[down]), {})[row.get("seed", place)] = float(row["loss"])
    return _Map(width, name, losses)


def _draw(axes: Axes, one: _Map, carried: Pair | None) -> None:
    """Draw one map: a square a pair, its mean loss written into it."""
    columns, lines = (sorted({pair[which] for pair in one.losses}) for which in (0, 1))
    means = one.means
    finite = sorted(loss for loss in means.values() if is_number(loss))
    low = finite[0] if finite else 0.0
    # A pair that nearly diverged would make all the others look alike.
    high = low + 3 * (finite[len(finite) // 2] - low) if finite else 1.0
    scale = colors.Normalize(low, max(high, low + 1e-12), clip=True)
    picture = np.ones((len(lines), len(columns), 3))
    for (x, y), loss in means.items():
        place = columns.index(x), lines.index(y)
        if not is_number(loss):
            axes.plot(*place, "x", color=VERMILLION, ms=9, mew=2, label="diverged")
            continue
        shade = _COLOURS(_LIGHTEST - (_LIGHTEST - _DARKEST) * float(scale(loss)))[:3]
        picture[place[1], place[0]] = shade
        axes.annotate(
            number(loss),
            place,
            (0, -9),
            textcoords="offset points",
            ha="center",
            color=ink(colors.to_hex(shade)),
        )
    axes.imshow(picture, origin="lower", aspect="auto")
    for pair, label, look in ((one.best, "best", "*"), (carried, "carried", "o")):
        if pair in means:
            place = columns.index(pair[0]), lines.index(pair[1])
            aside = 0.0 if one.best != carried else -0.14 if look == "*" else 0.14
            where = (place[0] + aside, place[1] + 0.2)
            fill = ORANGE if look == "*" else "white"
            axes.plot(
                *where, look, color=fill, ms=13 if look == "*" else 8, mec="black", zorder=4, label=label
            )
    axes.set_xticks(range(len(columns)), [number(value) for value in columns])
    axes.set_yticks(range(len(lines)), [number(value) for value in lines])
    axes.tick_params(length=0)
    axes.grid(False)


def _title(maps: Sequence[_Map], names: Sequence[str], lang: str | None) -> str:
    both = " × ".join(names)
    lost = next((one for one in maps if one.best is None), None)
    if lost is not None:
        return text("plots.settings_map.title_diverged", lang, settings=both, where=lost.name)
    small, large = maps[0], maps[-1]
    assert small.best is not None
    assert large.best is not None
    for one in maps:
        if (which := one.at_edge()) is not None:
            return text("plots.transfer.title_edge", lang, setting=names[which], where=one.name)
    pair = ", ".join(f"{name} {number(value)}" for name, value in zip(names, small.best, strict=True))
    values = {"pair": pair, "small": small.name, "large": large.name}
    values["best"] = number(large.means[large.best])
    if len(maps) == 1:
        return text("plots.settings_map.title_one", lang, **values)
    if small.best == large.best:
        return text("plots.settings_map.title_same", lang, **values)
    there = large.means.get(small.best, float("nan"))
    verdict = "title_worse" if large.is_worse(small.best) else "title_as_good"
    return text(f"plots.settings_map.{verdict}", lang, there=number(there), **values)
