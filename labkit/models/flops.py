"""How much arithmetic training takes, by formula."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

from torch import nn

from labkit.messages import text
from labkit.models.gpt import GPT
from labkit.models.mlp import MLP
from labkit.models.resnet import ResNet


def training_flops(model: nn.Module, batch_shape: Sequence[int]) -> int:
    """Return the floating-point operations of one training step's matrix products and convolutions.

    A multiplication and an addition count as two operations. The backward pass takes twice those of the
    forward pass, once for the gradients of the weights and once for those of a layer's inputs; the latter are
    not needed where the inputs are data. For a GPT this is, with N weights in the linear layers and D
    characters, 6 N D (Kaplan et al., arXiv 2001.08361, section 2.1) and 12 * depth * width * context * D for
    attention, counted without leaving out the masked half (Chowdhery et al., arXiv 2204.02311, appendix B).
    Norms, activations and the optimiser are left out: they are few operations, though not always little time.

    Parameters
    ----------
    model : one of labkit's three.
    batch_shape : of the model's input: (batch, inputs) for an MLP, (batch, channels, height, width) for a
        ResNet, (batch, positions) for a GPT.

    Raises
    ------
    TypeError
        If there is no formula for the model.
    """
    return _flops(model, tuple(batch_shape))


@functools.singledispatch
def _flops(model: nn.Module, shape: tuple[int, ...]) -> int:
    raise TypeError(text("train.no_flops", model=type(model).__name__))


@_flops.register
def _mlp(model: MLP, shape: tuple[int, ...]) -> int:
    width: int = model.width
    depth, inputs, outputs = (int(model.arguments[key]) for key in ("depth", "inputs", "outputs"))
    return shape[0] * (4 * inputs * width + 6 * ((depth - 1) * width**2 + width * outputs))


@_flops.register
def _gpt(model: GPT, shape: tuple[int, ...]) -> int:
    batch, positions = shape
    width: int = model.width
    depth, vocabulary = (int(model.arguments[key]) for key in ("depth", "vocabulary"))
    weights = depth * 12 * width**2 + width * vocabulary
    return batch * positions * (6 * weights + 12 * depth * width * positions)


@_flops.register
def _resnet(model: ResNet, shape: tuple[int, ...]) -> int:
    """Add up, for each convolution, its weights times the positions of its output."""
    batch, _, *sides = shape
    width: int = model.width
    blocks, channels, outputs = (int(model.arguments[key]) for key in ("blocks", "channels", "outputs"))
    large = math.prod(sides)
    small = math.prod(math.ceil(side / 2) for side in sides)
    stem = 9 * channels * width * large
    first_stage = blocks * 2 * 9 * width**2 * large
    entry = (9 * width * 2 * width + width * 2 * width) * small
    second_stage = (2 * blocks - 1) * 9 * (2 * width) ** 2 * small
    readout = 2 * width * outputs
    return batch * (4 * stem + 6 * (first_stage + entry + second_stage + readout))
