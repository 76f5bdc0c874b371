"""The look of every figure: size, fonts, colours, and the figure that shows itself in a notebook."""

from __future__ import annotations

import functools
import io
import math
import textwrap
import unicodedata
import warnings
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from matplotlib import font_manager, rc_context
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from labkit.messages import number, text

# Okabe and Ito's colours (jfly.uni-koeln.de/color), told apart with every common kind of colour blindness.
BLUE, ORANGE, GREEN, VERMILLION = "#0072B2", "#E69F00", "#009E73", "#D55E00"
SKY, PURPLE, YELLOW, GREY = "#56B4E9", "#CC79A7", "#F0E442", "#BBBBBB"
PALETTE = (BLUE, ORANGE, GREEN, PURPLE, SKY, VERMILLION, YELLOW)

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_TITLE_LENGTH = 84
_PANEL_TITLE_LENGTH = 36
_NAME_LENGTH = 26  # longer names are cut, so that the legend leaves room for the bars
STYLE: dict[Any, Any] = {
    "font.family": ["DejaVu Sans", "Noto Sans Devanagari"],
    "font.size": 9.5,
    "figure.facecolor": "white",
    "figure.constrained_layout.use": True,
    "figure.constrained_layout.wspace": 0.06,  # keeps the last tick of a panel off the first of the next
    "axes.facecolor": "white",
    "axes.edgecolor": "#555555",
    "axes.labelcolor": "black",
    "axes.titlesize": "medium",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.unicode_minus": False,
    "text.color": "black",
    "text.usetex": False,
    "xtick.color": "#333333",
    "ytick.color": "#333333",
    "legend.frameon": False,
    "hatch.linewidth": 0.8,
}


# For functions that make text: matplotlib takes the font from the settings at that moment.
in_style = rc_context(STYLE)


class PlotFigure(Figure):
    """A figure that draws itself in labkit's style wherever it is shown, without pyplot."""

    def __init__(self, title: str, height: float = 3.5) -> None:
        with rc_context(STYLE):
            super().__init__(figsize=(7, height), dpi=110)
            self.suptitle("\n".join(_balanced(plain(title), _TITLE_LENGTH)), x=0.01, ha="left", fontsize=10.5)

    def draw(self, renderer: Any) -> None:
        """Draw with labkit's fonts, whatever the settings are by then (tick labels are made this late)."""
        with rc_context(STYLE), warnings.catch_warnings():
            # A name may hold a letter that neither font has; an empty box says so better than a warning.
            warnings.filterwarnings("ignore", message="(Glyph|Matplotlib currently)", category=UserWarning)
            super().draw(renderer)

    def png(self) -> bytes:
        """Return the picture as a PNG file's bytes."""
        buffer = io.BytesIO()
        # Half the time of savefig, which lays the figure out twice.
        FigureCanvasAgg(self).print_png(buffer)  # type: ignore[no-untyped-call]
        return buffer.getvalue()

    def _repr_png_(self) -> bytes:
        return self.png()


