"""The first guess: equal to the truth inside the range, no answer where a sweep cannot give one."""

import numpy as np
import pytest
from synthetic import sweep

from labkit.config import Config
from labkit.train import History
from labkit.training_length import TrainingLengthError, first_guess, fit_step, revise

DRAWS = 500


def trial(fits_at: int | None, steps: int = 1000) -> list[dict[str, float]]:
    """A history with an evaluation every 100 steps, fitted from step `fits_at` on."""
    return [
        {"step": step, "train_loss": 0.001 if fits_at is not None and step >= fits_at else 1.0}
        for step in range(0, steps + 1, 100)
    ]


INSIDE = {0.001: trial(900), 0.003: trial(300), 0.01: trial(500), 0.03: trial(None)}


@pytest.mark.parametrize("with_accuracy", [True, False], ids=["accuracy", "loss alone"])
def test_guess_is_the_truth_on_every_sweep_whose_best_rate_lies_inside(with_accuracy):
    for seed in range(DRAWS):
        random = np.random.default_rng([1, seed])
        trials, truth = sweep(random, random.uniform(2, 5), with_accuracy=with_accuracy)
        assert first_guess(trials).steps == truth


@pytest.mark.parametrize(("low", "high", "way"), [(-3, 0, "smaller rates"), (7, 10, "larger rates")])
def test_no_edge_of_the_range_is_missed(low, high, way):
    for seed in range(DRAWS):
        random = np.random.default_rng([2, seed])
        trials, _ = sweep(random, random.uniform(low, high))
        found = first_guess(trials)
        assert (found.verdict, found.steps, found.next) == ("no answer", None, way)


def test_the_guess_names_rate_and_steps_of_the_fastest_trial():
    found = first_guess(INSIDE)
    assert (found.verdict, found.steps, found.rate, found.next) == ("guess", 300, 0.003, "use it")
    assert found.numbers["rates"] == (0.001, 0.003, 0.01, 0.03)
    assert found.by_rate[3]["fitted"] == 0


def test_an_edge_that_only_ties_is_an_edge():
    assert first_guess({0.001: trial(300), 0.003: trial(300), 0.01: trial(800)}).next == "smaller rates"


def test_an_edge_that_is_best_by_its_median_is_an_edge():
    lucky = {0.001: [trial(900)], 0.003: [trial(200), trial(900), trial(900)], 0.01: [trial(300)] * 3}
    assert first_guess(lucky).next == "larger rates"


def test_a_rate_beyond_the_best_that_diverged_is_room_enough():
    diverged = [{"step": 0, "train_loss": 2.3}, {"step": 100, "train_loss": float("nan")}]
    assert first_guess({0.001: trial(900), 0.003: trial(300), 0.01: diverged}).steps == 300


@pytest.mark.parametrize("count", [1, 2])
def test_fewer_than_three_rates_have_no_inside(count):
    assert first_guess(dict(list(INSIDE.items())[:count])).next == "more rates"


def test_rates_that_are_all_alike_ask_for_a_wider_range():
    assert first_guess({rate: trial(300) for rate in (1e-3, 2e-3, 3e-3)}).next == "more rates"


def unfitted(last_loss: float) -> list[dict[str, float]]:
    return [{"step": step, "train_loss": last_loss + (1000 - step) / 1000} for step in range(0, 1001, 100)]


@pytest.mark.parametrize(
    ("last_losses", "next_step"),
    [
        ((0.9, 0.5, 0.3, 0.6), "longer trials"),
        ((0.9, 0.5, 0.4, 0.3), "larger rates"),
        ((0.2, 0.5, 0.4, 0.3), "smaller rates"),
        ((0.3, 0.3, 0.3, 0.3), "more rates"),
    ],
)
def test_no_answer_where_no_trial_fits_and_the_losses_show_where_to_look(last_losses, next_step):
    rates = {0.001 * 3**n: unfitted(loss) for n, loss in enumerate(last_losses)}
    found = first_guess(rates)
    assert (found.verdict, found.rate, found.next) == ("no answer", None, next_step)


def test_trials_of_unequal_length_are_refused():
    found = first_guess(INSIDE | {0.005: trial(400, steps=2000)})
    assert found.next == "repeat the sweep"
    assert "1,000, 2,000" in found.reason("en")


def histories(**changes):
    return [
        History(Config(learning_rate=rate, weight_decay=0, steps=1000), rows, 1.0)
        for rate, rows in INSIDE.items()
    ] + [
        History(
            Config(**{"learning_rate": 0.005, "weight_decay": 0, "steps": 1000} | changes), trial(400), 1.0
        )
    ]


def test_labkits_own_histories_bring_their_rates_along():
    assert first_guess(histories()).steps == 300


@pytest.mark.parametrize(
    "changes",
    [{"shift": 3}, {"label_smoothing": 0.1}, {"weight_decay": 0.01}, {"schedule": "linear"}, {"steps": 2000}],
    ids=str,
)
def test_augmentation_regularisation_schedule_or_length_in_one_trial_are_refused_and_named(changes):
    found = first_guess(histories(**changes))
    assert (found.verdict, found.next) == ("no answer", "repeat the sweep")
    (key,) = changes
    assert key in found.reason("en")


