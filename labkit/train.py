"""The training loop: a config in, a history out.

    python -m labkit.train --config run.json --checkpoint run.pt

trains in a process of its own; started again after a kill, it carries on from the checkpoint.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import io
import itertools
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import torch
from torch import Tensor
from tqdm.auto import tqdm

from labkit import checkpoint as checkpoints
from labkit import device as devices
from labkit import disk
from labkit import workload as workloads
from labkit.checkpoint import CheckpointError
from labkit.clock import waiter
from labkit.config import Config, ConfigError
from labkit.messages import text
from labkit.workload import Batch, Workload

__all__ = ["Config", "ConfigError", "History", "Training", "run"]

Row = dict[str, float]


@dataclass(frozen=True)
class History:
    """What a run recorded.

    Attributes
    ----------
    config : the run's config.
    rows : one dict per evaluation: "step" (training steps done) and the workload's figures.
    seconds : time the run took, the parts before an interruption included as far as they were saved.
    resumed_from : the step of the checkpoint that this call began with, or None if it began at 0.
    """

    config: Config
    rows: list[Row]
    seconds: float
    resumed_from: int | None = None

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the history whole or not at all: the rows alone to a .csv file, else everything as JSON."""
        if Path(path).suffix == ".csv":
            table = io.StringIO(newline="")
            writer = csv.DictWriter(table, list(self.rows[0]) if self.rows else ["step"])
            writer.writeheader()
            writer.writerows(self.rows)
            content = table.getvalue()
        else:
            saved = {"config": self.config.to_dict(), "rows": self.rows, "seconds": self.seconds}
            content = json.dumps(saved | {"resumed_from": self.resumed_from}, indent=1) + "\n"
        with disk.atomic_file(path) as file:
            file.write(content.encode("utf-8"))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a history that `save` wrote as JSON."""
        saved = json.loads(Path(path).read_text(encoding="utf-8"))
        return cls(Config.from_dict(saved.pop("config")), **saved)


class Training:
    """A run in progress: a model, its optimiser and its position in the data.

    Seeds torch's global generator with the config's seed.

    Parameters
    ----------
    config : the run's settings.
    workload : what makes the model, the batches and the loss; None is the one of the config's task.

    Attributes
    ----------
    position : training steps done so far.
    rows : what `run` has recorded so far, see `History`.
    seconds : time spent so far, in seconds, as `run` counts it.

    Raises
    ------
    ConfigError
        If the config's device is not present.
    """

    def __init__(self, config: Config, workload: type[Workload] | None = None) -> None:
        self.config = config
        self.device = devices.resolve(config.device)
        self.workload = (workload or workloads.of(config))(config, self.device)
        torch.manual_seed(config.seed)
        self.model = self.workload.build_model().to(self.device)
        self.optimizer = self.workload.build_optimizer(self.model)
        self.scheduler = self.workload.build_scheduler(self.optimizer)
        self.precision: contextlib.AbstractContextManager[Any] = contextlib.nullcontext()
        if config.precision == "bfloat16":
            self.precision = torch.autocast(self.device.type, dtype=torch.bfloat16)
        self.position = 0
        self.rows: list[Row] = []
        self.seconds = 0.0

    def batches(self) -> Iterator[Batch]:
        """Yield the batches from the position on, without end."""
        for step in itertools.count(self.position):
            with self.cpu_threads():
                batch = self.workload.batch(step)
            yield batch

    def step(self, batch: Batch) -> Tensor:
        """Train on one batch and return its loss, a detached scalar on the run's device."""
        self.optimizer.zero_grad()
        with self.cpu_threads():
            loss = self.accumulate_gradients(batch)
            self.optimizer.step()
        if self.scheduler is not None:
            self.scheduler.step()
        self.position += 1
        return loss

    def accumulate_gradients(self, batch: Batch) -> Tensor:
        """Add the gradient of the batch's mean loss to the parameters, in `config.accumulate` parts.

        Each part's loss is weighted by its share of the examples, so that the sum is the gradient of the
        whole batch (for models that treat examples separately: not with batch normalisation).
        """
        if self.config.accumulate == 1:
            return self._backward(batch, 1.0)
        parts = zip(*(tensor.chunk(self.config.accumulate) for tensor in batch), strict=True)
        losses = [self._backward(part, len(part[0]) / len(batch[0])) for part in parts]
        return torch.stack(losses).sum()

    def _backward(self, batch: Batch, share: float) -> Tensor:
        with self.precision:
            loss = self.workload.loss(self.model, batch)
        if share != 1.0:
            loss = loss * share
        loss.backward()  # type: ignore[no-untyped-call]
        return loss.detach()

    def cpu_threads(self) -> contextlib.AbstractContextManager[None]:
        """Use the config's number of threads for a while, then give torch its own setting back."""
        if self.config.threads in (0, torch.get_num_threads()):
            return contextlib.nullcontext()
        return devices.cpu_threads(self.config.threads)

    @torch.no_grad()
    def evaluate(self) -> Row:
        """Return the workload's figures in evaluation mode, computed in float32."""
        self.model.eval()
        with self.cpu_threads():
            figures = self.workload.evaluate(self.model)
        self.model.train()
        return figures

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a checkpoint with all that the run's future depends on."""
        state = {
            "workload": type(self.workload).__name__,
            "config": self.config.to_dict(),
            "position": self.position,
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "scheduler": None if self.scheduler is None else self.scheduler.state_dict(),
            "rng": devices.rng_state(self.device),
            "rows": self.rows,
            "seconds": self.seconds,
        }
        checkpoints.save(path, state)

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        config: Config | None = None,
        workload: type[Workload] | None = None,
    ) -> Self:
        """Return the training as it was when `save` wrote the checkpoint.

        Parameters
        ----------
        path : the checkpoint's file.
        config : what the checkpoint must have been made with; None takes the checkpoint's own.
        workload : as given to `Training`.

        Raises
        ------
        FileNotFoundError
            If there is no checkpoint.
        CheckpointError
            If the checkpoint is damaged, or of another config; the message lists every difference.
        """
        state = load_state(path, config, workload)
        training = cls(config or Config.from_dict(state["config"]), workload)
        training.model.load_state_dict(state["model"])
        training.optimizer.load_state_dict(state["optimizer"])
        if training.scheduler is not None:
            training.scheduler.load_state_dict(state["scheduler"])
        devices.set_rng_state(training.device, state["rng"])
        training.position, training.rows, training.seconds = (
            state["position"],
            state["rows"],
            state["seconds"],
        )
        return training


