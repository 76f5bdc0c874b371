"""Histories, sweeps and studies for the tests of the figures about how long to train."""

from __future__ import annotations

import math
import random

from labkit import schedules

RATES = (0.001, 0.003, 0.01, 0.03, 0.1)
STUDIES = {
    "A": ([40, 60, 70, 80, 90, 95], 1000),
    "B": ([800, 850, 900, 940, 980, 1000], 1000),
    "C": ([300, 420, 500, 560, 610, 700], 1000),
    "D": ([200, 450, 800, 900, 400, 600], (500, 500, 1000, 1000, 500, 1000)),
    "E": ([60, 240, 380, 610, 790, 960], 1000),
    "F": ([1600, 1700, 1850, 1900, 1960, 2000], 2000),
}


def history(kind, seed=0, steps=3000, points=60):
    """A run whose loss goes on falling, is fitted, overfits, or has hardly begun."""
    luck = random.Random(seed)
    rows = []
    for i in range(points + 1):
        step = round(steps * i / points)
        done = (1 + step / 20) ** -0.45
        train = {"falls": 0.2 + 2.1 * done, "begins": 2.3 - 0.5 * step / steps}.get(kind, 2.3 * done**3)
        validation = {
            "falls": train + 0.05,
            "begins": train + 0.02,
            "fitted": 0.6 + 1.7 * done**3,
            "overfits": 0.6 + 1.7 * done**3 + 0.25 * step / steps,
        }[kind]
        noise = [luck.gauss(0, 0.004) for _ in range(2)]
        rows.append(
            {"step": step, "train_loss": max(0, train + noise[0]), "test_loss": validation + noise[1]}
        )
    return rows


def trial(rate, seed, best=0.01, needs=400, length=2000):
    """A run that fits the training set the later, the further its rate is from the best one."""
    luck = random.Random(f"{rate} {seed}")
    step = needs * math.exp(1.1 * math.log10(rate / best) ** 2) * (1 + 0.1 * luck.random())
    return [
        {"step": s, "learning_rate": rate, "seed": seed, "train_loss": 2.3 * 0.004 ** min(1.2, s / step)}
        for s in range(0, length + 1, 50)
    ]


def sweep(best=0.01, needs=400, rates=RATES):
    return [row for rate in rates for seed in range(3) for row in trial(rate, seed, best, needs)]


def linear():
    first = schedules.linear(0.01, 1000, warmup_steps=100, decay_steps=400)
    return first, first.extended(2000), first.mistaken(2000)


def cosine():
    first = schedules.cosine(0.01, 1000, warmup_steps=100)
    return first, first.extended(2000), first.mistaken(2000)


def noise_rows(slowdown=1.6, spread=10, never=()):
    luck = random.Random(4)
    rows = []
    for setting, times in (("batch 100", 1.0), ("batch 25", slowdown), ("with shift", slowdown**0.5)):
        for seed in range(4):
            steps = None if setting in never and seed > 1 else 400 * times + luck.gauss(0, spread)
            rows.append({"setting": setting, "seed": seed, "steps": steps})
    return rows


def rounds(trials=((12, 300), (3, 3000)), budget_hours=10, hours_per_step=4e-4):
    found = [{"trials": n, "steps": steps, "hours": n * steps * hours_per_step} for n, steps in trials]
    return {
        "rounds": found,
        "total_hours": 1.5 * sum(one["hours"] for one in found),
        "budget_hours": budget_hours,
        "production_steps": 3000,
        "longest_steps": 1200,
    }
