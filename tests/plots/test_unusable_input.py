"""What cannot be drawn is refused in words: what was given, what is expected; what can be drawn is."""

from __future__ import annotations

import numpy as np
import pytest
from figure_examples import rows, words
from scaling_examples import law_table, pair, table
from training_length_examples import STUDIES
from upscaling_examples import gap, race_rows, transfer_rows

from labkit import plots, scaling, schedules

LAW = scaling.fit_power_law(law_table())


def title(figure):
    return figure._suptitle.get_text().replace("\n", " ")


@pytest.mark.parametrize(
    ("schedule", "said"),
    [
        (schedules.linear(1e-3, 100, 10), "A schedule of 100 steps: on average 50 % of the base rate, 0.001"),
        (schedules.constant(1e-3, 100), "A schedule of 100 steps: on average 100 % of the base rate, 0.001"),
    ],
)
def test_one_schedule_is_drawn_alone(schedule, said):
    shown = plots.schedules(schedule, lang="en")
    assert title(shown) == said
    assert len([line for line in shown.axes[0].lines if len(line.get_xdata()) > 2]) == 1
    assert shown.png()


def test_runs_as_tuples_are_drawn_as_they_are_fitted():
    tuples = [(row["size"], row["seed"], row["loss"]) for row in law_table()]
    held_out = [(480_000, 0, 1.11)]
    shown = plots.extrapolation(scaling.fit_power_law(tuples), tuples, held_out, lang="en")
    assert title(shown).startswith("The hint held this time")


def as_text(made, *columns):
    return [row | {column: str(row[column]) for column in columns} for row in made]


@pytest.mark.parametrize(
    ("draw", "said"),
    [
        (lambda: plots.schedules("x", lang="en"), r"original is a str; expected is .*\.rate\(step\)"),
        (lambda: plots.schedules(schedules.constant(1, 9), 3, lang="en"), "extended is a int"),
        (lambda: plots.loss_by_size(table(), axis="x", lang="en"), "axis is 'x'.*parameters, width, compute"),
        (lambda: plots.effect_by_size(scaling.effect(*pair((-0.1, -0.1, -0.1))), lang="en"), "is a Effect"),
        (lambda: plots.effect_by_size({"a": 3}, lang="en"), "“a” is a int"),
        (lambda: plots.losses(rows(), lang="en"), "is a list; expected is a dictionary"),
        (lambda: plots.kinds(rows(), lang="en"), "is a list; expected is a dictionary"),
        (lambda: plots.wrong_rules(gap(), lang="en"), "is a list; expected is a dictionary"),
        (lambda: plots.losses({"a": 3}, lang="en"), "“a” is a int"),
        (lambda: plots.best_steps({"s": 3}, lang="en"), r"“s” is a int; .*\[900, 950, 980\], 1000"),
        (lambda: plots.best_steps({"s": 3, "t": [1]}, lang="en"), "“s” is a int(.|\n)*“t” is a list"),
        (lambda: plots.rounds(3, "en"), "is a int; expected .*rounds, total_hours, budget_hours"),
        (lambda: plots.rounds({"rounds": []}, "en"), "total_hours, budget_hours"),
        (lambda: plots.extrapolation(law_table(), law_table(), lang="en"), "is a list; .*fit_power_law"),
        (lambda: plots.extrapolation(LAW, 3, lang="en"), "is a int; expected is a table of rows"),
        (lambda: plots.race(3, 1, "en"), "is a int; expected is a table of rows"),
        (
            lambda: plots.transfer(as_text(transfer_rows(), "width", "learning_rate"), lang="en"),
            "Row 0: width is '32'; expected is a number(.|\n)*Row 0: learning_rate is '0.00025'",
        ),
        (lambda: plots.race(as_text(race_rows(), "loss"), 1, "en"), "Row 0: loss is '2.3"),
        (lambda: plots.noise_sweep([{"noise": 0, "loss": None}], lang="en"), "loss is None; .*NaN"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_words(draw, said):
    with pytest.raises(ValueError, match=said):
        draw()


def test_many_unusable_rows_are_counted_rather_than_listed():
    with pytest.raises(ValueError, match="and 76 more") as error:
        plots.transfer(as_text(transfer_rows(rates=(1e-3, 2e-3, 4e-3)), "loss", "width")[:43], lang="en")
    assert len(str(error.value).splitlines()) < 15


def test_numbers_of_numpy_are_numbers():
    made = [{"noise": np.float32(n), "loss": np.float64(n + 1)} for n in (0.0, 0.1)]
    assert title(plots.noise_sweep(made, lang="en"))


def test_best_steps_and_effects_take_lists_for_pairs():
    assert plots.best_steps({label: list(study) for label, study in STUDIES.items()}, lang="en")
    assert plots.effect_by_size({"a": list(pair((-0.1, -0.1, -0.1)))}, lang="en")


@pytest.mark.parametrize(
    ("column", "label"),
    [
        ("mse", "mse"),
        ("accuracy", "accuracy"),
        ("test_loss", "test loss (nats)"),
        ("loss", "loss (nats)"),
        ("glossary", "glossary"),
    ],
)
def test_only_a_loss_is_given_in_nats(column, label):
    runs = [{"size": n, "seed": s, column: 1 / n + 0.01 * s} for n in (1, 2, 3) for s in (0, 1)]
    assert plots.loss_by_size(runs, metric=column, lang="en").axes[0].get_ylabel() == label
    curve = [{"step": s, column: 1 / s} for s in (1, 2)]
    assert plots.losses({"a": curve}, column, "en").axes[0].get_ylabel() == label


def test_an_effect_on_another_metric_names_it():
    runs = [
        [{"size": n, "seed": s, "mse": d / n + 0.01 * s} for n in (1, 2, 3) for s in (0, 1)] for d in (1, 2)
    ]
    effect = scaling.effect(*runs, "mse")
    assert plots.effect_by_size({"mine": effect}, lang="en").axes[0].get_ylabel() == "effect: mse − baseline"


@pytest.mark.parametrize("lang", ["en", "hi"])
def test_long_names_do_not_run_off_the_picture(lang):
    long = "a name that is much longer than it ought to be for a panel"
    flat = pair((-0.1, -0.1, -0.1))
    shown = plots.effect_by_size({"mine, which is rather long": flat, long: flat}, lang=lang)
    shown.png()
    for panel in shown.axes:
        title_box = next(t for t in words(panel) if "…" in t.get_text() or "mine" in t.get_text())
        assert title_box.get_window_extent().width < panel.bbox.width
