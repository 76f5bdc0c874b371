"""A plan's plain data as the Python code that makes it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

UNANSWERED = "..."
_FIELDS = ("question", "settings", "seeds", "seeds_why", "run_time", "margin", "venue", "risks")


def plan_code(data: Mapping[str, Any]) -> str:
    """Return Python code that ends in a draft of the plan; what is not answered is `...`.

    Parameters
    ----------
    data : a plan's plain data, as `ComputePlan.to_dict()` or `Draft.data` give it. Values that no plan can
        use (text for a number) are written as they are, so that the draft can name them.
    """
    write = {"settings": _settings, "run_time": _run_time, "venue": _venue}
    lines = [f"{name} = {write.get(name, _literal)(data.get(name))}" for name in _FIELDS]
    arguments = [f"    {name}={name}," for name in _FIELDS]
    return "\n".join(["import labkit as lk", "", *lines, "draft = lk.draft_plan(", *arguments, ")"])


def _literal(value: Any) -> str:
    """Return a value as Python code, text in double quotes and Devanagari left readable."""
    if value is None:
        return UNANSWERED
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_literal, value))}]"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return repr(int(value))
    return f'float("{value}")' if isinstance(value, float) and not math.isfinite(value) else repr(value)


def _call(name: str, first: Any, arguments: Mapping[str, str]) -> str:
    given = [f"{key}={code}" for key, code in arguments.items() if code not in (UNANSWERED, '""')]
    return f"lk.{name}({', '.join([_literal(first), *given])})"


def _settings(settings: Any) -> str:
    if not isinstance(settings, list) or not settings:
        return _literal(settings)
    return "[\n" + "".join(f"    {_setting(setting)},\n" for setting in settings) + "]"


def _setting(setting: Any) -> str:
    if not isinstance(setting, Mapping):
        return _literal(setting)
    name, role = setting.get("name"), setting.get("role")
    own = {"run_time": _run_time(setting.get("run_time")), "priority": _literal(setting.get("priority"))}
    if set(own.values()) == {UNANSWERED}:
        return f"({_literal(name)}, {_literal(role)})"
    return _call("Setting", name, {"role": _literal(role), **own})


def _run_time(run_time: Any) -> str:
    if not isinstance(run_time, Mapping):
        return _literal(run_time)
    kind = "Guess" if run_time.get("kind") == "guess" else "Measured"
    arguments = {key: _literal(run_time.get(key)) for key in ("why", "low", "high")}
    return _call(kind, run_time.get("minutes"), arguments)


def _venue(venue: Any) -> str:
    if not isinstance(venue, Mapping):
        return _literal(venue)
    arguments = {key: _literal(value) for key, value in venue.items() if key != "name"}
    return _call("Venue", venue.get("name"), arguments)
