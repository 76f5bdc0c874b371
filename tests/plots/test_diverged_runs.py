"""Figures of diverged runs: their titles say that runs diverged, and conclude nothing from them."""

from __future__ import annotations

import math

import pytest
from figure_examples import words
from notebook_figures import extrapolation
from upscaling_examples import gap, gaps, transfer_rows

from labkit import plots

NAN = math.nan


def title(figure):
    return figure._suptitle.get_text().replace("\n", " ")


def legend(figure):
    return " | ".join(t.get_text() for t in words(figure))


def run(*values):
    return [{"step": 10 * i, "train_loss": value} for i, value in enumerate(values)]


def lost(rows, **where):
    return [row | ({"loss": NAN} if where.items() <= row.items() else {}) for row in rows]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (lost(transfer_rows()), "No answer: at every learning rate tried runs diverged; try smaller"),
        (
            lost(transfer_rows(), width=128, parametrization="mup"),
            "at every learning rate tried runs diverged (muP, width 128)",
        ),
        (
            lost(transfer_rows(names=("mup",)), width=32),
            "at every learning rate tried runs diverged (muP, width 32)",
        ),
    ],
)
def test_transfer_says_where_no_setting_trains(rows, said):
    shown = plots.transfer(rows, lang="en")
    assert said in title(shown)
    assert "edge" not in title(shown)
    assert shown.png()


@pytest.mark.parametrize("losses", [[NAN], [math.inf], [1.1, NAN]])
def test_a_diverged_run_kept_for_later_tests_no_hint(losses):
    shown = extrapolation("en", [{"size": 480_000, "loss": loss} for loss in losses])
    assert title(shown).startswith("The hint stays untested: at size 480,000 a run diverged")
    assert "run kept for later" not in legend(shown)


@pytest.mark.parametrize(
    ("models", "said"),
    [
        (
            ("small_loss", "wide_loss"),
            "No verdict: from step 100 on the small model's own loss is inf or NaN",
        ),
        (("small_loss",), "No verdict: from step 100 on the small model's own loss is inf or NaN"),
        (("wide_loss",), "The widened model is not the same function: it diverged at step 100"),
    ],
)
def test_equivalence_tells_a_diverged_run_from_a_wrong_rule(models, said):
    rows = [row | (dict.fromkeys(models, NAN) if row["step"] >= 100 else {}) for row in gap()]
    assert title(plots.equivalence(rows, "en")).startswith(said)


def test_wrong_rules_concludes_nothing_if_the_outputs_are_no_numbers_under_any_rule():
    broken = {label: [row | {"gap": NAN} for row in rows] for label, rows in gaps().items()}
    shown = plots.wrong_rules(broken, lang="en")
    assert title(shown).startswith("No verdict: under every rule")
    assert shown.png()
    assert title(plots.wrong_rules({**broken, "right": gap()}, lang="en")).startswith("Only with “right”")


@pytest.mark.parametrize(
    ("runs", "said"),
    [
        ({"a": run(NAN, NAN)}, "The run diverged: the train loss is inf or NaN from step 0 on"),
        ({"a": run(2, 1, math.inf)}, "The run diverged: the train loss is inf or NaN from step 20 on"),
        ({"a": [run(2, 1), run(2, NAN)]}, "The run diverged: the train loss is inf or NaN from step 10 on"),
        ({"a": run(2, NAN), "b": run(NAN, NAN)}, "Every run diverged: no train loss at the end"),
        ({"a": run(2, NAN), "b": run(2, 1)}, "Lowest train loss at the end: b (1); diverged: a"),
    ],
)
def test_losses_says_which_runs_diverged(runs, said):
    shown = plots.losses(runs, lang="en")
    assert title(shown) == said
    assert shown.png()


@pytest.mark.parametrize(
    ("runs", "said"),
    [
        ({"a": run(2, 1), "b": run(3, 1)}, "The train loss at the end is the same for all: 1"),
        ({"a": run(2, 1), "b": run(3, 1), "c": run(2, 2)}, "Lowest train loss at the end: a, b (1)"),
    ],
)
def test_losses_of_equal_runs_names_no_single_winner(runs, said):
    assert title(plots.losses(runs, lang="en")) == said
