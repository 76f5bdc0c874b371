"""From a student's values to plain data: lists, dicts, text, Python numbers and None."""

from __future__ import annotations

from abc import ABC, abstractmethod
from itertools import islice
from typing import Any

# One more than any list of a plan may have: enough to see that a list is too long.
_LONGEST = 10_001
_DEEPEST = 6


class Record(ABC):
    """Base of the plan's parts: `to_dict` gives their plain form."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Return the plain dict of this part, the form of the files."""


def plain(value: Any, missing: list[str] | None = None, where: str = "", depth: int = 0) -> Any:
    """Return `value` with the plan's parts, tuples, ranges and numpy values made plain.

    `...` stands for "not answered yet": it becomes None, and its place (`"settings[1].name"`) is added to
    `missing`. Anything unknown stays as it is, for `problems_in` to name. Never raises.
    """
    if value is ...:
        if missing is not None:
            missing.append(where)
        return None
    if isinstance(value, Record):
        return value.to_dict()
    value = _python_value(value)
    if depth < _DEEPEST and isinstance(value, dict):
        return {
            key: plain(entry, missing, f"{where}.{key}" if where else str(key), depth + 1)
            for key, entry in islice(value.items(), _LONGEST)
        }
    if depth < _DEEPEST and isinstance(value, list | tuple | range):
        entries = value[:_LONGEST]
        return [plain(entry, missing, f"{where}[{index}]", depth + 1) for index, entry in enumerate(entries)]
    return value


def _python_value(value: Any) -> Any:
    """Turn numpy arrays and scalars (and what behaves like them) into Python's own values."""
    if not (hasattr(value, "dtype") and hasattr(value, "tolist") and hasattr(value, "ndim")):
        return value
    try:
        return (value[:_LONGEST] if value.ndim else value).tolist()
    except Exception:  # noqa: BLE001 - a stranger's class: `problems_in` names it
        return value
