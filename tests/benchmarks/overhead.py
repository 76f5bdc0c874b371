"""What labkit's training loop costs on top of a bare PyTorch loop that does the same arithmetic.

    python tests/benchmarks/overhead.py            (about a minute)
    python tests/benchmarks/overhead.py --quick    (a few seconds: does it work at all?)

Each round times bare, ours, ours, bare: slow drift of the machine falls on both alike, and the two
identical runs of each kind show the machine's own noise. Both loops must end in exactly equal losses:
that is what "the same arithmetic" means. The exit code is 1 if the overhead exceeds the bar; where the
noise is larger than the bar, the noise is the bar, for no smaller difference can be seen.
"""

import argparse
import sys
import time
from statistics import median

import numpy as np
import torch
from torch.nn import functional

from labkit import train
from labkit.data import mnist1d, subset
from labkit.models import MLP

BAR = 0.05


def bare(config: train.Config) -> tuple[float, float]:
    """Train as a student would write it by hand; return seconds and the last training loss."""
    begin = time.perf_counter()
    split = subset(mnist1d(), config.fraction, config.seed)
    torch.manual_seed(config.seed)
    model = MLP(config.width, config.depth)
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=config.learning_rate, weight_decay=config.weight_decay
    )
    evaluate(model, split)
    step = epoch = 0
    while step < config.steps:
        generator = np.random.default_rng([config.seed, epoch])
        order = torch.from_numpy(generator.permutation(len(split.train_x)))
        for chosen in order.split(config.batch_size):
            if step == config.steps:
                break
            x, y = split.train_x[chosen], split.train_y[chosen]
            optimizer.zero_grad()
            loss = functional.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
            step += 1
        epoch += 1
    loss = evaluate(model, split)
    return time.perf_counter() - begin, loss


@torch.no_grad()
def evaluate(model, split) -> float:
    """Compute the same figures that our loop records at its beginning and end."""
    train_loss = functional.cross_entropy(model(split.train_x), split.train_y)
    logits = model(split.test_x)
    functional.cross_entropy(logits, split.test_y).item()
    (logits.argmax(1) == split.test_y).float().mean().item()
    return train_loss.item()


def ours(config: train.Config) -> tuple[float, float]:
    """Train with labkit; return seconds and the last training loss."""
    begin = time.perf_counter()
    history = train.run(config)
    return time.perf_counter() - begin, history.rows[-1]["train_loss"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="two short rounds; the bar is not applied")
    parser.add_argument("--rounds", type=int, default=25, help="more rounds see smaller differences")
    parser.add_argument("--width", type=int, default=64, help="64 makes a step of 0.3 to 0.6 ms")
    given = parser.parse_args()
    rounds, steps = (2, 100) if given.quick else (given.rounds, 800)
    config = train.Config(width=given.width, steps=steps, eval_every=steps, device="cpu")
    torch.set_num_threads(config.threads)
    bare(config), ours(config)

    times = {"bare": [], "ours": []}
    losses = set()
    for _ in range(rounds):
        for name, loop in (("bare", bare), ("ours", ours), ("ours", ours), ("bare", bare)):
            seconds, loss = loop(config)
            times[name].append(seconds)
            losses.add(loss)
    if len(losses) != 1:
        print(f"The two loops do not do the same arithmetic: they end in the losses {sorted(losses)}.")
        return 1

    pairs = list(zip(times["bare"], times["ours"], strict=True))
    overhead = median(b / a for a, b in pairs) - 1
    noise = median(
        abs(series[i + 1] / series[i] - 1) for series in times.values() for i in range(0, 2 * rounds, 2)
    )
    print(f"{rounds} rounds of {steps} steps, {torch.get_num_threads()} threads")
    print(f"{'loop':6} {'median ms/step':>15} {'fastest':>9} {'slowest':>9}")
    for name, series in times.items():
        low, middle, high = (1e3 * f(series) / steps for f in (min, median, max))
        print(f"{name:6} {middle:15.4f} {low:9.4f} {high:9.4f}")
    cost = 1e6 * median(b - a for a, b in pairs) / steps
    print(f"our loop costs {cost:.0f} microseconds a step")
    print(f"overhead {overhead:+.1%} (bar {BAR:.0%}), noise of identical runs {noise:.1%}", end="")
    print(f", overhead / noise {overhead / noise:+.2f}")
    return 0 if given.quick or overhead <= max(BAR, noise) else 1


if __name__ == "__main__":
    sys.exit(main())
