"""Notebook 3: the solutions, and for every message an answer that brings it about."""

import statistics
from typing import Any

import student_functions as functions
from student_functions import by_position, by_seed, called, compare

LOSS = {"guess": 1.2, "floor": 0.8, "uniform": 3.4}
CLAIMS = dict(
    zip("ABCDEFGH", ("may", "may not", "hint", "may not", "may", "may not", "hint", "may"), strict=True)
)
EFFECTS = {"A": "shrinks", "B": "flips", "C": "too noisy", "D": "grows"}
COST = {"check_flops": 2e12, "big_flops": 3e15, "ratio": 1500}

SOLUTIONS: dict[str, Any] = {
    "3.1": LOSS,
    "3.2": called("3.2", compare()),
    "3.3": EFFECTS,
    "3.4": CLAIMS,
    "3.5": COST,
}
GAPS = {"3.1": ("guess",), "3.5": ("ratio",)}


def _guess(value: Any) -> tuple[str, Any]:
    return "3.1", {**LOSS, "guess": value}


def _paired(function: Any) -> tuple[str, Any]:
    return "3.2", called("3.2", function)


def _ratio(value: Any) -> tuple[str, Any]:
    return "3.5", {**COST, "ratio": value}


BY_MESSAGE: dict[str, tuple[str, Any]] = {
    "not_a_function": ("3.2", [0.1, 0.02]),
    "returns_nothing": _paired(lambda a, b: [..., ...]),
    "function_failed": _paired(functions.fails_without_partner),
    "function_endless": _paired(functions.is_stopped),
    "3_1.right": _guess(1.2),
    "3_1.not_positive": _guess(-1),
    "3_1.below_floor": _guess(0.5),
    "3_1.above_uniform": _guess(5),
    "3_2.not_two_numbers": _paired(lambda a, b: 0.1),
    "3_2.swapped": _paired(lambda a, b: compare()(a, b)[::-1]),
    "3_2.pairs_right": _paired(compare()),
    "3_2.pairs_by_position": _paired(compare(by_position)),
    "3_2.pairs_apart": _paired(functions.means_apart),
    "3_2.pairs_off": _paired(lambda a, b: [1.0, 0.5]),
    "3_2.mean_right": _paired(compare()),
    "3_2.mean_right_so_far": _paired(functions.fails_without_partner),
    "3_2.mean_follows": _paired(compare(by_position)),
    "3_2.sign": _paired(lambda a, b: compare()(b, a)),
    "3_2.sum": _paired(compare(mean=sum)),
    "3_2.mean_off": _paired(lambda a, b: [1.0, 0.5]),
    "3_2.error_right": _paired(compare()),
    "3_2.error_right_so_far": _paired(functions.fails_without_partner),
    "3_2.error_follows": _paired(compare(by_position)),
    "3_2.divided_by_n": _paired(compare(error=lambda d: statistics.pstdev(d) / len(d) ** 0.5)),
    "3_2.no_root": _paired(compare(error=statistics.stdev)),
    "3_2.root_forgotten": _paired(compare(error=lambda d: statistics.stdev(d) / len(d))),
    "3_2.numpy_std": _paired(compare(error=statistics.pstdev)),
    "3_2.unpaired": _paired(functions.unpaired),
    "3_2.error_off": _paired(lambda a, b: [statistics.mean(by_seed(a, b)), 0.5]),
    "3_4.may_right": ("3.4", CLAIMS),
    "3_4.may_not_right": ("3.4", CLAIMS),
    "3_4.hint_right": ("3.4", CLAIMS),
    "3_4.not_may": ("3.4", {**CLAIMS, "B": "may"}),
    "3_4.not_may_not": ("3.4", {**CLAIMS, "A": "may not"}),
    "3_4.not_hint": ("3.4", {**CLAIMS, "A": "hint"}),
    "3_3.shrinks_right": ("3.3", EFFECTS),
    "3_3.grows_right": ("3.3", EFFECTS),
    "3_3.flips_right": ("3.3", EFFECTS),
    "3_3.too_noisy_right": ("3.3", EFFECTS),
    "3_3.not_shrinks": ("3.3", {**EFFECTS, "B": "shrinks"}),
    "3_3.not_grows": ("3.3", {**EFFECTS, "A": "grows"}),
    "3_3.not_flips": ("3.3", {**EFFECTS, "A": "flips"}),
    "3_3.not_too_noisy": ("3.3", {**EFFECTS, "A": "too noisy"}),
    "3_3.read_into_noise": ("3.3", {**EFFECTS, "C": "grows"}),
    "3_5.right": _ratio(1490),
    "3_5.inverse": _ratio(1 / 1500),
    "3_5.percent": _ratio(150_000),
    "3_5.percent_inverse": _ratio(0.0667),
    "3_5.difference": _ratio(2.998e15),
    "3_5.not_positive": _ratio(0),
    "3_5.rounded": ("3.5", {"check_flops": 1e12, "big_flops": 2.6e12, "ratio": 3}),
    "3_5.too_high": _ratio(2000),
    "3_5.too_low": _ratio(1000),
}
