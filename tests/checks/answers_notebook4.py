"""Notebook 4: the solutions, and for every message an answer that brings it about."""

from typing import Any

import student_functions as functions
from student_functions import called, cosine, linear, schedule

KINDS = {"mnist1d": "not compute-bound", "kahani": "compute-bound"}
CURVES = {"A": "compute-bound", "B": "not compute-bound", "C": "cannot tell", "D": "not compute-bound"}
SWEEP = {"guess": "no answer", "next": "larger rates"}
STUDIES = {
    "A": "far too long",
    "B": "train longer",
    "C": "keep",
    "D": "not comparable",
    "E": "keep",
    "F": "train longer",
}
ROUNDS = {
    "budget_hours": 2.0,
    "step_s": 0.1,
    "rounds": [{"trials": 12, "steps": 2_000}, {"trials": 2, "steps": 20_000}],
}
CARRIED = {
    **dict.fromkeys("AB", "very likely"),
    "C": "likely",
    **dict.fromkeys("DEF", "perhaps"),
    **dict.fromkeys("GH", "unlikely"),
}

SOLUTIONS: dict[str, Any] = {
    "4.1": KINDS,
    "4.2": CURVES,
    "4.3": SWEEP,
    "4.4": STUDIES,
    "4.5": called("4.5", schedule()),
    "4.6": ROUNDS,
    "4.7": CARRIED,
}
GAPS = {"4.6": ("rounds",)}


def _rate(**changes: Any) -> tuple[str, Any]:
    return "4.5", called("4.5", schedule(**changes))


def _linear(rate: Any) -> tuple[str, Any]:
    return _rate(linear_rate=rate)


def _cosine(rate: Any) -> tuple[str, Any]:
    return _rate(cosine_rate=rate)


def _rounds(first: tuple[int, int], second: tuple[int, int]) -> tuple[str, Any]:
    listed = [{"trials": trials, "steps": steps} for trials, steps in (first, second)]
    return "4.6", {**ROUNDS, "rounds": listed}


BY_MESSAGE: dict[str, tuple[str, Any]] = {
    "4_1.right": ("4.1", KINDS),
    **{f"4_2.{curve}_right": ("4.2", CURVES) for curve in CURVES},
    **{
        f"4_2.{curve}_{picked.replace(' ', '_').replace('-', '_')}": ("4.2", {**CURVES, curve: picked})
        for curve, kind in CURVES.items()
        for picked in ("compute-bound", "not compute-bound", "cannot tell")
        if picked != kind
    },
    "4_3.guess_right": ("4.3", {**SWEEP, "guess": "No answer."}),
    "4_3.read_anyway": ("4.3", {**SWEEP, "guess": 400}),
    "4_3.not_a_guess": ("4.3", {**SWEEP, "guess": "soon"}),
    "4_3.next_right": ("4.3", SWEEP),
    "4_3.smaller_rates": ("4.3", {**SWEEP, "next": "smaller rates"}),
    "4_3.longer_trials": ("4.3", {**SWEEP, "next": "longer trials"}),
    "4_4.far_too_long_right": ("4.4", STUDIES),
    "4_4.train_longer_right": ("4.4", STUDIES),
    "4_4.keep_right": ("4.4", STUDIES),
    "4_4.not_comparable_right": ("4.4", STUDIES),
    "4_4.not_far_too_long": ("4.4", {**STUDIES, "C": "far too long"}),
    "4_4.not_train_longer": ("4.4", {**STUDIES, "C": "train longer"}),
    "4_4.not_keep": ("4.4", {**STUDIES, "A": "keep"}),
    "4_4.not_not_comparable": ("4.4", {**STUDIES, "A": "not comparable"}),
    "4_4.unequal": ("4.4", {**STUDIES, "D": "keep"}),
    "4_5.start_right": _rate(),
    "4_5.no_warmup": _linear(lambda s, base, w, c, d, x: functions.right_linear(max(s, w), base, w, c, d, x)),
    "4_5.warmup_stretched": _linear(functions.wholly_stretched),
    "4_5.start_off": _linear(lambda *_: 7.0),
    "4_5.linear_right": _rate(),
    "4_5.decay_stretched": _linear(lambda s, base, w, c, d, x: linear(s, base, w, w + c, d + x)),
    "4_5.not_lengthened": _linear(lambda s, base, w, c, d, _: linear(s, base, w, w + c, d)),
    "4_5.wholly_stretched": _linear(functions.wholly_stretched),
    "4_5.no_decay": _linear(lambda s, base, w, *_: linear(s, base, w, 10**9, 1)),
    "4_5.linear_off": _linear(lambda *_: 7.0),
    "4_5.after_end": _linear(
        lambda s, base, w, c, d, x: base * (s / w if s < w else min(1, (w + c + d + x - s) / d))
    ),
    "4_5.fails_without_warmup": (
        "4.5",
        called("4.5", lambda step, base, warmup, *rest: schedule()(step, base, warmup, *rest) + 0 / warmup),
    ),
    "4_5.cosine_right": _rate(),
    "4_5.cosine_no_warmup": _cosine(lambda s, base, w, c, d, x: cosine(s, base, 0, w, w + c + d + x)),
    "4_5.cosine_not_stretched": _cosine(lambda s, base, w, c, d, _: cosine(s, base, w, w, w + c + d)),
    "4_5.cosine_after_constant": _cosine(
        lambda s, base, w, c, d, x: cosine(s, base, w, w + c + x, w + c + d + x)
    ),
    "4_5.cosine_from_zero": _cosine(lambda s, base, w, c, d, x: cosine(s, base, w, 0, w + c + d + x)),
    "4_5.cosine_is_linear": _cosine(functions.right_linear),
    "4_5.cosine_off": _cosine(lambda *_: 7.0),
    "4_6.not_two_rounds": ("4.6", {**ROUNDS, "rounds": ROUNDS["rounds"][:1]}),
    "4_6.not_a_round": ("4.6", {**ROUNDS, "rounds": [(12, 2000), (2, 20000)]}),
    "4_6.not_positive": _rounds((0, 2_000), (2, 20_000)),
    "4_6.fits": _rounds((12, 2_000), (2, 20_000)),
    "4_6.too_much": _rounds((24, 2_000), (2, 20_000)),
    "4_6.grows_right": _rounds((12, 2_000), (2, 20_000)),
    "4_6.not_fewer": _rounds((3, 2_000), (3, 20_000)),
    "4_6.not_longer": _rounds((6, 5_000), (2, 5_000)),
    "4_6.not_growing": _rounds((3, 5_000), (5, 4_000)),
    "4_6.first_right": _rounds((12, 2_000), (2, 20_000)),
    "4_6.few_trials": _rounds((2, 2_000), (1, 40_000)),
    "4_6.first_too_long": _rounds((4, 8_000), (2, 20_000)),
    "4_6.first_too_short": _rounds((50, 400), (2, 20_000)),
    "4_6.second_right": _rounds((12, 2_000), (2, 20_000)),
    "4_6.second_too_small": _rounds((12, 2_000), (1, 20_000)),
    **{f"4_7.{kind.replace(' ', '_')}_right": ("4.7", CARRIED) for kind in CARRIED.values()},
    **{
        f"4_7.wrong_{n}": ("4.7", {**CARRIED, n: "likely" if kind == "very likely" else "very likely"})
        for n, kind in CARRIED.items()
    },
}
