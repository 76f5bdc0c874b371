"""Notebook 5: the solutions, and for every message an answer that brings it about."""

from typing import Any

from student_functions import all_sides, called, right_moment, right_weight, widen

CHANGED = {
    "A": "learning rate not scaled",
    "B": "readout bias scaled",
    "C": "hidden weights not divided by k",
    "D": "second moment divided by k",
}
NOISE = {
    "sweep": [
        [0.0, 0.9, 0.01],
        [0.01, 0.85, 0.01],
        [0.1, 0.705, 0.01],
        [0.3, 0.7, 0.01],
        [1.0, 0.715, 0.01],
        [3.0, 0.95, 0.01],
        [10.0, float("nan"), float("nan")],
    ],
    "noise": 0.3,
}
TRANSFER = {"mup": "right", "rate_at_large": 0.01, "best_small": 0.01}
CLAIMS = dict(zip("ABCDEF", ("may", "may not", "may", "may not", "may not", "may"), strict=True))

SOLUTIONS: dict[str, Any] = {
    "5.1": "stays the same",
    "5.2": called("5.2", widen(right_weight)),
    "5.3": called("5.3", widen(right_moment)),
    "5.4": CHANGED,
    "5.5": NOISE,
    "5.6": TRANSFER,
    "5.7": CLAIMS,
}
GAPS = {"5.5": ("noise",), "5.6": ("mup", "rate_at_large")}


def _weight(divisor: Any, **changes: Any) -> tuple[str, Any]:
    return "5.2", called("5.2", widen(divisor, **changes))


def _moment(divisor: Any, **changes: Any) -> tuple[str, Any]:
    return "5.3", called("5.3", widen(divisor, **changes))


def _noise(value: Any) -> tuple[str, Any]:
    return "5.5", {**NOISE, "noise": value}


def _transfer(**changes: Any) -> tuple[str, Any]:
    return "5.6", {**TRANSFER, **changes}


def all_rows_and_columns(v: Any, role: str, k: int) -> Any:
    return widen(right_moment)(v, "hidden" if role == "fixed" else role, k)


BY_MESSAGE: dict[str, tuple[str, Any]] = {
    "5_1.right": ("5.1", "Falls"),
    "5_2.not_a_matrix": ("5.2", called("5.2", lambda weight, role, k: weight[0])),
    "5_2.no_branch": (
        "5.2",
        called(
            "5.2", lambda weight, role, k: None if role == "input" else widen(right_weight)(weight, role, k)
        ),
    ),
    "5_2.shape": ("5.2", called("5.2", all_sides)),
    "5_2.input_right": _weight(right_weight),
    "5_2.hidden_right": _weight(right_weight),
    "5_2.output_right": _weight(right_weight),
    "5_2.tiled": _weight(right_weight, tiled=True),
    "5_2.input_divided": _weight(lambda role, k: k),
    "5_2.output_divided": _weight(lambda role, k: k),
    "5_2.hidden_not_divided": _weight(lambda role, k: 1),
    "5_2.hidden_divided_more": _weight(lambda role, k: k * k),
    "5_2.off": _weight(lambda role, k: 7),
    "5_3.shapes_right": _moment(right_moment),
    "5_3.fixed_widened": ("5.3", called("5.3", all_rows_and_columns)),
    "5_3.values_right": _moment(right_moment),
    "5_3.values_of_some": ("5.3", called("5.3", all_rows_and_columns)),
    "5_3.tiled": _moment(right_moment, tiled=True),
    "5_3.not_divided": _moment(lambda role, k: 1),
    "5_3.divided_once": _moment(lambda role, k: 1 if role == "fixed" else k),
    "5_3.divided_thrice": _moment(lambda role, k: right_weight(role, k) * right_moment(role, k)),
    "5_3.divided_per_side": _moment(lambda role, k: k**4 if role == "hidden" else right_moment(role, k)),
    "5_3.fixed_divided": _moment(lambda role, k: k * k),
    "5_3.off": _moment(lambda role, k: 7),
    **{f"5_4.{experiment}_right": ("5.4", CHANGED) for experiment in CHANGED},
    "5_4.not_hidden": ("5.4", {**CHANGED, "B": "hidden weights not divided by k"}),
    "5_4.not_second_moment": ("5.4", {**CHANGED, "A": "second moment divided by k"}),
    "5_4.not_learning_rate": ("5.4", {**CHANGED, "B": "learning rate not scaled"}),
    "5_4.not_attention": ("5.4", {**CHANGED, "A": "attention scale 1/sqrt(head size)"}),
    "5_4.not_readout_bias": ("5.4", {**CHANGED, "A": "readout bias scaled"}),
    "5_5.best": _noise(0.3),
    "5_5.as_good": _noise(0.1),
    "5_5.zero": _noise(0),
    "5_5.not_tried": _noise(0.2),
    "5_5.diverged": _noise(10),
    "5_5.too_much": _noise(3),
    "5_5.too_little": _noise(0.01),
    "5_6.panel_right": _transfer(),
    "5_6.panel_wrong": _transfer(mup="left"),
    "5_6.rate_right": _transfer(rate_at_large=0.02),
    "5_6.not_positive": _transfer(rate_at_large=-2),
    "5_6.too_high": _transfer(rate_at_large=0.1),
    "5_6.too_low": _transfer(rate_at_large=0.004),
    "5_7.may_right": ("5.7", CLAIMS),
    "5_7.may_not_right": ("5.7", CLAIMS),
    "5_7.not_may": ("5.7", {**CLAIMS, "B": "may"}),
    "5_7.not_may_not": ("5.7", {**CLAIMS, "A": "may not"}),
}
