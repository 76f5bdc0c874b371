"""The MLP of the first notebooks."""

from __future__ import annotations

import itertools

import torch
from torch import Tensor, nn

from labkit.models.base import Scalable
from labkit.mup.layers import Readout


class MLP(Scalable):
    """A multilayer perceptron with ReLU: `depth` hidden layers of `width` units each.

    `layers` holds the linear maps in order: the input layer, depth - 1 hidden layers, the readout.

    Parameters
    ----------
    width : units of each hidden layer.
    depth : number of hidden layers, at least 1.
    inputs, outputs : numbers of features in and out, such as 40 positions and 10 classes of MNIST-1D.
    dropout : chance that a hidden unit is left out of a training step (Srivastava et al., JMLR 15, 2014).
    """

    def __init__(
        self, width: int = 64, depth: int = 2, inputs: int = 40, outputs: int = 10, *, dropout: float = 0.0
    ) -> None:
        super().__init__(width=width, depth=depth, inputs=inputs, outputs=outputs, dropout=dropout)
        sizes = itertools.pairwise([inputs, *[width] * depth])
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in sizes)
        self.layers.append(Readout(width, outputs))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        """Map examples, shape (batch, inputs), to unnormalised log probabilities, (batch, outputs)."""
        *hidden, readout = self.layers
        for layer in hidden:
            x = self.dropout(torch.relu(layer(x)))
        logits: Tensor = readout(x)
        return logits
