"""How much faster many runs are together than one by one.

    python tests/benchmarks/sweep.py                            (about fifteen minutes on an idle machine)
    python tests/benchmarks/sweep.py --only mlp64 --rounds 3    (one row of the table)
    python tests/benchmarks/sweep.py --quick                    (half a minute: does it work at all?)

Each round times every way once, so that slow drift of the machine falls on all alike; the ratio of a way is
the median over the rounds of the time one by one divided by its time. "auto" includes the time that choosing
takes. The last column is the largest difference of a test loss between stacked and one by one, over all
evaluations: where it is not 0, training has amplified rounding. The exit code is 1 if "auto" is less than 2.5
times as fast at the MLP's width 64, or if its losses there differ by more than 1e-4.
"""

import argparse
import itertools
import sys
import time
from statistics import median

import torch

from labkit.config import Config, DigitsConfig, KahaniConfig
from labkit.sweep import grid, sweep
from labkit.sweep.cost import operation_size, processor_cores
from labkit.train import Training

BAR, BAR_ROW = 2.5, "mlp64"
RATES = [3e-4, 6e-4, 1e-3, 2e-3, 3e-3, 6e-3, 1e-2, 2e-2]
SEEDS = [0, 1, 2]
WAYS = ("one by one", "stacked", "processes", "auto")


def sweeps() -> dict[str, list[Config]]:
    """Return what is swept, by the row's name."""
    rows = {
        f"mlp{width}": grid(Config(width=width, device="cpu"), learning_rate=RATES, seed=SEEDS)
        for width in (32, 64, 128, 256)
    }
    rows["gpt"] = grid(KahaniConfig(lang="en", device="cpu"), width=[16, 32, 64], seed=SEEDS)
    rows["gpt16"] = grid(
        KahaniConfig(width=16, lang="en", device="cpu"), learning_rate=[2e-3, 5e-3, 1e-2], seed=SEEDS
    )
    for width in (4, 8, 16):
        rows[f"resnet{width}"] = grid(
            DigitsConfig(width=width, device="cpu"), learning_rate=[1e-3, 3e-3, 1e-2], seed=SEEDS
        )
    return rows


def timed(configs: list[Config], way: str) -> tuple[float, list[list[dict[str, float]]]]:
    """Return the seconds of a sweep and each run's rows."""
    begin = time.perf_counter()
    histories = sweep(configs, progress=False, method=way)
    return time.perf_counter() - begin, [history.rows for history in histories]


def largest_difference(a: list[list[dict[str, float]]], b: list[list[dict[str, float]]]) -> float:
    """Return the largest difference of a test loss between equal runs, over all evaluations."""
    chained = itertools.chain.from_iterable
    pairs = zip(chained(a), chained(b), strict=True)
    return max((abs(x["test_loss"] - y["test_loss"]) for x, y in pairs), default=0.0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="one short round; the bar is not applied")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--steps", type=int, help="of each run, instead of the config's default")
    parser.add_argument("--only", nargs="*", choices=list(sweeps()), help="rows of the table")
    given = parser.parse_args()
    rounds, steps = (1, 20) if given.quick else (given.rounds, given.steps)
    torch.set_num_threads(1)

    print(f"{processor_cores()} processor cores, {rounds} rounds, medians")
    print(f"{'sweep':10}{'runs':>5}{'steps':>6}{'operation':>11}{'one by one':>12}", end="")
    print("".join(f"{way:>18}" for way in WAYS[1:]), f"{'difference':>12}")
    passed = True
    for name, defaults in sweeps().items():
        if given.only and name not in given.only:
            continue
        changes = {"steps": steps, "warmup_steps": 0} if steps else {}
        configs = [type(config).from_dict(config.to_dict() | changes) for config in defaults]
        sweep(configs[:1], progress=False)  # loads what torch loads at the first step
        size = operation_size(Training(configs[0]))
        seconds: dict[str, list[float]] = {way: [] for way in WAYS}
        for _ in range(rounds):
            rows = {}
            for way in WAYS:
                spent, rows[way] = timed(configs, way)
                seconds[way].append(spent)
        ratios = {
            way: median(a / b for a, b in zip(seconds["one by one"], seconds[way], strict=True))
            for way in WAYS
        }
        print(f"{name:10}{len(configs):5}{configs[0].steps:6}{size:11,.0f}", end="")
        print(f"{median(seconds['one by one']):10.1f} s", end="")
        print("".join(f"{median(seconds[way]):8.1f} s {ratios[way]:6.2f} x" for way in WAYS[1:]), end="")
        difference = largest_difference(rows["stacked"], rows["one by one"])
        print(f" {difference:12.0e}", flush=True)
        passed = passed and (name != BAR_ROW or (ratios["auto"] >= BAR and difference <= 1e-4))
    return 0 if passed or given.quick else 1


if __name__ == "__main__":
    sys.exit(main())
