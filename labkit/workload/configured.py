"""Model, optimiser and schedule as a config says: what all tasks of the workbook share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Generic, TypeVar

import torch
from torch import nn
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LRScheduler

from labkit import schedules
from labkit.config import Config
from labkit.models import Scalable

ConfigT = TypeVar("ConfigT", bound=Config)


class Configured(ABC, Generic[ConfigT]):
    """A task whose parametrisation, optimiser and schedule come from its config."""

    def __init__(self, config: ConfigT, device: torch.device) -> None:
        self.config = config
        self.device = device

    @abstractmethod
    def standard_model(self) -> Scalable:
        """Return the config's model in the standard parametrisation."""

    def build_model(self) -> nn.Module:
        """Return the config's model; under muP with the first weights and multipliers for its width."""
        model = self.standard_model()
        if self.config.parametrization == "mup":
            from labkit import mup

            return mup.prepare(model, self.config.base_width, seed=self.config.seed)
        return model

    def build_optimizer(self, model: nn.Module) -> Optimizer:
        """Return AdamW, or SGD with momentum 0.9; under muP with a learning rate for each role."""
        config = self.config
        options: dict[str, Any] = {"lr": config.learning_rate, "weight_decay": config.weight_decay}
        if config.optimizer == "sgd":
            options["momentum"] = 0.9
        if config.parametrization == "mup":
            from labkit import mup

            return mup.optimizer(model, config.optimizer, **options)
        kind = torch.optim.SGD if config.optimizer == "sgd" else torch.optim.AdamW
        return kind(model.parameters(), **options)

    def build_scheduler(self, optimizer: Optimizer) -> LRScheduler | None:
        """Return the config's schedule over its steps, None for a constant rate without warm-up."""
        config = self.config
        if config.schedule == "constant" and config.warmup_steps == 0:
            return None
        kind = {"constant": schedules.constant, "linear": schedules.linear, "cosine": schedules.cosine}
        schedule = kind[config.schedule](config.learning_rate, config.steps, config.warmup_steps)
        return schedule.to_torch(optimizer)
