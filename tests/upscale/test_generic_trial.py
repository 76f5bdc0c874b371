"""What is compared does not depend on the model's weights or dtype, and a comparison never fails silently."""

import dataclasses
import functools
import warnings

import pytest
import torch
from own_models import Small
from torch import nn
from torch.nn import functional

import labkit as lk
from labkit import mup, upscale


class Attention(nn.Module):
    """Attention by hand; `scaled` decides whether it may be widened."""

    def __init__(self, width, std=1.0, scaled=False):
        super().__init__()
        self.embed = nn.Linear(6, width)
        self.query, self.key = (nn.Linear(width, width, bias=False) for _ in range(2))
        self.readout = mup.Readout(width, 3)
        self.scale = mup.AttentionScale(width) if scaled else None
        for layer in (self.embed, self.query, self.key, self.readout):
            nn.init.normal_(layer.weight, std=std)

    def forward(self, x):
        x = self.embed(x)
        query, key = self.query(x), self.key(x)
        scale = self.scale() if self.scale is not None else query.shape[-1] ** -0.5
        return self.readout(x + torch.softmax(query @ key.mT * scale, -1) @ x)


class Pair(nn.Module):
    """Two inputs, that labkit cannot guess."""

    def __init__(self, width):
        super().__init__()
        self.query, self.key, self.readout = nn.Linear(6, width), nn.Linear(6, width), mup.Readout(width, 3)

    def forward(self, x, y):
        query, key = self.query(x), self.key(y)
        return self.readout(torch.softmax(query @ key.mT / query.shape[-1] ** 0.5, -1) @ key)


class Recurrent(nn.Module):
    """A recurrent layer first, and a softmax over units behind it."""

    def __init__(self, width, kind=nn.LSTM):
        super().__init__()
        self.first, self.readout = kind(6, width), mup.Readout(width, 3)

    def forward(self, x):
        return self.readout(torch.softmax(self.first(x)[0], -1))


def refused(model, k=2, **options):
    with pytest.raises(upscale.UpscaleError) as error:
        lk.widen(model, k, **{"width": 4} | options)
    return "\n".join(error.value.problems)


@pytest.mark.parametrize("k", [2, 4, Pair(8)], ids=["2", "4", "model"])
def test_inputs_that_cannot_be_guessed_are_asked_for(k):
    assert "give inputs=" in refused(Pair(4), k, build=Pair)
    inputs = (torch.randn(2, 5, 6), torch.randn(2, 5, 6))
    assert "differ from the small model's" in refused(Pair(4), k, build=Pair, inputs=inputs)


def test_what_is_wrong_without_any_inputs_is_said_too():
    class Odd(Pair):
        def __init__(self, width):
            super().__init__(width)
            self.extra = nn.Linear(width, width + 1)

    words = refused(Odd(4), build=Odd)
    assert "every size must grow by a whole number" in words
    assert "give inputs=" in words


def test_the_gap_asks_for_inputs_too():
    model = Pair(4)
    batch = (torch.randn(2, 5, 6), torch.randn(2, 5, 6))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    with pytest.raises(upscale.UpscaleError, match="give inputs="):
        upscale.equivalence_gap(
            model, optimizer, 2, [batch], 1, lambda m, b: m(*b).square().mean(), build=Pair, width=4
        )


@pytest.mark.parametrize("kind", [nn.LSTM, nn.GRU, nn.RNN])
def test_inputs_of_recurrent_layers_are_guessed(kind):
    build = functools.partial(Recurrent, kind=kind)
    assert "inputs of readout differ" in refused(build(4), build=build)


@pytest.mark.parametrize("std", [1e-6, 0.02, 1.0])
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
def test_small_weights_and_rough_numbers_hide_nothing(dtype, std):
    wrong, right = (functools.partial(Attention, std=std, scaled=scaled) for scaled in (False, True))
    inputs = torch.randn(4, 5, 6).to(dtype)
    assert "inputs of readout differ" in refused(wrong(4).to(dtype), build=wrong, inputs=inputs)
    wide = lk.widen(right(4).to(dtype), 2, build=right, width=4, inputs=inputs)
    assert {parameter.dtype for parameter in wide.parameters()} == {dtype}


