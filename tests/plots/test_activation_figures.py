"""The coordinate check: the title says which activations grow with the width, if the runs can tell."""

from __future__ import annotations

import math

import pytest
from upscaling_examples import coordinate_rows

from labkit import plots


def title(figure):
    return figure._suptitle.get_text().replace("\n", " ")


def one(power=0.0):
    return [row for row in coordinate_rows(mup=power) if row["parametrization"] == "mup"]


def diverged(rows, name, value=math.nan):
    """The same rows, the last layer of the widest model diverged at the last step."""
    lost = {"parametrization": name, "width": 256, "step": 5, "layer": "output"}
    return [row | ({"size": value} if lost.items() <= row.items() else {}) for row in rows]


@pytest.mark.parametrize(
    ("standard", "mup", "said"),
    [
        (0.5, 0.02, "do not grow under muP (at most ×1.01 per doubling); in standard they do (×1.41)"),
        (0, 0, "grow in neither (muP at most ×1 per doubling, standard ×1)"),
        (0.5, 0.5, "grow under muP (×1.41 per doubling; standard ×1.41), so a rule is not right"),
    ],
)
def test_coordinates_says_what_grows_with_the_width(standard, mup, said):
    shown = plots.coordinates(coordinate_rows(standard, mup), "en")
    assert title(shown) == f"Width ×8, step 5: activations {said}"


@pytest.mark.parametrize(("power", "said"), [(0, "do not grow (at most ×1"), (0.5, "grow (×1.41")])
def test_coordinates_of_one_parametrisation(power, said):
    assert title(plots.coordinates(one(power), "en")).endswith(f"{said} per doubling of the width)")


@pytest.mark.parametrize("widths", [(32, 64), (32, 64, 128, 256)])
@pytest.mark.parametrize(("power", "grows"), [(0.9, True), (0.4, True), (0.2, False)])
def test_the_verdict_does_not_depend_on_how_far_the_widths_reach(widths, power, grows):
    rows = [row for row in one(power) if row["width"] in widths]
    assert ("do not grow" not in title(plots.coordinates(rows, "en"))) == grows


@pytest.mark.parametrize("rows", [one(0.5), coordinate_rows()])
def test_one_width_allows_no_verdict(rows):
    shown = plots.coordinates([row for row in rows if row["width"] == 32], "en")
    assert title(shown) == "No verdict: whether activations grow takes two widths at least"
    assert shown.png()


def test_each_parametrisation_needs_two_widths():
    rows = [r for r in coordinate_rows() if r["parametrization"] == "standard" or r["width"] == 32]
    assert title(plots.coordinates(rows, "en")).startswith("No verdict: whether")


@pytest.mark.parametrize("value", [math.nan, math.inf])
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("mup", "No verdict: by step 5 runs diverged (muP)"),
        ("standard", "No verdict: by step 5 runs diverged (standard)"),
    ],
)
def test_a_diverged_run_does_not_blame_the_rules(name, said, value):
    shown = plots.coordinates(diverged(coordinate_rows(), name, value), "en")
    assert title(shown).startswith(said)
    assert "rule" not in title(shown)


def test_runs_that_all_diverged_are_said_to_have_diverged():
    lost = [row | {"size": math.nan} for row in one()]
    assert title(plots.coordinates(lost, "en")).startswith("No verdict: by step 5 runs diverged")
    assert plots.coordinates(lost, "en").png()


def test_a_layer_that_starts_at_zero_does_not_count_as_growing():
    rows = [row | ({"size": 0.0} if row["layer"] == "output" else {}) for row in one()]
    assert "do not grow" in title(plots.coordinates(rows, "en"))
