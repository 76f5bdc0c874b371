"""Scaling checks: what two or three sizes can tell about larger ones, and what they cannot.

Works on any table of (size, seed, metric). Needs numpy only: neither torch nor matplotlib.
"""

from labkit.scaling.intervals import AtSize, Step
from labkit.scaling.table import TableError
from labkit.scaling.trends import Trend, trend

__all__ = ["AtSize", "Step", "TableError", "Trend", "trend"]
