"""Forecasts: the expected time, and ranges that hold the truth as often as they say."""

from __future__ import annotations

import json
import math
import random

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from labkit.forecast import Forecast, TimingError, flicker_amplitude2, flicker_variance, forecast_total
from labkit.timing import StepTimes, measure_steps

STEADY = [1.0, 1.02, 0.98, 1.01, 0.99] * 20


def flicker_noise(generator: np.random.Generator, length: int, amplitude: float) -> np.ndarray:
    """Return 1 + noise whose covariance at distance d is -amplitude² ln(d), up to a constant.

    A spectrum of amplitude² / (2 |f|) has that covariance; made by colouring white noise.
    """
    spectrum = np.fft.rfft(generator.standard_normal(2 * length))
    frequency = np.fft.rfftfreq(2 * length)
    spectrum[0] = 0
    spectrum[1:] *= amplitude / np.sqrt(2 * frequency[1:])
    return 1 + np.fft.irfft(spectrum)[:length]


def share_inside(noise: str, ratio: int, measured: int = 80, trials: int = 300) -> float:
    generator = np.random.default_rng(1)
    inside = 0
    for _ in range(trials):
        length = measured * (1 + ratio)
        if noise == "flicker":
            times = flicker_noise(generator, length, 0.03)
        else:
            times = 1 + 0.1 * generator.standard_normal(length)
        f = forecast_total(list(times[:measured]), measured * ratio)
        inside += f.low_s <= times[measured:].sum() <= f.high_s
    return inside / trials


@pytest.mark.parametrize("ratio", [2, 11, 50])
def test_the_range_holds_the_truth_as_often_as_it_says_when_step_times_flicker(ratio: int) -> None:
    assert 0.75 <= share_inside("flicker", ratio) <= 0.92


def test_the_range_is_safe_when_steps_are_independent() -> None:
    assert share_inside("independent", 11) >= 0.8


@pytest.mark.parametrize("ratio", [0.5, 1.0, 4.0])
def test_the_flicker_variance_agrees_with_a_sum_over_all_pairs(ratio: float) -> None:
    cells = 300
    run = int(ratio * cells)
    position = (np.arange(cells + run) + 0.5) / cells
    distance = np.abs(position[:, None] - position[None, :])
    np.fill_diagonal(distance, math.exp(-1.5) / cells)  # mean of ln|t - u| within one cell: ln(width) - 3/2
    weight = np.concatenate([np.full(cells, -1 / cells), np.full(run, 1 / run)])
    assert flicker_variance(ratio) == pytest.approx(weight @ -np.log(distance) @ weight, rel=0.01)


def test_the_amplitude_of_flicker_noise_is_found() -> None:
    generator = np.random.default_rng(0)
    found = [flicker_amplitude2(list(flicker_noise(generator, 800, 0.05))) for _ in range(300)]
    allowance = 9 / 7  # for the few blocks, see the docstring
    assert math.sqrt(np.mean(found) / allowance) == pytest.approx(0.05, rel=0.1)


def test_the_expected_time_is_the_mean_step_times_the_steps_plus_what_is_paid_once() -> None:
    f = forecast_total([1.0, 1.0, 4.0], 100, fixed_s=7.0, warmup_s=3.0)
    assert f.expected_s == pytest.approx(100 * 2.0 + 7.0 + 3.0)


def test_fixed_costs_move_the_range_and_do_not_widen_it() -> None:
    bare, more = forecast_total(STEADY, 1000), forecast_total(STEADY, 1000, fixed_s=50.0)
    assert more.high_s - bare.high_s == pytest.approx(50.0)
    assert more.low_s - bare.low_s == pytest.approx(50.0)


def test_the_range_is_relatively_wider_for_longer_runs() -> None:
    short, long = forecast_total(STEADY, 100), forecast_total(STEADY, 100_000)
    assert long.high_s / long.expected_s > short.high_s / short.expected_s


def test_the_range_is_wider_for_a_higher_level() -> None:
    assert forecast_total(STEADY, 1000, level=0.95).high_s > forecast_total(STEADY, 1000, level=0.8).high_s


def test_the_range_is_wider_for_unsteady_steps() -> None:
    unsteady = [1.0] * 50 + [1.2] * 50
    assert forecast_total(unsteady, 1000).high_s / 1100 > forecast_total(STEADY, 1000).high_s / 1000


def test_slow_and_fast_steps_that_alternate_do_not_widen_the_range_as_slow_stretches_do() -> None:
    alternating, stretches = [1.0, 1.2] * 40, [1.0] * 40 + [1.2] * 40
    assert forecast_total(alternating, 1000).high_s < forecast_total(stretches, 1000).high_s


def test_even_perfectly_steady_steps_leave_room_for_drift() -> None:
    f = forecast_total([1.0] * 100, 1000)
    assert f.low_s < 0.99 * f.expected_s


def test_a_single_step_gives_a_wide_range() -> None:
    f = forecast_total([1.0], 10)
    assert f.high_s > 2 * f.expected_s


