"""The look of every figure: size, fonts, colours, and the figure that shows itself in a notebook."""

from __future__ import annotations

import functools
import io
import textwrap
import unicodedata
import warnings
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from matplotlib import font_manager, rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from labkit.messages import text

# Okabe and Ito's colours (jfly.uni-koeln.de/color), told apart with every common kind of colour blindness.
BLUE, ORANGE, GREEN, VERMILLION = "#0072B2", "#E69F00", "#009E73", "#D55E00"
SKY, PURPLE, YELLOW, GREY = "#56B4E9", "#CC79A7", "#F0E442", "#BBBBBB"
PALETTE = (BLUE, ORANGE, GREEN, PURPLE, SKY, VERMILLION, YELLOW)

_TITLE_LENGTH = 84
_NAME_LENGTH = 26  # longer names are cut, so that the legend leaves room for the bars
STYLE: dict[Any, Any] = {
    "font.family": ["DejaVu Sans", "Noto Sans Devanagari"],
    "font.size": 9.5,
    "figure.facecolor": "white",
    "figure.constrained_layout.use": True,
    "axes.facecolor": "white",
    "axes.edgecolor": "#555555",
    "axes.labelcolor": "black",
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
            words = "\n".join(textwrap.wrap(plain(title), _TITLE_LENGTH))
            self.suptitle(words, x=0.01, ha="left", fontsize=10.5)

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
    return figure, [figure.add_subplot(grid[0, i]) for i in range(len(columns))]


def plain(words: str) -> str:
    r"""Return text that matplotlib shows as it is: a name such as `$x$` is no formula."""
    return " ".join(words.split()).replace("$", r"\$")


def short(name: str) -> str:
    """Return a name as it fits beside the axes, cut (never between a letter and its signs) if too long."""
    end = _NAME_LENGTH
    while end < len(name) and unicodedata.category(name[end]).startswith("M"):
        end += 1
    shown = plain(name if len(name) <= end else name[:end] + "…")
    # matplotlib before 3.10 leaves a legend's names out that start with an underscore.
    return f" {shown}" if shown.startswith("_") else shown


def time_unit(largest_s: float, lang: str | None) -> tuple[float, str]:
    """Return how many seconds the best axis unit for times up to `largest_s` has, and its name."""
    for limit, seconds, unit in ((1, 1e-3, "ms"), (120, 1.0, "s"), (7200, 60.0, "min")):
        if largest_s < limit:
            return seconds, text(f"common.unit_{unit}", lang)
    return 3600.0, text("common.unit_h", lang)


def need(given: Mapping[str, Any], function: str, what: str, example: str, lang: str | None) -> None:
    """Raise a ValueError with an example if there is nothing to draw."""
    if not given:
        raise ValueError(text("plots.nothing_to_draw", lang, function=function, what=what, example=example))


def name_rows(axes: Axes, names: Sequence[str]) -> None:
    """Name the rows of a horizontal picture, the first one at the top."""
    axes.set_yticks(range(len(names)), names)
    axes.tick_params(axis="y", length=0)
    axes.invert_yaxis()
