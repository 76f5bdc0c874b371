"""Clipping by a norm that does not change with the width."""

import copy

import pytest
import torch

import labkit as lk
from labkit import mup, upscale
from labkit.models import GPT, MLP, ResNet
from labkit.mup.batches import cross_entropy

MODELS = {
    "MLP": lambda: MLP(6, depth=2, inputs=5, outputs=3),
    "ResNet": lambda: ResNet(4, outputs=3),
    "GPT": lambda: GPT(8, depth=1, heads=2, vocabulary=7, context=6, token_shift=True),
}


def batch_for(name):
    luck = torch.Generator().manual_seed(1)
    if name == "GPT":
        text = torch.randint(7, (4, 7), generator=luck)
        return text[:, :-1], text[:, 1:]
    shape = (10, 5) if name == "MLP" else (6, 1, 5, 5)
    x = torch.randn(shape, generator=luck, dtype=torch.float64)
    return x, x.flatten(1)[:, :3].argmax(1)


def with_gradients(model, name):
    model.zero_grad()
    cross_entropy(model, batch_for(name)).backward()
    return model


@pytest.mark.parametrize("name", MODELS)
def test_the_norm_is_the_small_models_where_torchs_is_not(name):
    small = MODELS[name]().double()
    wide = lk.widen(small, 3)
    for model in (small, wide):
        with_gradients(model, name)
    theirs = float(torch.nn.utils.clip_grad_norm_(wide.parameters(), 1e9))
    ours = [float(mup.clip_grad_norm_(model, 1e9)) for model in (small, wide)]
    assert ours[1] == pytest.approx(ours[0], rel=1e-12)
    assert theirs != pytest.approx(ours[0], rel=1e-2)


def test_a_standard_model_is_clipped_as_torch_does_it():
    ours, theirs = with_gradients(MODELS["MLP"]().double(), "MLP"), None
    theirs = copy.deepcopy(ours)
    for mine, other in zip(ours.parameters(), theirs.parameters(), strict=True):
        other.grad = mine.grad.clone()
    norms = mup.clip_grad_norm_(ours, 0.1), torch.nn.utils.clip_grad_norm_(theirs.parameters(), 0.1)
    torch.testing.assert_close(*norms)
    for mine, other in zip(ours.parameters(), theirs.parameters(), strict=True):
        torch.testing.assert_close(mine.grad, other.grad)


@pytest.mark.parametrize("name", MODELS)
def test_clipped_training_stays_equivalent(name):
    model = MODELS[name]().double()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    rows = upscale.equivalence_gap(model, optimizer, {"*": 2}, [batch_for(name)], 50, max_norm=0.05)
    assert max(row["gap"] for row in rows) < 1e-9


def test_a_model_without_gradients_has_norm_zero():
    assert float(mup.clip_grad_norm_(MODELS["MLP"](), 1.0)) == 0.0


@pytest.mark.parametrize("given", [0, -1.0, float("nan")])
def test_a_norm_that_is_not_positive_is_refused(given):
    with pytest.raises(mup.MupError, match="max_norm"):
        mup.clip_grad_norm_(MODELS["MLP"](), given)
