"""Whether a workload is compute-bound: synthetic curves of known kind, and the ways real ones go wrong."""

import math

import numpy as np
import pytest
from synthetic import KINDS

from labkit.config import KahaniConfig
from labkit.train import History
from labkit.training_length import TrainingLengthError, workload

DRAWS = 500


@pytest.mark.parametrize(
    ("make", "truth"), KINDS.items(), ids=lambda value: getattr(value, "__name__", value)
)
def test_at_least_95_in_100_curves_are_judged_right(make, truth):
    verdicts = [workload(make(np.random.default_rng([3, seed]))).verdict for seed in range(DRAWS)]
    assert verdicts.count(truth) >= 0.95 * DRAWS


def rows(train, validation=None, count: int = 41, every: int = 50):
    """Rows of two functions of the share of the run that is done, without noise."""
    validation = validation or train
    return [
        {"step": every * n, "train_loss": train(n / (count - 1)), "test_loss": validation(n / (count - 1))}
        for n in range(count)
    ]


def falling(time: float) -> float:
    return (1 + 100 * time) ** -0.4


def vanishing(time: float) -> float:
    return 2.0 * math.exp(-12 * time)


def flat(time: float) -> float:
    return 1.0 + math.exp(-30 * time)


CAUSES = {
    "still falling": rows(falling),
    "fitted": rows(vanishing, flat),
    "overfits": rows(vanishing, lambda time: flat(time) + max(0.0, time - 0.4)),
    "levels off": rows(flat),
    "too short": rows(lambda time: 2 - time),
    "fitted, still improving": rows(vanishing, falling),
    "unstable": rows(lambda time: falling(time) + 3 * max(0.0, time - 0.6)),
    "too few": rows(falling, count=8),
    "diverged": rows(lambda time: 1.0 if time < 0.5 else math.nan),
}


@pytest.mark.parametrize("cause", CAUSES)
def test_the_cause_is_named(cause):
    found = workload(CAUSES[cause])
    assert found.cause == cause
    assert found.numbers["cause"] == cause


def test_the_verdict_rests_on_the_last_doubling_or_on_what_follows_the_best_step():
    assert workload(CAUSES["still falling"]).part == (1000, 2000)
    begin, last = workload(CAUSES["overfits"]).part
    assert last == 2000
    assert begin == pytest.approx(800, abs=150)


def test_slopes_are_losses_per_doubling_of_the_steps():
    logarithmic = [{"step": 2**n, "test_loss": 3 - 0.1 * n, "train_loss": 3 - 0.2 * n} for n in range(1, 14)]
    fine = [
        {"step": s, "test_loss": 3 - 0.1 * math.log2(s), "train_loss": 3 - 0.2 * math.log2(s)}
        for s in range(64, 4097, 64)
    ]
    found = workload(logarithmic[:5] + fine)
    assert found.train_slope[0] == pytest.approx(-0.2)
    assert found.validation_slope[0] == pytest.approx(-0.1)


def test_runs_that_diverged_are_left_out_of_the_mean():
    found = workload([CAUSES["still falling"], CAUSES["diverged"]])
    assert (found.verdict, found.runs) == ("compute-bound", 1)


def test_a_passing_spike_of_the_training_loss_does_not_hide_overfitting():
    spiked = [dict(row) for row in CAUSES["overfits"]]
    spiked[-1]["train_loss"] += 0.15
    assert workload(spiked).cause == "overfits"


def test_without_a_training_loss_the_validation_loss_stands_for_it_and_the_reason_says_so():
    fresh = [{"step": row["step"], "test_loss": row["test_loss"]} for row in CAUSES["still falling"]]
    found = workload(fresh)
    assert (found.verdict, found.train) == ("compute-bound", None)
    assert "no example is seen twice" in found.reason("en")


def test_a_decaying_learning_rate_is_mentioned():
    fresh = [{"step": row["step"], "test_loss": row["test_loss"]} for row in CAUSES["still falling"]]
    history = History(KahaniConfig(steps=2000, schedule="cosine"), fresh, 1.0)
    assert "decays" in workload(history).reason("en")
    constant = History(KahaniConfig(steps=2000, schedule="constant"), fresh, 1.0)
    assert "decays" not in workload(constant).reason("en")


def test_a_first_evaluation_late_in_the_run_cannot_show_the_whole_fall():
    assert workload(CAUSES["still falling"][8:]).cause == "too short"


def test_histories_at_different_steps_are_refused():
    with pytest.raises(TrainingLengthError, match="same steps"):
        workload([rows(falling, every=50), rows(falling, every=37)])


def test_columns_may_be_named():
    renamed = [{"step": r["step"], "a": r["train_loss"], "b": r["test_loss"]} for r in CAUSES["fitted"]]
    assert workload(renamed, train="a", validation="b").cause == "fitted"
    with pytest.raises(TrainingLengthError, match="a, b"):
        workload(renamed)


def test_runs_of_unequal_length_are_judged_where_all_are_and_the_reason_says_so():
    long = CAUSES["still falling"]
    found = workload([long, long[:31]])
    assert (found.steps[-1], found.longest) == (1500, 2000)
    assert "only the steps up to 1,500" in found.reason("en")
    assert "2,000" in found.reason("en")
    assert "different steps" not in workload([long, long]).reason("en")


def test_a_run_that_diverged_is_spoken_of_and_does_not_shorten_the_others():
    broken = [row | {"test_loss": math.nan} for row in CAUSES["still falling"][:10]]
    found = workload([CAUSES["still falling"], broken])
    assert (found.verdict, found.runs, found.diverged) == ("compute-bound", 1, 1)
    assert found.steps[-1] == 2000
    assert "1 of 2 runs" in found.reason("en")
    assert "left out" not in workload([broken, broken]).reason("en")


@pytest.mark.parametrize("lang", ["en", "hi"])
def test_one_evaluation_is_not_spoken_of_as_many(lang):
    reason = workload(CAUSES["still falling"][1:2]).reason(lang)
    assert "1" in reason
    assert "are only 1" not in reason