def test_all_faults_are_named_at_once():
    reason = first_guess(histories(shift=3, label_smoothing=0.1, steps=2000)).reason("en")
    assert all(word in reason for word in ("shift", "label_smoothing", "2,000"))


def test_one_table_with_rates_and_seeds_is_a_sweep():
    table = [
        {"learning_rate": rate, "seed": seed, "dropout": 0, **row}
        for rate, rows in INSIDE.items()
        for seed in (0, 1)
        for row in rows
    ]
    assert first_guess(table).steps == 300
    assert [row["trials"] for row in first_guess(table).by_rate] == [2, 2, 2, 2]
    assert "dropout" in first_guess([row | {"dropout": 0.1} for row in table]).reason("en")


def test_a_csv_file_is_a_sweep(tmp_path):
    lines = [f"{rate},{row['step']},{row['train_loss']}" for rate, rows in INSIDE.items() for row in rows]
    path = tmp_path / "sweep.csv"
    path.write_text("\ufefflr,step,train_loss\n" + "\n".join(lines), encoding="utf-8")
    assert first_guess(path).steps == first_guess(str(path)).steps == 300


def test_fitting_means_no_training_example_wrong_or_a_loss_below_the_threshold():
    rows = [
        {"step": 100, "train_loss": 0.02, "train_accuracy": 0.999},
        {"step": 200, "train_loss": 0.015, "train_accuracy": 1.0},
    ]
    assert fit_step(rows) == 200
    without = [{"step": row["step"], "train_loss": row["train_loss"]} for row in rows]
    assert fit_step(without) is None
    assert fit_step(without, perfect_loss=0.02) == 100


@pytest.mark.parametrize("rate", [0, -1, "fast", None, float("nan")])
def test_a_rate_that_is_no_positive_number_is_refused(rate):
    with pytest.raises(TrainingLengthError, match="learning rate"):
        first_guess([(rate, trial(300)), (0.01, trial(300))])


@pytest.mark.parametrize("empty", [[], {}])
def test_an_empty_sweep_is_refused(empty):
    with pytest.raises(TrainingLengthError):
        first_guess(empty)


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        (["augmentation"], "raise"),
        (["dropout", "smaller batch"], "raise"),
        (["better optimiser"], "may come down"),
        (["better schedule"], "may come down"),
        (["architecture"], "measure again"),
        (["data"], "measure again"),
        (["augmentation", "better optimiser"], "measure again"),
        ([], "keep"),
    ],
)
def test_a_changed_workload_revises_the_guess(changes, verdict):
    assert first_guess(INSIDE).revised(changes).verdict == verdict


def test_a_measured_ratio_says_by_how_much():
    assert revise(300, "dropout", measured_ratio=1.4).suggested == 420


def test_what_cannot_be_revised_is_refused_with_everything_wrong():
    with pytest.raises(TrainingLengthError) as refused:
        revise(0, ["luck", "hope"], measured_ratio=-1)
    assert len(refused.value.problems) == 4
    with pytest.raises(TrainingLengthError):
        first_guess({rate: trial(None) for rate in INSIDE}).revised(["dropout"])


@pytest.mark.parametrize(
    "setting",
    [
        {"weight_decay": 0.1},
        {"dropout": 0.1},
        {"augmentation": "flip"},
        {"label_smoothing": 0.1},
        {"shift": 2},
        {"schedule": "cosine"},
    ],
    ids=str,
)
@pytest.mark.parametrize("form", [dict, lambda sweep: list(sweep.items())], ids=["mapping", "pairs"])
def test_settings_in_the_rows_of_one_trial_are_seen(setting, form):
    sweep = INSIDE | {0.01: [row | setting for row in INSIDE[0.01]]}
    found = first_guess(form(sweep))
    assert found.next == "repeat the sweep"
    assert next(iter(setting)) in found.reason("en")


def test_settings_in_the_rows_that_are_off_do_not_matter():
    off = {"weight_decay": 0, "schedule": "constant", "augmentation": ""}
    assert first_guess({rate: [row | off for row in rows] for rate, rows in INSIDE.items()}).steps == 300


@pytest.mark.parametrize("name", ["learning_rate", "lr"])
def test_a_rate_in_the_rows_that_contradicts_the_trials_is_refused(name):
    sweep = {rate: [row | {name: rate} for row in rows] for rate, rows in INSIDE.items()}
    assert first_guess(sweep).steps == first_guess({np.float32(r): h for r, h in sweep.items()}).steps == 300
    sweep[0.005] = [row | {name: 0.1} for row in trial(400)]
    with pytest.raises(TrainingLengthError, match=r"under the learning rate 0.005, but records 0.1"):
        first_guess(sweep)


def test_a_rate_in_the_config_that_contradicts_the_trials_is_refused():
    wrong = History(Config(learning_rate=0.1, steps=1000), trial(400), 1.0)
    with pytest.raises(TrainingLengthError, match=r"records 0.1"):
        first_guess(INSIDE | {0.005: wrong})


@pytest.mark.parametrize("perfect_loss", ["x", None, float("nan")])
def test_a_perfect_loss_that_is_no_number_is_refused(perfect_loss):
    for ask in (lambda: first_guess(INSIDE, perfect_loss), lambda: fit_step(trial(300), perfect_loss)):
        with pytest.raises(TrainingLengthError, match="perfect_loss is"):
            ask()
