"""The tasks beside MNIST-1D: each config finds its own workload, trains, and is carried on from anywhere."""

import dataclasses
import json

import pytest
import torch

from labkit import data, train
from labkit.checkpoint import CheckpointError
from labkit.config import Config, ConfigError, DigitsConfig, KahaniConfig
from labkit.models import GPT, MLP, ResNet
from labkit.train import History, Training, run
from labkit.workload import Mnist1d

KAHANI = KahaniConfig(lang="en", width=8, context=20, steps=12, warmup_steps=3, eval_every=5, device="cpu")
DIGITS = DigitsConfig(width=2, steps=12, shift=1, eval_every=5, device="cpu")
MNIST1D = Config(width=8, steps=12, schedule="linear", warmup_steps=2, eval_every=5, device="cpu")
SMALL = {"mnist1d": MNIST1D, "kahani": KAHANI, "digits": DIGITS}


@pytest.fixture(params=SMALL)
def config(request):
    return SMALL[request.param]


@pytest.mark.parametrize(("task", "model"), [("mnist1d", MLP), ("kahani", GPT), ("digits", ResNet)])
def test_a_config_finds_its_workload(task, model):
    assert isinstance(Training(SMALL[task]).model, model)


def test_a_config_comes_back_from_its_dict_as_its_own_kind(config):
    again = Config.from_dict(json.loads(json.dumps(config.to_dict())))
    assert again == config
    assert type(again) is type(config)


def test_a_history_comes_back_from_its_file(config, tmp_path):
    history = run(config, stop_at=1)
    history.save(tmp_path / "h.json")
    assert History.load(tmp_path / "h.json") == history


@pytest.mark.parametrize("parametrization", ["standard", "mup"])
def test_a_stopped_run_carries_on_bit_for_bit(config, parametrization, tmp_path, same_weights):
    config = dataclasses.replace(config, parametrization=parametrization, base_width=4)
    whole, parts = tmp_path / "whole.pt", tmp_path / "parts.pt"
    expected = run(config, whole)
    run(config, parts, stop_at=7)
    assert run(config, parts).rows == expected.rows
    assert same_weights(*(Training.load(path).model.state_dict() for path in (whole, parts)))


def test_a_process_trains_what_the_config_file_says(config, tmp_path):
    files = [tmp_path / name for name in ("config.json", "run.pt", "history.json")]
    files[0].write_text(json.dumps(config.to_dict()), encoding="utf-8")
    train.main([f"--config={files[0]}", f"--checkpoint={files[1]}", f"--history={files[2]}"])
    assert History.load(files[2]).rows == run(config).rows


def test_a_checkpoint_of_another_task_is_refused(tmp_path):
    Training(MNIST1D).save(tmp_path / "run.pt")
    with pytest.raises(CheckpointError, match="- task: mnist1d in the checkpoint, digits now"):
        run(DIGITS, tmp_path / "run.pt")


def test_the_users_own_workload_goes_before_the_configs():
    class Mine(Mnist1d):
        pass

    assert isinstance(Training(MNIST1D, Mine).workload, Mine)


@pytest.mark.parametrize("kind", ["constant", "linear", "cosine"])
def test_the_learning_rate_follows_the_schedule_of_the_config(kind):
    config = dataclasses.replace(MNIST1D, schedule=kind, warmup_steps=2, steps=6, learning_rate=0.01)
    training, rates = Training(config), []
    for _, batch in zip(range(6), training.batches(), strict=False):
        rates.append(training.optimizer.param_groups[0]["lr"] / 0.01)
        training.step(batch)
    falls = {
        "constant": [1, 1, 1, 1],
        "linear": [1, 0.75, 0.5, 0.25],
        "cosine": [1, 0.8535534, 0.5, 0.1464466],
    }
    assert rates == pytest.approx([0, 0.5, *falls[kind]])


def test_without_schedule_and_warm_up_there_is_no_scheduler():
    assert Training(Config(steps=3, device="cpu")).scheduler is None


@pytest.mark.parametrize("optimizer", ["adamw", "sgd"])
def test_mup_gives_hidden_weights_the_learning_rate_of_their_width(optimizer):
    config = dataclasses.replace(
        MNIST1D, width=32, base_width=8, parametrization="mup", optimizer=optimizer, schedule="constant"
    )
    training = Training(dataclasses.replace(config, warmup_steps=0))
    rates = {id(p): group["lr"] for group in training.optimizer.param_groups for p in group["params"]}
    first, hidden, readout = (rates[id(layer.weight)] / 3e-3 for layer in training.model.layers)
    assert (first, hidden, readout) == pytest.approx((1, 1 / 4, 1) if optimizer == "adamw" else (4, 1, 4))
    assert training.model.layers[-1].input_scale == 1 / 4