def test_a_small_or_constant_parameter_of_ones_own_hides_nothing():
    class Gain(nn.Module):
        def __init__(self, width):
            super().__init__()
            self.gain = nn.Parameter(torch.full((width,), 1e-8))

        def forward(self, x):
            return x + self.gain * x * x.sum(-1, keepdim=True)

    build = functools.partial(Small, between=Gain)
    assert "differ" in refused(build(4), build=build)


def test_a_parameter_that_must_be_positive_stays_so_in_the_trial():
    class Temperature(nn.Module):
        def __init__(self, width):
            super().__init__()
            self.temperature = nn.Parameter(torch.full((width,), 0.01))

        def forward(self, x):
            return x * torch.log(self.temperature)

    build = functools.partial(Small, between=Temperature)
    lk.widen(build(4), 2, build=build, width=4)


class Fixed(nn.Module):
    """Code that fixes the dtype, with or without an operation that depends on the width."""

    def __init__(self, width, wrong=False, raises=False):
        super().__init__()
        self.first, self.hidden, self.readout = (
            nn.Linear(6, width),
            nn.Linear(width, width),
            mup.Readout(width, 3),
        )
        self.wrong, self.raises = wrong, raises

    def forward(self, x):
        x = torch.tanh(self.first(x)).float()
        weight = self.hidden.weight if self.raises else self.hidden.weight.float()
        x = functional.linear(x, weight).to(self.readout.weight.dtype)
        return self.readout(torch.softmax(x, -1) if self.wrong else x)


@pytest.mark.parametrize("raises", [True, False])
def test_code_that_fixes_the_dtype_is_compared_in_it_with_a_warning(raises):
    right, wrong = (functools.partial(Fixed, wrong=wrong, raises=raises) for wrong in (False, True))
    with pytest.warns(UserWarning, match="compared in float32 only"):
        lk.widen(right(48), 2, build=right, width=48)
    assert "inputs of readout differ" in refused(wrong(48), build=wrong, width=48)


def test_a_rough_constant_alone_is_no_reason_to_warn():
    class Shifted(Small):
        def forward(self, x):
            return super().forward(x + torch.zeros(5, dtype=torch.float32))

    with warnings.catch_warnings(action="error"):
        lk.widen(Shifted(4), 2, build=Shifted, width=4)
        lk.widen(Small(4).bfloat16(), 2, build=Small, width=4)


