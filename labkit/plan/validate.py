"""All rules for a plan as pure functions on its plain dict; everything else is built on `problems_in`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from labkit.plan.fields import Findings, visible
from labkit.plan.notes import PlanError, Problem

ROLES = ("baseline", "method", "ablation")
KINDS = ("measured", "guess")

# Sizes no plan needs; with them no product overflows or loses digits.
MAX_SETTINGS = 1000
MAX_SEEDS = 10_000
MAX_SEED = 2**32 - 1  # the largest that numpy takes
MAX_RISKS = 100
MAX_NAME = 200
MAX_TEXT = 5000
MIN_MINUTES, MAX_MINUTES = 1e-6, 5_256_000.0  # 0.06 ms to ten years
MAX_MARGIN = 1000.0
MAX_HOURS = 87_600.0  # ten years
MAX_DAYS = 3650.0
MAX_PRICE = 1e9
MAX_PRIORITY = 1e9
# A margin beyond this was meant in per cent.
SANE_MARGIN = 2.0

PLAN_KEYS = ("question", "settings", "seeds", "seeds_why", "run_time", "margin", "venue", "risks")
SETTING_KEYS = ("name", "role", "run_time", "priority")
RUN_TIME_KEYS = {"measured": ("kind", "minutes", "low", "high"), "guess": ("kind", "minutes", "low", "high", "why")}
# What is expected of each limit, and its smallest and largest value.
VENUE_LIMITS = {
    "session_hours": ("hours", MIN_MINUTES, MAX_HOURS),
    "hours_per_week": ("hours", MIN_MINUTES, MAX_HOURS),
    "checkpoint_minutes": ("minutes", MIN_MINUTES, MAX_MINUTES),
    "price_per_hour": ("price", 0.0, MAX_PRICE),
    "days_available": ("days", MIN_MINUTES, MAX_DAYS),
}
VENUE_KEYS = ("name", *VENUE_LIMITS, "currency")


def problems_in(data: object) -> list[Problem]:
    """List every fault of a plan given as a plain dict (the form of `ComputePlan.to_dict()`).

    Works on any value, changes nothing and never raises. One fault gives one problem: what follows from a
    fault is not reported as well. Problems with `.fatal` keep a plan from being built.
    """
    found = Findings()
    plan = found.mapping(data, "plan", "plan", PLAN_KEYS)
    if plan is None:
        return found.problems
    _question(found, plan.get("question"))
    settings = _settings(found, plan.get("settings"))
    seeds = _seeds(found, plan.get("seeds"))
    _why(found, plan.get("seeds_why"), "seeds_why", "no_seeds_why")
    common = _common_run_time(found, plan.get("run_time"), settings)
    margin = _margin(found, plan.get("margin", 0.5))
    venue = _venue(found, plan.get("venue"))
    _risks(found, plan.get("risks"))
    if not any(problem.fatal for problem in found.problems) and settings and venue:
        _session_length(found, settings, common, venue)
    del seeds, margin
    return found.problems


def setting_problems(data: object, where: str = "setting") -> list[Problem]:
    """List every fault of one setting given as a plain dict."""
    found = Findings()
    _setting(found, data, where)
    return found.problems


def run_time_problems(data: object, where: str = "run_time") -> list[Problem]:
    """List every fault of one run time given as a plain dict."""
    found = Findings()
    _run_time(found, data, where)
    return found.problems


def venue_problems(data: object) -> list[Problem]:
    """List every fault of a venue given as a plain dict."""
    found = Findings()
    _venue(found, data)
    return found.problems


def refuse(problems: list[Problem]) -> None:
    """Raise PlanError with all fatal problems, if there are any."""
    fatal = [problem for problem in problems if problem.fatal]
    if fatal:
        raise PlanError(fatal)


def _question(found: Findings, value: object) -> None:
    _why(found, value, "question", "no_question")


def _why(found: Findings, value: object, where: str, missing: str) -> None:
    words = "" if value is None else found.text(value, where, "text", MAX_TEXT)
    if words is not None and not visible(words):
        found.soft(missing, where)


def _settings(found: Findings, value: object) -> list[Mapping[str, Any]] | None:
    entries = found.entries(value, "settings", "settings", MAX_SETTINGS)
    if entries is None:
        return None
    if not entries:
        return found.fatal("no_settings", "settings")
    before = len(found.problems)
    for index, entry in enumerate(entries):
        _setting(found, entry, f"settings[{index}]")
    if any(problem.fatal for problem in found.problems[before:]):
        return None
    _comparison(found, entries)
    return entries


def _comparison(found: Findings, settings: list[Mapping[str, Any]]) -> None:
    roles = {setting["role"] for setting in settings}
    if "baseline" not in roles:
        found.soft("no_baseline", "settings")
    if "method" not in roles:
        found.soft("no_method", "settings")
    names = Counter(visible(setting["name"]).casefold() for setting in settings)
    for name, count in names.items():
        if count > 1:
            found.soft("duplicate_name", "settings", name=name, count=count)


def _setting(found: Findings, value: object, where: str) -> None:
    setting = found.mapping(value, where, "setting", SETTING_KEYS)
    if setting is None:
        return
    found.name(setting.get("name"), f"{where}.name", MAX_NAME)
    found.choice(setting.get("role"), f"{where}.role", "role", ROLES)
    if setting.get("run_time") is not None:
        _run_time(found, setting["run_time"], f"{where}.run_time")
    if setting.get("priority") is not None:
        found.number(setting["priority"], f"{where}.priority", "priority", -MAX_PRIORITY, MAX_PRIORITY)


def _seeds(found: Findings, value: object) -> list[int] | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return found.fatal("seeds_count", "seeds", given=str(value) if abs(value) < 10**6 else "…")
    seeds = found.entries(value, "seeds", "seeds", MAX_SEEDS)
    if seeds is None:
        return None
    if not seeds:
        return found.fatal("no_seeds", "seeds")
    before = len(found.problems)
    for index, seed in enumerate(seeds):
        if found.number(seed, f"seeds[{index}]", "seed", 0, MAX_SEED) is not None and isinstance(seed, float):
            found.bad(seed, f"seeds[{index}]", "seed")
    if len(found.problems) > before:
        return None
    repeated = sorted(seed for seed, count in Counter(seeds).items() if count > 1)
    if repeated:
        found.soft("seeds_repeated", "seeds", names=repeated[:10])
    elif len(seeds) == 1:
        found.soft("one_seed", "seeds")
    return seeds


def _common_run_time(
    found: Findings, value: object, settings: list[Mapping[str, Any]] | None
) -> Mapping[str, Any] | None:
    if value is not None:
        return _run_time(found, value, "run_time")
    without = [s["name"] for s in settings or [] if s.get("run_time") is None]
    if without:
        found.fatal("no_run_time", "run_time", names=[visible(name) for name in without[:5]])
    return None


def _run_time(found: Findings, value: object, where: str) -> Mapping[str, Any] | None:
    every_key = RUN_TIME_KEYS["guess"]
    run_time = found.mapping(value, where, "run_time", every_key)
    if run_time is None:
        return None
    before = len(found.problems)
    kind = found.choice(run_time.get("kind"), f"{where}.kind", "kind", KINDS)
    if kind == "measured" and run_time.get("why") is not None:
        found.unknown("key", f"{where}.why", "why", list(RUN_TIME_KEYS["measured"]))
    minutes = found.number(run_time.get("minutes"), f"{where}.minutes", "minutes", MIN_MINUTES, MAX_MINUTES)
    bounds = [
        None
        if run_time.get(key) is None
        else found.number(run_time[key], f"{where}.{key}", "minutes", MIN_MINUTES / 2, MAX_MINUTES * 2)
        for key in ("low", "high")
    ]
    given = [bound for bound in (bounds[0], minutes, bounds[1]) if bound is not None]
    if len(found.problems) == before and given != sorted(given):
        found.fatal("range_order", where, names=[f"{bound:g}" for bound in given])
    if kind == "guess":
        _why(found, run_time.get("why"), f"{where}.why", "guess_no_why")
    return run_time if not any(problem.fatal for problem in found.problems[before:]) else None


def _margin(found: Findings, value: object) -> float | None:
    margin = found.number(value, "margin", "margin", 0, MAX_MARGIN)
    if margin is None:
        return None
    if margin == 0:
        found.soft("no_margin", "margin")
    elif margin > SANE_MARGIN:
        found.soft("margin_percent", "margin", given=margin, percent=margin * 100, meant=margin / 100)
    return margin


def _risks(found: Findings, value: object) -> None:
    risks = [] if value is None else found.entries(value, "risks", "risks", MAX_RISKS)
    if risks is None:
        return
    if not risks:
        found.soft("no_risks", "risks")
    for index, risk in enumerate(risks):
        _why(found, risk, f"risks[{index}]", "empty_risk")


def _venue(found: Findings, value: object) -> Mapping[str, Any] | None:
    if value is None:
        found.soft("no_venue", "venue")
        return None
    venue = found.mapping(value, "venue", "venue", VENUE_KEYS)
    if venue is None:
        return None
    found.name(venue.get("name"), "venue.name", MAX_NAME)
    for key, (expected, low, high) in VENUE_LIMITS.items():
        if venue.get(key) is not None:
            found.number(venue[key], f"venue.{key}", expected, low, high)
    if venue.get("currency") is not None:
        found.text(venue["currency"], "venue.currency", "text", MAX_NAME)
    return venue


def _session_length(
    found: Findings,
    settings: list[Mapping[str, Any]],
    common: Mapping[str, Any] | None,
    venue: Mapping[str, Any],
) -> None:
    session = venue.get("session_hours")
    if session is None or venue.get("checkpoint_minutes") is not None:
        return
    times = {s["name"]: (s.get("run_time") or common or {})["minutes"] for s in settings}
    long = {name: minutes for name, minutes in times.items() if minutes > session * 60}
    if long:
        found.soft(
            "run_beyond_session",
            "venue.session_hours",
            names=[visible(name) for name in list(long)[:5]],
            run_minutes=max(long.values()),
            session_hours=session,
        )
