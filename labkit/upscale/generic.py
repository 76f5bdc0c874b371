"""Values that hide nothing: neither zeros nor small or equal weights, and numbers that hardly round."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, TypeVar, cast

import torch
from torch import Tensor, nn

from labkit.mup.sides import NORMS, is_known, tensors

Value = TypeVar("Value")


def converted(value: Value, dtype: torch.dtype | None) -> Value:
    """Return a model (changed in place) or inputs with their real and complex tensors in a dtype's precision.

    Parameters
    ----------
    value : a model, or a tensor, tuple, list, dict or dataclass; anything else comes back as it is.
    dtype : float64 (which Apple's devices lack: their tensors go to the CPU), float32, or None for the own
        one.
    """
    if dtype is None:
        return value

    def convert(tensor: Tensor) -> Tensor:
        device = "cpu" if tensor.device.type == "mps" and dtype == torch.float64 else tensor.device
        kind = dtype.to_complex() if tensor.is_complex() else dtype
        fits = tensor.is_complex() or tensor.is_floating_point()
        return tensor.to(device, kind if fits else None)

    made: Any = value
    if isinstance(value, nn.Module):
        return cast(Value, made._apply(convert))
    if isinstance(value, Tensor):
        made = convert(value)
    elif isinstance(value, Mapping):
        made = {key: converted(item, dtype) for key, item in value.items()}
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {
            f.name: converted(getattr(value, f.name), dtype) for f in dataclasses.fields(value) if f.init
        }
        made = dataclasses.replace(made, **fields)
    elif isinstance(value, tuple) and hasattr(value, "_fields"):
        made = type(value)(*(converted(item, dtype) for item in value))
    elif isinstance(value, list | tuple):
        made = type(value)(converted(item, dtype) for item in value)
    return cast(Value, made)


@torch.no_grad()
def give_generic_values(model: nn.Module, seed: int = 0) -> None:
    """Give a model's parameters values of order 1/sqrt(fan in), whatever they have been.

    Layers that labkit knows get fresh ones. Other parameters may be meant to stay positive, for instance:
    they keep their signs and proportions roughly, but grow if they are small; if all are 0 they are drawn.
    """
    luck = torch.Generator().manual_seed(seed)
    done: set[int] = set()
    for _, module, key, parameter in tensors(model):
        fits = parameter.is_floating_point() or parameter.is_complex()
        if not fits or not parameter.numel() or id(parameter) in done:
            continue
        done.add(id(parameter))
        fan_in = parameter.numel() // max(1, len(parameter)) if parameter.dim() else 1
        if isinstance(module, NORMS):
            parameter.copy_(_drawn(parameter, 0.3, luck))
            parameter.add_(1.0 if key == "weight" else 0.0)
        elif isinstance(module, nn.Embedding | nn.EmbeddingBag):
            parameter.copy_(_drawn(parameter, 1.0, luck))
        elif is_known(module) and not isinstance(module, nn.PReLU):
            parameter.copy_(_drawn(parameter, fan_in**-0.5 if parameter.dim() > 1 else 0.3, luck))
        elif parameter.count_nonzero():
            size = float(torch.linalg.vector_norm(parameter)) / parameter.numel() ** 0.5
            parameter.mul_(torch.exp(_drawn(parameter, 0.2, luck).real.to(parameter.device)))
            parameter.mul_(max(1.0, 0.5 / size))
        else:
            parameter.copy_(_drawn(parameter, 0.5 * fan_in**-0.5, luck))


def _drawn(like: Tensor, std: float, luck: torch.Generator) -> Tensor:
    """Return numbers for a tensor, drawn on the CPU: the same on every device; uniform is fastest."""
    shape = (*like.shape, 2) if like.is_complex() else like.shape
    drawn = torch.empty(shape, dtype=torch.float32)
    drawn.uniform_(-std * 3**0.5, std * 3**0.5, generator=luck)
    return torch.view_as_complex(drawn) if like.is_complex() else drawn
