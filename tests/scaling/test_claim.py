"""Claims speak of the sizes really tested, and never without their limits."""

from __future__ import annotations

import math

import pytest
from scaling_tables import FALLING, rows, shifted

from labkit.scaling import TableError, claim, effect, fit_power_law, trend

TRENDS = {
    "steadily": FALLING,
    "did not change noticeably": {16: 2.0, 32: 2.0, 64: 2.0},
    "did not change steadily": {16: 2.0, 32: 1.5, 64: 1.8},
}
EFFECTS = {"shrank": (3, 2, 1), "grew": (1, 2, 3), "changed its sign": (-1, 0, 1), "no change": (2, 2, 2)}


@pytest.mark.parametrize("words", TRENDS)
def test_the_claim_of_a_trend_says_its_verdict(words: str) -> None:
    assert words in claim(trend(rows(TRENDS[words], noise=0.002)), "en").sentence


@pytest.mark.parametrize("words", EFFECTS)
def test_the_claim_of_an_effect_says_its_verdict(words: str) -> None:
    effects = {size: 0.05 * e for size, e in zip(FALLING, EFFECTS[words], strict=True)}
    table = rows(FALLING)
    assert words in claim(effect(table, shifted(table, effects)), "en").sentence


def test_nothing_is_claimed_from_noise() -> None:
    found = claim(trend(rows(FALLING, noise=1.0)), "en")
    assert "too much to say" in found.sentence
    assert "Too few seeds" in found.limits


@pytest.mark.parametrize("lang", ["en", "hi"])
def test_every_claim_names_sizes_seeds_and_that_nothing_larger_was_tested(lang: str) -> None:
    table = rows(FALLING)
    for result in (trend(table), effect(table, shifted(table, dict.fromkeys(FALLING, -0.1)))):
        found = claim(result, lang)
        assert "16, 32, 64" in found.sentence
        assert "3 seeds" in found.sentence
        assert "64" in found.limits
        assert str(found).split() == f"{found.sentence}\n{found.limits}".split()
        assert "\n" not in found.sentence + found.limits


def test_an_effect_that_holds_at_some_sizes_only_says_at_which() -> None:
    table = rows(FALLING)
    found = claim(effect(table, shifted(table, {16: -0.1, 32: -0.06, 64: 0.0})), "en").sentence
    assert "the loss is clearly lower with it at 16, 32" in found
    assert "no difference is clear at 64" in found


def test_diverged_runs_belong_to_the_limits() -> None:
    table = rows(FALLING, seeds=4)
    table[5] |= {"loss": math.nan}
    assert "1 of the runs diverged" in claim(trend(table), "en").limits


@pytest.mark.parametrize("result", [fit_power_law(rows(FALLING)), "steady", None])
def test_only_a_trend_or_an_effect_can_be_claimed(result: object) -> None:
    with pytest.raises(TableError, match=f"result is {type(result).__name__}"):
        claim(result)
