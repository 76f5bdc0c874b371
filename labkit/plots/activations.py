"""The figure of the coordinate check of muP: do activations grow with the width."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib import colormaps

from labkit.messages import number, text
from labkit.plots.figure import PlotFigure, in_style, legend_below, plain_ticks, short, small_multiples
from labkit.plots.rows import (
    Row,
    belongs,
    is_number,
    mean_if_all,
    parametrizations,
    rows_of,
    values_by,
)

# Powers of the width above this count as growth. In the standard parametrisation a wrong rule gives powers
# of 1/2 or 1; under muP they are about 0, but for chance at small widths.
GROWS = 0.25
_FEW_LAYERS = 8  # as many get markers, their first step, and a name in the legend; of more, every nth a name


@in_style
def coordinates(table: Any, lang: str | None = None) -> PlotFigure:
    """Draw the size of each layer's activations against the width (the coordinate check of muP).

    Parameters
    ----------
    table : rows with "layer", "width", "step" and "size" (mean absolute activation), as
        `labkit.mup.coord_check` returns them, and, to compare two, "parametrization": `"standard"` or
        `"mup"`. The last step is drawn, and dotted the first.

    A layer grows if its size follows a power of the width above `GROWS` (least squares on the logarithms, at
    the last step). There is no verdict from a single width, nor where a run diverged.

    Raises
    ------
    ValueError
        If there are no rows, or columns are missing.
    """
    rows = rows_of(table, "plots.coordinates", ("width", "step", "size"), lang, names=("layer",))
    layers = list(dict.fromkeys(row["layer"] for row in rows))
    steps = sorted({row["step"] for row in rows})
    names = parametrizations(rows)
    widths = sorted({row["width"] for row in rows})
    last = {name: [r for r in rows if belongs(r, name) and r["step"] == steps[-1]] for name in names}
    title = _title(last, widths[-1] / widths[0], steps[-1], lang)
    figure, axes = small_multiples(title, len(names), line_height=2.9, sharey=True)
    colours = colormaps["viridis"].resampled(max(2, len(layers) + 1))
    few = len(layers) <= _FEW_LAYERS
    looks = [(steps[0], ":"), (steps[-1], "-o")] if few else [(steps[-1], "-")]
    for name, panel in zip(names, axes, strict=True):
        for i, layer in enumerate(layers):
            for step, look in looks:
                mine = [r for r in rows if belongs(r, name) and r["layer"] == layer and r["step"] == step]
                sizes = {width: mean_if_all(s) for width, s in values_by(mine, "width", "size").items()}
                label = short(str(layer)) if step == steps[-1] else None
                panel.plot(list(sizes), list(sizes.values()), look, color=colours(i), ms=4, label=label)
        panel.set_xscale("log", base=2)
        if any(is_number(row["size"]) and row["size"] > 0 for row in rows):
            panel.set_yscale("log")
            plain_ticks(panel.yaxis)
        panel.set_xticks(widths, [number(width) for width in widths])
        panel.set_xlabel(text("plots.scaling.width_axis", lang))
        panel.set_title(text(f"plots.transfer.{name}", lang) if name else "")
    axes[0].set_ylabel(text("plots.coordinates.axis", lang))
    handles, labels = axes[0].get_legend_handles_labels()
    every = -(-len(handles) // _FEW_LAYERS)
    which = "plots.coordinates.legend" if few else "plots.coordinates.legend_many"
    note = text(which, lang, first=number(steps[0]), last=number(steps[-1]))
    per_line = 4 if max(map(len, labels)) <= 14 else 2
    legend_below(figure, dict(zip(labels[::every], handles[::every], strict=True)), per_line, note)
    return figure


def _power(rows: Sequence[Row]) -> float:
    """Return the power of the width by which the layer that grows most grows, -inf if none has a size."""
    powers = []
    for layer in {row["layer"] for row in rows}:
        mine = (row for row in rows if row["layer"] == layer)
        sizes = {width: mean_if_all(values) for width, values in values_by(mine, "width", "size").items()}
        points = [(math.log(width), math.log(size)) for width, size in sizes.items() if size > 0]
        if len(points) > 1:
            powers.append(statistics.linear_regression(*zip(*points, strict=True)).slope)
    return max(powers, default=-math.inf)


def _title(last: Mapping[str, list[Row]], wider: float, step: float, lang: str | None) -> str:
    """Return the verdict on the rows of the last step: parametrisation → rows."""
    diverged = [name for name, rows in last.items() if not all(is_number(row["size"]) for row in rows)]
    if diverged:
        where = ", ".join(text(f"plots.transfer.{name}", lang) for name in diverged if name)
        named = f" ({where})" if where else ""
        return text("plots.coordinates.title_diverged", lang, step=number(step), where=named)
    if any(len({row["width"] for row in rows}) < 2 for rows in last.values()):
        return text("plots.coordinates.title_one_width", lang)
    powers = {name: _power(rows) for name, rows in last.items()}
    values = {"step": number(step), "wider": number(wider, 2)}
    values |= {name: number(2**power) for name, power in powers.items() if name}
    if set(powers) != {"standard", "mup"}:
        worst = max(powers.values())
        which = "title_grows" if worst > GROWS else "title_keeps"
        return text(f"plots.coordinates.{which}", lang, grown=number(2**worst), **values)
    if powers["mup"] > GROWS:
        return text("plots.coordinates.title_mup_grows", lang, **values)
    which = "title_mup_keeps" if powers["standard"] > GROWS else "title_both_keep"
    return text(f"plots.coordinates.{which}", lang, **values)