def test_at_its_base_width_mup_leaves_the_learning_rate_as_it_is():
    training = Training(dataclasses.replace(KAHANI, width=16, base_width=16, warmup_steps=0))
    assert {group["lr"] for group in training.optimizer.param_groups} == {KAHANI.learning_rate}


@pytest.mark.parametrize(
    ("kind", "values", "named"),
    [
        (KahaniConfig, {"width": 9}, "width is 9 and heads is 2"),
        (KahaniConfig, {"base_width": 7}, "base_width is 7 and heads is 2"),
        (KahaniConfig, {"lang": "fr"}, "lang is 'fr'"),
        (KahaniConfig, {"token_shift": 1}, "token_shift is 1"),
        (KahaniConfig, {"warmup_steps": 500}, "warmup_steps is 500"),
        (DigitsConfig, {"shift": 5}, "shift is 5"),
        (Config, {"schedule": "step"}, "schedule is 'step'"),
        (Config, {"parametrization": "ntk"}, "parametrization is 'ntk'"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named(kind, values, named):
    with pytest.raises(ConfigError) as caught:
        kind.from_dict(values)
    assert len(caught.value.problems) == 1
    assert named in caught.value.problems[0]


def test_the_base_width_does_not_matter_in_the_standard_parametrisation():
    assert KahaniConfig(lang="en", base_width=7, parametrization="standard").base_width == 7


@pytest.mark.parametrize(
    ("kind", "key"),
    [(KahaniConfig, "fraction"), (KahaniConfig, "shift"), (DigitsConfig, "accumulate"), (Config, "heads")],
)
def test_a_setting_of_another_task_is_unknown(kind, key):
    with pytest.raises(ConfigError, match=f"no setting called {key}"):
        kind.from_dict({key: 1})


@pytest.mark.parametrize("task", ["chess", None, ["kahani"]])
def test_an_unknown_task_lists_the_known_ones(task):
    with pytest.raises(ConfigError, match=r'"kahani", "digits", "mnist1d"'):
        Config.from_dict({"task": task})


def test_a_config_of_one_task_is_not_made_from_anothers_values():
    with pytest.raises(ConfigError, match=r"task is 'digits'"):
        KahaniConfig.from_dict(DIGITS.to_dict())


def test_kahanis_method_is_the_token_shift():
    assert not KahaniConfig.running_example("baseline").token_shift
    assert KahaniConfig.running_example("mine", width=16).token_shift
    with pytest.raises(ConfigError, match=r'one of "baseline", "mine"\.'):
        KahaniConfig.running_example("no A")


def test_the_digits_are_split_into_different_images_of_all_classes():
    split = data.digits()
    assert (split.train_x.shape, split.test_x.shape) == ((1437, 1, 8, 8), (360, 1, 8, 8))
    assert (split.train_x.dtype, split.train_y.dtype) == (torch.float32, torch.int64)
    assert set(split.test_y.tolist()) == set(split.train_y.tolist()) == set(range(10))
    everything = torch.cat([split.train_x, split.test_x])
    assert len(everything.flatten(1).unique(dim=0)) == 1797
    assert (float(everything.mean()), float(everything.std())) == pytest.approx((0, 1), abs=1e-3)


def test_making_the_digits_again_gives_the_same(tmp_path, monkeypatch):
    cached = data.digits()
    monkeypatch.setenv("LABKIT_CACHE", str(tmp_path))
    made = data.digits()
    assert torch.equal(made.train_x, cached.train_x)
    assert (tmp_path / "digits.npz").is_file()


def test_digits_are_shifted_along_rows_and_columns():
    plain, labels = next(Training(dataclasses.replace(DIGITS, shift=0)).batches())
    shifted, same_labels = next(Training(dataclasses.replace(DIGITS, shift=2)).batches())
    assert torch.equal(labels, same_labels)
    used = set()
    for before, after in zip(plain, shifted, strict=True):
        by = [
            (down, right)
            for down in range(-2, 3)
            for right in range(-2, 3)
            if torch.equal(before.roll((down, right), (1, 2)), after)
        ]
        assert by
        used.add(by[0])
    assert len(used) > 15


def test_the_resnet_learns_the_digits():
    rows = run(DigitsConfig(width=8, steps=80, device="cpu")).rows
    assert rows[-1]["test_accuracy"] > 0.8
