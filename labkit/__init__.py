"""labkit: the helper package behind the workbook on AI research with a small compute budget.

`import labkit as lk` is quick and loads neither torch nor matplotlib: each name below is loaded from its
module when it is first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from labkit.checks import check
    from labkit.config import Config, DigitsConfig, KahaniConfig
    from labkit.forecast import Forecast
    from labkit.messages import duration, folded, number, set_language, text
    from labkit.parameters import check_parameters
    from labkit.plan import ComputePlan, Guess, Measured, PlanError, Setting, Venue, draft_plan
    from labkit.timing import StepTimes, measure_steps
    from labkit.upscale import widen
    from labkit.widgets import explore, plan_form

__version__ = "0.1.0"

_HOME = {
    "check": "labkit.checks",
    "check_parameters": "labkit.parameters",
    "Config": "labkit.config",
    "DigitsConfig": "labkit.config",
    "KahaniConfig": "labkit.config",
    "Forecast": "labkit.forecast",
    "duration": "labkit.messages",
    "folded": "labkit.messages",
    "number": "labkit.messages",
    "set_language": "labkit.messages",
    "text": "labkit.messages",
    "ComputePlan": "labkit.plan",
    "Guess": "labkit.plan",
    "Measured": "labkit.plan",
    "PlanError": "labkit.plan",
    "Setting": "labkit.plan",
    "Venue": "labkit.plan",
    "draft_plan": "labkit.plan",
    "StepTimes": "labkit.timing",
    "measure_steps": "labkit.timing",
    "explore": "labkit.widgets",
    "plan_form": "labkit.widgets",
    "widen": "labkit.upscale",
}
_MODULES = (
    "checks",
    "data",
    "kahani",
    "messages",
    "models",
    "mup",
    "plan",
    "plots",
    "recorded",
    "runs",
    "scaling",
    "schedules",
    "sweep",
    "timing",
    "train",
    "training_length",
    "upscale",
    "widgets",
    "workload",
)

__all__ = [
    "ComputePlan",
    "Config",
    "DigitsConfig",
    "Forecast",
    "Guess",
    "KahaniConfig",
    "Measured",
    "PlanError",
    "Setting",
    "StepTimes",
    "Venue",
    "check",
    "check_parameters",
    "draft_plan",
    "duration",
    "explore",
    "folded",
    "measure_steps",
    "number",
    "plan_form",
    "set_language",
    "text",
    "widen",
]


def __getattr__(name: str) -> Any:
    """Load a public name or submodule when it is first used (PEP 562)."""
    if name in _MODULES:
        return importlib.import_module(f"labkit.{name}")
    if name in _HOME:
        return getattr(importlib.import_module(_HOME[name]), name)
    raise AttributeError(f"labkit has no name {name!r}. Public names: {', '.join(__all__)}.")


def __dir__() -> list[str]:
    return sorted([*__all__, *_MODULES])
