"""SGD, Adam and AdamW on stacked weights: one update for all models, each with numbers of its own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim import SGD, Adam, AdamW, Optimizer

from labkit.messages import text

OWN = ("lr", "weight_decay")  # numbers of a parameter group that each model may have its own of


class StackError(ValueError):
    """These trainings cannot share their steps; the message says why."""


class Update(ABC):
    """A training step's change of the weights, as torch's optimiser of each model would make it.

    The optimisers are read and not stepped: their parameter groups say the numbers, also after a schedule
    has changed them, and their state stays empty.

    Parameters
    ----------
    stacks : by name of the tensor; the first dimension is the model.
    models, optimizers : of each model in turn.

    Raises
    ------
    StackError
        If an optimiser is not one of torch's three, or they differ in more than `OWN`.
    """

    def __init__(
        self, stacks: Mapping[str, Tensor], models: Sequence[nn.Module], optimizers: Sequence[Optimizer]
    ) -> None:
        self.stacks = stacks
        self.optimizers = optimizers
        layouts = [_layout(model, optimizer) for model, optimizer in zip(models, optimizers, strict=True)]
        if any(layout != layouts[0] for layout in layouts):
            raise StackError(text("sweep.optimizers_differ"))
        self.tensors = layouts[0][1]
        self.state: dict[str, dict[str, Tensor]] = {}
        self._read: dict[int, Numbers] = {}

    @torch.no_grad()
    def step(self) -> None:
        """Change the weights by their gradients, then forget the gradients."""
        for index, names in enumerate(self.tensors):
            numbers = self._numbers(index)
            for name in names:
                weight = self.stacks[name]
                if weight.grad is not None:
                    self.change(name, weight, weight.grad, numbers)
                    weight.grad = None

    @abstractmethod
    def change(self, name: str, weight: Tensor, gradient: Tensor, numbers: Numbers) -> None:
        """Change one tensor of all models."""

    def _numbers(self, index: int) -> Numbers:
        """Return the numbers of a parameter group."""
        groups = [optimizer.param_groups[index] for optimizer in self.optimizers]
        own = [[float(group[key]) for group in groups] for key in OWN]
        if index not in self._read or self._read[index].own != own:
            self._read[index] = Numbers(groups[0], own)
        return self._read[index]


class Numbers:
    """The numbers of a parameter group: those of all models, and each model's own `OWN`, float64."""

    def __init__(self, common: dict[str, Any], own: list[list[float]]) -> None:
        self.common = common
        self.own = own
        self.rate, self.decay = torch.tensor(own, dtype=torch.float64)
        self.decays = any(own[1])


def like(numbers: Tensor, weight: Tensor) -> Tensor:
    """Return a number of each model as (models, 1, ...), to be multiplied with stacked weights."""
    return numbers.to(weight.device, weight.dtype).view(-1, *[1] * (weight.ndim - 1))


class SgdUpdate(Update):
    """SGD with momentum, dampening, Nesterov's momentum and coupled weight decay, as in torch."""

    def change(self, name: str, weight: Tensor, gradient: Tensor, numbers: Numbers) -> None:
        """Change one tensor of all models."""
        if numbers.decays:
            gradient = torch.addcmul(gradient, weight, like(numbers.decay, weight))
        momentum = numbers.common["momentum"]
        if momentum:
            state = self.state.get(name)
            if state is None:
                state = self.state[name] = {"velocity": gradient.clone()}
            else:
                damped = 1 - numbers.common["dampening"]
                state["velocity"].mul_(momentum).add_(gradient, alpha=damped)
            velocity = state["velocity"]
            gradient = gradient.add(velocity, alpha=momentum) if numbers.common["nesterov"] else velocity
        weight.addcmul_(gradient, like(-numbers.rate, weight))


class AdamUpdate(Update):
    """Adam and AdamW, with AMSGrad if asked for, in torch's order of operations."""

    def __init__(
        self, stacks: Mapping[str, Tensor], models: Sequence[nn.Module], optimizers: Sequence[Optimizer]
    ) -> None:
        super().__init__(stacks, models, optimizers)
        self.decoupled = isinstance(optimizers[0], AdamW)
        self.counts = dict.fromkeys(stacks, 0)

    def change(self, name: str, weight: Tensor, gradient: Tensor, numbers: Numbers) -> None:
        """Change one tensor of all models."""
        beta1, beta2 = numbers.common["betas"]
        state = self.state.setdefault(name, {})
        if not state:
            kept = ("first", "second", "largest") if numbers.common["amsgrad"] else ("first", "second")
            state.update({key: torch.zeros_like(weight) for key in kept})
        self.counts[name] += 1
        if self.decoupled:
            weight.mul_(like(1 - numbers.rate * numbers.decay, weight))
        elif numbers.decays:
            gradient = torch.addcmul(gradient, weight, like(numbers.decay, weight))
        state["first"].lerp_(gradient, 1 - beta1)
        second = state["second"].mul_(beta2).addcmul_(gradient, gradient, value=1 - beta2)
        if numbers.common["amsgrad"]:
            second = torch.maximum(state["largest"], second, out=state["largest"])
        divisor = second.sqrt().div_((1 - beta2 ** self.counts[name]) ** 0.5).add_(numbers.common["eps"])
        size = like(-numbers.rate / (1 - beta1 ** self.counts[name]), weight)
        weight.add_(torch.mul(state["first"], size).div_(divisor))


def make_update(
    stacks: Mapping[str, Tensor], models: Sequence[nn.Module], optimizers: Sequence[Optimizer]
) -> Update:
    """Return the update that stands for these optimisers; arguments and errors as for `Update`."""
    kind: type[Update] = SgdUpdate if isinstance(optimizers[0], SGD) else AdamUpdate
    return kind(stacks, models, optimizers)


def _layout(model: nn.Module, optimizer: Optimizer) -> tuple[str, list[list[str]], list[dict[str, Any]]]:
    """Return an optimiser's kind, the tensors' names in each group, and the groups' numbers but `OWN`."""
    kinds: dict[str, type[Optimizer]] = {"SGD": SGD, "AdamW": AdamW, "Adam": Adam}
    kind = next((name for name, known in kinds.items() if isinstance(optimizer, known)), None)
    if kind is None or type(optimizer).step is not kinds[kind].step:
        raise StackError(
            text("sweep.unknown_optimizer", given=type(optimizer).__name__, known=", ".join(kinds))
        )
    if any(group["maximize"] for group in optimizer.param_groups):
        raise StackError(text("sweep.maximize"))
    names = {id(parameter): name for name, parameter in model.named_parameters()}
    tensors = [[names[id(parameter)] for parameter in group["params"]] for group in optimizer.param_groups]
    numbers = [
        {key: group[key] for key in optimizer.defaults if key not in OWN} for group in optimizer.param_groups
    ]
    return kind, tensors, numbers
