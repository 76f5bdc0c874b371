"""Figures about how long to train: the title is what the numbers show, and the drawing has these numbers."""

from __future__ import annotations

import pytest
from figure_examples import words
from notebook_figures import WORKLOADS
from training_length_examples import STUDIES, cosine, history, linear, noise_rows, rounds, sweep, trial

from labkit import plots, training_length
from labkit.training_length.examples import four_curves


def title(figure):
    return figure._suptitle.get_text().replace("\n", " ")


def labels(figure):
    return " | ".join(t.get_text() for t in words(figure))


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("falls", "compute-bound"),
        ("fitted", "not compute-bound"),
        ("begins", "cannot tell"),
        ("overfits", "not compute-bound"),
    ],
)
def test_kinds_says_which_kind_a_workload_is(kind, said):
    assert title(plots.kinds({"mine": history(kind)}, lang="en")) == f"mine: {said}"


def test_kinds_groups_several_workloads():
    expected = "Compute-bound: A; not compute-bound: B, D; cannot tell: C"
    assert title(plots.kinds(WORKLOADS, lang="en")) == expected


def test_kinds_draws_both_losses_of_the_history():
    train, validation = plots.kinds({"A": WORKLOADS["A"]}, lang="en").axes[0].lines
    assert list(train.get_ydata()) == [row["train_loss"] for row in WORKLOADS["A"]]
    assert list(validation.get_ydata()) == [row["test_loss"] for row in WORKLOADS["A"]]


def test_a_last_half_that_looks_level_is_enlarged():
    panels = plots.kinds(four_curves(), lang="en").axes
    assert [len(panel.child_axes) for panel in panels] == [1, 1, 0, 0]
    steps = panels[0].child_axes[0].lines[0].get_xdata()
    assert (min(steps), max(steps)) == (2400, 4800)


def test_exercises_show_no_verdict():
    assert "bound" not in labels(plots.kinds(WORKLOADS, ask=True, lang="en")).replace("compute-bound?", "")
    asked = labels(plots.best_steps(STUDIES, ask=True, lang="en"))
    assert not any(verdict in asked for verdict in ("far too long", "train longer", "keep", "comparable"))
    asked = labels(plots.sweep(sweep(best=0.3), ask=True, lang="en"))
    assert not any(word in asked for word in ("larger", "first guess", "best"))


@pytest.mark.parametrize(
    ("study", "verdict"),
    [("A", "far too long"), ("B", "train longer"), ("C", "keep"), ("D", "not comparable"), ("E", "keep")],
)
def test_best_steps_says_what_to_change(study, verdict):
    assert title(plots.best_steps({"s": STUDIES[study]}, lang="en")) == f"s: {verdict}"


def test_best_steps_counts_the_studies_to_change():
    assert title(plots.best_steps(STUDIES, lang="en")).startswith("In 3 of 6 studies")
    assert title(plots.best_steps({k: STUDIES[k] for k in "CE"}, lang="en")).startswith("In none of the 2")


def test_best_steps_calls_a_generous_length_so():
    study = {"mine": ([700, 800, 950], 8000), "other": ([900, 950, 990], 1000)}
    figure = plots.best_steps(study, lang="en")
    assert title(figure) == "In 1 of 2 studies the number of steps should change; in 1 fewer would have done"
    assert "nearly always early" in labels(figure)


def test_best_steps_draws_each_trial_at_its_share():
    drawn = plots.best_steps({"F": STUDIES["F"]}, lang="en").axes[0].lines
    assert [80, 85, 92.5, 95, 98, 100] in [pytest.approx(list(line.get_xdata())) for line in drawn]


def test_sweep_marks_the_first_guess():
    drawn = plots.sweep(sweep(), lang="en")
    guess = training_length.first_guess(sweep())
    assert title(drawn).startswith(f"First guess: {guess.steps} steps")
    assert [guess.steps] in [list(line.get_ydata()) for line in drawn.axes[0].lines]


