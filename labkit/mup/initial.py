"""First weights under muP."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from labkit.mup.sides import NORMS, Sides, is_known, tensors


def init_std(sides: Sides) -> float | None:
    """Return the standard deviation of a tensor's first values under muP, None for a constant start.

    Weights have 1/sqrt(fan in), embeddings 1 (one row is picked, so the fan in is 1). Output weights begin at
    0, so that the first steps of models of all widths are alike (Yang et al., arXiv 2203.03466, section D.2).
    Biases begin at 0, gains of norm layers at 1.
    """
    if not sides.fan_in:
        return None
    return 0.0 if sides.role == "output" else sides.fan_in**-0.5


def standard_std(module: nn.Module, sides: Sides) -> float | None:
    """Return the standard deviation that torch's own layers begin with, None for a constant start.

    Linear layers and convolutions draw uniformly from ±1/sqrt(fan in), their biases too (He et al., arXiv
    1502.01852, with torch's gain of 1/sqrt(3)); embeddings are normal.
    """
    if isinstance(module, nn.Embedding | nn.EmbeddingBag):
        return 1.0
    return (3 * sides.fan_in) ** -0.5 if sides.fan_in else None


@torch.no_grad()
def draw(model: nn.Module, sides: Mapping[str, Sides], generator: torch.Generator | None = None) -> None:
    """Give every layer that labkit knows its first values under muP; other parameters keep theirs.

    A weight that two layers share begins like the one of them that does not begin at 0.
    """
    stds: dict[int, float] = {}
    for name, _, _, parameter in tensors(model):
        stds[id(parameter)] = max(stds.get(id(parameter), 0.0), init_std(sides[name]) or 0.0)
    drawn: set[int] = set()
    for name, module, key, parameter in tensors(model):
        if id(parameter) in drawn or not is_known(module):
            continue
        drawn.add(id(parameter))
        if init_std(sides[name]) is not None:
            parameter.copy_(normal(parameter, stds[id(parameter)], generator))
            _zero_padding(module)
        elif isinstance(module, NORMS):
            parameter.fill_(1.0 if key == "weight" else 0.0)
        elif key.startswith("bias"):
            parameter.zero_()


def normal(like: Tensor, std: float, generator: torch.Generator | None) -> Tensor:
    """Return normal numbers of a tensor's shape, drawn on the CPU: the same ones on every device."""
    drawn = torch.empty(like.shape, dtype=torch.float32 if like.element_size() < 4 else like.dtype)
    return drawn.normal_(std=std, generator=generator) if std else drawn.zero_()


def _zero_padding(module: nn.Module) -> None:
    padding = getattr(module, "padding_idx", None)
    if isinstance(module, nn.Embedding | nn.EmbeddingBag) and padding is not None:
        module.weight[padding].zero_()
