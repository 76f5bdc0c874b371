"""Benchmark of the scaling verdicts: tables with known truth, and how often what is said about them is right.

    python tests/benchmarks/scaling_verdicts.py                # 1,000 draws of everything, about a minute
    python tests/benchmarks/scaling_verdicts.py --draws 50     # a smoke run; its figures are not judged

Each draw has 2 to 6 sizes (those that can turn, 3 to 6) and 2 to 10 seeds; the values of a seed share an
offset as large as the noise. The signal of a table is what its verdict rests on, in true standard errors:

    steady, not steady   each step between neighbouring sizes; the standard error is that of the paired step
    trend flat           the change that counts as none (`same`); standard error of a paired step
    shrinks, grows       each change of the effect from one size to the next; standard error of that change
    flips                the effect at the smallest and the largest size; standard error of one size's effect
    effect flat          the effect; standard error of one size's effect

"3 or more" is uniform from 3 to 6, drawn for every step by itself; "below 1" is uniform from 0 to 1. The
power law's bands are asked for at the next size of the row. Exits with 1 if a bar fails; the figures in
brackets have no bar. At exactly 3 standard errors no test can be right in 95 % of the cases and name a
direction in 5 % of pure noise: even with a known spread it is 85 %. Only tables whose sizes add up to more
than one step can do better. "Not steady" (a fall and a rise must both be clear) and the trend's "flat" (no
change, and enough precision to say so) rest on two such findings and fall short of 95 % between 3 and 6.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from labkit import scaling

RIGHT = 0.95  # of verdicts, where the signal is 3 standard errors or more
NOT_WRONG = 0.95  # of verdicts, where it is below 1, and where there is none at all
NO_BAR = {("trend", "not steady"), ("trend", "flat")}  # for their right verdicts
COVERAGE = (0.85, 0.97)  # of bands that say 90 %
LEVEL = 2.0  # of the values, such as a loss in nats
NOISE = 0.01  # standard deviation over seeds
OPPOSITE = {"falls": "rises", "rises": "falls"}


@dataclass(frozen=True)
class Shape:
    """How many sizes and seeds a table has."""

    sizes: int
    seeds: int

    @property
    def error(self) -> float:
        """True standard error of a mean over seeds."""
        return NOISE / math.sqrt(self.seeds)

    @property
    def widths(self) -> list[int]:
        return [16 * 2**i for i in range(self.sizes)]


Signal = Callable[[int], np.ndarray]  # how many are needed -> signals in standard errors
Noise = Callable[[np.random.Generator, Shape], np.ndarray]


def gaussian(generator: np.random.Generator, shape: Shape) -> np.ndarray:
    return NOISE * generator.standard_normal((shape.sizes, shape.seeds))


def uneven(generator: np.random.Generator, shape: Shape) -> np.ndarray:
    """Return noise whose spread falls by a factor of three from the smallest size to the largest."""
    return gaussian(generator, shape) * np.geomspace(3, 1, shape.sizes)[:, None]


def heavy(generator: np.random.Generator, shape: Shape) -> np.ndarray:
    """Return noise with heavy tails: Student's t of 4 degrees of freedom."""
    return NOISE * generator.standard_t(4, (shape.sizes, shape.seeds))


def table(truth: np.ndarray, noise: np.ndarray, offsets: np.ndarray) -> list[tuple[int, int, float]]:
    """Return rows for a mean at each size, with noise of shape (sizes, seeds) and one offset a seed."""
    values = LEVEL + truth[:, None] + noise + offsets
    return [(16 * 2**i, seed, float(value)) for i, row in enumerate(values) for seed, value in enumerate(row)]


def trend_steps(kind: str, shape: Shape, signal: Signal, generator: np.random.Generator) -> np.ndarray:
    """Return the true steps between neighbouring sizes."""
    steps = signal(shape.sizes - 1) * shape.error * math.sqrt(2)
    if kind == "not steady":
        steps[generator.integers(1, shape.sizes - 1) :] *= -1
    return steps * generator.choice([-1, 1])


