"""Steps to a validation loss for several kinds of run."""

import math

import numpy as np
import pytest

from labkit.training_length import TrainingLengthError, gradient_noise

DRAWS = 500


def run(reaches: float, steps: int = 1000):
    """A validation loss that falls in a straight line and passes 1 at step `reaches`."""
    return [{"step": step, "test_loss": 2 - step / reaches} for step in range(0, steps + 1, 10)]


def test_medians_ranges_and_ratios():
    found = gradient_noise(
        {"plain": [run(100), run(110), run(120)], "dropout": [run(200), run(220), run(240)]}, 1.0
    )
    assert found.verdict == "slower"
    plain, dropout = found.rows
    assert (plain.median, plain.low, plain.high, plain.verdict) == (110, 100, 120, "baseline")
    assert (dropout.median, dropout.verdict) == (220, "slower")
    assert found.ratio("dropout") == found.numbers["dropout"]["ratio"] == 2


def test_ranges_that_overlap_show_no_difference():
    found = gradient_noise({"plain": [run(100), run(200)], "shift": [run(150), run(300)]}, 1.0)
    assert found.verdict == "no difference seen"


def test_runs_that_never_get_there_count_as_slower_than_any():
    found = gradient_noise({"plain": [run(100)] * 3, "shift": [run(150), run(5000), run(5000)]}, 1.0)
    assert (found.verdict, found.rows[1].verdict, found.rows[1].reached) == ("slower", "not reached", 1)
    assert math.isinf(found.ratio("shift"))
    nobody = gradient_noise({"plain": [run(5000)] * 3, "shift": [run(100)] * 3}, 1.0)
    assert nobody.verdict == "cannot tell"


def test_both_directions_are_mixed():
    found = gradient_noise({"plain": [run(100)], "noisy": [run(200)], "calm": [run(50)]}, 1.0)
    assert [row.verdict for row in found.rows] == ["baseline", "slower", "faster"]
    assert found.verdict == "mixed"


def test_without_a_target_it_is_the_lowest_loss_that_every_run_reached():
    found = gradient_noise({"plain": [run(500)], "shift": [run(1000)]})
    assert found.target == 1.0
    assert all(row.reached == 1 for row in found.rows)


def test_the_table_has_a_row_for_each_run():
    found = gradient_noise({"plain": {7: run(100)}, "shift": [run(200), run(5000)]}, 1.0)
    assert found.table == [
        {"setting": "plain", "seed": 0, "steps": 100},
        {"setting": "shift", "seed": 0, "steps": 200},
        {"setting": "shift", "seed": 1, "steps": None},
    ]


@pytest.mark.parametrize("ratio", [1.0, 1.6])
def test_known_ratios_are_seen_and_equal_ones_are_not_called_different(ratio):
    verdicts = []
    for seed in range(DRAWS):
        random = np.random.default_rng([5, seed])
        spread = [[run(300 * r * random.lognormal(0, 0.06)) for _ in range(4)] for r in (1.0, ratio)]
        verdicts.append(gradient_noise(dict(zip(("plain", "shift"), spread, strict=True)), 1.0).verdict)
    truth = "slower" if ratio > 1 else "no difference seen"
    assert verdicts.count(truth) >= 0.95 * DRAWS


@pytest.mark.parametrize("runs", [{}, {"plain": [run(100)]}, [run(100)], None])
def test_fewer_than_two_kinds_of_run_are_refused(runs):
    with pytest.raises(TrainingLengthError, match="two kinds"):
        gradient_noise(runs)


def test_a_label_that_is_not_there_lists_those_that_are():
    found = gradient_noise({"plain": [run(100)], "shift": [run(200)]}, 1.0)
    with pytest.raises(TrainingLengthError, match="plain, shift"):
        found.ratio("dropout")
