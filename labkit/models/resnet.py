"""A small residual network for small images."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from labkit.models.base import Scalable
from labkit.mup.layers import Readout


class ResNet(Scalable):
    """A residual network (He et al., arXiv 1512.03385) with two stages, of `width` and 2 * `width` channels.

    A 3x3 stem, `blocks` residual blocks in each stage, the mean over all positions, a readout. The first
    block of the second stage halves the image's sides.

    Parameters
    ----------
    width : channels of the stem and of the first stage.
    blocks : residual blocks in each stage, at least 1.
    channels : of the image, 1 for grey.
    outputs : number of classes.
    """

    def __init__(self, width: int = 8, blocks: int = 1, channels: int = 1, outputs: int = 10) -> None:
        super().__init__(width=width, blocks=blocks, channels=channels, outputs=outputs)
        self.stem = _convolution(channels, width, 3)
        self.stem_norm = nn.BatchNorm2d(width)
        first = [ResidualBlock(width, width) for _ in range(blocks)]
        second = [ResidualBlock(width if i == 0 else 2 * width, 2 * width) for i in range(blocks)]
        self.blocks = nn.Sequential(*first, *second)
        self.readout = Readout(2 * width, outputs)

    def forward(self, x: Tensor) -> Tensor:
        """Map images, shape (batch, channels, height, width), to unnormalised log probabilities."""
        x = torch.relu(self.stem_norm(self.stem(x)))
        x = self.blocks(x)
        logits: Tensor = self.readout(x.mean((2, 3)))
        return logits


class ResidualBlock(nn.Module):
    """Two 3x3 convolutions with batch normalisation, added to the block's input.

    Where the number of channels grows, the first convolution halves the image's sides, and the input is
    brought to the same shape by a 1x1 convolution.
    """

    def __init__(self, channels_in: int, channels_out: int) -> None:
        super().__init__()
        stride = 1 if channels_in == channels_out else 2
        self.first = _convolution(channels_in, channels_out, 3, stride)
        self.first_norm = nn.BatchNorm2d(channels_out)
        self.second = _convolution(channels_out, channels_out, 3)
        self.second_norm = nn.BatchNorm2d(channels_out)
        self.shortcut: nn.Module = nn.Identity()
        if stride == 2:
            self.shortcut = _convolution(channels_in, channels_out, 1, stride)

    def forward(self, x: Tensor) -> Tensor:
        """Map features, shape (batch, channels_in, height, width), to those of the next block."""
        y = torch.relu(self.first_norm(self.first(x)))
        return functional.relu(self.second_norm(self.second(y)) + self.shortcut(x))


def _convolution(channels_in: int, channels_out: int, size: int, stride: int = 1) -> nn.Conv2d:
    """Return a convolution that keeps the image's sides, up to its stride; the norm after it has the bias."""
    return nn.Conv2d(channels_in, channels_out, size, stride, padding=size // 2, bias=False)