def effects(kind: str, shape: Shape, signal: Signal, generator: np.random.Generator) -> np.ndarray:
    """Return the true effect at each size."""
    side = generator.choice([-1, 1])
    if kind == "flat":
        return np.full(shape.sizes, side * signal(1)[0] * shape.error)
    if kind == "flips":
        first, last = signal(2) * shape.error
        return side * np.linspace(-first, last, shape.sizes)
    changes = np.cumsum([0, *(signal(shape.sizes - 1) * shape.error * math.sqrt(2))])
    rising = side * (generator.uniform(1.5, 3) * shape.error + changes)
    return rising if kind == "grows" else rising[::-1]


def said_about_trend(
    kind: str, shape: Shape, signal: Signal, generator: np.random.Generator, noise: Noise = gaussian
) -> tuple[str, bool, bool]:
    """Return the verdict on one drawn table, whether it is right, and whether it names a wrong direction."""
    same = 1e-9  # so that no step, and no amount of noise, looks small
    steps = np.zeros(shape.sizes - 1)
    if kind == "flat":
        same = signal(1)[0] * shape.error * math.sqrt(2) / LEVEL
    elif kind != "noise":
        steps = trend_steps(kind, shape, signal, generator)
    offsets = NOISE * generator.standard_normal(shape.seeds)
    rows = table(np.cumsum([0, *steps]), noise(generator, shape), offsets)
    result = scaling.trend(rows, same=same)
    said = f"{result.verdict}, {result.direction}"
    if kind == "noise":
        wrong = result.verdict != "too noisy" or result.direction in OPPOSITE
        return said, not wrong, wrong
    if kind == "flat":
        return said, said == "steady, flat", result.direction in OPPOSITE or result.verdict == "not steady"
    falls = "falls" if steps.sum() < 0 else "rises"
    if kind == "steady":
        wrong = result.verdict == "not steady" or result.direction == OPPOSITE[falls]
        return said, said == f"steady, {falls}", wrong
    return said, result.verdict == kind, result.verdict == "steady" and result.direction in OPPOSITE


def said_about_effect(
    kind: str, shape: Shape, signal: Signal, generator: np.random.Generator, noise: Noise = gaussian
) -> tuple[str, bool, bool]:
    """Return the verdict on a drawn pair of tables, whether it is right, and whether it is a wrong one."""
    truth = np.zeros(shape.sizes) if kind == "noise" else effects(kind, shape, signal, generator)
    offsets = NOISE * generator.standard_normal(shape.seeds)
    trend = -0.1 * np.arange(shape.sizes)
    baseline, method = (noise(generator, shape) / math.sqrt(2) for _ in range(2))
    result = scaling.effect(table(trend, baseline, offsets), table(trend + truth, method, offsets))
    right = result.verdict == ("too noisy" if kind == "noise" else kind)
    harmless = {"too noisy"} | ({"flat"} if kind != "noise" else set())
    return result.verdict, right, not right and result.verdict not in harmless


JUDGES = {
    **{("trend", kind): said_about_trend for kind in ("steady", "not steady", "flat", "noise")},
    **{("effect", kind): said_about_effect for kind in ("shrinks", "grows", "flips", "flat", "noise")},
}


def drawn_shape(kind: str, generator: np.random.Generator) -> Shape:
    fewest = 3 if kind == "not steady" else 2
    return Shape(int(generator.integers(fewest, 7)), int(generator.integers(2, 11)))


def rates(
    what: tuple[str, str],
    draws: int,
    low: float,
    high: float,
    shape: Shape | None = None,
    noise: Noise = gaussian,
    seed: int = 0,
) -> tuple[float, float]:
    """Return the shares of right verdicts and of wrong directions over tables drawn with such signals."""
    generator = np.random.default_rng(seed)

    def signal(count: int) -> np.ndarray:
        return generator.uniform(low, high, count)

    found = [
        JUDGES[what](what[1], shape or drawn_shape(what[1], generator), signal, generator, noise)
        for _ in range(draws)
    ]
    return float(np.mean([right for _, right, _ in found])), float(np.mean([wrong for *_, wrong in found]))


