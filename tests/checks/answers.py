"""Example answers: the solution of every exercise, and for every message an answer that brings it about."""

from typing import Any

import answers_notebook3
import answers_notebook4
import answers_notebook5

import labkit as lk
from labkit.checks import inputs

LATER = (answers_notebook3, answers_notebook4, answers_notebook5)

SETTINGS = [
    {"name": "baseline", "role": "baseline"},
    {"name": "mine", "role": "method"},
    {"name": "no A", "role": "ablation"},
    {"name": "no B", "role": "ablation"},
]
# The lesson's example: 12 runs, 8 h, 12 h; plan B is exactly 6 h.
DRAFT: dict[str, Any] = {
    "question": "Does random shift help?",
    "settings": SETTINGS,
    "seeds": [0, 1, 2],
    "seeds_why": "three show the spread",
    "run_time": {"kind": "measured", "minutes": 40.0, "low": 38.0, "high": 45.0},
    "margin": 0.5,
    "venue": None,
    "risks": [],
}
FORECAST = {"low_s": 9.0, "expected_s": 11.0, "high_s": 13.0, "level": 0.8, "steps": 1000}
SPEEDUP = {"data_wait_fraction": 0.8, "max_speedup": 5.0}
KILL = {"killed_at": 237, "checkpoint_every": 100, "steps_lost": 37}
TIMES = {"mean_s": 0.01, "steps": 1000, "fixed_s": 1.0, "forecast": FORECAST}
SEEDS = {"seeds": [0, 1, 2], "seeds_why": "three show the spread"}
TOTAL = {"draft": DRAFT, "runs": 12, "base_hours": 8.0, "total_hours": 12.0}
PLACE = {
    "venue": {"name": "free notebook", "session_hours": 4},
    "risks": ["the session ends without warning"],
}
PLAN_B = {
    "draft": DRAFT,
    "keep_settings": ["baseline", "mine"],
    "keep_seeds": 3,
    "why": "ablations only explain it",
}
FLAWS = {
    "A": "unequal seeds",
    "B": "guess not marked",
    "C": "plan B drops the baseline",
    "D": "no margin",
    "E": "total does not follow",
}
COMPUTE = {str(n): "not yet" if n % 2 else "perhaps" for n in range(1, 9)}
LESSON = {"q1": "b", "q2": "c", "q3": "a", "q4": "b", "q5": "c"}

SOLUTIONS: dict[str, Any] = {
    "1.1": 2.5,
    "1.2": "mean",
    "1.3": SPEEDUP,
    "1.4": KILL,
    "1.5": TIMES,
    "2.1": SETTINGS,
    "2.2": SEEDS,
    "2.3": DRAFT["run_time"],
    "2.4": TOTAL,
    "2.5": PLACE,
    "2.6": PLAN_B,
    "2.7": FLAWS,
    "2.8": COMPUTE,
    "2.9": LESSON,
    **{exercise: answer for later in LATER for exercise, answer in later.SOLUTIONS.items()},
}
# The keys that a check cell fills from the student's gaps; the other keys come from cells above.
GAPS = {
    "1.3": ("max_speedup",),
    "1.4": ("steps_lost",),
    "1.5": ("forecast",),
    "2.4": ("runs", "base_hours", "total_hours"),
    "2.6": ("keep_settings", "keep_seeds", "why"),
    **{exercise: names for later in LATER for exercise, names in later.GAPS.items()},
}


def unanswered(exercise: str) -> Any:
    """Return what the check cell of an untouched notebook passes."""
    solution = SOLUTIONS[exercise]
    if inputs(exercise) is not None:
        return [{**call, "returned": None} for call in solution]
    if exercise == "2.4":
        return {**solution, "draft": lk.draft_plan().data, **dict.fromkeys(GAPS[exercise], ...)}
    if isinstance(solution, dict) and exercise != "2.3":
        return {**solution, **dict.fromkeys(GAPS.get(exercise, solution), ...)}
    return ...


