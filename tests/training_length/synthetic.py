"""Curves and sweeps whose truth is known, with the noise of real runs, as labkit records them."""

import numpy as np

Rows = list[dict[str, float]]


def _noise(random, count: int, deviation: float) -> np.ndarray:
    """Scatter of evaluations in a row; a third of each carries over to the next."""
    scatter = random.normal(0, deviation, count)
    for place in range(1, count):
        scatter[place] = 0.3 * scatter[place - 1] + np.sqrt(1 - 0.3**2) * scatter[place]
    return scatter


def _rows(random, steps, train, validation, noise: float) -> Rows:
    """Add noise that is a share of the loss itself, and return the rows."""
    train = train * (1 + _noise(random, len(steps), noise))
    validation = validation * (1 + _noise(random, len(steps), noise))
    columns = {"step": steps, "train_loss": np.maximum(train, 1e-6), "test_loss": validation}
    return [dict(zip(columns, map(float, row), strict=True)) for row in zip(*columns.values(), strict=True)]


def _steps(random) -> np.ndarray:
    evaluations = int(random.integers(20, 61))
    return np.arange(evaluations + 1) * int(random.integers(10, 200))


def _several(random, make) -> list[Rows]:
    """One to three seeds of one workload."""
    return [make() for _ in range(random.integers(1, 4))]


def still_falling(random) -> list[Rows]:
    """A power law above a floor, seen over a hundred times its first scale; validation a little higher."""
    steps, first = _steps(random), random.uniform(2.0, 4.0)
    floor, exponent = first * random.uniform(0, 0.5), random.uniform(0.2, 0.6)
    scale, gap = random.uniform(0.005, 0.03), random.uniform(0, 0.03)
    noise = random.uniform(0.001, 0.005)
    train = floor + (first - floor) * (1 + steps / steps[-1] / scale) ** -exponent
    return _several(random, lambda: _rows(random, steps, train, train * (1 + gap), noise))


def _fitting(random, steps, first: float) -> np.ndarray:
    """A training loss that falls to nearly nothing."""
    time = steps / steps[-1]
    return first * (np.exp(-time / random.uniform(0.05, 0.12)) + 0.003 / (0.1 + time))


def overfits(random) -> list[Rows]:
    """The training loss goes to nothing; the validation loss turns round and rises."""
    steps, first = _steps(random), random.uniform(2.0, 4.0)
    train, time = _fitting(random, steps, first), steps / steps[-1]
    lowest, best = first * random.uniform(0.3, 0.6), random.uniform(0.1, 0.5)
    fall = lowest + (first - lowest) * np.exp(-time * 4 / best)
    rise = (first - lowest) * random.uniform(0.1, 0.8) * np.maximum(0, time - best) / (1 - best)
    noise = random.uniform(0.002, 0.01)
    return _several(random, lambda: _rows(random, steps, train, fall + rise, noise))


def fitted(random) -> list[Rows]:
    """The training loss goes to nothing; the validation loss stays where it was, above it."""
    steps, first = _steps(random), random.uniform(2.0, 4.0)
    train, time = _fitting(random, steps, first), steps / steps[-1]
    level = first * random.uniform(0.2, 0.5)
    validation = level + (first - level) * np.exp(-time / random.uniform(0.03, 0.08))
    noise = random.uniform(0.001, 0.006)
    return _several(random, lambda: _rows(random, steps, train, validation, noise))


def levels_off(random) -> list[Rows]:
    """Both losses level off high: a small model has learnt what it can."""
    steps, first = _steps(random), random.uniform(2.0, 4.0)
    level = first * random.uniform(0.3, 0.7)
    train = level + (first - level) * np.exp(-steps / steps[-1] / random.uniform(0.03, 0.08))
    noise = random.uniform(0.001, 0.004)
    return _several(random, lambda: _rows(random, steps, train, 1.03 * train, noise))


def too_short(random) -> list[Rows]:
    """The start of either kind: the loss has covered half of its way at most."""
    steps, first = _steps(random), random.uniform(2.0, 4.0)
    floor, length = first * random.uniform(0, 0.3), random.uniform(0.1, 0.7)
    train = floor + (first - floor) * np.exp(-steps / steps[-1] * length)
    noise = random.uniform(0.001, 0.01)
    return _several(random, lambda: _rows(random, steps, train, 1.02 * train, noise))


def too_noisy(random) -> list[Rows]:
    """Scatter as large as a quarter of the fall hides what the last doubling does."""
    steps, first = _steps(random), random.uniform(2.0, 4.0)
    floor = first * random.uniform(0.4, 0.6)
    train = floor + (first - floor) * (1 + steps / steps[-1] / 0.02) ** -random.uniform(0.3, 0.8)
    noise = random.uniform(0.08, 0.2)
    return [_rows(random, steps, train, 1.02 * train, noise)]


KINDS = {
    still_falling: "compute-bound",
    overfits: "not compute-bound",
    fitted: "not compute-bound",
    levels_off: "not compute-bound",
    too_short: "cannot tell",
    too_noisy: "cannot tell",
}


def sweep(random, optimum: float, rates: int = 8, with_accuracy: bool = True):
    """A sweep of constant rates, and the steps at which its fastest trial first fits.

    Parameters
    ----------
    optimum : where the best rate lies: 0 is the smallest rate tried, `rates` - 1 the largest.
    """
    spacing = random.choice([2.0, 10**0.5])
    tried = 1e-3 * spacing ** np.arange(rates)
    every = int(random.integers(5, 20))
    best, length = every * random.uniform(20, 40), every * 120
    steepness = random.uniform(0.15, 0.4)
    trials, first = [], np.inf
    for place, rate in enumerate(tried):
        for seed in range(random.integers(1, 4)):
            needed = best * np.exp(steepness * (place - optimum) ** 2) * np.exp(random.normal(0, 0.03))
            needed = np.inf if place > optimum + 2.5 else every * np.ceil(needed / every)
            first = min(first, needed if needed <= length else np.inf)
            history = _fit_history(random, np.arange(0, length + 1, every), needed, with_accuracy)
            trials.append((float(rate), history, seed))
    return [(rate, history) for rate, history, _ in trials], first


def _fit_history(random, steps, needed: float, with_accuracy: bool) -> Rows:
    """A trial that first fits at step `needed` and errs now and then later; inf for one that diverges."""
    if np.isinf(needed):
        losses = [2.3 if step < steps[-1] / 3 else np.nan for step in steps]
        wrong = [3600 for _ in steps]
    else:
        share = np.maximum(steps, 1) / needed
        losses = np.where(share < 1, 2.3 * 0.0044**share, 0.0099 / share)
        losses = losses * np.where(share < 1, np.exp(abs(random.normal(0, 0.1, len(steps)))), 1)
        wrong = np.where(share < 1, 1 + random.poisson(4000 * np.maximum(0, 0.3 - 0.3 * share)), 0)
        late = (share > 1) & (random.random(len(steps)) < 0.2)
        wrong, losses = np.where(late, 2, wrong), np.where(late, 0.02, losses)
    rows = [{"step": int(s), "train_loss": float(loss)} for s, loss in zip(steps, losses, strict=True)]
    if with_accuracy:
        rows = [row | {"train_accuracy": 1 - int(w) / 4000} for row, w in zip(rows, wrong, strict=True)]
    return rows
