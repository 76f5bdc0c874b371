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


def trials(losses, route, network="MLP"):
    return [
        {"network": network, "route": route, "rate": rate, "noise": 0.1, "seed": seed, "loss": loss}
        for rate, of_seeds in losses.items()
        for seed, loss in enumerate(of_seeds)
    ]


def test_the_best_setting_is_that_of_the_lowest_mean(study):
    rows = trials({1: [3, 3], 2: [1, 4], 4: [0, 9]}, "upscaled") + trials({8: [1, 1], 16: [0, 3]}, "scratch")
    rows += trials({32: [0, 0]}, "upscaled", "GPT")
    assert study.best(rows, "MLP") == {"rate": 2, "noise": 0.1, "scratch_rate": 8}


def test_a_setting_that_diverged_for_one_seed_is_no_choice(study):
    rows = trials({1: [3, 3], 2: [0, float("nan")]}, "upscaled") + trials({8: [1, 1]}, "scratch")
    assert study.best(rows, "MLP")["rate"] == 1


def test_every_recording_of_the_study_is_listed(study):
    assert {"upscaling_transfer", "upscaling_noise", "upscaling_tuning", "upscaling_race"} <= set(
        lk.recorded.names()
    )
