"""The script of the upscaling study, tried at a tiny size."""

import importlib.util
import sys
from pathlib import Path

import pytest

import labkit as lk

SCRIPT = Path(__file__).resolve().parents[2] / "data" / "recorded" / "upscaling.py"


@pytest.fixture(scope="module")
def study():
    spec = importlib.util.spec_from_file_location("upscaling_study", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def tiny(study, name):
    known = study.NETWORKS[name]
    return study.Network(known.config, 4, 12, 6, known.settings)


@pytest.mark.parametrize("name", ["MLP", "ResNet", "GPT"])
def test_both_routes_end_at_the_same_compute(study, name):
    network = tiny(study, name)
    rows = study.race(network, seed=0, rate=1.0, noise=0.3, scratch_rate=1.0)
    spent = {
        route: max(row["compute"] for row in rows if row["route"] == route)
        for route in ("scratch", "upscaled")
    }
    step = study.step_flops(network, 8 * network.width)
    assert abs(spent["upscaled"] + rows[0]["base_compute"] - spent["scratch"]) <= step
    assert all(row["loss"] == row["loss"] for row in rows)


@pytest.mark.parametrize("name", ["MLP", "ResNet", "GPT"])
def test_growing_without_noise_keeps_the_loss(study, name):
    network = tiny(study, name)
    base = study.trained_base(network, network.width, seed=0)
    before = study.loss_of(base, base.model)
    first = study.grown_curve(network, base, 1.0, 0.0, seed=0)[0]
    assert first["loss"] == pytest.approx(before, rel=1e-5)


def test_the_large_study_is_wider_and_longer(study):
    for network in study.NETWORKS.values():
        large = study.large(network)
        assert (large.width, large.base_steps) == (4 * network.width, 3 * network.base_steps)


def test_both_routes_get_the_same_number_of_trials(study):
    assert len(study.TUNED_RATES) * len(study.TUNED_NOISES) == len(study.SCRATCH_RATES)


def test_every_recording_of_the_study_is_listed(study):
    assert {"upscaling_transfer", "upscaling_noise", "upscaling_race"} <= set(lk.recorded.names())
