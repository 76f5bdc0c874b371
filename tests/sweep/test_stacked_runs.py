"""Stacked runs: the rows of every run are those that it has alone."""

import math

import pytest
import torch
from torch import nn

from labkit import train
from labkit.config import Config, DigitsConfig, KahaniConfig
from labkit.sweep import SweepError, grid, sweep
from labkit.sweep.stack import Stack
from labkit.train import Training
from labkit.workload import Digits, Mnist1d

RATES = {"adamw": [1e-3, 1e-2], "sgd": [0.02, 0.1]}
SCHEDULES = {"constant": {}, "cosine": {"schedule": "cosine", "warmup_steps": 10}}


def mlp(**changes):
    return Config.from_dict({"width": 16, "steps": 60, "eval_every": 20, "device": "cpu"} | changes)


def loss_difference(configs, workload=None):
    """Return the largest difference of a test loss, over all runs and evaluations, and compare the rest."""
    together = sweep(configs, workload, progress=False, method="stacked")
    largest = 0.0
    for config, history in zip(configs, together, strict=True):
        alone = train.run(config, workload=workload)
        assert history.config == config
        assert [row.keys() for row in history.rows] == [row.keys() for row in alone.rows]
        assert [row["step"] for row in history.rows] == [row["step"] for row in alone.rows]
        pairs = zip(history.rows, alone.rows, strict=True)
        largest = max(largest, *(abs(a["test_loss"] - b["test_loss"]) for a, b in pairs))
    return largest


@pytest.mark.parametrize("optimizer", RATES)
@pytest.mark.parametrize("parametrization", ["standard", "mup"])
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_mlp_loss_is_that_of_single_runs(optimizer, parametrization, schedule):
    config = mlp(optimizer=optimizer, parametrization=parametrization, base_width=4, **SCHEDULES[schedule])
    configs = grid(config, learning_rate=RATES[optimizer], weight_decay=[0.0, 0.1], seed=[0, 1])
    assert loss_difference(configs) < 1e-4


@pytest.mark.filterwarnings("ignore:There is a performance drop")
@pytest.mark.parametrize("optimizer", RATES)
@pytest.mark.parametrize("parametrization", ["standard", "mup"])
def test_gpt_loss_is_that_of_single_runs(optimizer, parametrization):
    config = KahaniConfig(
        lang="en",
        width=8,
        heads=2,
        base_width=4,
        depth=1,
        context=16,
        batch_size=4,
        steps=20,
        eval_every=10,
        warmup_steps=5,
        optimizer=optimizer,
        parametrization=parametrization,
        device="cpu",
    )
    assert loss_difference(grid(config, learning_rate=RATES[optimizer], seed=[0, 1])) < 1e-4


class DoubleDigits(Digits):
    """The digits in float64: with batch normalisation, training soon amplifies the rounding of float32."""

    def __init__(self, config, device):
        super().__init__(config, device)
        split = self.split
        self.split = type(split)(split.train_x.double(), split.train_y, split.test_x.double(), split.test_y)

    def build_model(self):
        return super().build_model().double()

    def loss(self, model, batch):
        return nn.functional.cross_entropy(model(batch[0]), batch[1])


@pytest.mark.parametrize("optimizer", RATES)
@pytest.mark.parametrize("parametrization", ["standard", "mup"])
def test_resnet_loss_is_that_of_single_runs(optimizer, parametrization):
    config = DigitsConfig(
        width=4,
        base_width=2,
        batch_size=32,
        steps=30,
        eval_every=10,
        optimizer=optimizer,
        parametrization=parametrization,
        device="cpu",
    )
    configs = grid(config, learning_rate=RATES[optimizer], seed=[0, 1])
    assert loss_difference(configs, DoubleDigits) < 1e-9
    assert loss_difference(grid(config, steps=[5], learning_rate=[1e-3], seed=[0, 1])) < 1e-4


def test_batch_norm_statistics_are_each_model_s_own():
    config = DigitsConfig(width=4, batch_size=16, steps=3, device="cpu")
    together = [Training(c) for c in grid(config, seed=[0, 1])]
    Stack(together).run(lambda _: None)
    for training in together:
        alone = Training(training.config)
        for step in range(3):
            alone.step(alone.workload.batch(step))
        for name, buffer in alone.model.named_buffers():
            torch.testing.assert_close(dict(training.model.named_buffers())[name], buffer)


def test_accumulated_parts_and_shifts_and_smoothing_are_those_of_single_runs():
    assert loss_difference(grid(mlp(accumulate=7, shift=3, label_smoothing=0.1), seed=[0, 1])) < 1e-4


