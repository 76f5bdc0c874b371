"""The two places where muP changes a model's forward pass: the readout and the attention scores.

Both are neutral (standard parametrisation) until `labkit.mup.prepare` sets them for a model's width. Their
number is part of a model's `state_dict`, as a tensor without dimensions.
"""

from __future__ import annotations

from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn import functional


class _Saved(nn.Module):
    """A module with one number of its own that goes into checkpoints and comes back from them."""

    _number: ClassVar[str]  # the attribute's name

    def get_extra_state(self) -> Tensor:
        """Return the number for a `state_dict`, in double precision and on the CPU, whatever the model is."""
        return torch.tensor(getattr(self, self._number), dtype=torch.float64, device="cpu")

    def set_extra_state(self, state: Tensor) -> None:
        """Take the number from a `state_dict`."""
        setattr(self, self._number, float(state))


class Readout(_Saved, nn.Linear):
    """A linear output layer that multiplies its input by `input_scale`, before weight and bias.

    Attributes
    ----------
    input_scale : 1 in the standard parametrisation; base width / width under muP (Yang et al., arXiv
        2203.03466). The bias is not scaled: it would break the equivalence of a widened model.
    """

    _number = "input_scale"
    input_scale: float = 1.0

    def forward(self, x: Tensor) -> Tensor:
        """Map features, shape (..., in_features), to outputs, (..., out_features)."""
        return functional.linear(x * self.input_scale, self.weight, self.bias)


class AttentionScale(_Saved):
    """What queries times keys are multiplied by before the softmax; call it for the number.

    Parameters
    ----------
    head_size : numbers in one head's query.

    Attributes
    ----------
    value : 1/sqrt(head_size) in the standard parametrisation; sqrt(base head size)/head_size under muP, which
        agrees with it at the base width (Yang et al., arXiv 2203.03466).
    """

    _number = "value"

    def __init__(self, head_size: int) -> None:
        super().__init__()
        self.head_size = head_size
        self.value: float = head_size**-0.5

    def forward(self) -> float:
        """Return the factor."""
        return self.value
