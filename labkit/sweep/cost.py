"""Which runs are worth stacking, and when processes of their own are worth their start.

Measured on two processor cores (tests/benchmarks/sweep.py repeats it), the time that one core needs for a
step of six models one by one, divided by that of a stack of six, falls with the mean size of an operation:

    floating-point operations   model                time by time / stacked
                       11 000   MLP, width 32        1.8
                       34 000   MLP, width 64        1.6
                       47 000   ResNet, width 4      1.7
                       76 000   GPT, width 16        1.9
                      108 000   MLP, width 128       1.3
                      182 000   ResNet, width 8      1.4
                      293 000   GPT, width 32        1.1
                      388 000   MLP, width 256       1.0
                      720 000   ResNet, width 16     1.1
                    1 150 000   GPT, width 64        0.9

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

from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.flop_counter import FlopCounterMode

from labkit import device as devices
from labkit.clock import waiter
from labkit.config import Config
from labkit.sweep.stack import Stack
from labkit.sweep.updates import StackError
from labkit.train import Training
from labkit.workload import Workload

LARGE_OPERATION = 200_000  # floating-point operations; stacking gains a fifth or less beyond it
FEW_RUNS = 4  # fewer are not worth a stack
START_S = 3.0  # until a process takes its first step, most of it loading torch; 2.3 s measured
TIMED_STEPS = 3


def worth_stacking(configs: Sequence[Config], workload: type[Workload] | None) -> bool:
    """Whether alike runs can be stacked and are the faster for it.

    On a GPU every stack is worth it: there the fixed price of an operation outweighs all else.
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
    """Return the mean number of floating-point operations of a tensor operation in a training step.

    Takes two steps: the first also makes the optimiser's state.
    """
    training.step(training.workload.batch(0))
    batch = training.workload.batch(1)
    flops, operations = FlopCounterMode(display=False), _Operations()
    with flops, operations:
        training.step(batch)
    return flops.get_total_flops() / operations.count


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


class _Operations(TorchDispatchMode):
    """Counts the tensor operations of a block."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.count = 0

    def __torch_dispatch__(self, operation: Any, types: Any, arguments: Any = (), options: Any = None) -> Any:
        self.count += 1
        return operation(*arguments, **(options or {}))
