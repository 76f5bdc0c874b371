"""Tables of runs over sizes for the tests of the figures of scaling checks."""

from __future__ import annotations

import math
import random

SIZES = (12_000, 38_000, 130_000)


def table(losses=(1.42, 1.24, 1.13), spread=0.01, seeds=3, sizes=SIZES, luck=0, shift=0.0):
    """Runs of these mean losses; `shift` is added, and noise drawn anew for another `luck`."""
    draw = random.Random(luck)
    return [
        {"size": size, "seed": seed, "loss": loss + shift + draw.gauss(0, spread), "flops": size * 5e6}
        for size, loss in zip(sizes, losses, strict=True)
        for seed in range(seeds)
    ]


def diverged():
    rows = table(seeds=4)
    rows[-1] = rows[-1] | {"loss": math.nan}
    return rows


def pair(effects, spread=0.004, seeds=5):
    """A baseline and a method that changes its loss by these effects."""
    base = (1.42, 1.24, 1.13)
    changed = tuple(loss + change for loss, change in zip(base, effects, strict=True))
    return table(base, spread, seeds), table(changed, spread, seeds, luck=1)


PAIRS = {
    "A": pair((-0.10, -0.06, -0.02)),
    "B": pair((-0.06, 0.0, 0.06)),
    "C": pair((-0.02, -0.01, -0.02), spread=0.06),
    "D": pair((-0.01, -0.05, -0.09)),
}


def law_table(seeds=3, spread=0.004):
    """Runs of a known power law: floor 1, exponent 0.4."""
    return table([1 + 20 * size**-0.4 for size in SIZES], spread, seeds)
