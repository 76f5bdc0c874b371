"""Benchmark of the forecasts: measure 1 s, predict a run eleven times longer, run it twice, compare.

    python tests/benchmarks/forecast.py            # about nine minutes on a machine left alone
    python tests/benchmarks/forecast.py --quick    # a smoke run of seconds; its figures are not judged

Each forecast happens in a fresh process: the very first step is timed there too, and "first step times N" is
the guess to beat. The same run twice in a row shows the machine's own noise. At the end overhead.py, beside
this script, compares labkit's training loop with a bare PyTorch loop. Exits with 1 if a bar fails.
"""

from __future__ import annotations

import argparse
import itertools
import json
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

RATIO = (
    11  # run length over measured length, in steps: at least 10 in time unless the machine changes by 10 %
)
MEASURE_S = 1.0
REPEATS = 4

# Median error, as a multiple of the median noise. Where the noise is below QUIET_NOISE the limit is
# QUIET_ERROR instead: were all steps independent, a forecast eleven times longer than its measurement would
# err by 2.5 times the difference of two such runs, however small both are.
NOISE_FACTOR = 1.25
QUIET_NOISE, QUIET_ERROR = 0.03, 0.05
COVERAGE = (0.70, 0.95)  # of ranges that say 80 %
NAIVE_SHARE = 1 / 3  # median error, as a share of that of "first step times N"

Workload = Callable[[], tuple[Callable[[Any], object], Iterable[Any]]]


@dataclass(frozen=True)
class Row:
    """One forecast and the two runs after it, in seconds."""

    workload: str
    steps: int
    measured_s: float
    first_s: float
    low_s: float
    expected_s: float
    high_s: float
    run_s: tuple[float, float]

    @property
    def noise(self) -> float:
        """Difference of the two equal runs, relative to their mean."""
        return abs(self.run_s[0] - self.run_s[1]) / statistics.mean(self.run_s)

    @property
    def naive_error(self) -> float:
        return abs(self.first_s * self.steps / self.run_s[0] - 1)

    def error(self, run: int = 0) -> float:
        """Relative error of the forecast against one of the runs; signed."""
        return self.expected_s / self.run_s[run] - 1

    def covered(self, run: int = 0) -> bool:
        return self.low_s <= self.run_s[run] <= self.high_s


@dataclass(frozen=True)
class Bar:
    """A figure, what it must satisfy, and whether it does."""

    name: str
    figure: str
    limit: str
    passed: bool


def mlp(width: int) -> Workload:
    """Return labkit's own training of an MLP on MNIST-1D."""

    def build() -> tuple[Callable[[Any], object], Iterable[Any]]:
        from labkit.train import Config, Training

        training = Training(Config(width=width, device="cpu"))
        return training.step, training.batches()

    return build


def slow_loader() -> tuple[Callable[[Any], object], Iterable[Any]]:
    """Return an MLP step fed by a DataLoader that prepares each example anew, in Python."""
    import torch

    from labkit.data import mnist1d
    from labkit.train import Config, Training

    split = mnist1d()

    class Prepared(torch.utils.data.Dataset[Any]):
        def __len__(self) -> int:
            return len(split.train_x)

        def __getitem__(self, index: int) -> Any:
            x = split.train_x[index]
            for shift in (1, 2, -1, -2):
                x = torch.roll(x, shift)
            return x, split.train_y[index]

    loader = torch.utils.data.DataLoader(Prepared(), batch_size=64, shuffle=True)
    return Training(Config(device="cpu")).step, loader


def convolution() -> tuple[Callable[[Any], object], Iterable[Any]]:
    """Return a small convolutional net on random images: plain PyTorch, nothing of labkit."""
    import torch
    from torch import nn

    torch.manual_seed(0)
    images, labels = torch.randn(512, 1, 28, 28), torch.randint(0, 10, (512,))
    net = nn.Sequential(
        *(nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2)),
        *(nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2)),
        *(nn.Flatten(), nn.Linear(32 * 7 * 7, 10)),
    )
    optimizer = torch.optim.Adam(net.parameters())

    def step(batch: Any) -> None:
        x, y = batch
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()

    return step, list(zip(images.split(32), labels.split(32), strict=True))


WORKLOADS: dict[str, Workload] = {
    "MLP 64": mlp(64),
    "MLP 256": mlp(256),
    "MLP 1024": mlp(1024),
    "slow loader": slow_loader,
    "conv net": convolution,
}


def endless(batches: Iterable[Any]) -> Iterator[Any]:
    while True:
        yield from batches


def run_seconds(build: Workload, steps: int) -> float:
    """Return how long a run of `steps` steps takes, in seconds, without any timing inside."""
    step, batches = build()
    start = perf_counter()
    for batch in itertools.islice(endless(batches), steps):
        step(batch)
    return perf_counter() - start


def forecast_once(workload: str, seconds: float) -> Row:
    """Measure, forecast, and run twice what was forecast."""
    from labkit.timing import measure_steps

    build = WORKLOADS[workload]
    step, batches = build()
    start = perf_counter()
    times = measure_steps(step, batches, seconds=seconds)
    measured_s = perf_counter() - start
    steps = RATIO * (len(times.step_s) + times.warmup_steps)
    forecast = times.forecast(steps)
    return Row(
        workload=workload,
        steps=steps,
        measured_s=measured_s,
        first_s=times.first_s,
        low_s=forecast.low_s,
        expected_s=forecast.expected_s,
        high_s=forecast.high_s,
        run_s=(run_seconds(build, steps), run_seconds(build, steps)),
    )