def test_few_equal_steps_do_not_pretend_to_certainty() -> None:
    f = forecast_total([1.0, 1.0, 1.0], 30)
    assert f.high_s > 1.2 * f.expected_s


def test_no_range_is_wider_than_a_factor_of_ten() -> None:
    times = [1e-6] * 70 + [1000.0] * 10
    f = forecast_total(times, 10**9)
    assert f.high_s == pytest.approx(10 * f.expected_s)


@given(
    times=st.lists(st.floats(0, 1e6), min_size=1, max_size=40),
    steps=st.integers(1, 10**12),
    fixed=st.floats(0, 1e9),
    level=st.floats(0.5, 0.99),
)
@example(times=[0.0, 2.2e-311], steps=1, fixed=0.0, level=0.5)
def test_any_times_give_finite_numbers_in_order(
    times: list[float], steps: int, fixed: float, level: float
) -> None:
    f = forecast_total(times, steps, fixed, level=level)
    assert 0 <= f.low_s <= f.expected_s <= f.high_s < math.inf


def test_what_the_warmup_cost_beyond_ordinary_steps_is_added_once() -> None:
    times = StepTimes((1.0,) * 10, (0.0,) * 10, first_s=31.0, warmup_s=33.0, warmup_steps=3)
    f = times.forecast(100, fixed_s=5.0)
    assert (f.warmup_s, f.fixed_s, f.expected_s) == (30.0, 5.0, 135.0)


def test_a_warmup_faster_than_ordinary_steps_takes_nothing_off() -> None:
    times = StepTimes((1.0,) * 10, (0.0,) * 10, first_s=0.5, warmup_s=1.0, warmup_steps=2)
    assert times.forecast(100).expected_s == pytest.approx(100.0)


def test_the_forecast_includes_waiting_for_data() -> None:
    times = StepTimes((1.0,) * 10, (2.0,) * 10, first_s=3.0, warmup_s=3.0, warmup_steps=1)
    assert times.forecast(10).expected_s == pytest.approx(30.0)


def test_all_wrong_arguments_are_listed_at_once() -> None:
    with pytest.raises(TimingError) as caught:
        forecast_total([], 2.5, fixed_s=-1, level=80)  # type: ignore[arg-type]
    assert len(caught.value.problems) == 4


@pytest.mark.parametrize("times", [[float("nan")], [1.0, -1.0], [float("inf")], ["1"]])
def test_times_that_no_arithmetic_can_use_are_an_error(times: list[float]) -> None:
    with pytest.raises(TimingError, match="measured times"):
        forecast_total(times, 10)


@pytest.mark.parametrize("fixed", [-1, float("nan"), float("inf"), "10", None])
def test_fixed_costs_must_be_a_number_of_seconds(fixed: object) -> None:
    with pytest.raises(TimingError, match="fixed_s is"):
        forecast_total(STEADY, 10, fixed_s=fixed)  # type: ignore[arg-type]


def test_a_forecast_is_a_measured_run_time_in_minutes() -> None:
    run_time = Forecast(60.0, 120.0, 240.0, level=0.8, steps=10, mean_s=12.0).as_run_time()
    assert (run_time.low, run_time.minutes, run_time.high) == (1.0, 2.0, 4.0)
    assert type(run_time).__name__ == "Measured"


def test_the_forecast_as_plain_data_is_json() -> None:
    plain = json.loads(json.dumps(forecast_total(STEADY, 1000, fixed_s=3).to_dict()))
    assert plain["expected_s"] == pytest.approx(plain["mean_s"] * plain["steps"] + plain["fixed_s"])


def test_the_forecast_in_words_names_time_range_and_level_in_both_languages() -> None:
    f = Forecast(100.0, 110.0, 119.0, level=0.8, steps=5000, mean_s=0.02, warmup_s=4.0, fixed_s=6.0)
    assert str(f) == f.to_text("en")
    for part in ("5,000 steps", "110 s", "100 s", "119 s", "80", "10 s"):
        assert part in f.to_text("en")
    for part in ("5,000 steps", "110 सेकंड", "100 सेकंड", "80", "10 सेकंड"):
        assert part in f.to_text("hi")


def test_fixed_costs_too_small_to_matter_are_not_mentioned() -> None:
    f = Forecast(90.0, 100.0, 110.0, level=0.8, steps=5000, mean_s=0.02, warmup_s=0.1)
    assert "fixed costs" not in f.to_text("en")


def test_the_mean_predicts_a_long_run_with_rare_slow_steps_better_than_the_median() -> None:
    chance = random.Random(0)
    times = [1.0 if chance.random() > 0.05 else 10.0 for _ in range(5000)]
    measured, truth = times[:500], sum(times[500:])
    by_median = 4500 * sorted(measured)[250]
    assert abs(forecast_total(measured, 4500).expected_s - truth) < abs(by_median - truth) / 3


def test_a_slow_start_is_paid_once():
    t = measure_steps(lambda: None, steps=20, warmup=3)
    assert t.forecast(steps=10).warmup_s == t.slow_start_s
    assert t.slow_start_s == max(0.0, t.warmup_s - t.warmup_steps * t.mean_s)
