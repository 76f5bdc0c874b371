"""The power law: exact where the data are, and honest where they are not."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from scaling_tables import rows

from labkit.messages import number
from labkit.scaling import TableError, fit_power_law

FLOOR, COEFFICIENT, EXPONENT = 1.0, 3.0, 0.5


def law(size: float) -> float:
    return FLOOR + COEFFICIENT * size**-EXPONENT


def fitted(sizes: tuple[float, ...] = (16, 32, 64), noise: float = 0.002, seeds: int = 3):
    return fit_power_law(rows({size: law(size) for size in sizes}, seeds=seeds, noise=noise))


@pytest.mark.parametrize("sizes", [(16, 32, 64), (16, 32, 64, 128, 256), (1e4, 3e5, 2e6, 1e7)])
def test_data_on_a_law_give_that_law(sizes) -> None:
    found = fitted(sizes, noise=1e-5)
    assert found.exponent.value == pytest.approx(EXPONENT, rel=0.01)
    assert found.floor.value == pytest.approx(FLOOR, rel=0.01)
    assert found.coefficient.value == pytest.approx(COEFFICIENT, rel=0.03)
    assert found.predict(4 * sizes[-1]) == pytest.approx(law(4 * sizes[-1]), rel=1e-3)


def test_every_interval_and_band_holds_what_lies_exactly_on_the_law() -> None:
    found = fitted()
    for estimate, truth in (
        (found.exponent, EXPONENT),
        (found.floor, FLOOR),
        (found.coefficient, COEFFICIENT),
    ):
        assert estimate.low < truth < estimate.high
    for size in (8, 16, 50, 128, 1e6):
        low, high = found.band(size)
        assert low < law(size) < high


def test_the_band_agrees_with_trying_every_law_on_a_grid() -> None:
    noise, seeds = 0.02, 3
    found = fitted(noise=noise, seeds=seeds)
    sizes = np.array([16.0, 32.0, 64.0])
    limit = (found.fit.quantile * noise) ** 2 / seeds
    exponents = np.linspace(0.05, 2.5, 400)[:, None, None]
    floors = np.linspace(0, 1.6, 400)[None, :, None]
    means = law(sizes) - floors
    powers = sizes**-exponents
    best = (powers * means).sum(-1) / (powers**2).sum(-1)
    left = limit - ((means - best[..., None] * powers) ** 2).sum(-1)
    reach = np.sqrt(np.maximum(left, 0) / (powers**2).sum(-1))
    target = 128.0 ** -exponents[..., 0]
    lows = (floors[..., 0] + (best - reach) * target)[left >= 0]
    highs = (floors[..., 0] + (best + reach) * target)[left >= 0]
    assert found.band(128) == pytest.approx((lows.min(), highs.max()), abs=3e-3)


def test_the_band_widens_away_from_the_sizes_that_were_run() -> None:
    widths = [high - low for low, high in map(fitted().band, (64, 128, 256, 1024))]
    assert widths == sorted(widths)
    assert widths[-1] > 2 * widths[0]


def test_single_runs_spread_more_than_the_law() -> None:
    found = fitted(noise=0.02)
    law_band, three, one = found.band(128), found.band(128, seeds=3), found.band(128, seeds=1)
    assert one[0] < three[0] < law_band[0] < law_band[1] < three[1] < one[1]


def test_more_sizes_pin_the_floor_better() -> None:
    few, many = fitted(), fitted((16, 32, 64, 128, 256, 512))
    assert many.floor.high - many.floor.low < 0.5 * (few.floor.high - few.floor.low)


def test_a_floor_is_never_below_zero() -> None:
    found = fit_power_law(rows({size: 2 * size**-0.3 for size in (16, 32, 64)}, noise=0.01))
    assert found.floor.low == 0
    assert found.floor.value >= 0
    assert found.band(10**9)[0] >= 0


def test_noise_alone_gives_a_band_that_admits_it() -> None:
    found = fit_power_law(rows({16: 2.0, 32: 2.01, 64: 1.99}, noise=0.2))
    low, high = found.band(128)
    assert low < 1.9
    assert high > 2.1
    assert all(map(math.isfinite, (low, high, found.exponent.high, found.coefficient.high)))


def test_a_metric_that_rises_and_values_below_zero_are_refused_together() -> None:
    with pytest.raises(TableError) as caught:
        fit_power_law(rows({16: -0.5, 32: 0.3, 64: 0.9}))
    assert len(caught.value.problems) == 2
    assert "error rate" in caught.value.problems[1]


@pytest.mark.parametrize("size", [0, -1, math.nan, math.inf, "128", None])
def test_the_band_is_asked_for_at_a_positive_size(size: object) -> None:
    with pytest.raises(ValueError, match="expected a number above 0"):
        fitted().band(size)


@pytest.mark.parametrize("seeds", [0, -1, 1.5, "1", True])
def test_the_band_is_for_a_whole_number_of_runs(seeds: object) -> None:
    with pytest.raises(ValueError, match="whole number of at least 1"):
        fitted().band(128, seeds=seeds)


def test_the_words_call_the_extrapolation_a_hint() -> None:
    assert "hint" in fitted().text("en")
    assert "इशारा" in fitted().text("hi")
    assert "At size 128" in fitted().text("en")


def test_the_words_quote_the_band_of_the_size_asked_for() -> None:
    found = fitted()
    low, high = found.band(300, seeds=3)
    said = f"At size 300 it would give a loss between {number(low)} and {number(high)}"
    assert said in found.text("en", size=300, seeds=3)


def test_no_band_is_given_where_the_law_has_no_value() -> None:
    found = fitted()
    low, high = found.band(1)
    assert 0 < low < high < math.inf
    for ask in (found.band, found.predict):
        with pytest.raises(ValueError, match="far below the smallest size"):
            ask(1e-300)


def test_a_size_may_be_a_number_of_numpy_or_torch() -> None:
    found = fitted()
    assert found.predict(np.int64(128)) == found.predict(torch.tensor(128)) == found.predict(128)
    assert found.band(np.array(128), torch.tensor(3)) == found.band(128, 3)