def _draft(**changes: Any) -> dict[str, Any]:
    return {**DRAFT, **changes}


def _speedup(value: Any) -> tuple[str, Any]:
    return "1.3", {**SPEEDUP, "max_speedup": value}


def _lost(value: Any) -> tuple[str, Any]:
    return "1.4", {**KILL, "steps_lost": value}


def _forecast(value: Any) -> tuple[str, Any]:
    return "1.5", {**TIMES, "forecast": value}


def _seeds(value: Any) -> tuple[str, Any]:
    return "2.2", {**SEEDS, "seeds": value}


def _run_time(**changes: Any) -> tuple[str, Any]:
    return "2.3", {**DRAFT["run_time"], **changes}


def _total(**changes: Any) -> tuple[str, Any]:
    return "2.4", {**TOTAL, **changes}


def _place(**changes: Any) -> tuple[str, Any]:
    return "2.5", {**PLACE, **changes}


def _plan_b(**changes: Any) -> tuple[str, Any]:
    return "2.6", {**PLAN_B, **changes}


def _flaw(plan: str, picked: Any) -> tuple[str, Any]:
    return "2.7", {**FLAWS, plan: picked}


_MAIN = SETTINGS[:2]
_GUESS = {"kind": "guess", "minutes": 40, "why": "a friend's run took this"}

