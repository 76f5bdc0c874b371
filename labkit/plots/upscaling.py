"""Figures about a widened model: is it still the same function, do its copies part, was it worth it.

Every function takes `ask=True` for an exercise: the title is then the question, and no answer is shown.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes

from labkit.messages import number, text
from labkit.plots.figure import (
    BLUE,
    GREY,
    PALETTE,
    VERMILLION,
    PlotFigure,
    in_style,
    legend_below,
    new_figure,
    short,
    tiny,
)
from labkit.plots.given import need
from labkit.plots.rows import Row, is_number, mean, rows_of

# Outputs that differ by less than this count as equal: rounding alone grows to about a tenth of it in
# float32 over a few hundred steps, and a wrong rule soon passes it a hundredfold.
SAME = 1e-3
_SMALLEST = 1e-17  # where a gap of exactly 0 is drawn on a logarithmic axis
_ROUNDING = 1e-8  # gaps below are drawn there when rules are compared: what tells them apart is far larger
_ALIKE = 0.999  # a correlation from here on is that of identical copies


@in_style
def equivalence(gap: Any, lang: str | None = None) -> PlotFigure:
    """Draw the losses of a small and its widened model on each other, and how far their outputs are apart.

    Parameters
    ----------
    gap : as `labkit.upscale.equivalence_gap` returns it, or rows with "step", "gap" (largest relative
        difference of the outputs), "small_loss" and "wide_loss".

    Raises
    ------
    ValueError
        If there are no rows, or columns are missing.
    """
    rows = rows_of(gap, "plots.equivalence", ("step", "gap", "small_loss", "wide_loss"), lang)
    steps = [row["step"] for row in rows]
    figure, (left, right) = new_figure(_equivalence_title(rows, lang), columns=(1, 1))
    small, wide = (text(f"plots.equivalence.{model}", lang) for model in ("small", "wide"))
    left.plot(steps, [row["small_loss"] for row in rows], color=GREY, lw=5, label=small)
    left.plot(steps, [row["wide_loss"] for row in rows], color=BLUE, lw=1.5, label=wide)
    left.set_xlabel(text("plots.step_axis", lang))
    left.set_ylabel(text("plots.loss_axis", lang))
    _draw_gap(right, rows, color=VERMILLION, lw=1.5)
    right.axhline(SAME, color="black", lw=1, ls=":")
    right.annotate(
        text("plots.equivalence.same", lang),
        (1, SAME),
        (-2, 3),
        xycoords=("axes fraction", "data"),
        textcoords="offset points",
        ha="right",
    )
    low, high = right.get_ylim()
    right.set_ylim(low, max(high, 30 * SAME))
    right.set_xlabel(text("plots.step_axis", lang))
    right.set_ylabel(text("plots.gap_axis", lang))
    legend_below(figure, dict(zip((small, wide), left.lines, strict=True)), per_line=2)
    return figure


def _equivalence_title(rows: Sequence[Row], lang: str | None) -> str:
    for loss, which in (("small_loss", "title_no_verdict"), ("wide_loss", "title_wide_diverged")):
        if diverged := [row["step"] for row in rows if not is_number(row[loss])]:
            return text(f"plots.equivalence.{which}", lang, step=number(diverged[0]))
    largest = _largest(rows)
    which = "title_same" if largest <= SAME else "title_apart"
    return text(f"plots.equivalence.{which}", lang, steps=number(rows[-1]["step"]), gap=tiny(largest))


@in_style
def wrong_rules(gaps: Mapping[str, Any], ask: bool = False, lang: str | None = None) -> PlotFigure:
    """Draw how far a widened model's outputs leave the small one's, for several widening rules.

    The step axis is logarithmic from step 1 on, since what the first steps do tells the rules apart.

    Parameters
    ----------
    gaps : rule → as in `equivalence`; the rows need "step" and "gap" only.

    Raises
    ------
    ValueError
        If `gaps` is empty or no mapping, or rows or columns are missing.
    """
    need(gaps, "plots.wrong_rules", "gap", "{'all rules right': gap}", lang)
    curves = {label: rows_of(gap, "plots.wrong_rules", ("step", "gap"), lang) for label, gap in gaps.items()}
    same = [label for label, rows in curves.items() if _largest(rows) <= SAME]
    if ask:
        title = text("plots.wrong_rules.question", lang)
    elif not any(is_number(rows[-1]["gap"]) for rows in curves.values()):
        title = text("plots.wrong_rules.title_diverged", lang)
    elif len(same) == 1 and len(curves) > 1:
        title = text("plots.wrong_rules.title_one", lang, label=short(same[0], 36))
    elif not same:
        title = text("plots.wrong_rules.title_none", lang)
    else:
        title = text("plots.wrong_rules.title_count", lang, same=len(same), count=len(curves))
    per_line = 6 if max(map(len, curves)) <= 8 else 2
    figure, (axes,) = new_figure(title, height=3.3 + 0.22 * -(-len(curves) // per_line))
    looks = itertools.cycle(itertools.product(("-", "--", ":"), PALETTE[:6]))
    markers = itertools.cycle("osD^vX")
    last = max(rows[-1]["step"] for rows in curves.values())
    for (label, rows), (line, colour), marker in zip(curves.items(), looks, markers, strict=False):
        raised = [{"step": row["step"], "gap": max(row["gap"], _ROUNDING)} for row in rows]
        look = {"color": colour, "ls": line, "marker": marker, "ms": 5, "markevery": _spread_out(rows)}
        _draw_gap(axes, raised, label=short(label, 36), **look)
    axes.set_ylim(bottom=_ROUNDING / 3)
    axes.yaxis.set_major_formatter(lambda x, _: f"≤ {tiny(x)}" if x <= 1.01 * _ROUNDING else tiny(x))
    axes.set_xscale("symlog", linthresh=1)
    ticks = [0, *(10**power for power in range(int(math.log10(max(last, 1))) + 1))]
    axes.set_xticks(ticks, [number(tick) for tick in ticks])
    axes.set_xlim(-0.1, 1.1 * last)
    axes.set_xlabel(text("plots.wrong_rules.step_axis", lang))
    axes.set_ylabel(text("plots.gap_axis", lang))
    handles, labels = axes.get_legend_handles_labels()
    legend_below(
        figure, dict(zip(labels, handles, strict=True)), per_line=2 if len(max(labels, key=len)) > 8 else 6
    )
    return figure


def _spread_out(rows: Sequence[Row]) -> list[int]:
    """Return which rows get a marker on a logarithmic step axis: the first ones, then ever fewer."""
    chosen, next_step = [], 0.0
    for i, row in enumerate(rows):
        if row["step"] >= next_step:
            chosen.append(i)
            next_step = max(row["step"] + 1, 1.6 * row["step"])
    return chosen


def _largest(rows: Sequence[Row]) -> float:
    """Return the largest gap; one that is not finite counts as infinite (the wide model diverged)."""
    return max(row["gap"] if math.isfinite(row["gap"]) else math.inf for row in rows)


def _draw_gap(axes: Axes, rows: Sequence[Row], **look: Any) -> None:
    shown = [row for row in rows if math.isfinite(row["gap"])]
    axes.plot([row["step"] for row in shown], [max(row["gap"], _SMALLEST) for row in shown], **look)
    axes.set_yscale("log")


@in_style
def clones(
    without: Any, with_noise: Any, k: int, layer: str | None = None, lang: str | None = None
) -> PlotFigure:
    """Draw how alike the units of a widened and trained layer are, widened without noise and with it.

    Parameters
    ----------
    without, with_noise : as `labkit.upscale.clones` returns it for the model widened without noise and with
        it: layer → correlations between its units, shape (units, units), the copies of a unit side by side;
        or such a matrix alone. At most the first 32 units are drawn; units that never change are grey.
    k : how many copies there are of each unit.
    layer : which layer to draw; None takes the last one.

    Raises
    ------
    ValueError
        If there is no such layer, or the two are not square matrices of the same shape, a multiple of `k`.
    """
    pair = [_layer(found, layer, lang) for found in (without, with_noise)]
    shapes = [matrix.shape for matrix in pair]
    units = shapes[0][0] if shapes[0] else 0
    if shapes != [(units, units)] * 2 or not units or units % k:
        raise ValueError(text("plots.clones.shapes", lang, without=shapes[0], with_noise=shapes[1], k=k))
    alike = [_correlation_of_copies(matrix, k) for matrix in pair]
    which = "plots.clones.title_still" if alike[1] >= _ALIKE else "plots.clones.title_part"
    title = text(which, lang, without=number(alike[0], 2), with_noise=number(alike[1], 2))
    figure, axes = new_figure(title, columns=(1, 1), height=3.6)
    shown = min(units, 32 // k * k or k)
    for panel, matrix, value, name in zip(axes, pair, alike, ("without", "with"), strict=True):
        image = panel.imshow(
            matrix[:shown, :shown],
            cmap=colormaps["PuOr"].with_extremes(bad=GREY),
            vmin=-1,
            vmax=1,
            aspect="auto",
            extent=(0.5, shown + 0.5, shown + 0.5, 0.5),
            interpolation="nearest",
        )
        panel.set_title(text(f"plots.clones.{name}_noise", lang, correlation=number(value, 2)))
        panel.set_xlabel(text("plots.clones.unit_axis", lang))
        panel.set_xticks(range(k, shown + 1, -(-shown // 8 // k) * k))
        panel.set_yticks(panel.get_xticks())
    axes[0].set_ylabel(text("plots.clones.unit_axis", lang))
    label = text("plots.clones.correlation", lang)
    bar = figure.colorbar(image, ax=axes, label=label, shrink=0.85, ticks=(-1, 0, 1))
    bar.ax.yaxis.set_major_formatter(lambda value, _: number(value))
    return figure


def _layer(found: Any, layer: str | None, lang: str | None) -> Any:
    if isinstance(found, Mapping):
        layer = next(reversed(list(found)), "") if layer is None else layer
        if layer not in found:
            known = ", ".join(found) or "–"
            raise ValueError(text("plots.clones.no_layer", lang, layer=layer, known=known))
        found = found[layer]
    return np.asarray(found, dtype=float)


def _correlation_of_copies(matrix: Any, k: int) -> float:
    """Return the mean correlation of two copies of the same unit (units that never fire have none)."""
    return mean(matrix[i, j] for i, j in itertools.combinations(range(len(matrix)), 2) if i // k == j // k)
