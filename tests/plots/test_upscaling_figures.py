"""Figures about upscaling: the title is what the numbers show, and the drawing has these numbers."""

from __future__ import annotations

import math

import pytest
from figure_examples import words
from upscaling_examples import (
    RATES,
    correlations,
    gap,
    gaps,
    map_rows,
    noise_rows,
    race_rows,
    transfer_rows,
)

from labkit import plots
from labkit.messages import number


def title(figure):
    return figure._suptitle.get_text().replace("\n", " ")


def labels(figure):
    return " | ".join(t.get_text() for t in words(figure))


@pytest.mark.parametrize(
    ("size", "said"),
    [
        (6e-14, "stays the same function for 200 steps: outputs differ by at most 10⁻¹¹"),
        (0.01, "is not the same function: within 200 steps outputs differ by up to 2"),
        (math.nan, "outputs differ by up to inf"),
    ],
)
def test_equivalence_says_whether_the_function_stays(size, said):
    assert title(plots.equivalence(gap(size), "en")).endswith(said)


def test_equivalence_draws_both_losses():
    small, wide = plots.equivalence(gap(), "en").axes[0].lines
    assert list(small.get_ydata()) == [row["small_loss"] for row in gap()]
    assert list(wide.get_ydata()) == [row["wide_loss"] for row in gap()]


def test_an_exact_copy_is_drawn_too():
    exact = [row | {"gap": 0.0} for row in gap()]
    assert title(plots.equivalence(exact, "en")).endswith("at most 0")
    assert min(plots.equivalence(exact, "en").axes[1].lines[0].get_ydata()) > 0


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ({"right": gap(), **gaps()}, "Only with “right” does the widened model stay the same function"),
        (gaps(), "With none of these rules"),
        ({"right": gap(), "also right": gap()}, "With 2 of 2 rules"),
    ],
)
def test_wrong_rules_says_which_rule_keeps_the_function(rules, said):
    assert title(plots.wrong_rules(rules, lang="en")).startswith(said)


@pytest.mark.parametrize(
    ("noise", "said"),
    [
        (0.5, "Without noise the copies stay alike (correlation 1); with noise they part (0.8"),
        (0.0, "With this"),
    ],
)
def test_clones_says_whether_the_copies_part(noise, said):
    assert title(plots.clones(correlations(), correlations(noise), 4, lang="en")).startswith(said)


def test_clones_draws_the_last_layer_or_the_one_asked_for():
    pair = [{"first": correlations(), "last": correlations(noise)} for noise in (0.0, 0.5)]
    assert title(plots.clones(*pair, 4, lang="en")).startswith("Without noise")
    assert title(plots.clones(*pair, 4, "first", "en")).startswith("With this noise")
    with pytest.raises(ValueError, match="no layer middle; there are first, last"):
        plots.clones(*pair, 4, "middle", "en")


def test_a_unit_that_never_changes_has_no_correlation_and_is_left_out():
    dead = correlations()
    dead[0] = dead[:, 0] = math.nan
    assert "correlation 1)" in title(plots.clones(dead, correlations(0.5), 4, lang="en"))


def test_clones_refuses_matrices_of_different_layers():
    with pytest.raises(ValueError, match=r"\(48, 48\) and \(16, 16\).*k = 4"):
        plots.clones(correlations(), correlations(units=4), 4, lang="en")
    with pytest.raises(ValueError, match="k = 5"):
        plots.clones(correlations(), correlations(), 5, lang="en")


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (noise_rows(), "Noise helps: the lowest loss is 0.592, at noise 0.1; without noise it is 0.908"),
        (noise_rows(gain=0.01, spread=0.2), "Too noisy to say that noise helps"),
        (noise_rows(best=0.0001), "Here noise does not help"),
        (noise_rows(best=3), "No answer yet: the largest noise tried (1) is the best"),
        (noise_rows(noises=(0.03, 0.1, 0.3)), "The lowest loss is"),
        ([{"noise": 0, "seed": 0, "loss": math.nan}], "No noise to choose"),
    ],
)
def test_noise_sweep_says_whether_noise_helps(rows, said):
    assert title(plots.noise_sweep(rows, lang="en")).startswith(said)


@pytest.mark.parametrize(
    ("standard", "mup", "said"),
    [
        (0.25, 1, "by at most a factor of 2 under muP (×1), by more in the standard parametrisation (÷4)"),
        (1, 1, "by at most a factor of 2 in both (muP ×1, standard ×1)"),
        (1, 4, "by more than a factor of 2 under muP (×4), not in the standard parametrisation (×1)"),
        (0.25, 0.25, "by more than a factor of 2 in both (muP ÷4, standard ÷4)"),
    ],
)
def test_transfer_says_where_the_best_rate_moves(standard, mup, said):
    assert title(plots.transfer(transfer_rows(standard, mup), lang="en")).endswith(said)


@pytest.mark.parametrize(
    ("mup", "said"), [(1, "by at most a factor of 2 (×1)"), (0.25, "by more than a factor of 2 (÷4)")]
)
def test_transfer_of_one_parametrisation_says_whether_it_moves(mup, said):
    assert title(plots.transfer(transfer_rows(mup=mup, names=("mup",)), lang="en")).endswith(said)


def test_transfer_claims_nothing_from_a_best_rate_at_the_edge():
    shown = plots.transfer(transfer_rows(rates=RATES[:5]), lang="en")
    assert title(shown).startswith("No answer yet: the best learning rate is at the edge of those tried")


