"""Tables with a known truth for the tests of scaling."""

from __future__ import annotations

import numpy as np

Rows = list[dict[str, float]]


def rows(means: dict[float, float], seeds: int = 3, noise: float = 0.01, seed: int = 0) -> Rows:
    """Return rows for size → mean, with normal noise that sums to zero at each size: the means are exact."""
    generator = np.random.default_rng(seed)
    table = []
    for size, mean in means.items():
        spread = generator.standard_normal(seeds)
        spread = (spread - spread.mean()) / spread.std(ddof=1) * noise
        table += [
            {"size": size, "seed": k, "loss": float(mean + spread[k]), "parameters": size**2}
            for k in range(seeds)
        ]
    return table


FALLING = {16: 2.0, 32: 1.8, 64: 1.7}


def shifted(table: Rows, effects: dict[float, float], noise: float = 0.01, seed: int = 1) -> Rows:
    """Return the rows with an effect added at each size, and noise that sums to zero at each."""
    added = rows(effects, seeds=len({r["seed"] for r in table}), noise=noise, seed=seed)
    plus = {(r["size"], r["seed"]): r["loss"] for r in added}
    return [r | {"loss": r["loss"] + plus[r["size"], r["seed"]]} for r in table]
