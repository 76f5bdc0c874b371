"""Linear layers with few outputs that round, stacked, as torch rounds them for one model.

Training amplifies rounding: after a thousand steps at a high learning rate two runs that once differed in the
last bit differ in the second digit of the loss. Stacked linear layers compute the gradient of a weight as
inputs times gradients and one model's layer as gradients times inputs. For few outputs these are not equal
bit by bit; taking the second way here makes the rows of stacked MLPs exactly those of single ones (seen with
torch 2.13 on an x86-64 CPU; other processors may round otherwise).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function
from torch.nn import functional
from torch.overrides import TorchFunctionMode

FEW_OUTPUTS = 32  # beyond it both ways were seen to round alike, and this one costs a tenth of a step more


class ExactLinear(TorchFunctionMode):
    """Within it, and within `torch.func.vmap`, linear layers with few outputs round as those of one model."""

    def __torch_function__(self, function: Any, types: Any, arguments: Any = (), options: Any = None) -> Any:
        """Replace `functional.linear`, and call everything else as it is."""
        if function is functional.linear and not options and len(arguments) == 3:
            x, weight, bias = arguments
            if bias is not None and x.ndim == 2 and len(weight) < FEW_OUTPUTS:
                return _Linear.apply(x, weight, bias)  # type: ignore[no-untyped-call]
        return function(*arguments, **(options or {}))


class _Linear(Function):
    """A linear layer of one model, as `vmap` sees it; `vmap` calls `_StackedLinear` instead."""

    @staticmethod
    def forward(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        return functional.linear(x, weight, bias)

    @staticmethod
    def setup_context(context: Any, inputs: Any, output: Any) -> None:
        """Keep nothing: only the stacked layer is ever differentiated."""

    @staticmethod
    def vmap(info: Any, dimensions: Sequence[int | None], *tensors: Tensor) -> tuple[Tensor, int]:
        stacked = [
            tensor.expand(info.batch_size, *tensor.shape) if place is None else tensor.movedim(place, 0)
            for tensor, place in zip(tensors, dimensions, strict=True)
        ]
        result: Tensor = _StackedLinear.apply(*stacked)  # type: ignore[no-untyped-call]
        return result, 0


class _StackedLinear(Function):
    """Linear layers of several models; shapes (models, batch, in), (models, out, in) and (models, out)."""

    @staticmethod
    def forward(context: Any, x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        context.save_for_backward(x, weight)
        return torch.baddbmm(bias[:, None], x, weight.mT)

    @staticmethod
    def backward(context: Any, gradient: Tensor) -> tuple[Tensor | None, Tensor, Tensor]:
        x, weight = context.saved_tensors
        for_x = torch.bmm(gradient, weight) if context.needs_input_grad[0] else None
        return for_x, torch.bmm(gradient.mT, x), gradient.sum(1)
