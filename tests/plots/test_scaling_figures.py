"""Scaling figures: the title is what the numbers show, and the drawing has these numbers."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from figure_examples import words
from matplotlib.figure import Figure
from notebook_figures import extrapolation
from scaling_examples import PAIRS, SIZES, diverged, pair, table

from labkit import plots, scaling
from labkit.plots.scaling import _draw_fitted_floor


def title(figure):
    return figure._suptitle.get_text().replace("\n", " ")


def labels(figure):
    return " | ".join(t.get_text() for t in words(figure))


@pytest.mark.parametrize(
    ("losses", "spread", "said"),
    [
        ((1.42, 1.24, 1.13), 0.01, "The loss falls steadily over 3 sizes, from 1.42 to 1.12 (3 seeds)"),
        ((1.13, 1.24, 1.42), 0.01, "The loss rises steadily"),
        ((1.2, 1.2, 1.2), 0.001, "The loss does not change over 3 sizes"),
        ((1.4, 1.1, 1.3), 0.01, "No steady trend over 3 sizes: the loss turns on the way"),
        ((1.2, 1.21, 1.19), 0.1, "Too noisy to say whether the loss changes"),
        ((1.42, 1.13, 1.14), 0.02, "The loss falls from 1.41 to 1.13; whether at each of the 3 sizes"),
        ((1.14, 1.13, 1.42), 0.02, "The loss rises from"),
    ],
)
def test_loss_by_size_says_what_the_trend_is(losses, spread, said):
    assert said in title(plots.loss_by_size(table(losses, spread), lang="en"))


def test_loss_by_size_takes_a_trend_as_well_as_its_table():
    drawn = plots.loss_by_size(scaling.trend(table()), lang="en")
    assert title(drawn) == title(plots.loss_by_size(table(), lang="en"))


def test_loss_by_size_draws_every_run_and_the_mean_at_its_size():
    axes = plots.loss_by_size(table(), lang="en").axes[0]
    drawn = [list(line.get_ydata()) for line in axes.lines if line.get_marker() == "o"]
    assert drawn[:3] == [[row["loss"] for row in table() if row["size"] == size] for size in SIZES]
    (means,) = [line for line in axes.lines if line.get_marker() == "D"]
    assert tuple(means.get_xdata()) == SIZES


def test_loss_by_size_against_compute_takes_the_flops_of_the_rows():
    axes = plots.loss_by_size(table(), axis="compute", lang="en").axes[0]
    (means,) = [line for line in axes.lines if line.get_marker() == "D"]
    assert list(means.get_xdata()) == [size * 5e6 for size in SIZES]
    assert axes.get_xlabel() == "compute (10⁹ training FLOPs)"


def test_loss_by_size_against_compute_names_the_rows_without_flops():
    rows = [{key: value for key, value in row.items() if key != "flops"} for row in table()]
    with pytest.raises(ValueError, match=r"Row 8 lacks flops; it has size, seed, loss"):
        plots.loss_by_size(rows, axis="compute", lang="en")


def test_a_diverged_run_is_shown_as_diverged():
    assert "diverged" in labels(plots.loss_by_size(diverged(), lang="en"))
    assert "diverged" not in labels(plots.loss_by_size(table(), lang="en"))


def test_the_floor_is_drawn_and_named():
    drawn = plots.loss_by_size(table(), floor=1.034, lang="en")
    assert "best possible: 1.03" in labels(drawn)
    assert 1.034 in [line.get_ydata()[0] for line in drawn.axes[0].lines if len(line.get_ydata())]


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("A", "the effect shrinks over these sizes"),
        ("B", "the effect flips"),
        ("C", "too noisy to say"),
        ("D", "the effect grows over these sizes"),
    ],
)
def test_effect_by_size_says_what_the_effect_does(name, verdict):
    assert title(plots.effect_by_size({name: PAIRS[name]}, lang="en")) == f"{name}: {verdict}"


def test_effect_by_size_says_when_the_effect_stays():
    flat = pair((-0.1, -0.1, -0.1))
    assert title(plots.effect_by_size({"mine": flat}, lang="en")) == "mine: the effect stays the same"


def test_effect_by_size_groups_several_by_verdict():
    said = title(plots.effect_by_size({"x": PAIRS["A"], "y": PAIRS["B"], "z": PAIRS["A"]}, lang="en"))
    assert said == "The effect shrinks over these sizes: x, z; the effect flips: y"


def test_an_exercise_about_effects_shows_no_verdict():
    shown = labels(plots.effect_by_size(PAIRS, ask=True, lang="en"))
    assert "A |" in shown
    assert "the effect" not in shown.replace("Does the effect", "")


@pytest.mark.parametrize(
    ("loss", "said"), [(1.11, "The hint held this time"), (1.2, "The hint did not hold")]
)
def test_extrapolation_says_whether_the_run_kept_for_later_fell_in_the_band(loss, said):
    drawn = extrapolation("en", [{"size": 480_000, "loss": loss}])
    assert title(drawn).startswith(f"{said}: at size 480,000 the loss is {loss}")


def test_extrapolation_without_a_run_calls_itself_a_hint():
    assert title(extrapolation("en")).startswith("A hint, no guarantee: at size 520,000")


def test_a_band_can_be_drawn_before_the_run_kept_for_later_is_shown():
    kept = [{"size": 480_000, "loss": 1.11}] * 3
    shown, first = extrapolation("en", kept), extrapolation("en", kept, ask=True)
    assert title(first).startswith("A hint, no guarantee: at size 480,000")
    band = title(shown).split("band ")[1]
    assert title(first).endswith(band)
    assert "kept for later" not in labels(first)


@pytest.mark.parametrize(("low", "reached"), [(0.9, 0.9), (0.0, None)])
def test_the_fitted_floor_is_drawn_to_its_end_or_with_an_arrow(low, reached):
    axes = Figure().add_subplot()
    axes.set_ylim(1.0, 1.3)
    _draw_fitted_floor(axes, SimpleNamespace(low=low, high=1.02), 1.0, "en")
    markers = [line for line in axes.lines if line.get_marker() == "v"]
    assert bool(markers) == (reached is None)
    if reached is not None:
        assert axes.get_ylim()[0] < reached


def test_the_band_is_wider_for_one_run_than_for_many():
    def height(runs):
        drawn = extrapolation("en", [{"size": 480_000, "loss": 1.11}] * runs)
        (band,) = drawn.axes[0].collections
        box = band.get_paths()[0].vertices
        return box[:, 1].max() - box[:, 1].min()

    assert height(1) > height(9)


@pytest.mark.parametrize("lang", ["en", "hi"])
def test_nothing_to_compare_is_said_in_words(lang):
    with pytest.raises(ValueError, match=r"plots\.effect_by_size"):
        plots.effect_by_size({}, lang=lang)