def _balanced(words: str, longest: int) -> list[str]:
    """Return the lines of a title, as few as possible and about equally long: no word stands alone."""
    count = len(textwrap.wrap(words, longest))
    if count < 2:
        return [words]
    lines = (textwrap.wrap(words, length) for length in range(len(words) // count, longest + 1))
    return next(tried for tried in lines if len(tried) <= count)


@functools.cache
def _register_devanagari() -> None:
    for file in resources.files("fontpkg_noto_sans_devanagari").joinpath("files").iterdir():
        if file.name.endswith(".ttf"):
            with resources.as_file(file) as path:
                font_manager.fontManager.addfont(str(Path(path)))


def new_figure(
    title: str, columns: Sequence[float] = (1,), height: float = 3.5
) -> tuple[PlotFigure, list[Axes]]:
    """Return a titled figure, `height` inches high, and its axes side by side, their widths as `columns`."""
    _register_devanagari()
    figure = PlotFigure(title, height)
    grid = figure.add_gridspec(1, len(columns), width_ratios=list(columns))
    return figure, [_steady(figure.add_subplot(grid[0, i]), ticks=6) for i in range(len(columns))]


def small_multiples(
    title: str, count: int, line_height: float = 1.9, sharex: bool = False, sharey: bool = False
) -> tuple[PlotFigure, list[Axes]]:
    """Return a titled figure with `count` equal axes, two in a line of `line_height` inches."""
    _register_devanagari()
    across = min(2, count)
    down = -(-count // across)
    figure = PlotFigure(title, 0.6 + line_height * down)
    grid = figure.subplots(down, across, squeeze=False, sharex=sharex, sharey=sharey).ravel()
    for unused in grid[count:]:
        unused.remove()
    return figure, [_steady(axes, ticks=4 if down > 1 else 6) for axes in grid[:count]]


def _steady(axes: Axes, ticks: int) -> Axes:
    """Fix the number of ticks: one that depends on the height changes after the figure has been laid out."""
    axes.locator_params(axis="y", nbins=ticks)
    return axes


def plain(words: str) -> str:
    r"""Return text that matplotlib shows as it is: a name such as `$x$` is no formula."""
    return " ".join(words.split()).replace("$", r"\$")


def ink(colour: str) -> str:
    """Return black or white, whichever is easier to read on a colour (Rec. 601 luma)."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return "black" if 0.299 * red + 0.587 * green + 0.114 * blue > 125 else "white"


def short(name: str, length: int = _NAME_LENGTH) -> str:
    """Return a name as it fits beside the axes, cut (never between a letter and its signs) if too long."""
    end = length
    while end < len(name) and unicodedata.category(name[end]).startswith("M"):
        end += 1
    shown = plain(name if len(name) <= end else name[:end] + "…")
    # matplotlib before 3.10 leaves a legend's names out that start with an underscore.
    return f" {shown}" if shown.startswith("_") else shown


def tiny(value: float) -> str:
    """Return a number as `number` does, those below a thousandth with a power of ten: `"6·10⁻¹⁴"`."""
    if value == 0 or abs(value) >= 1e-3 or not math.isfinite(value):
        return number(value, 2)
    digits, power = f"{value:.0e}".split("e")
    return f"{digits}·10{str(int(power)).translate(_RAISED)}".removeprefix("1·")


def factor(ratio: float) -> str:
    """Return a ratio as people say it: `"×4"`, and `"÷4"` below 1."""
    return f"×{number(ratio, 2)}" if ratio >= 1 else f"÷{number(1 / ratio, 2)}"


def power_of_thousand(largest: float) -> tuple[float, str]:
    """Return the unit that suits numbers up to `largest`, such as 10⁹, and its name with a space behind."""
    power = 3 * max(0, math.floor(math.log10(largest) / 3)) if largest > 0 else 0
    return 10.0**power, f"10{str(power).translate(_RAISED)} " if power else ""


def plain_ticks(axis: Axis) -> None:
    """Label a logarithmic axis with plain numbers, in between powers of ten only where there is room."""
    axis.set_major_formatter(lambda value, _: tiny(value))
    low, high = axis.get_view_interval()
    few = high < 100 * low
    axis.set_minor_formatter(lambda value, _: tiny(value) if few and f"{value:e}"[0] in "25" else "")


def grouped(verdicts: Mapping[str, str]) -> str:
    """Return label → verdict as a title: each verdict with its labels, or the one label with its verdict."""
    if len(verdicts) == 1:
        ((label, verdict),) = verdicts.items()
        return f"{short(label)}: {verdict}"
    groups: dict[str, list[str]] = {}
    for label, verdict in verdicts.items():
        groups.setdefault(verdict, []).append(short(label))
    said = "; ".join(f"{verdict}: {', '.join(labels)}" for verdict, labels in groups.items())
    return said[0].upper() + said[1:]


def time_unit(largest_s: float, lang: str | None) -> tuple[float, str]:
    """Return how many seconds the best axis unit for times up to `largest_s` has, and its name."""
    for limit, seconds, unit in ((1, 1e-3, "ms"), (120, 1.0, "s"), (7200, 60.0, "min")):
        if largest_s < limit:
            return seconds, text(f"common.unit_{unit}", lang)
    return 3600.0, text("common.unit_h", lang)


def value_axis(column: str, lang: str | None) -> str:
    """Return the name of a column's axis: losses are in nats, of anything else the unit is not known."""
    which = "loss_value_axis" if {"loss", "excess"} & set(column.split("_")) else "value_axis"
    return text(f"plots.{which}", lang, column=column.replace("_", " "))


def panel_title(words: str) -> str:
    """Return the title of one of two panels side by side, in as many lines as it takes."""
    return "\n".join(_balanced(words, _PANEL_TITLE_LENGTH))


def legend_below(figure: Figure, entries: Mapping[str, Any], per_line: int, title: str | None = None) -> None:
    """Put a legend under the axes: label → what was drawn, read line by line."""
    # matplotlib fills a legend column by column.
    order = [label for column in range(per_line) for label in list(entries)[column::per_line]]
    handles = [entries[label] for label in order]
    figure.legend(handles, order, loc="outside lower center", ncols=min(per_line, len(order)), title=title)


def name_rows(axes: Axes, names: Sequence[str]) -> None:
    """Name the rows of a horizontal picture, the first one at the top."""
    axes.set_yticks(range(len(names)), names)
    axes.tick_params(axis="y", length=0)
    axes.invert_yaxis()
