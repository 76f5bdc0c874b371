"""The rules for a plan as pure functions on its plain dict; everything else is built on `problems_in`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

from labkit.plan.fields import Findings, visible
from labkit.plan.notes import PlanError, Problem, show
from labkit.plan.soundness import check_comparison, check_venue

ROLES = ("baseline", "method", "ablation")
KINDS = ("measured", "guess")

# Sizes that no plan needs; within them no product overflows.
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
SANE_MARGIN = 2.0  # a larger one was meant in per cent

PLAN_KEYS = ("question", "settings", "seeds", "seeds_why", "run_time", "margin", "venue", "risks")
SETTING_KEYS = ("name", "role", "run_time", "priority")
RUN_TIME_KEYS = {
    "measured": ("kind", "minutes", "low", "high"),
    "guess": ("kind", "minutes", "low", "high", "why"),
}
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

    Works on any value, changes nothing and never raises. One fault gives one problem: what only follows
    from a fault is not reported as well. Problems with `.fatal` keep a plan from being built.
    """
    found = Findings()
    plan = found.mapping(data, "plan", "plan", PLAN_KEYS)
    if plan is None:
        return found.problems
    found.words(plan.get("question"), "question", MAX_TEXT, "no_question")
    settings = _settings(found, plan.get("settings"))
    seeds = _seeds(found, plan.get("seeds"))
    found.words(plan.get("seeds_why"), "seeds_why", MAX_TEXT, "no_seeds_why")
    if plan.get("run_time") is not None:
        _run_time(found, plan["run_time"], "run_time")
    else:
        without = [visible(s["name"]) for s in settings if s.get("run_time") is None]
        if without:
            found.fatal("no_run_time", "run_time", names=without)
    margin = _margin(found, plan.get("margin", 0.5))
    venue = _venue(found, plan.get("venue"))
    _risks(found, plan.get("risks"))
    if venue is not None and margin is not None and not found.any_fatal():
        common = plan.get("run_time") or {}
        times = [(s["name"], (s.get("run_time") or common)["minutes"]) for s in settings]
        check_venue(found, venue, times, len(seeds), margin)
    return found.problems


def setting_problems(data: object, where: str = "setting") -> list[Problem]:
    """List every fault of one setting given as a plain dict."""
    found = Findings()
    _setting(found, data, where)
    return found.problems


def run_time_problems(data: object, kinds: Collection[str] = KINDS) -> list[Problem]:
    """List every fault of one run time given as a plain dict, which must be one of `kinds`."""
    found = Findings()
    _run_time(found, data, "run_time", kinds)
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


def _settings(found: Findings, value: object) -> list[Mapping[str, Any]]:
    """Return the settings if all of them are usable, else an empty list."""
    before = len(found.problems)
    entries = found.entries(value, "settings", "settings", MAX_SETTINGS)
    if entries == []:
        found.fatal("no_settings", "settings")
    for index, entry in enumerate(entries or []):
        _setting(found, entry, f"settings[{index}]")
    if entries is None or found.any_fatal(before):
        return []
    check_comparison(found, entries)
    return entries


def _setting(found: Findings, value: object, where: str) -> None:
    setting = found.mapping(value, where, "setting", SETTING_KEYS)
    if setting is None:
        return
    before = len(found.problems)
    name = found.name(setting.get("name"), f"{where}.name", MAX_NAME)
    found.choice(setting.get("role"), f"{where}.role", "role", ROLES)
    if setting.get("run_time") is not None:
        _run_time(found, setting["run_time"], f"{where}.run_time")
    if setting.get("priority") is not None:
        found.number(setting["priority"], f"{where}.priority", "priority", -MAX_PRIORITY, MAX_PRIORITY)
    if name is not None:
        found.label(visible(name), before)


