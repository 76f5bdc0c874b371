"""Models that labkit has not written are widened from a function that builds them at a width."""

import copy
import functools

import pytest
import torch
from own_models import Images, Recurrent, Sentences, Signals, Small
from torch import nn

import labkit as lk
from labkit import mup, upscale
from labkit.mup.batches import cross_entropy

TOLERANCE = 1e-9
MODELS = {
    "images": Images,
    "images, channels last": functools.partial(Images, channels_last=True),
    "signals": Signals,
    "sentences": Sentences,
    "sentences, tied": functools.partial(Sentences, tied=True),
    "recurrent": Recurrent,
}


@pytest.fixture(autouse=True)
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def batches(name):
    luck = torch.Generator().manual_seed(1)
    if name.startswith(("sentences", "recurrent")):
        texts = [torch.randint(7, (4, 6), generator=luck) for _ in range(3)]
        return [(text[:, :-1], text[:, 1:]) for text in texts]
    shape = (6, 1, 4, 4) if name.startswith("images") else (6, 1, 8) if name == "signals" else (6, 5)
    inputs = [torch.randn(shape, generator=luck, dtype=torch.float64) for _ in range(3)]
    return [(x, x.flatten(1)[:, :3].argmax(1)) for x in inputs]


def trained(build, data, kind=torch.optim.AdamW, **options):
    torch.manual_seed(0)
    model = build(4).double()
    optimizer = kind(model.parameters(), **({"lr": 0.01, "eps": 1e-3} | options))
    for step in range(20):
        optimizer.zero_grad()
        cross_entropy(model, data[step % len(data)]).backward()
        optimizer.step()
    return model, optimizer


def gap(small, k, data, steps=50, **options):
    rows = upscale.equivalence_gap(*small, k, data, steps, inputs=data[0][0], **options)
    return max(row["gap"] for row in rows)


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("name", MODELS)
def test_it_stays_the_same_function(name, k):
    build, data = MODELS[name], batches(name)
    assert gap(trained(build, data), k, data, build=build, width=4) < TOLERANCE


@pytest.mark.parametrize("name", MODELS)
def test_it_stays_the_same_function_under_sgd_and_from_mup(name):
    build, data = MODELS[name], batches(name)
    model = mup.prepare(build(8).double(), base_width=4, build=build, width=8, seed=0)
    optimizer = mup.optimizer(model, "sgd", lr=0.02, momentum=0.9, nesterov=True, weight_decay=0.01)
    assert gap((model, optimizer), 2, data, build=build, width=8) < TOLERANCE


def test_tied_tensors_stay_one_tensor():
    build, data = MODELS["sentences, tied"], batches("sentences")
    wide, optimizer = lk.upscale(*trained(build, data), 2, build=build, width=4)
    assert wide.readout.weight is wide.symbols.weight
    assert sum(p is wide.symbols.weight for g in optimizer.param_groups for p in g["params"]) == 1


def test_tensors_tied_after_building_are_tied_in_the_wide_model_too():
    model = Sentences(4)
    model.readout.weight = model.symbols.weight
    wide = lk.widen(model, 2, build=Sentences, width=4)
    assert wide.readout.weight is wide.symbols.weight


def test_a_fresh_wide_model_may_be_given_instead_of_a_factor():
    data = batches("images")
    assert gap(trained(Images, data), Images(12), data) < TOLERANCE


def test_layers_of_a_student_may_grow_unequally():
    data = batches("images")
    small = trained(Images, data)
    options = {"build": Images, "width": 4}
    assert gap(small, {"first": 3, "second": 2, "hidden": 4}, data, **options) < TOLERANCE
    wide = lk.widen(small[0], {"second": 2, "hidden": 4}, inputs=data[0][0], **options)
    assert [wide.first.out_channels, wide.second.out_channels, wide.hidden.out_features] == [4, 16, 48]
    assert wide.hidden.in_features == 16 * 16


def test_unequal_growth_reaches_norms_without_gains():
    data = batches("signals")
    options = {"build": Signals, "width": 4}
    assert gap(trained(Signals, data), {"down": 2, "up": 3}, data, **options) < TOLERANCE


def test_what_was_changed_after_building_is_kept():
    model = Small(4, nn.BatchNorm1d)
    model.between.momentum, model.between.eps = 0.3, 1e-2
    model.between.eval()
    model.hidden.weight.requires_grad_(False)
    build = functools.partial(Small, between=nn.BatchNorm1d)
    wide = lk.widen(model, 2, build=build, width=4)
    assert (wide.between.momentum, wide.between.eps) == (0.3, 1e-2)
    assert (wide.between.training, wide.training) == (False, True)
    assert not wide.hidden.weight.requires_grad
    assert wide.hidden.bias.requires_grad


def test_buffers_that_the_width_would_change_come_from_the_small_model():
    class Waves(nn.Module):
        """Adds fixed numbers that depend on the width to its units."""

        def __init__(self, width):
            super().__init__()
            self.register_buffer("waves", torch.sin(torch.arange(width) * 1.0 / width), persistent=False)

        def forward(self, x):
            return x + self.waves.to(x)

    build, data = functools.partial(Small, between=Waves), batches("rows")
    assert gap(trained(build, data), 3, data, build=build, width=4) < TOLERANCE


def test_tensors_that_are_no_buffers_keep_their_values():
    class Fixed(nn.Module):
        def __init__(self, width):
            super().__init__()
            self.shift = torch.tensor(0.5)

        def forward(self, x):
            return x + self.shift

    build, data = functools.partial(Small, between=Fixed), batches("rows")
    assert gap(trained(build, data), 2, data, build=build, width=4) < TOLERANCE


def test_dtype_and_torchs_generator_are_left_alone():
    model = Small(4).bfloat16()
    before = torch.random.get_rng_state()
    wide = lk.widen(model, 2, build=Small, width=4)
    assert {p.dtype for p in wide.parameters()} == {torch.bfloat16}
    assert torch.equal(torch.random.get_rng_state(), before)


def test_a_layer_class_of_ones_own_can_be_added():
    class Mirror(nn.Module):
        """Like nn.Linear, with its weight the other way round."""

        def __init__(self, inputs, outputs):
            super().__init__()
            self.matrix = nn.Parameter(torch.randn(inputs, outputs) / inputs**0.5)

        def forward(self, x):
            return x @ self.matrix

    build, data = functools.partial(Small, between=lambda w: Mirror(w, 2 * w), output=_Wide), batches("rows")
    small = trained(build, data)
    with pytest.raises(upscale.UpscaleError, match=r"between\.matrix.*LAYOUTS"):
        lk.widen(small[0], 2, build=build, width=4)
    mup.LAYOUTS[Mirror] = {"matrix": ("in", "out")}
    try:
        assert gap(small, 2, data, build=build, width=4) < TOLERANCE
    finally:
        del mup.LAYOUTS[Mirror]


class _Wide(nn.Linear):
    """A linear layer that reads twice as many numbers as it is told."""

    def __init__(self, inputs, outputs):
        super().__init__(2 * inputs, outputs)


def test_the_given_model_and_optimizer_are_not_trained_by_the_gap():
    data = batches("signals")
    small = trained(Signals, data)
    before = copy.deepcopy(small[0].state_dict())
    gap(small, 2, data, steps=5, build=Signals, width=4)
    torch.testing.assert_close(small[0].state_dict(), before, rtol=0, atol=0)
