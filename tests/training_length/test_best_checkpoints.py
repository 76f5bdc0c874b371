"""The best checkpoint of a run, and what the best steps of a study say."""

import itertools

import numpy as np
import pytest

from labkit.config import Config
from labkit.train import History
from labkit.training_length import TrainingLengthError, best_checkpoint, diagnose

DRAWS = 500


def history(values, every: int = 10, name: str = "test_loss"):
    return [{"step": every * place, name: value} for place, value in enumerate(values)]


def test_the_best_checkpoint_is_found_and_placed():
    found = best_checkpoint(history([3, 2, 1, 2, 3, 4, 5, 6, 7, 8, 9]))
    assert (found.step, found.value, found.last_value) == (20, 1, 9)
    assert (found.verdict, found.share, found.max_train_steps) == ("between", 0.2, 100)


@pytest.mark.parametrize(
    ("best", "verdict"),
    [
        (0, "first 10 %"),
        (10, "first 10 %"),
        (11, "between"),
        (74, "between"),
        (75, "last 25 %"),
        (100, "last 25 %"),
    ],
)
def test_the_borders_belong_to_the_outer_parts(best, verdict):
    values = [1.0] * 101
    values[best] = 0.5
    assert best_checkpoint(history(values, every=7)).verdict == verdict


def test_training_longer_never_makes_the_chosen_checkpoint_worse():
    for seed in range(DRAWS):
        random = np.random.default_rng(seed)
        found = best_checkpoint(history(random.normal(2, 1, 50)))
        assert all(later <= earlier for earlier, later in itertools.pairwise(found.best_so_far))
        assert found.best_so_far[-1] == found.value <= found.last_value


def test_accuracy_is_better_the_higher_it_is():
    rows = history([0.1, 0.9, 0.5], name="test_accuracy")
    assert best_checkpoint(rows, "test_accuracy").step == 10
    assert best_checkpoint(rows, "test_accuracy", higher_is_better=False).step == 0


def test_a_run_that_diverged_keeps_its_best_checkpoint():
    assert best_checkpoint(history([3, 2, float("nan"), float("nan")])).step == 10
    with pytest.raises(TrainingLengthError, match="test_loss"):
        best_checkpoint(history([float("nan")] * 3))


def test_checkpoints_too_far_apart_are_mentioned():
    assert "more often" in best_checkpoint(history([3, 2, 1])).reason("en")
    assert "more often" not in best_checkpoint(history(range(30, 0, -1))).reason("en")


@pytest.mark.parametrize(
    ("best_steps", "verdict"),
    [
        ([40, 80, 100, 20], "far too long"),
        ([40, 80, 101, 20], "keep"),
        ([750, 900, 1000, 800], "train longer"),
        ([750, 900, 1000, 800, 300], "train longer"),
        ([750, 900, 1000, 300, 200], "keep"),
        ([100, 500, 900], "keep"),
        ([900, 950], "cannot tell"),
    ],
)
def test_a_study_is_diagnosed(best_steps, verdict):
    assert diagnose(best_steps, 1000).verdict == verdict


def study(random, kind: str) -> list[list[dict[str, float]]]:
    """Trials whose true best lies in the first tenth, the last fifth, or anywhere; losses noisy."""
    low, high = {"far too long": (0.02, 0.07), "train longer": (0.85, 1.0), "keep": (0.2, 0.6)}[kind]
    time = np.linspace(0, 1, 101)
    trials = []
    for _ in range(random.integers(4, 9)):
        best = random.uniform(low, high)
        bowl = np.where(time < best, 4 * (time / best - 1) ** 2, 6 * (time - best))
        trials.append(history(1 + bowl + random.normal(0, 0.02, 101)))
    return trials


@pytest.mark.parametrize("kind", ["far too long", "train longer", "keep"])
def test_at_least_95_in_100_noisy_studies_are_diagnosed_right(kind):
    right = sum(
        diagnose(study(np.random.default_rng([4, seed]), kind)).verdict == kind for seed in range(DRAWS)
    )
    assert right >= 0.95 * DRAWS


def test_trials_of_different_lengths_are_not_comparable():
    found = diagnose([10, 20, 30], [1000, 1000, 2000])
    assert found.verdict == "not comparable"
    assert "1,000, 2,000" in found.reason("en")


def test_the_length_is_the_configs_even_if_the_history_ends_early():
    rows = history([3, 2, 1, 2, 3])
    histories = [History(Config(steps=steps), rows, 1.0) for steps in (1000, 1000, 1000)]
    assert diagnose(histories).verdict == "far too long"
    assert diagnose([*histories, History(Config(steps=500), rows, 1.0)]).verdict == "not comparable"


@pytest.mark.parametrize(
    ("best_steps", "length", "problem"),
    [
        ([], 1000, "no trials"),
        ([10, 20], [1000], "2 trials"),
        ([10, 20, 30], None, "whole number"),
        ([10, 2000, 30], 1000, "Trial 2"),
        ([-1, 20, 30], 1000, "Trial 1"),
    ],
)
def test_best_steps_that_cannot_be_are_refused(best_steps, length, problem):
    with pytest.raises(TrainingLengthError, match=problem):
        diagnose(best_steps, length)


@pytest.mark.parametrize(
    ("metric", "best", "said"),
    [
        ("bleu", 10, "The higher the bleu"),
        ("val_f1", 10, "The higher the val_f1"),
        ("perplexity", 0, "The lower the perplexity"),
        ("accuracy_error", 0, "The lower the accuracy_error"),
        ("test_loss", 0, ""),
    ],
)
def test_the_direction_is_known_by_the_name_and_said(metric, best, said):
    found = best_checkpoint(history([0.1, 0.9, 0.5], name=metric), metric)
    assert found.step == best
    assert said in found.reason("en")
    assert bool(said) == ("the better" in found.reason("en"))


def test_arguments_that_cannot_be_used_are_refused():
    with pytest.raises(TrainingLengthError) as refused:
        best_checkpoint(history([3, 2, 1]), metric=4, higher_is_better="yes")
    assert len(refused.value.problems) == 2


def test_a_study_may_be_a_mapping_or_arrays():
    assert diagnose({"a": 40, "b": 80, "c": 20}, 1000) == diagnose([40, 80, 20], 1000)
    arrays = diagnose(np.array([40, 80, 20]), np.array([1000, 1000, 1000]))
    assert arrays == diagnose([40, 80, 20], 1000)


@pytest.mark.parametrize("best_steps", [90, None, "abc"])
def test_what_is_no_list_of_best_steps_is_refused(best_steps):
    with pytest.raises(TrainingLengthError, match="best_steps is"):
        diagnose(best_steps, 100)


def test_of_many_wrong_best_steps_the_first_are_shown():
    with pytest.raises(TrainingLengthError) as refused:
        diagnose([200] * 1000, 100)
    assert len(refused.value.problems) == 7
