"""Running a sweep: which runs share their steps, which have a processor core, which wait for their turn."""

from __future__ import annotations

import functools
import itertools
import math
import threading
from collections.abc import Iterable, Mapping, Sequence

from labkit import train
from labkit.config import Config
from labkit.messages import text
from labkit.sweep.cost import runs_at_once, worth_processes, worth_stacking
from labkit.sweep.processes import SweepError, importable, run_in_processes
from labkit.sweep.stack import Stack
from labkit.sweep.threads import Progress, in_threads
from labkit.sweep.updates import StackError
from labkit.train import History, Training
from labkit.workload import Workload

METHODS = ("auto", "stacked", "processes", "one by one")
MAY_DIFFER = frozenset({"seed", "learning_rate", "weight_decay", "schedule", "warmup_steps"})
SMALLEST_STACK = 6  # of several: more cores are not worth fewer models
LARGEST_STACK = 24  # beyond it the time for a model falls no further

Runs = list[tuple[int, Config]]  # places in the sweep, and what is run


def sweep(
    configs: Iterable[Config],
    workload: type[Workload] | None = None,
    progress: bool = True,
    method: str = "auto",
) -> list[History]:
    """Run every config as `labkit.train.run` does, several at once where that is faster.

    Runs whose configs differ only in the seed, the learning rate, the weight decay and the schedule can be
    stacked: each step trains all their models. Their rows are the same at every call, and those of
    `train.run` up to rounding, which training may amplify; the other methods give exactly its rows. A run
    that diverges keeps its rows of NaN and disturbs no other. Nothing is saved on the way.

    Parameters
    ----------
    configs : of the runs, see `grid`.
    workload : as for `labkit.train.run`, one for all.
    progress : show one progress bar for all runs.
    method : "stacked"; "processes", a process with one run at a time for each processor core; "one by one";
        or "auto", which chooses for alike runs together, see `labkit.sweep.cost`.

    Returns
    -------
    One history for each config, in order; `seconds` of a stacked run is its share of the stack's time.

    Raises
    ------
    SweepError
        If `configs` is no list, something in it is no config, the method is unknown or cannot be used for
        these runs, or a process fails.
    ConfigError
        If a config's device is not present.
    """
    if isinstance(configs, Config | str | Mapping) or not isinstance(configs, Iterable):
        raise SweepError([text("sweep.no_list", given=repr(configs)[:60])])
    configs = list(configs)
    _refuse(configs, workload, method)
    bar = Progress(sum(config.steps for config in configs), progress)
    try:
        done = _run(configs, workload, method, bar)
    finally:
        bar.close()
    return [done[place] for place in range(len(configs))]


def _run(
    configs: list[Config], workload: type[Workload] | None, method: str, bar: Progress
) -> dict[int, History]:
    stacked: list[Runs] = []
    apart: list[Runs] = []
    for runs in _alike(configs):
        stack = method == "stacked" or (method == "auto" and worth_stacking(_configs(runs), workload))
        (stacked if stack else apart).append(runs)
    done = _stacked(stacked, workload, bar)
    rest = list(itertools.chain.from_iterable(apart))
    count = min((runs_at_once(config) for config in _configs(rest)), default=1)
    if method == "processes" or (
        method == "auto"
        and not _unmovable(_configs(rest), workload)
        and worth_processes([_configs(runs) for runs in apart], workload, count)
    ):
        histories = run_in_processes(_configs(rest), workload, bar, count)
        return done | {place: history for (place, _), history in zip(rest, histories, strict=True)}
    for place, config in rest:
        done[place] = train.run(config, workload=workload, on_step=lambda _: bar(1))
    return done


def _stacked(groups: list[Runs], workload: type[Workload] | None, bar: Progress) -> dict[int, History]:
    """Train each group in one stack or in several side by side."""
    building = threading.Lock()  # first weights are drawn from torch's one generator

    def job(runs: Runs) -> list[tuple[int, History]]:
        with building:
            stack = Stack([Training(config, workload) for _, config in runs])
        places = [place for place, _ in runs]
        return list(zip(places, stack.run(bar), strict=True))

    cores = min((runs_at_once(runs[0][1]) for runs in groups), default=1)
    jobs = [functools.partial(job, part) for runs in groups for part in _parts(runs, cores)]
    try:
        return dict(itertools.chain.from_iterable(in_threads(jobs, cores, bar.stop)))
    except StackError as error:
        raise SweepError([text("sweep.cannot_stack", reason=error)]) from error


def _parts(runs: Runs, cores: int) -> list[Runs]:
    """Split a group so that each core has a stack, but none is so small that it would be slow."""
    count = max(min(cores, len(runs) // SMALLEST_STACK), math.ceil(len(runs) / LARGEST_STACK), 1)
    size = math.ceil(len(runs) / count)
    return [runs[start : start + size] for start in range(0, len(runs), size)]


def _alike(configs: Sequence[Config]) -> list[Runs]:
    """Return the runs in groups that can be stacked as far as their configs tell, each ordered by seed."""
    groups: dict[object, Runs] = {}
    for place, config in enumerate(configs):
        fixed = {key: value for key, value in config.to_dict().items() if key not in MAY_DIFFER}
        groups.setdefault((type(config), *fixed.items()), []).append((place, config))
    return [sorted(runs, key=lambda run: run[1].seed) for runs in groups.values()]


def _configs(runs: Runs) -> list[Config]:
    return [config for _, config in runs]


def _unmovable(configs: Sequence[Config], workload: type[Workload] | None) -> list[str]:
    """Return the names of classes that another process would not find."""
    kinds = dict.fromkeys([*map(type, configs), *([] if workload is None else [workload])])
    return [kind.__qualname__ for kind in kinds if not importable(kind)]


def _refuse(configs: list[Config], workload: type[Workload] | None, method: str) -> None:
    problems = [
        text("sweep.not_config", place=place, given=repr(config)[:60])
        for place, config in enumerate(configs)
        if not isinstance(config, Config)
    ]
    if method not in METHODS:
        known = ", ".join(f'"{known}"' for known in METHODS)
        problems.append(text("sweep.unknown_method", given=repr(method), known=known))
    elif method == "processes":
        problems += [text("sweep.not_importable", name=name) for name in _unmovable(configs, workload)]
    if problems:
        raise SweepError(problems)
