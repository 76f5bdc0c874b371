"""What each figure says: the title states what the numbers show, and the drawing has these numbers."""

from __future__ import annotations

import pytest
from figure_examples import forecast, plan, rows, times, words

import labkit as lk
from labkit import plots


def title(figure):
    return figure._suptitle.get_text()


def labels(figure):
    return [t.get_text() for t in words(figure)]


def test_step_times_sets_the_first_step_against_the_mean():
    assert title(plots.step_times(times(first_s=0.035), "en")).endswith("the very first took 35 ms")


def test_step_times_draws_every_measured_step_after_the_warm_up():
    line = plots.step_times(times(steps=60), "en").axes[0].lines[0]
    assert list(line.get_xdata()) == list(range(6, 66))


def test_waiting_names_the_loader_that_waits_most():
    shown = plots.waiting({"prepared": times(), "slow": times(0.25e-3, 0.75e-3)}, "en")
    assert title(shown) == "slow: 75 % of each step goes on waiting for data"


def test_waiting_says_so_when_nothing_waits():
    assert title(plots.waiting({"prepared": times()}, "en")).startswith("Busy, not waiting")


def test_speed_names_the_fastest_and_by_how_much():
    shown = plots.speed({"float32": times(2e-3, 0), "bfloat16": times(1e-3, 0)}, "en")
    assert title(shown) == "On this machine bfloat16 is 2 times as fast as float32"


def test_speed_says_when_the_reference_is_fastest():
    shown = plots.speed({"float32": times(1e-3), "bfloat16": times(2e-3)}, "en")
    assert title(shown) == "On this machine nothing is faster than float32"


def test_speed_claims_no_difference_that_the_spread_hides():
    shown = plots.speed({"float32": times(1e-3), "bfloat16": times(0.98e-3)}, "en")
    assert title(shown).startswith("No clear difference")


@pytest.mark.parametrize(("slope", "said"), [(1.0, "falls from"), (-1.0, "does not fall")])
def test_losses_says_whether_the_loss_falls(slope, said):
    assert said in title(plots.losses({"run": rows(slope)}, lang="en"))


def test_losses_draws_a_thin_line_per_seed_and_their_mean():
    lines = plots.losses({"a": [rows(seed=0), rows(seed=1)]}, lang="en").axes[0].lines
    first, second, mean = (list(line.get_ydata()) for line in lines)
    assert mean == pytest.approx([(a + b) / 2 for a, b in zip(first, second, strict=True)])


def test_losses_takes_anything_with_rows():
    class Run:
        rows = rows()

    assert len(plots.losses({"a": Run()}, lang="en").axes[0].lines) == 1


def test_losses_lists_the_columns_there_are_when_asked_for_another():
    with pytest.raises(ValueError, match="no column 'loss'; they have step, train_loss"):
        plots.losses({"a": rows()}, column="loss", lang="en")


@pytest.mark.parametrize("draw", [plots.losses, plots.waiting, plots.speed])
@pytest.mark.parametrize(("lang", "said"), [("en", "nothing to draw"), ("hi", "कुछ नहीं")])
def test_nothing_to_draw_is_said_in_words(draw, lang, said):
    with pytest.raises(ValueError, match=said):
        draw({}, lang=lang)


@pytest.mark.parametrize(("actual", "said"), [(12.0, "inside"), (16.0, "outside"), (9.0, "outside")])
def test_forecast_says_whether_the_range_held_the_truth(actual, said):
    assert said in title(plots.forecast(forecast(), actual, "en"))


def test_plan_hours_bars_are_as_high_as_the_totals():
    bars = plots.plan_hours(plan(), lang="en").axes[0].patches
    heights = {x: sum(b.get_height() for b in bars if round(b.get_x() + 0.3) == x) for x in (0, 1)}
    assert heights == pytest.approx({0: 12.0, 1: 6.0})


def test_plan_hours_draws_the_line_at_half_of_the_plan():
    shown = plots.plan_hours(plan(), lang="en")
    assert "half of it: 6 h" in labels(shown)
    assert 6.0 in [line.get_ydata()[0] for line in shown.axes[0].lines]


def test_plan_hours_range_reaches_from_low_to_high():
    bar = plots.plan_hours(plan(), lang="en").axes[0].containers
    error = next(c for c in bar if type(c).__name__ == "ErrorbarContainer")
    (segment,) = error.lines[2][0].get_segments()
    assert segment[:, 1] == pytest.approx([12 * 35 / 40, 12 * 60 / 40])


@pytest.mark.parametrize(
    ("run_time", "said"),
    [(lk.Measured(40), "run time measured: 40 min"), (lk.Guess(40, "a hunch"), "run time guessed: 40 min")],
)
def test_plan_hours_says_measured_or_guessed(run_time, said):
    assert said in labels(plots.plan_hours(plan(run_time=run_time), lang="en"))


def test_plan_hours_says_when_plan_b_does_not_fit():
    pair = plan(["baseline", "mine"])
    two_seeds = lk.ComputePlan("?", pair.settings, [0, 1], "", pair.run_time)
    assert title(plots.plan_hours(two_seeds, lang="en")).endswith("more than half of it")


def test_two_plans_says_which_needs_less_and_draws_the_settings_of_both():
    shown = plots.two_plans({"A": plan(), "B": plan(["baseline", "one more"])}, lang="en")
    assert title(shown) == "B needs 6 h, A 12 h"
    assert {"mine", "no A", "no B", "one more"} <= set(labels(shown))
    with pytest.raises(ValueError, match="You gave 1 plans"):
        plots.two_plans({"A": plan()}, lang="en")


def test_plan_hours_draws_many_settings_together_so_that_the_legend_fits():
    shown = labels(plots.plan_hours(plan([f"setting {i}" for i in range(12)]), lang="en"))
    assert "5 more settings" in shown


def test_plan_hours_of_a_tiny_plan_are_shown_in_a_smaller_unit():
    assert "time of the machine (min)" in labels(plots.plan_hours(plan(run_time=lk.Measured(1)), lang="en"))
