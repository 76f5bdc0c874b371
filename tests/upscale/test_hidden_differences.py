"""Widened models that only look equal, behind zeros or before the first step, are refused with the reason."""

import functools

import pytest
import torch
from own_models import Sentences, Small
from torch import nn
from torch.nn import functional

import labkit as lk
from labkit import mup, upscale
from labkit.models import GPT, MLP, ResNet


class Between(nn.Module):
    """Some function of the units."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x, self.training)


def behind(function, zero=False):
    def build(width):
        model = Small(width, lambda _: Between(function))
        if zero:
            nn.init.zeros_(model.output.weight)
        return model

    return build


def refused(build, k=2, model=None, **options):
    with pytest.raises(upscale.UpscaleError) as error:
        lk.widen(build(4) if model is None else model, k, **{"build": build, "width": 4} | options)
    return "\n".join(error.value.problems)


OVER_UNITS = {
    "norm": lambda x, _: functional.normalize(x, dim=-1),
    "sum": lambda x, _: x * x.sum(-1, keepdim=True),
    "std": lambda x, _: x / (x.std(-1, keepdim=True) + 1e-3),
    "softmax": lambda x, _: x.softmax(-1),
}


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("name", OVER_UNITS)
def test_a_head_of_zeros_hides_nothing(name, k):
    assert "inputs of output differ" in refused(behind(OVER_UNITS[name], zero=True), k)


def test_an_attention_projection_of_zeros_hides_nothing():
    class Manual(Sentences):
        def __init__(self, width):
            super().__init__(width)
            nn.init.zeros_(self.output.weight)
            nn.init.zeros_(self.output.bias)

        def forward(self, symbols):
            x = self.symbols(symbols)
            scores = self.query(x) @ self.key(x).transpose(1, 2) / x.shape[-1] ** 0.5
            return self.readout(x + self.output(torch.softmax(scores, -1) @ self.value(x)))

    assert "inputs of output differ" in refused(Manual)


def test_a_residual_gain_of_zero_hides_nothing():
    class Gain(nn.Module):
        def __init__(self, width):
            super().__init__()
            self.gain = nn.Parameter(torch.zeros(width))

        def forward(self, x):
            return x + self.gain * x * x.sum(-1, keepdim=True)

    assert "differ" in refused(functools.partial(Small, between=Gain))


@pytest.mark.parametrize("k", [2, 4, {"hidden": 2}])
def test_copies_with_unequal_gradients_are_refused(k):
    problems = refused(behind(lambda x, _: x * x.max(-1, keepdim=True).values), k)
    assert "gradients of hidden" in problems
    assert "picks one of the copies" in problems


NOISE = {
    "dropout": lambda x, training: functional.dropout(x, 0.2, training),
    "noise": lambda x, training: x + 0.1 * torch.randn_like(x) if training else x,
}


@pytest.mark.parametrize("zero", [False, True])
@pytest.mark.parametrize("name", NOISE)
def test_randomness_is_found_by_what_it_does(name, zero):
    model = behind(NOISE[name], zero)(4).eval()
    before = torch.random.get_rng_state()
    assert "draws at random in training mode" in refused(behind(NOISE[name], zero), model=model)
    assert torch.equal(torch.random.get_rng_state(), before)


def test_dropout_of_attention_probabilities_is_found():
    class Forgetful(Sentences):
        def forward(self, symbols):
            x = self.symbols(symbols)
            query, key, value = (self.split(part(x)) for part in (self.query, self.key, self.value))
            p = 0.2 if self.training else 0.0
            mixed = functional.scaled_dot_product_attention(
                query, key, value, dropout_p=p, scale=self.scale()
            )
            return self.readout(mixed.transpose(1, 2).flatten(2))

    assert "draws at random" in refused(Forgetful)


@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("build", [MLP, ResNet, GPT], ids=lambda build: build.__name__)
def test_a_trial_changes_nothing(build, k):
    model = mup.prepare(build(16 if build is GPT else 4)).eval()
    before = {name: value.clone() for name, value in model.state_dict().items()}
    wide = lk.widen(model, k)
    torch.testing.assert_close(model.state_dict(), before, rtol=0, atol=0)
    assert all(parameter.grad is None for parameter in [*model.parameters(), *wide.parameters()])
    assert not any(module.training for module in [*model.modules(), *wide.modules()])
    assert {n for n, p in wide.named_parameters() if not p.count_nonzero()} == {
        n for n, p in model.named_parameters() if not p.count_nonzero()
    }


def test_one_example_is_enough_where_training_needs_more():
    build = functools.partial(Small, between=nn.BatchNorm1d)
    lk.widen(build(4), 2, build=build, width=4, inputs=torch.randn(1, 5))
