"""Trainings of one shape that take each step together: one forward and backward pass for all of them."""

from __future__ import annotations

import contextlib
import itertools
import time
import warnings
from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn
from torch.func import functional_call, vmap

from labkit.clock import waiter
from labkit.messages import text
from labkit.sweep.exact import ExactLinear
from labkit.sweep.updates import StackError, make_update
from labkit.train import History, Training
from labkit.workload import Batch, Workload

# Attention has no stacked form on a CPU: torch computes it model by model, as fast as otherwise, and says so.
warnings.filterwarnings(
    "ignore", "There is a performance drop because we have not yet implemented", UserWarning
)


class Stack:
    """Trainings whose weights are stacked, so that one step trains them all.

    A training's model looks into the stack: its weights are always those trained so far. Its optimiser and
    schedule say the numbers of the step. Evaluation is each training's own: measured on a CPU, a pass over
    whole data sets through stacked models takes longer than one model after the other.

    Parameters
    ----------
    trainings : fresh ones, whose configs differ only in the seed and in the numbers of the optimiser.

    Raises
    ------
    StackError
        If they cannot be trained together; the message says why.
    """

    def __init__(self, trainings: Sequence[Training]) -> None:
        self.trainings = list(trainings)
        self.first = self.trainings[0]
        models = [training.model for training in self.trainings]
        self.weights = _stacked([dict(model.named_parameters()) for model in models])
        self.buffers = _stacked([dict(model.named_buffers()) for model in models])
        self.update = make_update(self.weights, models, [training.optimizer for training in self.trainings])
        readers = {training.config.seed: training for training in reversed(self.trainings)}
        self.readers = list(readers.values())  # a batch is a function of seed and step alone
        places = [list(readers).index(training.config.seed) for training in self.trainings]
        self.places = torch.tensor(places, device=self.first.device)
        exact = self.first.config.precision == "float32"
        self._rounding = ExactLinear() if exact else contextlib.nullcontext()
        self._losses = vmap(_Loss(self.first.workload, self.first.model).of)
        self._try()
        self._share()

    def run(self, on_step: Callable[[int], object]) -> list[History]:
        """Train to the end and return what each run recorded.

        Parameters
        ----------
        on_step : called after each step with the number of models that took it.

        Returns
        -------
        In the order of the trainings; the seconds are each one's equal share of the time of all.
        """
        begin = time.perf_counter()
        config = self.first.config
        with self.first.cpu_threads():
            self._evaluate(0)
            for step in range(config.steps):
                self._step(step)
                done = step + 1
                if done % config.eval_every == 0 or done == config.steps:
                    self._evaluate(done)
                on_step(len(self.trainings))
        waiter(str(self.first.device))()
        seconds = (time.perf_counter() - begin) / len(self.trainings)
        return [History(training.config, training.rows, seconds) for training in self.trainings]

    def _step(self, step: int) -> None:
        batch = self._batch(step)
        parts = list(zip(*(tensor.chunk(self.first.config.accumulate, 1) for tensor in batch), strict=True))
        for part in parts:
            share = part[0].shape[1] / batch[0].shape[1]
            with self.first.precision, self._rounding:
                losses = self._losses(self.weights, self.buffers, part)
            (losses.sum() * share).backward()
        self.update.step()
        for training in self.trainings:
            if training.scheduler is not None:
                if step == 0:
                    training.optimizer.step()  # without gradients: nothing but what a schedule waits for
                training.scheduler.step()

    def _batch(self, step: int) -> Batch:
        """Return the models' batches of a step; the first dimension is the model, the second the example."""
        batches = [reader.workload.batch(step) for reader in self.readers]
        stacked = (torch.stack(tensors) for tensors in zip(*batches, strict=True))
        return tuple(tensor.index_select(0, self.places) for tensor in stacked)

    def _evaluate(self, done: int) -> None:
        for training in self.trainings:
            training.rows.append({"step": done, **training.evaluate()})

    @torch.no_grad()
    def _try(self) -> None:
        """Compute the losses once, on copies of the buffers: not every model can be stacked."""
        buffers = {name: buffer.clone() for name, buffer in self.buffers.items()}
        try:
            with self.first.cpu_threads(), self.first.precision, self._rounding:
                self._losses(self.weights, buffers, self._batch(0))
        except (RuntimeError, ValueError, NotImplementedError) as error:
            reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
            raise StackError(text("sweep.not_stackable", reason=reason)) from error

    def _share(self) -> None:
        """Let the trainings' models look into the stack."""
        for index, training in enumerate(self.trainings):
            own = itertools.chain(training.model.named_parameters(), training.model.named_buffers())
            for name, tensor in own:
                stacks = self.weights if name in self.weights else self.buffers
                tensor.data = stacks[name].detach()[index]


class _Loss(nn.Module):
    """A workload's loss as a function of a model's weights and buffers."""

    def __init__(self, workload: Workload, model: nn.Module) -> None:
        super().__init__()
        self.workload = workload
        self.model = model

    def forward(self, batch: Batch) -> Tensor:
        """Return the mean loss over a batch."""
        return self.workload.loss(self.model, batch)

    def of(self, weights: dict[str, Tensor], buffers: dict[str, Tensor], batch: Batch) -> Tensor:
        """Return the loss that a model with these weights and buffers has."""
        tensors = {
            f"model.{name}": tensor for name, tensor in itertools.chain(weights.items(), buffers.items())
        }
        loss: Tensor = functional_call(self, tensors, (batch,))
        return loss


def _stacked(models: Sequence[dict[str, Tensor]]) -> dict[str, Tensor]:
    """Return the tensors of all models by name, stacked along a new first dimension."""
    return {
        name: torch.stack([tensors[name].detach() for tensors in models]).requires_grad_(first.requires_grad)
        for name, first in models[0].items()
    }
