"""Measurements, runs and plans for the tests of the figures."""

from __future__ import annotations

import random

from matplotlib.text import Text

import labkit as lk
from labkit.forecast import Forecast
from labkit.timing import StepTimes

LONG = "एक बहुत लंबा नाम जो कभी ख़त्म नहीं होता, and goes on in English for a while longer"


def times(step_s=0.6e-3, wait_s=0.02e-3, first_s=35e-3, steps=60):
    luck = random.Random(0)
    noise = [1 + abs(luck.gauss(0, 0.1)) for _ in range(steps)]
    step = tuple(step_s * n for n in noise)
    return StepTimes(step, tuple(wait_s * n for n in noise), first_s, first_s + 4 * step_s, 5)


def rows(slope=1.0, seed=0):
    luck = random.Random(seed)
    return [{"step": s, "train_loss": 2.3 - slope * s / 300 + luck.gauss(0, 0.02)} for s in range(0, 301, 20)]


def forecast():
    return Forecast(low_s=10, expected_s=12, high_s=15, level=0.8, steps=20_000, mean_s=6e-4, fixed_s=0)


def plan(names=("baseline", "mine", "no A", "no B"), run_time=None, **given):
    roles = ["baseline", "method", *["ablation"] * (len(names) - 2)]
    run_time = run_time or lk.Measured(40, low=35, high=60)
    return lk.ComputePlan(
        "Does it help?", list(zip(names, roles, strict=True)), [0, 1, 2], "", run_time, **given
    )


def words(figure):
    """Every text of a figure; call `figure.png()` first for those that drawing makes."""
    return [t for t in figure.findobj(Text) if t.get_visible() and t.get_text().strip()]