def _seeds(found: Findings, value: object) -> list[int]:
    """Return the seeds if all of them are usable, else an empty list."""
    if isinstance(value, int) and not isinstance(value, bool):
        found.fatal("seeds_count", "seeds", given=show(value))
        return []
    seeds = found.entries(value, "seeds", "seeds", MAX_SEEDS)
    if seeds is None:
        return []
    if not seeds:
        found.fatal("no_seeds", "seeds")
    for index in (index for index, seed in enumerate(seeds) if seed is None):
        found.bad(None, f"seeds[{index}]", "seed")
    bad = [index for index, seed in enumerate(seeds) if seed is not None and not _is_seed(seed)]
    if bad:
        where = f"seeds[{bad[0]}]" if len(bad) == 1 else "seeds"
        found.fatal("bad_seeds", where, names=[show(seeds[index]) for index in bad], high=MAX_SEED)
    if bad or any(seed is None for seed in seeds):
        return []
    repeated = [seed for seed, count in Counter(seeds).items() if count > 1]
    if repeated:
        found.soft("seeds_repeated", "seeds", names=repeated)
    elif len(seeds) == 1:
        found.soft("one_seed", "seeds")
    return seeds


def _is_seed(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_SEED


def _run_time(found: Findings, value: object, where: str, kinds: Collection[str] = KINDS) -> None:
    run_time = found.mapping(value, where, "run_time", RUN_TIME_KEYS["guess"])
    if run_time is None:
        return
    before = len(found.problems)
    kind = found.choice(run_time.get("kind"), f"{where}.kind", "kind", kinds)
    minutes, low, high = (run_time.get(key) for key in ("minutes", "low", "high"))
    bounds = [found.number(minutes, f"{where}.minutes", "minutes", MIN_MINUTES, MAX_MINUTES)]
    # A bound equal to the minutes only repeats them. A guess's range leaves their limits by a factor of two.
    if low is not None and not _same_number(low, minutes):
        bounds.insert(0, found.number(low, f"{where}.low", "minutes", MIN_MINUTES / 2, MAX_MINUTES))
    if high is not None and not _same_number(high, minutes):
        bounds.append(found.number(high, f"{where}.high", "minutes", MIN_MINUTES, MAX_MINUTES * 2))
    usable = [bound for bound in bounds if bound is not None]
    if len(usable) == len(bounds) and usable != sorted(usable):
        found.fatal("range_order", where, names=[f"{bound:g}" for bound in usable])
    if kind == "measured" and run_time.get("why") is not None:
        found.unknown("key", f"{where}.why", "why", RUN_TIME_KEYS["measured"])
    if kind == "guess" and not found.any_fatal(before):
        found.words(run_time.get("why"), f"{where}.why", MAX_TEXT, "guess_no_why")


def _same_number(first: object, second: object) -> bool:
    return isinstance(first, int | float) and isinstance(second, int | float) and first == second


def _margin(found: Findings, value: object) -> float | None:
    """Return the margin if it is sound, else None."""
    margin = found.number(value, "margin", "margin", 0.0, MAX_MARGIN)
    if margin is None:
        return None
    if margin == 0:
        found.soft("no_margin", "margin")
    if margin > SANE_MARGIN:
        found.soft("margin_percent", "margin", given=margin, percent=margin * 100, meant=margin / 100)
        return None
    return margin


def _venue(found: Findings, value: object) -> Mapping[str, Any] | None:
    if value is None:
        found.soft("no_venue", "venue")
        return None
    venue = found.mapping(value, "venue", "venue", VENUE_KEYS)
    if venue is None:
        return None
    found.name(venue.get("name"), "venue.name", MAX_NAME)
    limits = {
        key: found.number(venue[key], f"venue.{key}", expected, low, high)
        for key, (expected, low, high) in VENUE_LIMITS.items()
        if venue.get(key) is not None
    }
    currency = venue.get("currency")
    if limits.get("price_per_hour") or not (currency is None or (isinstance(currency, str) and not currency)):
        found.words(currency, "venue.currency", MAX_NAME, "no_currency")
    return venue


def _risks(found: Findings, value: object) -> None:
    risks = [] if value is None else found.entries(value, "risks", "risks", MAX_RISKS)
    if risks == []:
        found.soft("no_risks", "risks")
    for index, risk in enumerate(risks or []):
        if risk is None:
            found.bad(risk, f"risks[{index}]", "text")
        else:
            found.words(risk, f"risks[{index}]", MAX_TEXT, "empty_risk")