BY_MESSAGE: dict[str, tuple[str, Any]] = {
    "not_answered": ("1.1", ...),
    "part_not_answered": _speedup(...),
    "not_a_dictionary": ("1.3", 5),
    "picks_not_a_dictionary": ("2.9", ["b", "c", "a", "b", "c"]),
    "number_in_quotes": ("1.1", "2.5 ms"),
    "number_in_list": ("1.1", (0, 5)),
    "not_a_number": ("1.1", "fast"),
    "not_called": ("1.1", lambda: 3),
    "true_or_false": ("1.1", True),
    "not_finite": ("1.1", float("nan")),
    "too_large": ("1.1", 10**5000),
    "not_whole": _lost(36.5),
    "not_text": ("1.2", 3),
    "not_an_option": ("1.2", "average"),
    "too_few_words": ("2.2", {**SEEDS, "seeds_why": "just because"}),
    "run_cells_above": ("1.3", {**SPEEDUP, "data_wait_fraction": 1.5}),
    "not_a_draft": _total(draft="my plan"),
    "draft_unfinished": _total(draft=lk.draft_plan(question="x").data),
    "draft_unusable": _total(draft=_draft(seeds=[-1])),
    "1_1.right": ("1.1", 2.5),
    "1_1.not_positive": ("1.1", 0),
    "1_2.right": ("1.2", " Mean "),
    "1_2.median": ("1.2", "median"),
    "1_2.first_step": ("1.2", "first step"),
    "1_3.right": _speedup(4.95),
    "1_3.time_left": _speedup(0.2),
    "1_3.gain": _speedup(4.0),
    "1_3.fraction": _speedup(0.8),
    "1_3.inverse": _speedup(1.25),
    "1_3.one_plus": _speedup(1.8),
    "1_3.not_positive": _speedup(-5),
    "1_3.below_one": _speedup(0.5),
    "1_3.too_high": _speedup(9),
    "1_3.too_low": _speedup(3),
    "1_4.right": _lost(37.0),
    "1_4.nothing_lost": _lost(0),
    "1_4.last_checkpoint": _lost(200),
    "1_4.to_next": _lost(63),
    "1_4.everything": _lost(237),
    "1_4.checkpoints": _lost(2),
    "1_4.negative": _lost(-37),
    "1_4.more_than_an_interval": _lost(137),
    "1_4.off_by_one": _lost(38),
    "1_4.off": _lost(50),
    "1_5.not_a_forecast": _forecast("soon"),
    "1_5.measurement": _forecast({"steps": 50, "median_s": 0.01, "mean_s": 0.01, "first_s": 0.1}),
    "1_5.run_time": _forecast(lk.Measured(minutes=0.18, low=0.15, high=0.22)),
    "1_5.one_number": _forecast(11.0),
    "1_5.order": _forecast({**FORECAST, "low_s": 12.0}),
    "1_5.range_right": _forecast(FORECAST),
    "1_5.expected_right": _forecast(FORECAST),
    "1_5.no_fixed": _forecast({**FORECAST, "expected_s": 10.0}),
    "1_5.other_steps": _forecast({**FORECAST, "expected_s": 6.0, "steps": 500}),
    "1_5.too_high": _forecast({**FORECAST, "expected_s": 12.5}),
    "1_5.too_low": _forecast({**FORECAST, "expected_s": 9.2}),
    "2_1.not_a_list": ("2.1", "baseline"),
    "2_1.single": ("2.1", lk.Setting("mine", role="method")),
    "2_1.empty": ("2.1", []),
    "2_1.not_a_setting": ("2.1", [*SETTINGS, "no C"]),
    "2_1.no_name": ("2.1", [*SETTINGS, {"name": " ", "role": "ablation"}]),
    "2_1.no_role": ("2.1", [*SETTINGS, ("no C", "control")]),
    "2_1.swapped": ("2.1", [("baseline", "ResNet"), *SETTINGS[1:]]),
    "2_1.role_near": ("2.1", [*SETTINGS[:3], ("no B", "abalation")]),
    "2_1.shape_right": ("2.1", SETTINGS),
    "2_1.main_right": ("2.1", SETTINGS),
    "2_1.no_main": ("2.1", SETTINGS[2:]),
    "2_1.no_baseline": ("2.1", SETTINGS[1:]),
    "2_1.no_method": ("2.1", [SETTINGS[0], SETTINGS[2]]),
    "2_1.ablation_right": ("2.1", SETTINGS),
    "2_1.no_ablation": ("2.1", _MAIN),
    "2_1.names_right": ("2.1", SETTINGS),
    "2_1.repeated_names": ("2.1", [*SETTINGS, {"name": "Mine", "role": "method"}]),
    "2_1.unclear_names": ("2.1", [*SETTINGS, {"name": "3", "role": "ablation"}]),
    "2_2.count_not_list": _seeds(3),
    "2_2.per_setting": _seeds({"mine": [0, 1, 2], "baseline": [0]}),
    "2_2.not_a_list": _seeds("0, 1, 2"),
    "2_2.not_a_seed": _seeds([0, 1.5, 2]),
    "2_2.repeated": _seeds([0, 1, 1]),
    "2_2.too_few": _seeds([7]),
    "2_2.two": _seeds([0, 1]),
    "2_2.seeds_right": _seeds(range(5)),
    "2_2.why_right": ("2.2", SEEDS),
    "2_3.bare_number": ("2.3", 40),
    "2_3.not_a_run_time": ("2.3", "40 min"),
    "2_3.not_positive": _run_time(minutes=0),
    "2_3.range": _run_time(low=50),
    "2_3.minutes_right": _run_time(),
    "2_3.measured": ("2.3", lk.Measured(minutes=40)),
    "2_3.guess_right": ("2.3", lk.Guess(minutes=40, why="a friend's run took this")),
    "2_3.guess_without_why": ("2.3", lk.Guess(minutes=40)),
    "2_4.runs_right": _total(),
    "2_4.runs_only_settings": _total(runs=4),
    "2_4.runs_only_seeds": _total(runs=3),
    "2_4.runs_added": _total(runs=7),
    "2_4.runs_off": _total(runs=13),
    "2_4.base_right": _total(),
    "2_4.base_follows": _total(runs=7, base_hours=4.67),
    "2_4.base_minutes": _total(base_hours=480),
    "2_4.base_one_run": _total(base_hours=0.667),
    "2_4.base_off": _total(base_hours=9),
    "2_4.total_right": _total(),
    "2_4.total_follows": _total(base_hours=9, total_hours=13.5),
    "2_4.total_no_margin": _total(total_hours=8),
    "2_4.total_only_margin": _total(total_hours=4),
    "2_4.total_margin_as_percent": _total(total_hours=408),
    "2_4.total_minutes": _total(total_hours=720),
    "2_4.total_off": _total(total_hours=20),
    "2_5.not_a_venue": _place(venue="laptop"),
    "2_5.no_name": _place(venue={"session_hours": 4}),
    "2_5.no_limit": _place(venue=lk.Venue("laptop")),
    "2_5.venue_right": _place(),
    "2_5.risks_not_a_list": _place(risks=3),
    "2_5.risk_not_in_list": _place(risks="the session may end"),
    "2_5.no_risk": _place(risks=[]),
    "2_5.risk_too_short": _place(risks=["timeout"]),
    "2_5.risks_right": _place(),
    "2_6.names_not_a_list": _plan_b(keep_settings="mine"),
    "2_6.unknown_setting": _plan_b(keep_settings=["baseline", "ours"]),
    "2_6.keeps_nothing": _plan_b(keep_settings=[]),
    "2_6.seeds_out_of_range": _plan_b(keep_seeds=4),
    "2_6.main_right": _plan_b(),
    "2_6.lost_baseline": _plan_b(keep_settings=["mine", "no A"]),
    "2_6.lost_method": _plan_b(keep_settings=["baseline"]),
    "2_6.one_seed": _plan_b(keep_seeds=1),
    "2_6.fits": _plan_b(),
    "2_6.fits_more": _plan_b(keep_seeds=2),
    "2_6.cannot_fit": _plan_b(draft=_draft(settings=_MAIN), keep_seeds=2),
    "2_6.too_big": _plan_b(keep_settings=["baseline", "mine", "no A"]),
    "2_6.order_right": _plan_b(),
    "2_6.nothing_to_drop": _plan_b(draft=_draft(settings=_MAIN, seeds=[0, 1]), keep_seeds=2),
    "2_6.nothing_dropped": _plan_b(keep_settings=[s["name"] for s in SETTINGS]),
    "2_6.important_first": _plan_b(keep_settings=["baseline", "mine", "no B"], keep_seeds=2),
    "2_6.seeds_before_ablations": _plan_b(keep_settings=["baseline", "mine", "no A"], keep_seeds=2),
    "2_6.no_why": _plan_b(why=...),
    **{f"2_7.{plan}_right": ("2.7", FLAWS) for plan in FLAWS},
    "2_7.not_unequal_seeds": _flaw("B", "unequal seeds"),
    "2_7.not_guess_not_marked": _flaw("A", "guess not marked"),
    "2_7.not_plan_b_drops_the_baseline": _flaw("A", "plan B drops the baseline"),
    "2_7.not_no_margin": _flaw("A", "no margin"),
    "2_7.not_total_does_not_follow": _flaw("A", "total does not follow"),
    "2_8.right": ("2.8", COMPUTE),
    **{
        f"2_8.wrong_{n}": ("2.8", {**COMPUTE, n: "not yet" if p == "perhaps" else "perhaps"})
        for n, p in COMPUTE.items()
    },
    "2_9.right": ("2.9", LESSON),
    "2_9.passed": ("2.9", {**LESSON, "q1": "a", "q2": "a"}),
    "2_9.not_passed": ("2.9", {**LESSON, "q1": "a", "q2": "a", "q3": "b"}),
    **{f"2_9.{q}_{p}": ("2.9", {**LESSON, q: p}) for q, key in LESSON.items() for p in "abc" if p != key},
    **{name: answer for later in LATER for name, answer in later.BY_MESSAGE.items()},
}
