"""Numbers beyond a float, tables that can be read only once, and functions that cannot be called."""

from __future__ import annotations

import functools
from fractions import Fraction

import numpy as np
import pytest
from scaling_tables import FALLING, rows

from labkit.scaling import TableError, fit_power_law, run, trend
from labkit.scaling.student import sign_flip_p

HUGE = 10**400


def test_a_table_that_can_be_read_only_once_gives_the_same_power_law() -> None:
    table = rows({16: 2.0, 32: 1.8, 64: 1.7, 128: 1.65})
    assert str(fit_power_law(row for row in table)) == str(fit_power_law(table))


@pytest.mark.parametrize("value", [HUGE, -HUGE, Fraction(HUGE, 3)], ids=["plus", "minus", "fraction"])
def test_a_loss_too_large_for_a_float_is_not_taken_as_infinite(value: object) -> None:
    table = [row | {"loss": value} if row["seed"] == 0 else row for row in rows(FALLING)]
    with pytest.raises(TableError, match=r"Row 1: loss is .*(too large|expected a number)"):
        trend(table)


def test_a_size_too_large_for_a_float_is_refused() -> None:
    with pytest.raises(TableError, match="Row 1: size is"):
        trend([row | {"size": row["size"] * HUGE} for row in rows(FALLING)])


@pytest.mark.parametrize("result", [HUGE, {"loss": HUGE}, {"loss": 1, "x": [Fraction(HUGE)]}], ids=range(3))
def test_a_result_too_large_for_a_float_is_refused(tmp_path, result: object) -> None:
    with pytest.raises(TableError, match="too large to calculate with"):
        run(lambda size, seed: result, [16], [0], progress=False, path=tmp_path / "study.jsonl")


def test_a_study_of_a_size_too_large_for_a_float_is_refused() -> None:
    with pytest.raises(TableError, match="sizes is"):
        run(lambda size, seed: pytest.fail("was run"), [HUGE], [0], progress=False)


@pytest.mark.parametrize(
    "train",
    [
        lambda size: 1.0,
        lambda size, seed, rate: 1.0,
        lambda *, size, seed: 1.0,
        functools.partial(lambda rate, size: 1.0, 0.1),
    ],
    ids=["one", "three", "by name only", "partial"],
)
def test_a_function_that_does_not_take_size_and_seed_is_refused_before_anything_runs(tmp_path, train) -> None:
    path = tmp_path / "study.jsonl"
    with pytest.raises(TableError, match=r"train\(size, seed\)") as caught:
        run(train, [16, 16], [0], progress=False, path=path)
    assert len(caught.value.problems) == 2
    assert not path.exists()


@pytest.mark.parametrize("train", [lambda *both: 1.0, lambda size, seed, rate=0.1: 1.0, max])
def test_a_function_that_can_take_size_and_seed_is_run(train) -> None:
    assert run(train, [16], [0], progress=False)[0]["loss"] in (1.0, 16)


@pytest.mark.parametrize("shift", [0.0, 0.03, 0.1])
def test_the_sign_flip_p_of_very_many_seeds_agrees_with_flips_at_random(shift: float) -> None:
    generator = np.random.default_rng(4)
    differences = generator.standard_normal(1500) + shift
    signs = generator.choice([-1.0, 1.0], size=(4000, 1500))
    share = np.mean(np.abs(signs @ differences) >= abs(differences.sum()))
    assert sign_flip_p(differences) == pytest.approx(share, abs=0.03)


def test_many_differences_of_zero_show_no_effect() -> None:
    assert sign_flip_p(np.zeros(2000)) == 1.0
