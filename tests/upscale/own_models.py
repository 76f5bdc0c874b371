"""Models as a student might write them, each a function of its width."""

import torch
from torch import nn
from torch.nn import functional

from labkit import mup


class Images(nn.Module):
    """Convolutions (one of them depthwise), group norm, a gain of its own, and a flattened image."""

    def __init__(self, width, channels_last=False):
        super().__init__()
        self.first = nn.Conv2d(1, width, 3, padding=1)
        self.norm = nn.GroupNorm(2, width)
        self.gain = nn.Parameter(torch.full((width, 1, 1), 0.7))
        self.depthwise = nn.Conv2d(width, width, 3, padding=1, groups=width)
        self.second = nn.Conv2d(width, 2 * width, 1)
        self.hidden = nn.Linear(2 * width * 16, 3 * width)
        self.output = nn.Linear(3 * width, 3)
        self.channels_last = channels_last

    def forward(self, x):
        x = torch.relu(self.norm(self.first(x))) * self.gain
        x = torch.relu(self.second(self.depthwise(x)))
        if self.channels_last:
            x = x.permute(0, 2, 3, 1)
        return self.output(torch.tanh(self.hidden(x.flatten(1))))


class Signals(nn.Module):
    """Conv1d down and up again, batch norm without gains, layer norm without gains, PReLU."""

    def __init__(self, width):
        super().__init__()
        self.down = nn.Conv1d(1, width, 3, stride=2, padding=1)
        self.norm = nn.BatchNorm1d(width, affine=False)
        self.up = nn.ConvTranspose1d(width, 2 * width, 2, stride=2)
        self.bend = nn.PReLU(2 * width)
        self.layer_norm = nn.LayerNorm(2 * width, elementwise_affine=False)
        self.readout = mup.Readout(2 * width, 3)

    def forward(self, x):
        x = self.bend(self.up(torch.relu(self.norm(self.down(x)))))
        return self.readout(self.layer_norm(x.transpose(1, 2)).mean(1))


class Sentences(nn.Module):
    """Attention with separate projections, learned positions, RMSNorm, perhaps one tensor at both ends."""

    def __init__(self, width, tied=False, readout=mup.Readout, scaled=True, heads=2):
        super().__init__()
        self.symbols = nn.Embedding(7, width)
        self.positions = nn.Parameter(torch.randn(6, width) * 0.1)
        self.norm = nn.RMSNorm(width) if hasattr(nn, "RMSNorm") else nn.LayerNorm(width)
        self.query, self.key, self.value = (nn.Linear(width, width, bias=False) for _ in range(3))
        self.output = nn.Linear(width, width)
        self.readout = readout(width, 7)
        self.heads = heads
        self.scale = mup.AttentionScale(width // heads) if scaled else None
        if tied:
            self.readout.weight = self.symbols.weight

    def split(self, x):
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def forward(self, symbols):
        x = self.symbols(symbols) + self.positions[: symbols.shape[1]]
        y = self.norm(x)
        query, key, value = (self.split(part(y)) for part in (self.query, self.key, self.value))
        scale = self.scale() if self.scale is not None else None
        mixed = functional.scaled_dot_product_attention(query, key, value, is_causal=True, scale=scale)
        return self.readout(x + self.output(mixed.transpose(1, 2).flatten(2)))


class Recurrent(nn.Module):
    """Two layers of an LSTM, read in both directions."""

    def __init__(self, width):
        super().__init__()
        self.symbols = nn.Embedding(7, width)
        self.layers = nn.LSTM(width, width, num_layers=2, bidirectional=True, batch_first=True)
        self.readout = mup.Readout(2 * width, 7)

    def forward(self, symbols):
        return self.readout(self.layers(self.symbols(symbols))[0])


class Small(nn.Module):
    """One hidden layer and, between it and the output, whatever is to be tried."""

    def __init__(self, width, between=None, output=nn.Linear):
        super().__init__()
        self.hidden = nn.Linear(5, width)
        self.between = nn.Identity() if between is None else between(width)
        self.output = output(width, 3)

    def forward(self, x):
        return self.output(self.between(torch.tanh(self.hidden(x))))
