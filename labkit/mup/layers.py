"""The two places where muP changes a model's forward pass: the readout and the attention scores.

Both are neutral (standard parametrisation) until `labkit.mup.prepare` sets them for a model's width.
"""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn import functional


class Readout(nn.Linear):
    """A linear output layer that multiplies its input by `input_scale`, before weight and bias.

    Attributes
    ----------
    input_scale : 1 in the standard parametrisation; base width / width under muP (Yang et al., arXiv
        2203.03466). The bias is not scaled: it would break the equivalence of a widened model.
    """

    input_scale: float = 1.0

    def forward(self, x: Tensor) -> Tensor:
        """Map features, shape (..., in_features), to outputs, (..., out_features)."""
        return functional.linear(x * self.input_scale, self.weight, self.bias)


class AttentionScale(nn.Module):
    """What queries times keys are multiplied by before the softmax; call it for the number.

    Parameters
    ----------
    head_size : numbers in one head's query.

    Attributes
    ----------
    value : 1/sqrt(head_size) in the standard parametrisation; sqrt(base head size)/head_size under muP, which
        agrees with it at the base width (Yang et al., arXiv 2203.03466).
    """

    def __init__(self, head_size: int) -> None:
        super().__init__()
        self.head_size = head_size
        self.value: float = head_size**-0.5

    def forward(self) -> float:
        """Return the factor."""
        return self.value