LAWS = {  # floor, share of the smallest size's value above it, exponent
    "GPT on text": (1.0, 0.5, 0.5),
    "steep": (1.0, 1.0, 1.0),
    "shallow": (0.5, 1.5, 0.2),
    "almost no floor": (0.05, 2.0, 0.3),
}


def coverage(law: str, draws: int, offset: float = 0.0, noise: float = NOISE, seed: int = 0) -> float:
    """Return how often the 90 % band at the next size holds the law, over 3 to 6 sizes and 2 to 10 seeds."""
    generator = np.random.default_rng(seed)
    floor, above, exponent = LAWS[law]
    inside = 0
    for _ in range(draws):
        shape = Shape(int(generator.integers(3, 7)), int(generator.integers(2, 11)))
        truth = floor + above * (np.array([*shape.widths, 2 * shape.widths[-1]]) / 16) ** -exponent
        values = noise / NOISE * gaussian(generator, shape)
        offsets = offset * generator.standard_normal(shape.seeds)
        low, high = scaling.fit_power_law(table(truth[:-1] - LEVEL, values, offsets)).band(
            2 * shape.widths[-1]
        )
        inside += low <= truth[-1] <= high
    return inside / draws


def report(draws: int) -> list[str]:
    """Print all rates and return the names of the bars that fail."""
    failed = []

    def bar(name: str, figure: float, low: float, high: float = 1.0) -> str:
        if low <= figure <= high:
            return ""
        failed.append(name)
        return "  FAILS"

    print(f"{draws} draws each; sizes 2 to 6, seeds 2 to 10\n")
    print(f"{'right, by the signal':20} {'3 or more':>14} {'exactly 3':>12} {'4':>7} {'5':>7}")
    for what in JUDGES:
        if what[1] == "noise":
            continue
        right = rates(what, draws, 3, 6)[0]
        exact = " ".join(f"{rates(what, draws, signal, signal)[0]:7.1%}" for signal in (3, 4, 5))
        verdict = "" if what in NO_BAR else bar(" ".join(what), right, RIGHT)
        shown = f"({right:.1%})" if what in NO_BAR else f"{right:.1%}"
        print(f"{' '.join(what):20} {shown:>14}     ({exact}){verdict}")
    print(f"\n{'not wrong':24} {'below 1':>10}")
    for what in JUDGES:
        right = 1 - rates(what, draws, 0, 1)[1]
        name = " ".join(what) + (", no signal" if what[1] == "noise" else "")
        print(f"{name:24} {right:10.1%}{bar(name + ' below 1', right, NOT_WRONG)}")
    for name, noise in (("spread falls by 3", uneven), ("heavy tails", heavy)):
        for what in (("trend", "noise"), ("effect", "noise")):
            right = f"({1 - rates(what, draws, 0, 0, noise=noise)[1]:.1%})"
            print(f"{what[0] + ' noise, ' + name:32} {right}")
    print("\nthe 90 % band at the next size covers (with an offset of each seed as large as the noise)")
    for law in LAWS:
        for noise_sd in (NOISE, 5 * NOISE):
            share, offset = (coverage(law, draws, size, noise_sd) for size in (0.0, noise_sd))
            name = f"{law}, noise {noise_sd:g}"
            print(f"{name:30} {share:6.1%}   ({offset:.1%}){bar(name, share, *COVERAGE)}")
    for what in (("trend", "steady"), ("effect", "shrinks"), ("effect", "flat")):
        print(f"\n{' '.join(what)}, signal 3 or more: (right, by sizes down, seeds across)")
        print("     " + " ".join(f"{seeds:6d}" for seeds in range(2, 11)))
        for sizes in range(2, 7):
            row = [rates(what, max(draws // 4, 1), 3, 6, Shape(sizes, seeds))[0] for seeds in range(2, 11)]
            print(f"{sizes:4d} " + " ".join(f"{share:6.1%}" for share in row))
    return failed


def main() -> int:
    """Run the benchmark; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--draws", type=int, default=1000, help="tables for each truth and signal")
    draws = parser.parse_args().draws
    failed = report(draws)
    if draws < 1000:
        return 0
    print("\n" + (f"Bars that fail: {', '.join(failed)}" if failed else "All bars hold."))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
