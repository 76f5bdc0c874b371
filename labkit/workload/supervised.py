"""Classification of examples that are visited again and again: MNIST-1D and the digits."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from labkit import data
from labkit.config import Config, DigitsConfig
from labkit.models import MLP, ResNet, Scalable
from labkit.workload.configured import ConfigT, Configured
from labkit.workload.protocol import Batch


class Supervised(Configured[ConfigT]):
    """Epochs over a data set, with random shifts (part A) and label smoothing (part B) as the config says."""

    axes: int  # dimensions of an example that part A shifts along, counted from the last

    def __init__(self, config: ConfigT, device: torch.device) -> None:
        super().__init__(config, device)
        self.split = data.subset(self.whole_data(), config.fraction, config.seed).to(device)
        self.batch_size = min(config.batch_size, len(self.split.train_x))
        self.steps_per_epoch = len(self.split.train_x) // self.batch_size
        self._begin_epoch(0)

    @staticmethod
    @abstractmethod
    def whole_data() -> data.Split:
        """Return the task's data."""

    def batch(self, step: int) -> Batch:
        """Return (x, y) of a step; the first dimension of both is the batch.

        Each epoch visits the examples in a new order. Those left over at an epoch's end, fewer than a
        batch, are skipped.
        """
        epoch, index = divmod(step, self.steps_per_epoch)
        if epoch != self._epoch:
            self._begin_epoch(epoch)
        chosen = self._order[index]
        x, y = self.split.train_x[chosen], self.split.train_y[chosen]
        return (_shift(x, self._shifts[index]), y) if self.config.shift else (x, y)

    def _begin_epoch(self, epoch: int) -> None:
        """Draw the order and the shifts of a whole epoch, from a generator seeded by (seed, epoch)."""
        generator = np.random.default_rng([self.config.seed, epoch])
        count, limit = len(self.split.train_x), self.config.shift
        order = torch.from_numpy(generator.permutation(count))
        shifts = torch.from_numpy(generator.integers(-limit, limit, (count, self.axes), endpoint=True))
        self._order = torch.split(order.to(self.device), self.batch_size)
        self._shifts = torch.split(shifts.to(self.device), self.batch_size)
        self._epoch = epoch

    def loss(self, model: nn.Module, batch: Batch) -> Tensor:
        """Return the cross-entropy against labels smoothed as the config says."""
        x, y = batch
        return functional.cross_entropy(model(x).float(), y, label_smoothing=self.config.label_smoothing)

    def evaluate(self, model: nn.Module) -> dict[str, float]:
        """Return loss (nats per example, no smoothing) and accuracy (0 to 1) on the two parts of the data."""
        split, figures = self.split, {}
        for part, x, y in (
            ("train", split.train_x, split.train_y),
            ("test", split.test_x, split.test_y),
        ):
            logits = model(x)
            figures[f"{part}_loss"] = float(functional.cross_entropy(logits, y))
            figures[f"{part}_accuracy"] = float((logits.argmax(1) == y).float().mean())
        return figures


class Mnist1d(Supervised[Config]):
    """An MLP on MNIST-1D; a batch is x, shape (batch, 40), and y, (batch,)."""

    axes = 1
    whole_data = staticmethod(data.mnist1d)

    def standard_model(self) -> Scalable:
        """Return an MLP of the config's width, depth and dropout."""
        return MLP(width=self.config.width, depth=self.config.depth, dropout=self.config.dropout)


class Digits(Supervised[DigitsConfig]):
    """A ResNet on the digits; a batch is x, shape (batch, 1, 8, 8), and y, (batch,)."""

    axes = 2
    whole_data = staticmethod(data.digits)

    def standard_model(self) -> Scalable:
        """Return a ResNet of the config's width, with `depth` blocks in each stage."""
        return ResNet(width=self.config.width, blocks=self.config.depth)


def _shift(x: Tensor, by: Tensor) -> Tensor:
    """Shift example i of x circularly by by[i, j] along the j-th of its last dimensions.

    Shapes (batch, ...) and (batch, axes); to the right or downwards where positive.
    """
    for axis, amount in enumerate(by.unbind(1), start=x.ndim - by.shape[1]):
        size = x.shape[axis]
        source = (torch.arange(size, device=x.device) - amount[:, None]) % size
        shape = [len(x), *[1] * (x.ndim - 1)]
        shape[axis] = size
        x = x.gather(axis, source.view(shape).expand_as(x))
    return x
