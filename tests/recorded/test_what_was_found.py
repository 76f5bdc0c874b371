"""What the notebooks and the README say of the recorded runs stands in the recorded runs."""

import itertools
import statistics
from collections import defaultdict

import pytest

from labkit import kahani, recorded, scaling, training_length

NETWORKS = ("MLP", "ResNet", "GPT")


def rows(name, **wanted):
    found = [
        row for row in recorded.load(name).rows if all(row[key] == value for key, value in wanted.items())
    ]
    assert found, f"{name} has no row with {wanted}"
    return found


@pytest.mark.parametrize("lang", ["en", "hi"])
def test_no_loss_on_kahani_is_below_the_best_possible_one(lang):
    for row in rows("kahani_sizes", lang=lang):
        assert row["excess"] > -3 * row["excess_se"]
        assert row["loss"] > kahani.kahani_entropy(lang)


@pytest.mark.parametrize("lang", ["en", "hi"])
def test_loss_on_kahani_falls_with_size_beyond_the_spread_over_seeds(lang):
    small = [
        row | {"size": row["width"]}
        for row in rows("kahani_sizes", lang=lang, token_shift=False)
        if row["width"] <= 64 and row["seed"] < 3
    ]
    trend = scaling.trend(small)
    assert (trend.verdict, trend.direction) == ("steady", "falls")
    by_width = {w: [row["loss"] for row in small if row["width"] == w] for w in (16, 32, 64)}
    for narrow, wide in itertools.pairwise((16, 32, 64)):
        assert max(by_width[wide]) < min(by_width[narrow])


@pytest.mark.parametrize(
    ("task", "verdict"),
    [("kahani", "compute-bound"), ("mnist1d", "not compute-bound"), ("digits", "not compute-bound")],
)
def test_the_recorded_workloads_are_of_their_kinds(task, verdict):
    runs = defaultdict(list)
    for row in rows("training_length", task=task):
        runs[row["seed"]].append({key: row[key] for key in ("step", "train_loss", "test_loss")})
    assert training_length.workload(list(runs.values())).verdict == verdict


def best_rate(network, parametrization, width):
    losses = defaultdict(list)
    for row in rows("upscaling_transfer", network=network, parametrization=parametrization, width=width):
        losses[row["learning_rate"]].append(row["loss"])
    means = {rate: statistics.fmean(found) for rate, found in losses.items()}
    return min((rate for rate in means if means[rate] == means[rate]), key=means.__getitem__)


def moved(network, parametrization):
    """Return how many times as large the best rate is at four times the width."""
    widths = sorted({row["width"] for row in rows("upscaling_transfer", network=network)})
    assert widths[-1] == 4 * widths[0]
    return best_rate(network, parametrization, widths[-1]) / best_rate(network, parametrization, widths[0])


def test_under_mup_the_best_rate_stays_within_a_factor_of_two_for_two_networks_or_more():
    stays = [network for network in NETWORKS if 0.49 < moved(network, "mup") < 2.01]
    assert len(stays) >= 2


def test_both_routes_of_the_race_spend_the_same_compute_with_the_same_seeds():
    for network in NETWORKS:
        spent, seeds = defaultdict(dict), defaultdict(set)
        for row in rows("upscaling_race", network=network):
            spent[row["route"]][row["seed"]] = max(row["compute"], spent[row["route"]].get(row["seed"], 0))
            seeds[row["route"]].add(row["seed"])
        base = rows("upscaling_race", network=network)[0]["base_compute"]
        assert seeds["scratch"] == seeds["upscaled"]
        assert len(seeds["scratch"]) >= 5
        for seed, compute in spent["scratch"].items():
            assert compute == pytest.approx(spent["upscaled"][seed] + base, rel=0.01)


def test_both_routes_were_tuned_with_as_many_trials_and_the_same_seeds():
    race_seeds = {row["seed"] for row in rows("upscaling_race")}
    for network in NETWORKS:
        tried = {
            route: [
                (row["rate"], row["noise"], row["seed"])
                for row in rows("upscaling_tuning", network=network, route=route)
            ]
            for route in ("upscaled", "scratch")
        }
        assert len(set(tried["upscaled"])) == len(set(tried["scratch"])) == len(tried["scratch"])
        seeds = [{seed for *_, seed in found} for found in tried.values()]
        assert seeds[0] == seeds[1]
        assert not seeds[0] & race_seeds


def test_the_race_was_run_with_the_best_settings_of_the_tuning():
    for network in NETWORKS:
        run = rows("upscaling_race", network=network)[0]
        for route, settings in (
            ("upscaled", (run["rate"], run["noise"])),
            ("scratch", (run["scratch_rate"], 0.0)),
        ):
            losses = defaultdict(list)
            for row in rows("upscaling_tuning", network=network, route=route):
                losses[row["rate"], row["noise"]].append(row["loss"])
            means = {pair: statistics.fmean(found) for pair, found in losses.items()}
            assert means[settings] == min(mean for mean in means.values() if mean == mean)


@pytest.mark.parametrize("network", NETWORKS)
def test_the_best_noise_and_rate_of_a_small_pair_are_near_those_of_a_large_one(network):
    best = {}
    for pair in ("small", "large"):
        losses = defaultdict(list)
        for row in rows("upscaling_noise", network=network, pair=pair):
            losses[row["noise"], row["rate"]].append(row["loss"])
        best[pair] = min(losses, key=lambda settings: statistics.fmean(losses[settings]))
    assert best["small"][0] == best["large"][0] > 0
    assert 1 / 2 <= best["large"][1] / best["small"][1] <= 2
