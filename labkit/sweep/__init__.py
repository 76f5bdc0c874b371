"""Many training runs at once: small models share each step, wide ones have a processor core each."""

from labkit.sweep.grid import grid, steps_to
from labkit.sweep.methods import sweep
from labkit.sweep.processes import SweepError

__all__ = ["SweepError", "grid", "steps_to", "sweep"]