def in_fresh_process(*arguments: str) -> Any:
    """Run this script with these arguments in a new process and return the JSON it prints."""
    command = [sys.executable, str(Path(__file__).resolve()), *arguments]
    return json.loads(subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout)


def judge(rows: list[Row]) -> list[Bar]:
    """Hold the figures against the bars."""
    longest = max(r.measured_s for r in rows)
    error = statistics.median(abs(r.error()) for r in rows)
    naive = statistics.median(r.naive_error for r in rows)
    coverage = statistics.mean(r.covered() for r in rows)
    return [
        Bar("forecasts", f"{len(rows)}", "at least 20", len(rows) >= 20),
        Bar("longest measurement", f"{longest:.1f} s", "at most 5 s", longest <= 5),
        error_bar("median error", rows),
        *(
            error_bar(f"median error, {name}", group)
            for name, group in by_workload(rows).items()
            if statistics.median(r.noise for r in group) < QUIET_NOISE
        ),
        Bar(
            "80 % range holds the truth",
            f"{coverage:.0%}",
            "in {:.0%} to {:.0%}".format(*COVERAGE),
            COVERAGE[0] <= coverage <= COVERAGE[1],
        ),
        Bar(
            "median error against that of first step x N",
            f"{error / naive:.3f}",
            f"at most a third of its {naive:.0%}",
            error <= NAIVE_SHARE * naive,
        ),
    ]


def error_bar(name: str, rows: list[Row]) -> Bar:
    """Judge the median error of some forecasts by the noise of their runs."""
    error = statistics.median(abs(r.error()) for r in rows)
    noise = statistics.median(r.noise for r in rows)
    figure = f"{error:.1%} = {error / noise:.2f} x the median noise of {noise:.1%}"
    if noise < QUIET_NOISE:
        return Bar(name, figure, f"at most {QUIET_ERROR:.0%} at so little noise", error <= QUIET_ERROR)
    return Bar(name, figure, f"at most {NOISE_FACTOR} x the noise", error <= NOISE_FACTOR * noise)


def by_workload(rows: list[Row]) -> dict[str, list[Row]]:
    names = dict.fromkeys(r.workload for r in rows)
    return {name: [r for r in rows if r.workload == name] for name in names}


HEADER = (
    f"{'workload':12} {'steps':>7} {'measured':>8} {'forecast (80 % range)':>28} "
    f"{'run':>8} {'again':>8} {'error':>7} {'noise':>6} {'in':>3} {'first x N':>10}"
)


def line(r: Row) -> str:
    """Return one row of the table; times in seconds, errors relative to the first run."""
    span = f"{r.expected_s:8.2f} ({r.low_s:7.2f} to {r.high_s:7.2f})"
    inside = "yes" if r.covered() else "no"
    return (
        f"{r.workload:12} {r.steps:7d} {r.measured_s:8.2f} {span:>28} {r.run_s[0]:8.2f} {r.run_s[1]:8.2f} "
        f"{r.error():+7.1%} {r.noise:6.1%} {inside:>3} {r.first_s * r.steps:10.1f}"
    )


def summary(name: str, rows: list[Row]) -> str:
    """Return the medians of some rows, against the first run and, in brackets, against the second."""
    error, again = (statistics.median(abs(r.error(i)) for r in rows) for i in (0, 1))
    inside, inside_again = (statistics.mean(r.covered(i) for r in rows) for i in (0, 1))
    noise = statistics.median(r.noise for r in rows)
    half = statistics.median((r.high_s - r.low_s) / 2 / r.expected_s for r in rows)
    return (
        f"{name:12} error {error:5.1%} ({again:5.1%})  noise {noise:5.1%}  "
        f"in range {inside:4.0%} ({inside_again:4.0%})  half range {half:5.1%}"
    )


def main() -> int:
    """Run the benchmark, print its table and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a smoke run; figures are not judged")
    parser.add_argument(
        "--seconds", type=float, default=MEASURE_S, help="length of a measurement (default %(default)s)"
    )
    parser.add_argument(
        "--repeats", type=int, default=REPEATS, help="forecasts per workload (default %(default)s)"
    )
    parser.add_argument("--json", type=Path, help="save all rows to this file")
    parser.add_argument("--one", choices=WORKLOADS, help=argparse.SUPPRESS)
    given = parser.parse_args()
    seconds, repeats, names = given.seconds, given.repeats, list(WORKLOADS)
    if given.quick:
        seconds, repeats, names = 0.03, 1, ["MLP 64", "conv net"]
    if given.one:
        print(json.dumps(asdict(forecast_once(given.one, seconds))))
        return 0

    rows: list[Row] = []
    print(HEADER)
    for _, name in itertools.product(range(repeats), names):
        found = in_fresh_process("--one", name, "--seconds", str(seconds))
        rows.append(Row(**found | {"run_s": tuple(found["run_s"])}))
        print(line(rows[-1]), flush=True)
    if given.json:
        given.json.write_text(json.dumps([asdict(r) for r in rows], indent=1) + "\n", encoding="utf-8")

    print("\nMedians against the first run (in brackets: against the second)")
    for name, group in by_workload(rows).items():
        print(summary(name, group))
    print(summary("all", rows))
    print()
    bars = judge(rows)
    for bar in bars:
        verdict = "not judged" if given.quick else "pass" if bar.passed else "FAIL"
        print(f"{verdict:10} {bar.name}: {bar.figure} ({bar.limit})")
    if given.quick:
        return 0
    print("\nOverhead of labkit's training loop", flush=True)
    loop = subprocess.run([sys.executable, str(Path(__file__).with_name("overhead.py"))], check=False)
    return int(loop.returncode != 0 or not all(bar.passed for bar in bars))


if __name__ == "__main__":
    sys.exit(main())
