"""Whatever is given, the answer is a sentence that says what to give instead."""

import functools
import warnings

import numpy as np
import pytest
import torch
from own_models import Small
from torch import nn

import labkit as lk
from labkit import upscale

BATCHES = [(torch.randn(4, 5), torch.tensor([0, 1, 2, 0]))]


def refused(function, *arguments, **options):
    with pytest.raises(upscale.UpscaleError) as error:
        function(*arguments, **options)
    return "\n".join(error.value.problems)


def trained(width=8):
    model = Small(width)
    return model, torch.optim.AdamW(model.parameters())


def widen(model=None, k=2, **options):
    return lk.widen(Small(8) if model is None else model, k, **{"build": Small, "width": 8} | options)


@pytest.mark.parametrize("k", [2, 4, {"hidden": 2}])
def test_a_build_that_ignores_its_width(k):
    words = refused(widen, k=k, build=lambda width: Small(8))
    assert "gave the same shapes as build(8)" in words


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda width: None, "gave a NoneType"),
        (lambda width: torch.compile(Small(width), backend="eager"), "gave a OptimizedModule"),
        (lambda width: nn.Sequential(Small(width)), "has other layers"),
        (lambda width: Small(width + 1), "hidden.weight has shape [8, 5], but in build(8) it has [9, 5]"),
    ],
)
def test_a_build_of_something_else(build, words):
    assert words in refused(widen, build=build)


def test_a_model_that_is_none():
    assert "expected a model itself" in refused(lk.widen, Small, 2)
    compiled = torch.compile(Small(8), backend="eager")
    assert "Give the uncompiled model" in refused(widen, compiled)
    assert "expected a model itself" in refused(upscale.clones, None, 2)


@pytest.mark.parametrize("optimizer", [None, "adamw", torch.optim.AdamW])
def test_an_optimizer_that_is_none(optimizer):
    assert "expected a torch optimiser" in refused(lk.upscale, Small(8), optimizer, 2)


@pytest.mark.parametrize("seed", [None, 1.5, "x", -1, 2**70, True])
def test_a_seed_that_is_none(seed):
    options = {"build": Small, "width": 8}
    assert "seed is" in refused(lk.upscale, *trained(), 2, 0.1, seed, **options)


def test_true_is_no_size_of_noise():
    assert "noise_std is True" in refused(lk.upscale, *trained(), 2, True, build=Small, width=8)


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        (torch.zeros(0, 5), "no examples"),
        (torch.full((2, 5), float("nan")), "not finite"),
        (torch.zeros(2, 6), "Small does not run on these inputs"),
        (np.zeros((2, 5)), "Small does not run on these inputs"),
    ],
)
def test_inputs_that_show_nothing(inputs, words):
    assert words in refused(widen, inputs=inputs)


def test_whole_numbers_of_numpy_are_whole_numbers():
    wide, _ = lk.upscale(*trained(), np.int64(2), 0.1, np.int32(3), build=Small, width=np.int64(8))
    assert wide.hidden.out_features == 16
    assert len(upscale.clones(wide, np.int64(2))) == 1


def test_a_second_growth_after_unequal_growth_says_what_to_give():
    wide = widen(k={"hidden": 3})
    assert "no width describes it" in refused(widen, wide)
    assert lk.widen(wide, Small(48)).hidden.out_features == 48


def test_the_rules_are_not_spelled_out_in_the_signature():
    for function in (lk.widen, upscale.upscale, upscale.equivalence_gap):
        assert function.__kwdefaults__["rules"] is None


@pytest.mark.parametrize(
    ("k", "words"), [(0, "k is 0"), (3, "have this many copies: 2"), ("x", "k is 'x'"), (None, "k is None")]
)
def test_clones_by_another_factor(k, words):
    assert words in refused(upscale.clones, widen(), k)


def gap(**options):
    common = {"k": 2, "batches": BATCHES, "steps": 1, "build": Small, "width": 8}
    return upscale.equivalence_gap(*trained(), **common | options)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"batches": []}, "batches is []"),
        ({"batches": None}, "batches is None"),
        ({"steps": -1}, "steps is -1"),
        ({"steps": 2.5}, "steps is 2.5"),
        ({"loss": "mse"}, "loss is 'mse'"),
        ({"loss": lambda model, batch: 1.0}, "loss is 1.0"),
        ({"loss": lambda model, batch: None}, "loss is None"),
        ({"schedule": lambda optimizer: None}, "schedule made None"),
        ({"max_norm": "a"}, "max_norm is 'a'"),
        ({"max_norm": 0}, "max_norm is 0"),
    ],
)
def test_the_gaps_own_arguments(options, words):
    assert words in refused(gap, **options)


def test_an_old_weight_norm():
    def build(width):
        model = Small(width)
        with warnings.catch_warnings(action="ignore"):
            torch.nn.utils.weight_norm(model.hidden)
        return model

    model = build(8)
    assert "remove_weight_norm" in refused(widen, model, build=build)
    optimizer = torch.optim.AdamW(model.parameters())
    options = {"build": build, "width": 8}
    assert "remove_weight_norm" in refused(upscale.equivalence_gap, model, optimizer, 2, BATCHES, **options)


def test_a_schedule_of_labkits_may_be_given():
    rows = gap(schedule=lk.schedules.linear(1e-3, 10), steps=np.int64(3))
    assert len(rows) == 4
    assert max(row["gap"] for row in rows) < 1e-4


def test_the_first_batch_shows_what_inputs_look_like():
    class Flat(nn.Module):
        def __init__(self, width):
            super().__init__()
            self.first, self.output = nn.Conv2d(1, width, 3, padding=1), nn.Linear(36 * width, 3)

        def forward(self, x):
            return self.output(torch.relu(self.first(x)).flatten(1))

    model = Flat(4)
    optimizer = torch.optim.AdamW(model.parameters())
    batches = [(torch.randn(4, 1, 6, 6), torch.tensor([0, 1, 2, 0]))]
    run = functools.partial(upscale.equivalence_gap, model, optimizer, 2, batches, 2)
    assert max(row["gap"] for row in run(build=Flat, width=4)) < 1e-4
