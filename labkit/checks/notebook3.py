"""Rubrics of notebook 3, "Scaling checks", on claims, figures and cost (3.1, 3.3 to 3.5)."""

from __future__ import annotations

from collections.abc import Iterator

from labkit.checks.core import Remark, part, right, rubric, wrong
from labkit.checks.picks import graded_picks, slug
from labkit.checks.plain import JSON, shown
from labkit.checks.shapes import as_number, fields, from_above, near

CLAIMS = {
    "A": "may",
    "B": "may not",
    "C": "hint",
    "D": "may not",
    "E": "may",
    "F": "may not",
    "G": "hint",
    "H": "may",
}
EFFECTS = {"A": "shrinks", "B": "flips", "C": "too noisy", "D": "grows"}
_MOST_FLOPS = 1e30


@rubric("3.1", points=1)
def predicted_loss(answer: JSON) -> Iterator[Remark]:
    """Grade that a loss in nats per character was predicted, not how good the prediction is."""
    yield part(1, _predicted_loss, *fields(answer, "guess", "floor", "uniform"))


def _predicted_loss(guess: JSON, floor: JSON, uniform: JSON) -> Remark:
    given = as_number(guess, "predicted_loss")
    lowest = from_above(floor, "floor", low=0.0)
    highest = from_above(uniform, "uniform", low=lowest)
    if given <= 0:
        return wrong("checks.3_1.not_positive", given=shown(guess))
    if given < lowest:
        return right("checks.3_1.below_floor", given=given, floor=lowest)
    if given > highest:
        return right("checks.3_1.above_uniform", given=given, uniform=highest)
    return right("checks.3_1.right")


@rubric("3.4", points=4)
def claims(answer: JSON) -> Iterator[Remark]:
    """Grade which of eight sentences about a small study may be claimed, half a point each."""

    def about(sentence: str, picked: str) -> Remark:
        if picked == CLAIMS[sentence]:
            return right(f"checks.3_4.{slug(picked)}_right", name=sentence)
        return wrong(f"checks.3_4.not_{slug(picked)}", name=sentence)

    yield from graded_picks(answer, CLAIMS, ("may", "may not", "hint"), 0.5, about)


@rubric("3.3", points=2)
def effects(answer: JSON) -> Iterator[Remark]:
    """Grade what four pictured effects do as the model grows, half a point each."""

    def about(picture: str, picked: str) -> Remark:
        if picked == EFFECTS[picture]:
            return right(f"checks.3_3.{slug(picked)}_right", name=picture)
        if EFFECTS[picture] == "too noisy":
            return wrong("checks.3_3.read_into_noise", name=picture)
        return wrong(f"checks.3_3.not_{slug(picked)}", name=picture)

    yield from graded_picks(answer, EFFECTS, ("shrinks", "grows", "flips", "too noisy"), 0.5, about)


@rubric("3.5", points=2)
def cost(answer: JSON) -> Iterator[Remark]:
    """Grade how many times as much the big run costs as the check: big FLOPs / check FLOPs, within 2 %."""
    yield part(2, _cost, *fields(answer, "check_flops", "big_flops", "ratio"))


def _cost(check_flops: JSON, big_flops: JSON, ratio: JSON) -> Remark:
    given = as_number(ratio, "times_as_much", most=_MOST_FLOPS)
    check, big = (
        from_above(value, name, low=1.0, most=_MOST_FLOPS)
        for value, name in ((check_flops, "check_flops"), (big_flops, "big_flops"))
    )
    truth = big / check
    if near(given, truth):
        return right("checks.3_5.right")
    if given == int(given) and abs(given - truth) < 1:
        return wrong("checks.3_5.rounded", 1, given=shown(ratio))
    half_way = {"inverse": 1 / truth, "percent": 100 * truth, "percent_inverse": 100 / truth}
    for name, value in half_way.items():
        if near(given, value):
            return wrong(f"checks.3_5.{name}", 1)
    if near(given, big - check):
        return wrong("checks.3_5.difference")
    if given <= 0:
        return wrong("checks.3_5.not_positive", given=shown(ratio))
    return wrong("checks.3_5.too_high" if given > truth else "checks.3_5.too_low", given=shown(ratio))