def run(
    config: Config,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: bool = True,
    progress: bool = False,
    stop_at: int | None = None,
    *,
    workload: type[Workload] | None = None,
    on_step: Callable[[int], None] | None = None,
) -> History:
    """Train as the config says and return what was recorded.

    Parameters
    ----------
    config : the run's settings.
    checkpoint : a file to save to every `config.checkpoint_every` steps and at the end.
    resume : carry on from the checkpoint if the file exists; False begins anew and overwrites it.
    progress : show a progress bar.
    stop_at : end after this step instead of `config.steps`, as if interrupted.
    workload : as given to `Training`.
    on_step : called with the number of steps done, after each step and after its checkpoint.

    Raises
    ------
    ConfigError
        If the config's device is not present.
    CheckpointError
        If the checkpoint to resume from is damaged or of another config.
    """
    training, resumed_from = _begin(config, checkpoint, resume, workload)
    begin = time.perf_counter() - training.seconds
    last = config.steps if stop_at is None else min(stop_at, config.steps)
    if not training.rows:
        training.rows.append({"step": 0, **training.evaluate()})

    bar = tqdm(total=last, initial=training.position, disable=not progress, unit="step")
    with bar, training.cpu_threads():
        for batch in itertools.islice(training.batches(), max(0, last - training.position)):
            training.step(batch)
            done = training.position
            if done % config.eval_every == 0 or done == config.steps:
                training.rows.append({"step": done, **training.evaluate()})
            if checkpoint is not None and (done % config.checkpoint_every == 0 or done == last):
                training.seconds = time.perf_counter() - begin
                training.save(checkpoint)
            if on_step is not None:
                on_step(done)
            bar.update()
    waiter(str(training.device))()
    training.seconds = time.perf_counter() - begin
    return History(config, training.rows, training.seconds, resumed_from)


def load_state(
    path: str | os.PathLike[str], config: Config | None = None, workload: type[Workload] | None = None
) -> dict[str, Any]:
    """Return what a checkpoint holds, after making sure that it belongs to this run; see `Training.load`.

    The device does not count as a difference: a run may be carried on elsewhere.
    """
    state = checkpoints.load(path)
    saved = {"workload": state["workload"], **state["config"]}
    asked = Config.from_dict(state["config"]) if config is None else config
    now = {"workload": (workload or workloads.of(asked)).__name__, **asked.to_dict()}
    differing = [key for key in now | saved if now.get(key) != saved.get(key) and key != "device"]
    if differing:
        lines = [
            text("train.difference", key=key, ours=now.get(key), theirs=saved.get(key)) for key in differing
        ]
        raise CheckpointError("\n".join([text("train.checkpoint_differs", path=Path(path)), *lines]))
    return state


def _begin(
    config: Config, checkpoint: str | os.PathLike[str] | None, resume: bool, workload: type[Workload] | None
) -> tuple[Training, int | None]:
    if checkpoint is not None:
        disk.ensure_room(checkpoint)
        disk.remove_leftovers(checkpoint)
        if resume and Path(checkpoint).exists():
            training = Training.load(checkpoint, config, workload)
            return training, training.position
    return Training(config, workload), None


def main(arguments: list[str] | None = None) -> None:
    """Train in this process: see the module's docstring."""
    parser = argparse.ArgumentParser(
        prog="python -m labkit.train", description="Train one run, or carry it on."
    )
    parser.add_argument("--config", type=Path, required=True, help="JSON file with the run's settings")
    parser.add_argument("--checkpoint", type=Path, required=True, help="file to save to and to resume from")
    parser.add_argument(
        "--history", type=Path, help="file for the history, .json or .csv, written at the end"
    )
    parser.add_argument("--position", type=Path, help="file that always holds the number of steps done")
    parser.add_argument("--progress", action="store_true", help="show a progress bar")
    given = parser.parse_args(arguments)
    try:
        config = Config.load(given.config)
        for path in filter(None, (given.history, given.position)):
            disk.ensure_room(path)
        with _position_file(given.position) as report:
            history = run(config, given.checkpoint, progress=given.progress, on_step=report)
        if given.history is not None:
            history.save(given.history)
    except (ConfigError, CheckpointError, disk.UnwritableError, FileNotFoundError) as error:
        sys.exit(str(error))


@contextlib.contextmanager
def _position_file(path: Path | None) -> Iterator[Callable[[int], None] | None]:
    """Yield a function that writes a step to the file: unbuffered and in place, a few microseconds."""
    if path is None:
        yield None
        return
    with path.open("wb", buffering=0) as file:

        def report(step: int) -> None:
            file.seek(0)
            file.write(b"%12d" % step)

        yield report


if __name__ == "__main__":
    main()
