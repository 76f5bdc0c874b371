"""Configs: the running example, and every fault refused in words."""

import json

import numpy as np
import pytest

from labkit.config import RUNNING_EXAMPLE, Config, ConfigError
from labkit.messages import set_language


@pytest.mark.parametrize(
    ("setting", "has_a", "has_b"),
    [("baseline", False, False), ("mine", True, True), ("no A", False, True), ("no B", True, False)],
)
def test_running_example_settings_have_their_parts(setting, has_a, has_b):
    config = Config.running_example(setting)
    assert (config.shift > 0, config.label_smoothing > 0) == (has_a, has_b)


def test_running_example_settings_share_everything_but_the_parts():
    configs = [Config.running_example(setting, seed=3, steps=50).to_dict() for setting in RUNNING_EXAMPLE]
    shared = [
        {k: v for k, v in config.items() if k not in ("shift", "label_smoothing")} for config in configs
    ]
    assert all(values == shared[0] for values in shared)
    assert shared[0]["seed"] == 3


def test_an_unknown_setting_of_the_running_example_lists_the_known_ones():
    with pytest.raises(ConfigError, match=r'"baseline", "mine", "no A", "no B"'):
        Config.running_example("ours")


def test_an_unknown_key_lists_the_known_keys():
    with pytest.raises(ConfigError, match=r"called lr\.[\s\S]*learning_rate, weight_decay"):
        Config.from_dict({"lr": 0.1})


def test_every_fault_is_listed_at_once():
    with pytest.raises(ConfigError) as caught:
        Config.from_dict({"width": 0, "seed": -1, "optimizer": "adam", "lr": 1, "momentum": 2})
    assert len(caught.value.problems) == 6  # three values, two keys, one list of the known keys


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("width", 0),
        ("width", 64.0),
        ("width", True),
        ("width", "64"),
        ("width", 10**400),
        ("depth", 0),
        ("steps", None),
        ("batch_size", -5),
        ("optimizer", "adam"),
        ("optimizer", None),
        ("learning_rate", 0),
        ("learning_rate", float("nan")),
        ("learning_rate", float("inf")),
        ("weight_decay", -0.1),
        ("seed", -1),
        ("seed", 0.5),
        ("fraction", 0),
        ("fraction", 1.01),
        ("shift", 21),
        ("label_smoothing", 1),
        ("dropout", 1),
        ("precision", "float16"),
        ("accumulate", 0),
        ("accumulate", 101),
        ("device", "gpu"),
        ("device", "cuda:x"),
        ("threads", -1),
        ("eval_every", 0),
        ("checkpoint_every", []),
    ],
)
def test_a_value_that_cannot_be_used_is_refused_by_name(key, value):
    with pytest.raises(ConfigError) as caught:
        Config.from_dict({key: value})
    assert len(caught.value.problems) == 1
    assert key in caught.value.problems[0]


def test_numpy_numbers_are_accepted_and_saved_as_plain_ones():
    config = Config(seed=np.int64(3), learning_rate=np.float32(0.5))
    assert json.loads(json.dumps(config.to_dict()))["seed"] == 3


def test_a_config_survives_its_dict():
    config = Config.running_example("mine", accumulate=4, device="cuda:1")
    assert Config.from_dict(config.to_dict()) == config


def test_a_file_that_is_not_json_is_refused(tmp_path):
    path = tmp_path / "run.json"
    path.write_bytes(b"\xff{")
    with pytest.raises(ConfigError, match="not a JSON file"):
        Config.load(path)


def test_a_file_without_a_table_is_refused(tmp_path):
    path = tmp_path / "run.json"
    path.write_text("[1]", encoding="utf-8")
    with pytest.raises(ConfigError, match="a table of settings"):
        Config.load(path)


def test_faults_are_told_in_hindi():
    set_language("hi")
    try:
        with pytest.raises(ConfigError, match="पूरी संख्या"):
            Config(width=0)
    finally:
        set_language("en")
