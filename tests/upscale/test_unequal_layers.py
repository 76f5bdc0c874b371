"""Recurrent layers, shared tensors and depthwise convolutions may grow by factors of their own."""

import pytest
import torch
from own_models import Recurrent
from torch import nn

import labkit as lk
from labkit import mup, upscale
from labkit.mup.batches import cross_entropy

TOLERANCE = 1e-9


def gap(build, k, data, kind=torch.optim.AdamW, steps=30):
    torch.manual_seed(0)
    model = build(4).double()
    optimizer = kind(model.parameters(), lr=0.01, eps=1e-3)
    for _ in range(10):
        optimizer.zero_grad()
        cross_entropy(model, data[0]).backward()
        optimizer.step()
    rows = upscale.equivalence_gap(model, optimizer, k, data, steps, build=build, width=4)
    return max(row["gap"] for row in rows)


def text():
    symbols = torch.randint(7, (4, 6), generator=torch.Generator().manual_seed(1))
    return [(symbols[:, :-1], symbols[:, 1:])]


@pytest.mark.parametrize("k", [{"layers": 3}, {"symbols": 3}, {"layers": 3, "*": 2}])
def test_a_recurrent_layer_grows_by_a_factor_of_its_own(k):
    assert gap(Recurrent, k, text()) < TOLERANCE


class Projected(nn.Module):
    def __init__(self, width, kind=nn.GRU, **options):
        super().__init__()
        self.first, self.cell = nn.Linear(5, width), kind(width, width, batch_first=True, **options)
        self.readout = mup.Readout(options.get("proj_size", width), 3)

    def forward(self, x):
        return self.readout(self.cell(torch.tanh(self.first(x)))[0])


@pytest.mark.parametrize("k", [{"cell": 3}, {"first": 2}])
@pytest.mark.parametrize("projected", [True, False])
def test_recurrent_layers_of_other_kinds(projected, k):
    def build(width):
        return Projected(width, nn.LSTM, proj_size=width // 2) if projected else Projected(width)

    x = torch.randn(4, 3, 5, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    assert gap(build, k, [(x, x[..., :3].argmax(-1))]) < TOLERANCE


class Tied(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.symbols, self.hidden = nn.Embedding(7, width), nn.Linear(width, width)
        self.readout = mup.Readout(width, 7, bias=False)
        self.readout.weight = self.symbols.weight

    def forward(self, x):
        return self.readout(torch.tanh(self.hidden(self.symbols(x))))


@pytest.mark.parametrize("k", [{"symbols": 3}, {"hidden": 3}])
def test_the_two_sides_of_a_shared_tensor_grow_together(k):
    assert gap(Tied, k, text()) < TOLERANCE
    wide = lk.widen(Tied(4), k, build=Tied, width=4)
    assert wide.readout.weight is wide.symbols.weight
    assert wide.hidden.weight.shape == (12, 12)


def test_unequal_factors_for_a_shared_tensor_are_refused():
    with pytest.raises(upscale.UpscaleError, match=r"need one factor: symbols × 3, hidden × 2"):
        lk.widen(Tied(4), {"symbols": 3, "hidden": 2}, build=Tied, width=4)


class Depthwise(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first, self.up = nn.Conv1d(3, width, 3), nn.ConvTranspose1d(width, width, 3, groups=width)
        self.readout = mup.Readout(width, 3)

    def forward(self, x):
        return self.readout(torch.tanh(self.up(torch.tanh(self.first(x)))).mean(-1))


@pytest.mark.parametrize("k", [2, 3, {"first": 3}, {"up": 2}])
def test_depthwise_transposed_convolutions_are_widened(k):
    x = torch.randn(6, 3, 8, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    assert gap(Depthwise, k, [(x, x[:, :, 0].argmax(-1))]) < TOLERANCE


def test_a_compiled_block_is_refused_with_what_to_do():
    class Block(nn.Module):
        def __init__(self, width):
            super().__init__()
            self.first = nn.Linear(5, width)
            self.block = torch.compile(nn.Linear(width, width), backend="eager")
            self.output = nn.Linear(width, 3)

        def forward(self, x):
            return self.output(self.block(self.first(x)))

    with pytest.raises(upscale.UpscaleError, match=r"block comes from torch\.compile"):
        lk.widen(Block(4), 2, build=Block, width=4)


def test_a_block_compiled_in_place_may_be_widened():
    class Block(Tied):
        def __init__(self, width):
            super().__init__(width)
            self.hidden.compile(backend="eager")

    assert gap(Block, 2, text(), steps=5) < TOLERANCE


def test_lazy_layers_are_refused():
    def build(width):
        return nn.Sequential(nn.LazyLinear(width), nn.Linear(width, 3))

    with pytest.raises(upscale.UpscaleError, match=r"nn\.LazyLinear"):
        lk.widen(build(4), 2, build=build, width=4)
