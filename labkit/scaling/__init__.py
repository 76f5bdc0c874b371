"""Scaling checks: what two or three sizes can tell about larger ones, and what they cannot.

Works on any table of (size, seed, metric). Needs numpy only: neither torch nor matplotlib.
"""

from labkit.scaling.claims import Claim, claim
from labkit.scaling.effects import Effect, effect
from labkit.scaling.intervals import AtSize, Estimate, Step
from labkit.scaling.power_law import PowerLaw, fit_power_law
from labkit.scaling.running import run
from labkit.scaling.table import TableError
from labkit.scaling.trends import Trend, trend

__all__ = [
    "AtSize",
    "Claim",
    "Effect",
    "Estimate",
    "PowerLaw",
    "Step",
    "TableError",
    "Trend",
    "claim",
    "effect",
    "fit_power_law",
    "run",
    "trend",
]
