"""Gaps, sweeps and runs for the tests of the figures about upscaling."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np


def gap(size=6e-14, steps=200, grows=1.0):
    return [
        {
            "step": s,
            "gap": size * (1 + s) ** grows,
            "small_loss": 1.9 * math.exp(-s / 80) + 0.3,
            "wide_loss": 1.9 * math.exp(-s / 80) + 0.3 + min(1.0, size * s),
        }
        for s in range(0, steps + 1, 2)
    ]


def gaps():
    return {
        "A": gap(0.3, grows=0.1),
        "B": [r | {"gap": 0.0 if r["step"] == 0 else 0.01 * (1 + r["step"]) ** 0.4} for r in gap()],
        "C": [r | {"gap": 1e-9 if r["step"] == 0 else 0.002 * (1 + r["step"]) ** 0.9} for r in gap()],
        "D": gap(0.05, grows=0.0),
    }


def correlations(noise=0.0, units=12, k=4, seed=0):
    luck = np.random.default_rng(seed)
    signals = np.repeat(luck.normal(size=(units, 60)), k, axis=0)
    return np.corrcoef(signals + noise * luck.normal(size=signals.shape))


def noise_rows(gain=0.2, spread=0.02, noises=(0, 0.03, 0.1, 0.3, 1), best=0.1, seeds=5):
    luck = random.Random(1)
    rows = []
    for noise in noises:
        distance = abs(math.log10(max(noise, 0.003) / best))
        rows += [
            {"noise": noise, "seed": s, "loss": 0.6 + gain * distance + luck.gauss(0, spread)}
            for s in range(seeds)
        ]
    return rows


def map_rows(moved=0.0, spread=0.005, widths=(64, 128), rates=(0.5, 1, 2, 4, 8), diverges=8):
    """Losses by rate and noise; the best rate is 2, at the widest `moved` doublings further."""
    luck = random.Random(3)
    rows = []
    for width in widths:
        best = 1 + moved * (width == widths[-1])
        for rate, noise, seed in itertools.product(rates, (0, 0.1, 0.3, 1, 3), range(3)):
            loss = 0.8 + 0.05 * abs(math.log2(rate) - best) + 0.04 * abs(math.log10(max(noise, 0.03)))
            loss = math.nan if rate >= diverges else loss + luck.gauss(0, spread)
            rows.append({"width": width, "rate": rate, "noise": noise, "seed": seed, "loss": loss})
    return rows


RATES = tuple(1e-3 * 2**i for i in range(-2, 7))


def transfer_rows(standard=0.25, mup=1.0, names=("standard", "mup"), rates=RATES):
    """Sweeps at three widths whose best rate moves by these factors from one width to the next."""
    luck = random.Random(2)
    moves = {"standard": standard, "mup": mup}
    rows = []
    for name in names:
        for i, width in enumerate((32, 64, 128)):
            best = 8e-3 * moves[name] ** (i / 2)
            for rate in rates:
                for seed in range(3):
                    loss = 0.5 - 0.05 * i + 0.03 * math.log2(rate / best) ** 2 + luck.gauss(0, 0.003)
                    loss = math.nan if rate > 6 * best else loss
                    rows.append(
                        {"parametrization": name, "width": width, "learning_rate": rate, "seed": seed}
                        | {"loss": loss}
                    )
    return rows


def coordinate_rows(standard=0.5, mup=0.02, layers=("input", "hidden 1", "hidden 2", "output")):
    """Activations that grow with the width by these powers after five steps."""
    powers = {"standard": standard, "mup": mup}
    return [
        {
            "parametrization": name,
            "layer": layer,
            "width": width,
            "step": step,
            "size": (0.5 + 0.2 * i) * (width / 32) ** (power * step / 5 * (i > 0)),
        }
        for name, power in powers.items()
        for i, layer in enumerate(layers)
        for width in (32, 64, 128, 256)
        for step in range(6)
    ]


def race_rows(lead=0.5, spread=0.01, seeds=5, steps=20):
    """Runs whose upscaled model has a head start of `lead` of the way."""
    luck = random.Random(3)
    rows = []
    for seed in range(seeds):
        for route, head in (("scratch", 0.0), ("upscaled", lead)):
            shift = luck.gauss(0, spread)
            for i in range(steps + 1):
                loss = 0.5 + 1.8 * math.exp(-3 * (i / steps + head)) + shift
                rows.append({"route": route, "seed": seed, "compute": i * 1e10, "loss": loss})
    return rows