def test_transfer_marks_the_best_rate_of_each_width():
    panel = plots.transfer(transfer_rows(), lang="en").axes[0]
    stars = [
        line.get_xdata()[0] for line in panel.lines if line.get_marker() == "*" and len(line.get_xdata())
    ]
    assert stars == pytest.approx([8e-3, 4e-3, 2e-3])


def test_transfer_of_another_setting_names_it():
    rows = [row | {"noise_std": row["learning_rate"]} for row in transfer_rows()]
    assert "the best noise std moves by at most a factor of 2 under muP" in title(
        plots.transfer(rows, "noise_std", lang="en")
    )


def test_exercises_show_no_answer():
    asked = plots.transfer(transfer_rows(), ask=True, lang="en")
    assert "left | right" in labels(asked) or ("left" in labels(asked) and "right" in labels(asked))
    assert "best" not in labels(asked)
    assert "standard" not in labels(asked)
    assert "lowest" not in labels(plots.noise_sweep(noise_rows(), ask=True, lang="en"))
    assert title(plots.wrong_rules(gaps(), ask=True, lang="en")).endswith("which one?")


@pytest.mark.parametrize(
    ("lead", "spread", "said"),
    [
        (0.5, 0.01, "the upscaled model ends lower: 0.542 against 0.591 (5 seeds)"),
        (-0.3, 0.01, "training from scratch ends lower"),
        (0.2, 0.2, "no clear difference"),
    ],
)
def test_race_compares_at_equal_total_compute(lead, spread, said):
    assert said in title(plots.race(race_rows(lead, spread), 4e10, "en"))


def test_race_says_after_how_much_compute_scratch_is_reached_in_both_accountings():
    shown = labels(plots.race(race_rows(), 4e10, "en")).replace("\n", " ")
    assert "with 75 % of scratch's compute" in shown
    assert "with 55 % of scratch's compute" in shown
    assert (
        labels(plots.race(race_rows(lead=-0.3), 4e10, "en")).replace("\n", " ").count("its mean stays above")
        == 2
    )


def test_race_moves_the_upscaled_model_by_the_cost_of_its_base():
    counted, free = plots.race(race_rows(), 4e10, "en").axes
    starts = [min(min(line.get_xdata()) for line in panel.lines[-3:-2]) for panel in (counted, free)]
    assert starts == [4e10, 0]


def test_race_names_a_missing_route():
    rows = [row for row in race_rows() if row["route"] == "scratch"]
    with pytest.raises(ValueError, match="no rows for upscaled; the routes found are 'scratch'"):
        plots.race(rows, 4e10, "en")


@pytest.mark.parametrize(
    ("draw", "missing"),
    [
        (
            lambda: plots.equivalence([{"step": 0}], "en"),
            "Row 0 lacks gap, small_loss, wide_loss; it has step",
        ),
        (lambda: plots.noise_sweep([{"noise": 0, "loss": 1}, 3], lang="en"), "Row 1 is a int"),
        (lambda: plots.transfer([], lang="en"), "given no rows"),
    ],
)
def test_unusable_rows_are_named(draw, missing):
    with pytest.raises(ValueError, match=missing):
        draw()


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (map_rows(), "The best settings for width 64 (noise 1, rate 2) are the best for width 128, too"),
        (
            map_rows(moved=1),
            "The best settings for width 64 (noise 1, rate 2) are clearly not the best for width 128",
        ),
        (
            map_rows(moved=0.6, spread=0.01),
            "The best settings for width 64 (noise 1, rate 2) cannot be told from",
        ),
        (map_rows(widths=[64]), "The lowest loss for width 64 is 0.8"),
        (map_rows(diverges=0), "No answer: runs diverged for every pair of noise × rate (width 64)"),
        (
            map_rows(rates=(0.5, 1, 2)),
            "No answer yet: the best rate is at the edge of those tried (width 64)",
        ),
    ],
)
def test_settings_map_says_whether_the_best_pair_carries_over(rows, said):
    assert title(plots.settings_map(rows, down="rate", lang="en")).startswith(said)


def test_settings_map_calls_its_panels_as_asked():
    names = {64: "the small pair: 16 → 64", 128: "the large pair: 32 → 128"}
    shown = plots.settings_map(map_rows(), down="rate", panels=names, lang="en")
    assert [panel.get_title(loc="left") for panel in shown.axes] == list(names.values())
    assert title(shown).startswith("The best settings for the small pair: 16 → 64 (noise 1, rate 2) are")
    assert "best settings for the small pair: 16 → 64" in labels(shown)
    assert "width" not in labels(shown)


def test_settings_map_no_noise_is_not_the_edge_of_a_range():
    rows = [row | {"loss": row["loss"] + row["noise"]} for row in map_rows()]
    assert "edge" not in title(plots.settings_map(rows, down="rate", lang="en"))


def test_settings_map_writes_the_mean_of_each_pair_into_its_square():
    rows = [row for row in map_rows() if row["width"] == 64]
    mean = sum(row["loss"] for row in rows if (row["rate"], row["noise"]) == (1, 0.3)) / 3
    (panel,) = plots.settings_map(rows, down="rate", lang="en").axes
    assert {t.get_text(): t.xy for t in panel.texts}[number(mean)] == (2, 1)


def test_settings_map_marks_pairs_of_which_a_run_diverged():
    panel = plots.settings_map(map_rows(), down="rate", lang="en").axes[0]
    crosses = {(line.get_xdata()[0], line.get_ydata()[0]) for line in panel.lines if line.get_marker() == "x"}
    assert crosses == {(column, 4) for column in range(5)}
