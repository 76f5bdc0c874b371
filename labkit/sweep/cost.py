"""Which runs are worth stacking, and when processes of their own are worth their start.

Measured on one core of an x86-64 CPU (tests/benchmarks/sweep.py shows it for whole sweeps): the time for a
step of six models one by one, divided by that for a stack of six, falls as operations get larger.

    numbers that an operation results in, mean   model              one by one / stacked
                                         800     MLP, width 32              1.8
                                       1 800     MLP, width 64              1.6
                                       2 200     ResNet, width 4            1.7
                                       4 600     MLP, width 128             1.3
                                       4 600     ResNet, width 8            1.4
                                       4 800     GPT, width 16              1.1
                                       9 400     ResNet, width 16           1.1
                                       9 500     GPT, width 32              1.1
                                      13 000     MLP, width 256             1.0
                                      20 000     GPT, width 64              1.0

What stacking saves is the fixed price of each operation, a few microseconds; three models save too little.
So runs are stacked by their number and this size alone, never by a stopwatch: the same sweep takes the same
way, and gives the same rows, each time. For the rest a stopwatch may decide, because the rows of a run in a
process of its own are exactly those of a run here.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import Any

from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from labkit import device as devices
from labkit.clock import waiter
from labkit.config import Config
from labkit.sweep.stack import Stack
from labkit.sweep.updates import StackError
from labkit.train import Training
from labkit.workload import Workload

LARGE_OPERATION = 6_000  # numbers; from here on a core each is better, and stacking gains nothing on one
FEW_RUNS = 4  # fewer are not worth a stack
START_S = 3.0  # until a process takes its first step, most of it loading torch; 2.3 s measured
TIMED_STEPS = 3


def worth_stacking(configs: Sequence[Config], workload: type[Workload] | None) -> bool:
    """Whether alike runs can be stacked and are the faster for it.

    On a GPU every stack counts as worth it, for there the fixed price of an operation outweighs more; that
    is an expectation, not a measurement.
    """
    try:
        Stack([Training(config, workload) for config in configs[:2]])
    except StackError:
        return False
    training = Training(configs[0], workload)
    if training.device.type != "cpu":
        return len(configs) > 1
    return len(configs) >= FEW_RUNS and operation_size(training) <= LARGE_OPERATION


def worth_processes(groups: Sequence[Sequence[Config]], workload: type[Workload] | None, count: int) -> bool:
    """Whether `count` processes save more time than they take to start, for groups of alike runs."""
    count = min(count, sum(map(len, groups)))
    if count < 2:
        return False
    expected_s = sum(len(configs) * _seconds(configs[0], workload) for configs in groups)
    return expected_s * (1 - 1 / count) > START_S


def operation_size(training: Training) -> float:
    """Return the mean number of numbers that a tensor operation of a training step results in.

    Takes two steps: the first also makes the optimiser's state.
    """
    training.step(training.workload.batch(0))
    batch = training.workload.batch(1)
    results = _Results()
    with results:
        training.step(batch)
    return results.numbers / results.operations


def processor_cores() -> int:
    """Return how many processor cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def runs_at_once(config: Config) -> int:
    """Return how many runs, or stacks, can have `config.threads` processor cores each; 1 on a GPU."""
    if devices.resolve(config.device).type != "cpu" or config.threads == 0:
        return 1
    return max(1, processor_cores() // config.threads)


def _seconds(config: Config, workload: type[Workload] | None) -> float:
    """Return about how long a run will take, from its first steps and one evaluation."""
    training = Training(config, workload)
    batches = training.batches()
    steps = []
    for _ in range(TIMED_STEPS):
        begin = time.perf_counter()
        training.step(next(batches))
        waiter(str(training.device))()
        steps.append(time.perf_counter() - begin)
    begin = time.perf_counter()
    training.evaluate()
    evaluation_s = time.perf_counter() - begin
    return config.steps * min(steps) + (config.steps // config.eval_every + 2) * evaluation_s


class _Results(TorchDispatchMode):
    """Counts the tensor operations of a block and the numbers in their results."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.operations = 0
        self.numbers = 0

    def __torch_dispatch__(self, operation: Any, types: Any, arguments: Any = (), options: Any = None) -> Any:
        result = operation(*arguments, **(options or {}))
        self.operations += 1
        self.numbers += sum(part.numel() for part in tree_leaves(result) if isinstance(part, Tensor))
        return result
