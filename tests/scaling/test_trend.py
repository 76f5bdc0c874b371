"""The verdict on a trend, and that its numbers are what they say."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scaling_tables import FALLING, rows

from labkit.scaling import trend
from labkit.scaling.student import t_quantile


@pytest.mark.parametrize(
    ("means", "noise", "verdict", "direction"),
    [
        (FALLING, 0.01, "steady", "falls"),
        ({16: 1.7, 32: 1.8, 64: 2.0}, 0.01, "steady", "rises"),
        ({16: 2.0, 32: 2.001, 64: 2.0}, 0.005, "steady", "flat"),
        ({16: 2.0, 32: 1.5, 64: 1.8}, 0.01, "not steady", "falls"),
        ({16: 1.8, 32: 1.5, 64: 1.8}, 0.01, "not steady", "unclear"),
        ({16: 2.0, 32: 1.98, 64: 1.97}, 0.2, "too noisy", "unclear"),
        ({16: 2.0, 32: 1.5, 64: 1.53}, 0.03, "too noisy", "falls"),
        ({16: 2.0, 32: 1.5, 64: 1.501}, 0.005, "steady", "falls"),
        ({16: 2.0, 4096: 1.8}, 0.01, "steady", "falls"),
    ],
    ids=[
        "falls",
        "rises",
        "flat",
        "turns",
        "valley",
        "noise",
        "falls, last step open",
        "levels off",
        "two sizes",
    ],
)
def test_the_verdict_fits_the_table(means, noise: float, verdict: str, direction: str) -> None:
    found = trend(rows(means, noise=noise))
    assert (found.verdict, found.direction) == (verdict, direction)
    assert (found.needed_seeds is None) == (verdict != "too noisy")


def test_the_result_holds_all_that_a_figure_needs() -> None:
    table = rows(FALLING, seeds=4)
    found = trend(table)
    assert found.sizes == (16, 32, 64)
    assert found.means == pytest.approx((2.0, 1.8, 1.7))
    assert found.seeds == (0, 1, 2, 3)
    assert found.per_size[1].values == tuple(r["loss"] for r in table if r["size"] == 32)
    for at, (low, high) in zip(found.per_size, found.intervals, strict=True):
        assert low < at.mean < high
    assert [(s.small, s.large) for s in found.steps] == [(16, 32), (32, 64)]
    assert found.steps[0].values[2] == pytest.approx(table[6]["loss"] - table[2]["loss"])


def test_with_two_sizes_the_interval_is_that_of_the_paired_t_test() -> None:
    generator = np.random.default_rng(3)
    values = generator.normal(2, 0.1, (2, 5))
    found = trend([(size, k, values[i, k]) for i, size in enumerate((16, 32)) for k in range(5)])
    differences = values[1] - values[0]
    half = t_quantile(0.975, 4) * differences.std(ddof=1) / math.sqrt(5)
    assert found.overall.low == pytest.approx(differences.mean() - half)
    assert found.overall.high == pytest.approx(differences.mean() + half)


def test_what_a_seed_does_to_all_sizes_alike_cancels() -> None:
    table = rows(FALLING)
    offset = [r | {"loss": r["loss"] + 5 * r["seed"]} for r in table]
    before, after = trend(table), trend(offset)
    assert after.verdict == before.verdict == "steady"
    assert after.overall.low == pytest.approx(before.overall.low)
    assert after.intervals[0][1] - after.intervals[0][0] > 1


def test_a_turn_names_the_fall_and_the_rise_in_the_order_of_their_sizes() -> None:
    found = trend(rows({8: 2.0, 16: 1.6, 32: 1.5, 64: 1.9}))
    assert [(s.small, s.large, s.mean < 0) for s in found.turn] == [(8, 32, True), (32, 64, False)]
    assert "From 8 to 32 it falls by 0.5. From 32 to 64 it rises by 0.4." in found.text("en")


def test_more_noise_needs_more_seeds() -> None:
    needed = [trend(rows({16: 2.0, 32: 1.9, 64: 1.8}, noise=noise)).needed_seeds for noise in (0.2, 0.4, 0.8)]
    assert 3 < needed[0] < needed[1] < needed[2] < 1000


def test_the_needed_seeds_do_tell_most_of_the_time() -> None:
    means = {16: 2.0, 32: 1.9, 64: 1.8}
    needed = trend(rows(means, noise=0.2)).needed_seeds
    generator = np.random.default_rng(0)

    def told() -> bool:
        table = [(s, k, m + generator.normal(0, 0.2)) for s, m in means.items() for k in range(needed)]
        return trend(table).overall.clear

    assert 0.7 < np.mean([told() for _ in range(200)]) < 0.95


def test_few_seeds_are_called_few_where_a_sign_flip_test_could_never_tell() -> None:
    assert trend(rows(FALLING)).steps[0].smallest_p == 0.25
    assert "3 seeds are few" in trend(rows(FALLING)).text("en")
    assert "are few" not in trend(rows(FALLING, seeds=6)).text("en")


def test_a_lower_level_is_content_with_less() -> None:
    table = rows({16: 2.0, 32: 1.9}, seeds=4, noise=0.12)
    assert trend(table).verdict == "too noisy"
    assert trend(table, level=0.7).verdict == "steady"


def test_what_counts_as_the_same_can_be_set() -> None:
    table = rows({16: 2.0, 32: 2.001, 64: 2.0}, noise=0.02)
    assert trend(table).verdict == "too noisy"
    assert trend(table, same=0.1).direction == "flat"


@pytest.mark.parametrize("lang", ["en", "hi"])
@pytest.mark.parametrize("means", [FALLING, {16: 2.0, 32: 1.5, 64: 1.8}, {16: 2.0, 32: 1.99, 64: 2.0}])
@pytest.mark.parametrize("noise", [0.001, 0.3])
def test_the_words_name_the_sizes_and_seeds_really_tested(lang: str, means, noise: float) -> None:
    said = trend(rows(means, noise=noise)).text(lang)
    assert "16, 32, 64" in said
    assert "3 seeds" in said
    assert "{" not in said


@settings(max_examples=30, deadline=None)
@given(
    factor=st.floats(1e-6, 1e6),
    order=st.permutations(range(9)),
    values=st.lists(st.floats(0.5, 3), min_size=9, max_size=9, unique=True),
)
def test_the_verdict_depends_neither_on_units_nor_on_the_order_of_rows(factor, order, values) -> None:
    table = [(size, k, values[3 * i + k]) for i, size in enumerate((16, 32, 64)) for k in range(3)]
    other = [(1000 * table[i][0], table[i][1], factor * table[i][2]) for i in order]
    before, after = trend(table), trend(other)
    assert (before.verdict, before.direction) == (after.verdict, after.direction)
    assert after.overall.low == pytest.approx(factor * before.overall.low, rel=1e-6, abs=1e-9 * factor)
