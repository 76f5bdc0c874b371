"""Benchmark of upscaling: its time and memory, against building the wide model.

    python tests/benchmarks/upscaling.py           # about half a minute; best on a machine left alone

The bar: widening takes at most twice the time of building the wide model, and its peak of memory is at most
twice what the result holds. The time of `upscale` with its optimiser, and with noise, is shown beside it.
Exits with 1 if the bar fails. Small models are not judged: there both take a few milliseconds.
"""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import torch
from torch import nn

import labkit as lk
from labkit.models import GPT, MLP

K, REPEATS, LIMIT = 4, 9, 2.0
MODELS: dict[str, Callable[[], Any]] = {
    "MLP, width 1024": lambda: MLP(1024, depth=3),
    "GPT, width 256": lambda: GPT(256, depth=4),
}


def trained(name: str) -> tuple[Any, dict[str, torch.optim.Optimizer]]:
    """Return a model and, for each kind, an optimiser with state."""
    model = MODELS[name]()
    optimizers: dict[str, torch.optim.Optimizer] = {
        "SGD": torch.optim.SGD(model.parameters(), lr=1e-3, momentum=0.9),
        "AdamW": torch.optim.AdamW(model.parameters()),
    }
    for optimizer in optimizers.values():
        for parameter in model.parameters():
            parameter.grad = torch.randn_like(parameter)
        optimizer.step()
        optimizer.zero_grad()
    return model, optimizers


def seconds(work: Callable[[], object]) -> float:
    begin = perf_counter()
    kept = work()
    end = perf_counter()
    del kept
    return end - begin


def times(name: str) -> dict[str, float]:
    """Return the median time of each way, in alternation, in seconds."""
    model, optimizers = trained(name)
    ways: dict[str, Callable[[], object]] = {
        "build": lambda: model.at_width(K * model.width),
        "widen": lambda: lk.widen(model, K),
    }
    for kind, optimizer in optimizers.items():
        for noise in (0.0, 0.1):
            label = f"upscale, {kind}" + (", noise" if noise else "")
            ways[label] = lambda o=optimizer, n=noise: lk.upscale(model, o, K, n)  # type: ignore[misc]
    found = [{way: seconds(work) for way, work in ways.items()} for _ in range(REPEATS)]
    return {way: statistics.median(row[way] for row in found) for way in ways}


def memory(name: str, way: str) -> None:
    """Print the peak's growth and what the result holds, in MiB; to be called in a process of its own."""
    model, optimizers = trained(name)
    before = peak()
    result = lk.widen(model, K) if way == "widen" else lk.upscale(model, optimizers["AdamW"], K, 0.1)
    grown = peak() - before
    wide: nn.Module = result if way == "widen" else result[0]
    held = list(wide.parameters())
    if way != "widen":
        held += [v for state in result[1].state.values() for v in state.values()]
    print(json.dumps({"grown": grown, "held": sum(t.numel() * t.element_size() for t in held) / 2**20}))


def peak() -> float:
    """Return the most memory that this process has held, in MiB."""
    status = Path("/proc/self/status")
    if status.exists():  # on Linux `getrusage` counts what the parent process held before
        return float(status.read_text().split("VmHWM:")[1].split()[0]) / 2**10
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return size / (2**20 if sys.platform == "darwin" else 2**10)


def main() -> int:
    """Print all figures; return 1 if the bar fails."""
    torch.set_num_threads(1)
    fine = True
    for name in MODELS:
        found = times(name)
        print(f"{name} → × {K}: building takes {1e3 * found['build']:.0f} ms; of that")
        for way, took in found.items():
            print(f"  {way:24} {took / found['build']:5.2f}")
        fine &= found["widen"] <= LIMIT * found["build"]
        for way in ("widen", "upscale"):
            command = [sys.executable, __file__, "--memory", name, way]
            row = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
            print(f"  {way}: the result holds {row['held']:.0f} MiB, the peak grew by {row['grown']:.0f} MiB")
            fine &= row["grown"] <= LIMIT * row["held"]
    print("fine" if fine else "the bar fails")
    return 0 if fine else 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["--memory"]:
        torch.set_num_threads(1)
        memory(*sys.argv[2:4])
    else:
        sys.exit(main())
