"""The models of the workbook."""

from __future__ import annotations

import itertools

import torch
from torch import Tensor, nn


class MLP(nn.Module):
    """A multilayer perceptron with ReLU: `depth` hidden layers of `width` units each.

    `layers` holds the linear maps in order: the input layer, depth - 1 hidden layers, the output layer.

    Parameters
    ----------
    width : units of each hidden layer.
    depth : number of hidden layers, at least 1.
    inputs, outputs : numbers of features in and out, such as 40 positions and 10 classes of MNIST-1D.
    """

    def __init__(self, width: int = 64, depth: int = 2, inputs: int = 40, outputs: int = 10) -> None:
        super().__init__()
        sizes = [inputs, *[width] * depth, outputs]
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in itertools.pairwise(sizes))

    def forward(self, x: Tensor) -> Tensor:
        """Map examples, shape (batch, inputs), to unnormalised log probabilities, (batch, outputs)."""
        *hidden, output = self.layers
        for layer in hidden:
            x = torch.relu(layer(x))
        logits: Tensor = output(x)
        return logits


def parameter_count(model: nn.Module) -> int:
    """Return how many numbers the model learns."""
    return sum(p.numel() for p in model.parameters() if p.requires_grad)