def test_subsets_differ_by_seed():
    assert loss_difference(grid(mlp(fraction=0.05, learning_rate=1e-3), seed=[0, 1, 2])) < 1e-4


def test_bfloat16_runs_stay_close_to_single_runs():
    assert loss_difference(grid(mlp(precision="bfloat16", learning_rate=1e-3), seed=[0, 1])) < 0.02


class Variants(Mnist1d):
    """The optimiser that a test asks for, its weight decay and learning rate from the config."""

    make = staticmethod(torch.optim.AdamW)

    def build_optimizer(self, model):
        config = self.config
        return self.make(model.parameters(), lr=config.learning_rate, weight_decay=config.weight_decay)


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        (torch.optim.SGD, {}),
        (torch.optim.SGD, {"momentum": 0.9, "nesterov": True}),
        (torch.optim.SGD, {"momentum": 0.8, "dampening": 0.3}),
        (torch.optim.Adam, {"betas": (0.8, 0.95), "eps": 1e-6}),
        (torch.optim.Adam, {"amsgrad": True}),
        (torch.optim.AdamW, {"amsgrad": True, "betas": (0.5, 0.9)}),
    ],
)
def test_every_variant_of_the_optimisers_is_followed(kind, options):
    workload = type("Asked", (Variants,), {"make": staticmethod(lambda p, **n: kind(p, **n, **options))})
    configs = grid(mlp(), learning_rate=[1e-3, 1e-2], weight_decay=[0.0, 0.1], seed=[0, 1])
    assert loss_difference(configs, workload) < 1e-4


class Cycle(Mnist1d):
    def build_scheduler(self, optimizer):
        rate = self.config.learning_rate
        return torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, total_steps=self.config.steps)


def test_a_schedule_may_change_the_betas_too():
    assert loss_difference(grid(mlp(), learning_rate=[1e-3, 1e-2], seed=[0, 1]), Cycle) < 1e-4


class FrozenFirstLayer(Mnist1d):
    def build_model(self):
        model = super().build_model()
        model.layers[0].requires_grad_(False)
        return model


def test_frozen_weights_stay():
    configs = grid(mlp(weight_decay=0.1), seed=[0, 1])
    assert loss_difference(configs, FrozenFirstLayer) < 1e-4
    trainings = [Training(config, FrozenFirstLayer) for config in configs]
    before = [training.model.layers[0].weight.clone() for training in trainings]
    Stack(trainings).run(lambda _: None)
    assert all(torch.equal(t.model.layers[0].weight, w) for t, w in zip(trainings, before, strict=True))


def test_a_diverged_run_stays_as_nan_and_disturbs_no_other():
    configs = grid(mlp(optimizer="sgd"), learning_rate=[0.05, 100.0], seed=[0, 1])
    histories = sweep(configs, progress=False, method="stacked")
    for history in histories:
        lost = history.config.learning_rate == 100.0
        assert [row["step"] for row in history.rows] == [0, 20, 40, 60]
        assert math.isnan(history.rows[-1]["test_loss"]) == lost
    assert loss_difference([c for c in configs if c.learning_rate < 1]) < 1e-4
    calm = train.run(configs[0]).rows
    assert abs(histories[0].rows[-1]["test_loss"] - calm[-1]["test_loss"]) < 1e-4


class Dropout(Mnist1d):
    def build_model(self):
        return nn.Sequential(nn.Dropout(0.1), super().build_model())


class RmsProp(Mnist1d):
    def build_optimizer(self, model):
        return torch.optim.RMSprop(model.parameters(), lr=self.config.learning_rate)


class Ascent(Mnist1d):
    def build_optimizer(self, model):
        return torch.optim.SGD(model.parameters(), lr=1e-3, maximize=True)


class OwnBetas(Mnist1d):
    def build_optimizer(self, model):
        return torch.optim.Adam(model.parameters(), betas=(0.9, 0.9 + self.config.seed / 100))


@pytest.mark.parametrize(
    ("workload", "reason"),
    [
        (Dropout, "random"),
        (RmsProp, "RMSprop.*SGD, AdamW, Adam"),
        (Ascent, "maximize"),
        (OwnBetas, "differ"),
    ],
)
def test_what_cannot_be_stacked_is_refused_with_the_reason_and_auto_runs_it_apart(workload, reason):
    configs = grid(mlp(steps=4, learning_rate=1e-3), seed=[0, 1, 2, 3])
    with pytest.raises(SweepError, match=reason):
        sweep(configs, workload, progress=False, method="stacked")
    histories = sweep(configs, workload, progress=False)
    assert [h.rows for h in histories] == [train.run(c, workload=workload).rows for c in configs]