@pytest.mark.parametrize(
    ("trials", "said"),
    [
        (sweep(best=0.3), "best learning rate (0.1) is the largest tried"),
        (sweep(best=0.0003), "best learning rate (0.001) is the smallest tried"),
        (sweep(needs=9000), "no trial fits the training set within 2,000 steps"),
        (sweep(rates=(0.01, 0.02)), "too few learning rates"),
        (sweep() + trial(0.02, 0, length=3000), "cannot be compared"),
    ],
)
def test_sweep_says_why_it_gives_no_answer(trials, said):
    assert said in title(plots.sweep(trials, lang="en"))


def test_a_rate_that_never_fits_is_shown():
    assert "a seed did not fit within" in labels(plots.sweep(sweep(best=0.3), lang="en"))
    assert "did not fit" not in labels(plots.sweep(sweep(), lang="en"))


def test_sweep_names_the_learning_rates_that_were_tried():
    (axes,) = plots.sweep(sweep(), lang="en").axes
    assert [t.get_text() for t in axes.get_xticklabels()] == ["0.001", "0.003", "0.01", "0.03", "0.1"]


def test_sweep_names_no_more_learning_rates_than_there_is_room_for():
    rates = [0.001 * 1.1**place for place in range(50)]
    (axes,) = plots.sweep(sweep(best=0.01, rates=rates), lang="en").axes
    assert 5 <= len(axes.get_xticks()) <= 12


@pytest.mark.parametrize(("made", "percent"), [(linear, "100 %"), (cosine, "50 %")])
def test_schedules_says_how_high_a_rate_the_extra_steps_get(made, percent):
    said = title(plots.schedules(*made(), lang="en"))
    assert said.startswith(
        f"Extended, each of the 1,000 extra steps adds {percent} of the base rate on average"
    )
    assert said.endswith("with the mistake 0 %")


def test_schedules_takes_what_extend_returns():
    extension = training_length.extend(linear()[0], 2000)
    assert title(plots.schedules(extension, lang="en")) == title(plots.schedules(*linear(), lang="en"))


def test_schedules_says_when_the_mistake_costs_nothing():
    first, longer, _ = linear()
    assert title(plots.schedules(first, longer, longer, lang="en")).startswith(
        "Here the mistake costs nothing"
    )
    assert title(plots.schedules(first, longer, lang="en")).startswith(
        "Each of the 1,000 extra steps adds 100 %"
    )


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        (rounds(), "From 12 short trials to 3 long ones: 7.56 h of 10 h, margin included"),
        (rounds(((3, 3000),)), "One round of 3 trials"),
        (rounds(budget_hours=7), "Too much: the rounds need 7.56 h"),
        (rounds(()), "A budget of 10 h is too small"),
    ],
)
def test_rounds_says_whether_the_budget_holds(plan, said):
    assert title(plots.rounds(plan, "en")).startswith(said)


def test_rounds_draws_one_bar_per_trial_as_long_as_it_trains():
    bars = plots.rounds(rounds(), "en").axes[0].patches
    assert [bar.get_width() for bar in bars] == [300] * 12 + [3000] * 3


def test_rounds_takes_the_result_as_well_as_its_numbers():
    found = training_length.rounds(10, 1.5, 3000)
    assert title(plots.rounds(found, "en")) == title(plots.rounds(found.numbers, "en"))


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (noise_rows(), "batch 25 needs 1.6 times as many steps as batch 100"),
        (noise_rows(spread=400), "Too noisy to say"),
        (noise_rows(slowdown=0.5), "No setting clearly needs more steps than batch 100; fewer: batch 25"),
        (noise_rows(never=("batch 25",)), "Not every run gets there: batch 25"),
    ],
)
def test_gradient_noise_says_which_setting_needs_more_steps(rows, said):
    assert title(plots.gradient_noise(rows, 0.8, "en")).startswith(said)


def test_gradient_noise_compares_medians_as_the_result_does():
    rows = [
        {"setting": setting, "steps": steps}
        for setting, needed in (("slow", (100, 100, 130)), ("slower", (200, 200, 500)))
        for steps in needed
    ]
    assert title(plots.gradient_noise(rows, lang="en")).startswith("slower needs 2 times")


def test_gradient_noise_takes_the_result_of_measured_runs():
    runs = {"batch 100": [history("falls", seed) for seed in range(3)], "batch 25": [history("begins")] * 3}
    found = training_length.gradient_noise(runs, target=0.8)
    assert title(plots.gradient_noise(found, lang="en")) == "Not every run gets there: batch 25"
