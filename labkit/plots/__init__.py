"""Figures with one message each, stated in the title, in English and Hindi.

Every function returns a matplotlib figure that shows itself at the end of a notebook cell; `.png()` gives
the picture as bytes and `.savefig(path)` writes it. Nothing here uses pyplot or changes matplotlib's
global settings. With matplotlib 3.11 or newer Devanagari is shaped rightly; older ones draw every letter
but may place vowel signs and joined letters wrongly.
"""

from labkit.plots.activations import coordinates
from labkit.plots.figure import PALETTE, PlotFigure
from labkit.plots.hyperparameters import noise_sweep, transfer
from labkit.plots.plan import plan_hours, two_plans
from labkit.plots.routes import race
from labkit.plots.scaling import effect_by_size, extrapolation, loss_by_size
from labkit.plots.settings_map import settings_map
from labkit.plots.side_by_side import side_by_side
from labkit.plots.timing import forecast, speed, step_times, waiting
from labkit.plots.training import losses
from labkit.plots.training_length import best_steps, kinds, schedules
from labkit.plots.tuning import gradient_noise, rounds, sweep
from labkit.plots.upscaling import clones, equivalence, wrong_rules

__all__ = [
    "PALETTE",
    "PlotFigure",
    "best_steps",
    "clones",
    "coordinates",
    "effect_by_size",
    "equivalence",
    "extrapolation",
    "forecast",
    "gradient_noise",
    "kinds",
    "loss_by_size",
    "losses",
    "noise_sweep",
    "plan_hours",
    "race",
    "rounds",
    "schedules",
    "settings_map",
    "side_by_side",
    "speed",
    "step_times",
    "sweep",
    "transfer",
    "two_plans",
    "waiting",
    "wrong_rules",
]
