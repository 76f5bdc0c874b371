"""The seam between the training loop and the tasks of the workbook."""

from __future__ import annotations

from typing import Protocol

import torch
from torch import Tensor, nn
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LRScheduler

from labkit.config import Config

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