def complex_model(width, wrong=False, dtype=torch.complex64):
    class Waves(nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.last = nn.Linear(6, width, dtype=dtype), nn.Linear(width, 3, dtype=dtype)

        def forward(self, x):
            x = torch.tanh(self.first(x))
            return self.last(x) + (0.1 * x.sum(-1, keepdim=True).detach() if wrong else 0)

    return Waves()


@pytest.mark.parametrize("given", [True, False])
@pytest.mark.parametrize("dtype", [torch.complex64, torch.complex128])
def test_complex_numbers_are_compared(dtype, given):
    inputs = torch.randn(8, 6, dtype=dtype) if given else None
    wrong, right = (functools.partial(complex_model, wrong=wrong, dtype=dtype) for wrong in (True, False))
    assert "differ from the small model's" in refused(wrong(4), build=wrong, inputs=inputs)
    wide = lk.widen(right(4), 2, build=right, width=4, inputs=inputs)
    assert float(upscale.clones(wide, 2)["first"].diagonal(1)[::2].min()) == pytest.approx(1.0)


def test_the_gap_of_complex_outputs_is_measured():
    model = complex_model(4, dtype=torch.complex128)
    batch = torch.randn(8, 6, dtype=torch.complex128)
    arguments = [model, torch.optim.AdamW(model.parameters(), lr=0.01, eps=1e-3), 2, [batch], 30]
    options = {"build": functools.partial(complex_model, dtype=torch.complex128), "width": 4}
    loss = lambda m, b: (m(b) - 1).abs().square().mean()  # noqa: E731
    assert max(row["gap"] for row in upscale.equivalence_gap(*arguments, loss, **options)) < 1e-9
    noisy = upscale.equivalence_gap(*arguments, loss, noise_std=0.1, **options)
    assert noisy[0]["gap"] > 1e-3


def test_noise_of_complex_weights_has_both_parts():
    model = complex_model(256)
    wide, _ = lk.upscale(
        model, torch.optim.SGD(model.parameters(), lr=0.1), 2, 0.5, build=complex_model, width=256
    )
    noise = wide.first.weight.detach() - model.first.weight.detach().repeat_interleave(2, 0)
    size = 0.5 * 6**-0.5 / 2**0.5
    assert float(noise.real.std()) == pytest.approx(size, rel=0.1)
    assert float(noise.imag.std()) == pytest.approx(size, rel=0.1)


@dataclasses.dataclass
class Answer:
    scores: torch.Tensor


class Boxed:
    def __init__(self, scores):
        self.scores = scores


class Wrapping(Small):
    """Returns its outputs in a container, a sum over units added to them."""

    def __init__(self, width, container=Answer, wrong=True):
        super().__init__(width)
        self.container, self.wrong = container, wrong

    def forward(self, x):
        return self.container(
            super().forward(x) + (self.hidden(x).sum(-1, True).detach() if self.wrong else 0)
        )


def test_outputs_in_a_dataclass_are_compared():
    assert "outputs of Wrapping differ" in refused(Wrapping(4), build=Wrapping)
    right = functools.partial(Wrapping, wrong=False)
    lk.widen(right(4), 2, build=right, width=4)


@pytest.mark.parametrize("container", [Boxed, lambda scores: scores.argmax(-1), lambda scores: None])
def test_outputs_that_cannot_be_compared_are_refused(container):
    build = functools.partial(Wrapping, container=container)
    assert "nothing can be compared" in refused(build(4), build=build)


@pytest.mark.parametrize(
    ("loss", "words"),
    [
        (lambda model, batch: model.hidden(batch).square().mean(), "does not call Small itself"),
        (lambda model, batch: model(batch).square().mean(), None),
    ],
)
def test_a_loss_that_goes_past_the_model_has_no_gap(loss, words):
    model = Small(4)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    arguments = (model, optimizer, 2, [torch.randn(3, 5)], 1, loss)
    if words is None:
        assert len(upscale.equivalence_gap(*arguments, build=Small, width=4)) == 2
        return
    with pytest.raises(upscale.UpscaleError, match=words):
        upscale.equivalence_gap(*arguments, build=Small, width=4)


def test_sparse_gradients_are_compared():
    def build(width):
        return nn.Sequential(nn.Embedding(7, width, sparse=True), mup.Readout(width, 3))

    lk.widen(build(4), 2, build=build, width=4)


def test_a_trial_leaves_dtype_and_values_alone():
    model = Attention(4, scaled=True).bfloat16()
    before = {name: value.clone() for name, value in model.state_dict().items()}
    lk.widen(model, 2, build=functools.partial(Attention, scaled=True), width=4)
    torch.testing.assert_close(model.state_dict(), before, rtol=0, atol=0)


def test_the_same_noise_as_ever_comes_from_a_seed():
    """Recorded studies can be repeated: the first numbers of the noise have not changed."""
    model = Small(4)
    nn.init.zeros_(model.hidden.weight)
    wide, _ = lk.upscale(model, torch.optim.SGD(model.parameters(), lr=0.1), 2, 1.0, 5, build=Small, width=4)
    generator = torch.Generator().manual_seed(5)
    bits = torch.empty(2**14, dtype=torch.int64).random_(-(2**63), None, generator=generator)
    expected = bits.view(torch.int16)[:40].float().view(8, 5) * (5**-0.5 * 12**0.5 / 2**16)
    torch.testing.assert_close(wide.hidden.weight.detach(), expected)
