"""Whatever is given to muP's functions, the answer is a sentence that says what to give instead."""

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional

from labkit import mup
from labkit.models import MLP


class Attention(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first, self.output = nn.Linear(4, width), mup.Readout(width, 3)

    def forward(self, x):
        x = self.first(x)
        return self.output(functional.scaled_dot_product_attention(x, x, x))


class Multihead(Attention):
    def __init__(self, width):
        super().__init__(width)
        self.attention = nn.MultiheadAttention(width, 2, batch_first=True)


def refused(function, *arguments, **options):
    with pytest.raises(mup.MupError) as error:
        function(*arguments, **options)
    return "\n".join(error.value.problems)


def test_attention_without_its_scale():
    words = refused(mup.prepare, Attention(16), 8, build=Attention, width=16)
    assert "without an AttentionScale" in words
    assert "without an AttentionScale" in refused(mup.coord_check, Attention, [8, 16])


def test_multihead_attention_is_not_advised_a_layout():
    words = refused(mup.prepare, Multihead(16), 8, build=Multihead, width=16)
    assert "divides its scores by sqrt(head size)" in words
    assert "LAYOUTS" not in words


def test_a_model_that_has_weights_under_mup_keeps_them():
    model = mup.prepare(MLP(16), 8, seed=0)
    before = model.layers[0].weight.clone()
    assert "under muP already" in refused(mup.prepare, model, 8)
    assert torch.equal(model.layers[0].weight, before)


@pytest.mark.parametrize("seed", ["x", 1.5, -1, 2**70])
def test_a_seed_that_is_none(seed):
    assert "seed is" in refused(mup.prepare, MLP(16), 8, seed=seed)


def test_a_build_that_ignores_its_width():
    words = refused(mup.prepare, MLP(16), 8, build=lambda width: MLP(16))
    assert "build(32) gave the same shapes as build(8)" in words


@pytest.mark.parametrize("model", [None, MLP, torch.compile(MLP(16), backend="eager")])
def test_a_model_that_is_none(model):
    assert "model" in refused(mup.prepare, model, 8, build=MLP, width=16)


def test_whole_numbers_of_numpy_are_whole_numbers():
    model = mup.prepare(MLP(16), np.int64(8), width=np.int64(16), seed=np.int64(3))
    torch.testing.assert_close(model.state_dict(), mup.prepare(MLP(16), 8, seed=3).state_dict())
    widths = [r["width"] for r in mup.coord_check(MLP(8), np.array([8, 16]), 0, seeds=range(1))]
    assert sorted(set(widths)) == [8, 16]


@pytest.mark.parametrize("name", ["AdamW", "adamw", torch.optim.AdamW])
def test_an_optimizer_is_named_in_any_case_or_by_its_class(name):
    model = mup.prepare(MLP(16), 8)
    assert type(mup.optimizer(model, name, lr=0.1)) is torch.optim.AdamW
    assert mup.table(model, name).optimizer == "adamw"


@pytest.mark.parametrize("lr", ["x", -1, float("nan"), None, True])
def test_a_learning_rate_that_is_none(lr):
    assert "lr is" in refused(mup.optimizer, mup.prepare(MLP(16), 8), lr=lr)


def test_no_optimizer_to_check():
    assert "The optimiser is None" in refused(mup.check_optimizer, MLP(8), None)


def test_one_parametrisation_may_be_named_alone():
    rows = mup.coord_check(MLP(8), [8], 0, parametrizations="mup")
    assert {row["parametrization"] for row in rows} == {"mup"}


@pytest.mark.parametrize(
    "options",
    [
        {"parametrizations": ("foo",)},
        {"parametrizations": "muP"},
        {"parametrizations": ()},
        {"parametrizations": 3},
        {"parametrizations": [[1]]},
        {"steps": -3},
        {"steps": 1.5},
        {"seeds": ()},
        {"seeds": 3},
        {"widths": 8},
        {"widths": ["8"]},
        {"widths": []},
        {"optimizer": "x"},
        {"lr": "x"},
        {"loss": lambda model, batch: None},
        {"loss": lambda model, batch: model(batch[0])},
        {"loss": lambda model, batch: model(batch[0]).sum().detach()},
        {"batches": []},
    ],
    ids=lambda arguments: "-".join(f"{k}={str(v)[:9]}" for k, v in arguments.items()),
)
def test_arguments_of_the_coordinate_check(options):
    (name,) = options
    assert f"{name} is" in refused(mup.coord_check, **{"model": MLP(8), "widths": [8]} | options)


@pytest.mark.parametrize("parametrization", ["standard", "mup"])
def test_a_build_of_the_coordinate_check_that_gives_no_model(parametrization):
    words = refused(mup.coord_check, lambda width: None, [8], parametrizations=parametrization)
    assert "build(8) gave a NoneType" in words


def test_outputs_of_which_no_classes_can_be_guessed_are_asked_for():
    class Two(MLP):
        def forward(self, x):
            return super().forward(x), x

    assert "give batches" in refused(mup.coord_check, Two(8), [8])
