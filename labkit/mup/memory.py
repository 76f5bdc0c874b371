"""What a prepared model remembers about itself: the sides of its tensors relative to its base model."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from torch import nn
from torch.optim.swa_utils import AveragedModel

from labkit.mup.sides import Sides

_NAME = "width_sides"  # attribute of the model
_models: weakref.WeakSet[nn.Module] = weakref.WeakSet()  # those that remember something
_first_time: list[Callable[[], None]] = []

WRAPPERS = (nn.DataParallel, nn.parallel.DistributedDataParallel, AveragedModel)


class _Memory:
    """Tensor → sides, kept on a model. A copy of the model, deep or from a file, is known like the model."""

    def __init__(self, model: nn.Module, sides: Mapping[str, Sides]) -> None:
        self.__setstate__((model, dict(sides)))

    def __getstate__(self) -> tuple[nn.Module | None, dict[str, Sides]]:
        return self._model(), self.sides

    def __setstate__(self, state: tuple[nn.Module | None, dict[str, Sides]]) -> None:
        """Take the state, whose model is the copy where a model is being copied."""
        model, self.sides = state
        self._model: Any = (lambda: None) if model is None else weakref.ref(model)
        if model is not None:
            _models.add(model)
        while _first_time:
            _first_time.pop()()


def when_remembered(action: Callable[[], None]) -> Callable[[], None]:
    """Let a function be called once, when the first model is prepared or a prepared one is loaded."""
    _first_time.append(action)
    return action


def remember(model: nn.Module, sides: Mapping[str, Sides]) -> None:
    """Keep the sides of a model's tensors, relative to its base model, on the model."""
    setattr(model, _NAME, _Memory(model, sides))


def remembered(model: nn.Module) -> dict[str, Sides] | None:
    """Return what `remember` kept, or None for a model in the standard parametrisation."""
    memory = getattr(model, _NAME, None)
    return memory.sides if isinstance(memory, _Memory) else None


def sides_of(parameters: Iterable[nn.Parameter]) -> dict[int, Sides]:
    """Return `id` → sides of those parameters that belong to a prepared model, or to a copy of one."""
    wanted = {id(parameter) for parameter in parameters}
    return {
        id(parameter): sides[name]
        for model in list(_models)
        if (sides := remembered(model)) is not None
        for name, parameter in model.named_parameters()
        if id(parameter) in wanted and name in sides
    }


def unwrapped(model: Any) -> Any:
    """Return the model inside what torch.compile, DataParallel and the like have put around it."""
    while isinstance(model, nn.Module):
        inner = model.module if isinstance(model, WRAPPERS) else getattr(model, "_orig_mod", None)
        if inner is None:
            break
        model = inner
    return model
