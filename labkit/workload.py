"""What is trained on what: the seam between the training loop and the tasks of the workbook."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LRScheduler

from labkit import data
from labkit.config import Config
from labkit.models import MLP

Batch = tuple[Tensor, ...]  # tensors on the run's device whose first dimension is the example


class Workload(Protocol):
    """A task that `labkit.train` can train; made from a config and a device.

    `batch` is a function of the seed and the step alone. That is why a run can be carried on
    from any step without the state of an iterator.
    """

    def __init__(self, config: Config, device: torch.device) -> None: ...

    def build_model(self) -> nn.Module:
        """Return the model on the CPU, its first weights drawn from torch's global generator."""

    def build_optimizer(self, model: nn.Module) -> Optimizer:
        """Return the optimiser of the model's parameters, in groups if the method needs them."""

    def build_scheduler(self, optimizer: Optimizer) -> LRScheduler | None:
        """Return the schedule of the learning rate, stepped after each training step, or None if constant."""

    def batch(self, step: int) -> Batch:
        """Return the examples of training step `step`, counted from 0."""

    def loss(self, model: nn.Module, batch: Batch) -> Tensor:
        """Return the mean loss over the batch, a scalar in nats per example."""

    def evaluate(self, model: nn.Module) -> dict[str, float]:
        """Return the figures to record; the model is in evaluation mode and gradients are off."""


class Mnist1d:
    """An MLP on MNIST-1D, with random shifts (part A) and label smoothing (part B) as the config says."""

    def __init__(self, config: Config, device: torch.device) -> None:
        self.config = config
        self.split = data.subset(data.mnist1d(), config.fraction, config.seed).to(device)
        self.batch_size = min(config.batch_size, len(self.split.train_x))
        self.steps_per_epoch = len(self.split.train_x) // self.batch_size
        self.positions = torch.arange(self.split.train_x.shape[1], device=device)
        self._begin_epoch(0)

    def build_model(self) -> nn.Module:
        """Return an MLP of the config's width and depth."""
        return MLP(width=self.config.width, depth=self.config.depth)

    def build_optimizer(self, model: nn.Module) -> Optimizer:
        """Return AdamW, or SGD with momentum 0.9."""
        rate, decay = self.config.learning_rate, self.config.weight_decay
        if self.config.optimizer == "sgd":
            return torch.optim.SGD(model.parameters(), lr=rate, momentum=0.9, weight_decay=decay)
        return torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=decay)

    def build_scheduler(self, optimizer: Optimizer) -> LRScheduler | None:
        """Return None: the learning rate is constant."""
        return None

    def batch(self, step: int) -> Batch:
        """Return (x, y) of a step, shapes (batch, 40) and (batch,).

        Each epoch visits the examples in a new order. Those left over at an epoch's end, fewer than a
        batch, are skipped.
        """
        epoch, index = divmod(step, self.steps_per_epoch)
        if epoch != self._epoch:
            self._begin_epoch(epoch)
        chosen = self._order[index]
        x, y = self.split.train_x[chosen], self.split.train_y[chosen]
        return (self._shift(x, self._shifts[index]), y) if self.config.shift else (x, y)

    def _begin_epoch(self, epoch: int) -> None:
        """Draw the order and the shifts of a whole epoch, from a generator seeded by (seed, epoch)."""
        generator = np.random.default_rng([self.config.seed, epoch])
        count, limit = len(self.split.train_x), self.config.shift
        order = torch.from_numpy(generator.permutation(count))
        shifts = torch.from_numpy(generator.integers(-limit, limit, count, endpoint=True))
        self._order = torch.split(order.to(self.positions.device), self.batch_size)
        self._shifts = torch.split(shifts.to(self.positions.device), self.batch_size)
        self._epoch = epoch

    def _shift(self, x: Tensor, by: Tensor) -> Tensor:
        """Shift row i of x, shape (batch, positions), circularly to the right by by[i]."""
        return x.gather(1, (self.positions - by[:, None]) % x.shape[1])

    def loss(self, model: nn.Module, batch: Batch) -> Tensor:
        """Return the cross-entropy against labels smoothed as the config says."""
        x, y = batch
        return functional.cross_entropy(model(x).float(), y, label_smoothing=self.config.label_smoothing)

    def evaluate(self, model: nn.Module) -> dict[str, float]:
        """Return train_loss and test_loss (nats per example, no smoothing) and test_accuracy (0 to 1)."""
        split = self.split
        logits = model(split.test_x)
        return {
            "train_loss": float(functional.cross_entropy(model(split.train_x), split.train_y)),
            "test_loss": float(functional.cross_entropy(logits, split.test_y)),
            "test_accuracy": float((logits.argmax(1) == split.test_y).float().mean()),
        }
