"""The verdict on how a method's effect changes with size."""

from __future__ import annotations

import math

import pytest
from scaling_tables import FALLING, rows, shifted

from labkit import messages
from labkit.scaling import effect
from labkit.scaling.student import t_quantile

BASELINE = rows(FALLING)


def effect_of(effects: dict[float, float], noise: float = 0.01):
    return effect(BASELINE, shifted(BASELINE, effects, noise))


@pytest.mark.parametrize(
    ("effects", "noise", "verdict"),
    [
        ({16: -0.2, 32: -0.1, 64: -0.05}, 0.01, "shrinks"),
        ({16: 0.2, 32: 0.1, 64: 0.0}, 0.01, "shrinks"),
        ({16: -0.05, 32: -0.1, 64: -0.2}, 0.01, "grows"),
        ({16: 0.0, 32: 0.1, 64: 0.2}, 0.01, "grows"),
        ({16: -0.1, 32: 0.0, 64: 0.1}, 0.01, "flips"),
        ({16: -0.1, 32: 0.1, 64: -0.1}, 0.01, "flips"),
        ({16: -0.1, 32: -0.1, 64: -0.1}, 0.01, "flat"),
        ({16: 0.01, 32: -0.01, 64: 0.0}, 0.1, "too noisy"),
        ({16: -0.019, 32: -0.0055, 64: 0.008}, 0.01, "too noisy"),
    ],
    ids=[
        *("shrinks", "shrinks to nothing", "grows", "grows from nothing", "flips", "flips and back", "flat"),
        *("noise", "changes, but ends not clear"),
    ],
)
def test_the_verdict_fits_the_tables(effects, noise: float, verdict: str) -> None:
    found = effect_of(effects, noise)
    assert found.verdict == verdict
    assert (found.needed_seeds is None) == (verdict != "too noisy")


@pytest.mark.parametrize("verdict", ["shrinks", "grows", "flips", "flat"])
def test_a_method_that_raises_the_metric_gets_the_same_verdict_as_one_that_lowers_it(verdict: str) -> None:
    effects = {"shrinks": (3, 2, 1), "grows": (1, 2, 3), "flips": (-1, 0, 1), "flat": (2, 2, 2)}[verdict]
    for sign in (-1, 1):
        given = {size: sign * 0.05 * e for size, e in zip(FALLING, effects, strict=True)}
        assert effect_of(given).verdict == verdict


def test_the_effect_is_method_minus_baseline_for_each_seed() -> None:
    method = shifted(BASELINE, {16: -0.2, 32: -0.1, 64: -0.05})
    found = effect(BASELINE, list(reversed(method)))
    assert found.means == pytest.approx((-0.2, -0.1, -0.05))
    assert found.per_size[0].values == pytest.approx(
        [m["loss"] - b["loss"] for m, b in zip(method[:3], BASELINE[:3], strict=True)]
    )
    assert found.change.value == pytest.approx(0.15)
    assert found.overall.value == pytest.approx(-0.35 / 3)


def test_the_interval_at_a_size_pools_the_spread_over_all_sizes() -> None:
    found = effect_of({16: -0.2, 32: -0.1, 64: -0.05}, noise=0.02)
    half = t_quantile(0.975, 6) * 0.02 / math.sqrt(3)
    assert [high - low for low, high in found.intervals] == pytest.approx([2 * half] * 3)


def test_what_a_seed_does_to_both_runs_cancels() -> None:
    method = shifted(BASELINE, {16: -0.2, 32: -0.1, 64: -0.05})
    luck = [[r | {"loss": r["loss"] + r["seed"] * r["size"]} for r in t] for t in (BASELINE, method)]
    assert effect(*luck).intervals[0] == pytest.approx(effect(BASELINE, method).intervals[0])


def test_a_method_that_changes_nothing_at_all_is_pointed_out() -> None:
    found = effect(BASELINE, BASELINE)
    assert found.verdict == "too noisy"
    assert "really switched on" in found.text("en")


@pytest.mark.parametrize("lang", ["en", "hi"])
@pytest.mark.parametrize("effects", [(3, 2, 1), (1, 2, 3), (-1, 0, 1), (2, 2, 2), (0, 0, 0)])
def test_the_words_name_every_size_with_its_interval(lang: str, effects) -> None:
    found = effect_of({size: 0.1 * e for size, e in zip(FALLING, effects, strict=True)})
    said = found.text(lang)
    assert "16, 32, 64" in said
    for size in FALLING:
        assert f"{size}: " in said
    assert "{" not in said


@pytest.mark.parametrize("lang", ["en", "hi"])
def test_what_is_printed_has_one_line_a_size_and_no_long_line(
    lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messages, "_current", lang)
    found = effect_of({16: -0.1, 32: -0.05, 64: -0.02})
    lines = str(found).splitlines()
    start = next(n for n, line in enumerate(lines) if line.lstrip().startswith("size"))
    assert [line.split()[0] for line in lines[start + 1 : start + 4]] == ["16", "32", "64"]
    assert len({len(line) for line in lines[start : start + 4]}) == 1
