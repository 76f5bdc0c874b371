"""Figures with one message each, stated in the title, in English and Hindi.

Every function returns a matplotlib figure that shows itself at the end of a notebook cell; `.png()` gives
the picture as bytes and `.savefig(path)` writes it. Nothing here uses pyplot or changes matplotlib's
global settings. With matplotlib 3.11 or newer Devanagari is shaped rightly; older ones draw every letter
but may place vowel signs and joined letters wrongly.
"""

from labkit.plots.figure import PALETTE, PlotFigure
from labkit.plots.plan import plan_hours
from labkit.plots.timing import forecast, speed, step_times, waiting
from labkit.plots.training import losses

__all__ = ["PALETTE", "PlotFigure", "forecast", "losses", "plan_hours", "speed", "step_times", "waiting"]
