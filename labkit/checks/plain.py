"""Turn whatever a student left in a variable into plain, small JSON data, without trusting it.

No `repr`, `str`, `__iter__` or `__len__` of a foreign object is called: what is not known is replaced by a
marker such as `"<function>"`. The result is bounded in depth, number of values and length of text.
"""

from __future__ import annotations

import math
import reprlib
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeAlias

from labkit.messages import number

JSON: TypeAlias = "bool | int | float | str | list[JSON] | dict[str, JSON] | None"

MAX_DEPTH = 12
MAX_ITEMS = 1_000  # in one list or dictionary
MAX_VALUES = 5_000  # in the whole answer; 64 characters of text count as one more
MAX_TEXT = 1_000  # characters of one text
_BIGGEST_INT = 10**40
_SMALLEST, _LARGEST = 1e-6, 1e15  # numbers beyond them are shown with an exponent
_UNSEEN = "\u200c\u200d"  # Devanagari uses these joiners


def to_plain(value: object) -> JSON:
    """Return `value` as plain JSON data: the form in which an answer leaves the notebook.

    Parameters
    ----------
    value : anything. `...` and None (not answered yet) become None; labkit's own objects become the
        dictionary of their `to_dict()`; numpy and torch numbers and small arrays become numbers and lists;
        sets and tuples become lists; NaN, infinities and everything unknown, too big, too deep or recursive
        become a marker, a text in angle brackets.

    Returns
    -------
    New data that `json.dumps(..., allow_nan=False)` accepts. Never raises; leaves its own results alone.
    """
    return _Walk().plain(value, 0)


def is_marker(value: object) -> bool:
    """Say whether `value` is one of `to_plain`'s markers, such as `"<NaN>"`."""
    return isinstance(value, str) and value.startswith("<") and value.endswith(">")


def shown(value: JSON) -> str:
    """Return a short text of plain data for a message: texts in double quotes, None as `...`.

    A number has at most four significant digits, or all those before the point, and commas between thousands
    (not inside a list or dictionary, where commas part the entries).
    """
    return _SHORT.repr(value)


@dataclass
class _Walk:
    """One conversion: how many values it has met, and the containers it is inside of."""

    count: int = 0
    inside: set[int] = field(default_factory=set)

    def plain(self, value: Any, depth: int) -> JSON:
        self.count += 1
        if value is None or value is ...:
            return None
        if issubclass(type(value), bool | int | float | str):
            return self.scalar(value)
        if depth >= MAX_DEPTH or self.count > MAX_VALUES:
            return "<too deep>" if depth >= MAX_DEPTH else "<too much>"
        if id(value) in self.inside:
            return "<contains itself>"
        self.inside.add(id(value))
        try:
            return self.container(value, depth + 1)
        finally:
            self.inside.discard(id(value))

    def scalar(self, value: Any) -> JSON:
        """Return the exact built-in value, past any method that a subclass overrides."""
        if issubclass(type(value), str):
            short = _plain_text(str.__str__(value))
            self.count += len(short) // 64
            return short if self.count <= MAX_VALUES else "<too much>"
        if issubclass(type(value), float):
            return _plain_float(float.__float__(value))
        return value if isinstance(value, bool) else _plain_int(int.__int__(value))

    def container(self, value: Any, depth: int) -> JSON:
        kind = type(value)  # an object may lie in `__class__`, which isinstance believes
        if issubclass(kind, dict):
            return self.mapping(value, depth)
        if issubclass(kind, list):
            return self.items(list.__iter__(value), list.__len__(value), "list", depth)
        if issubclass(kind, tuple):
            return self.items(tuple.__iter__(value), tuple.__len__(value), "list", depth)
        if kind is range:
            return self.items(value, max(0, -((value.start - value.stop) // value.step)), "range", depth)
        if issubclass(kind, set | frozenset):
            base: Any = set if issubclass(kind, set) else frozenset
            found = self.items(base.__iter__(value), base.__len__(value), "set", depth)
            return sorted(found, key=_order) if isinstance(found, list) else found
        unpacked = _unpacked(value)
        return _name(value) if unpacked is value else self.plain(unpacked, depth)

    def items(self, values: Iterable[object], size: int, kind: str, depth: int) -> JSON:
        if size > MAX_ITEMS:
            return f"<{kind} of {min(size, _BIGGEST_INT)} items>"
        return [self.plain(v, depth) for v in islice(values, MAX_ITEMS)]

    def mapping(self, value: dict[Any, Any], depth: int) -> JSON:
        size = dict.__len__(value)
        if size > MAX_ITEMS:
            return f"<dictionary of {size} items>"
        result: dict[str, JSON] = {}
        for key, item in list(dict.items(value)):
            plain_key = self.plain(key, depth)
            result[_key(plain_key)] = self.plain(item, depth)
        return result


def _key(plain_key: JSON) -> str:
    """Return the key of a dictionary as text, numbers with all their digits."""
    if isinstance(plain_key, str):
        return plain_key
    return repr(plain_key) if isinstance(plain_key, int | float) else shown(plain_key)


def _plain_int(value: int) -> JSON:
    if abs(value) < _BIGGEST_INT:
        return value
    return f"<whole number with about {int(value.bit_length() * math.log10(2)) + 1} digits>"


def _plain_float(value: float) -> JSON:
    if math.isfinite(value):
        return value
    return "<NaN>" if math.isnan(value) else "<infinity>" if value > 0 else "<-infinity>"


def _plain_text(value: str) -> str:
    # Lone surrogates cannot be written as UTF-8, so they may not leave the notebook.
    short = value[:MAX_TEXT].encode("utf-8", "replace").decode("utf-8")
    return short if len(value) <= MAX_TEXT else short[:-1] + "…"


def _unpacked(value: Any) -> object:
    """Return a labkit, numpy or torch object as plainer data, or the object itself where there is none.

    These calls run code of the object; whatever they raise means "unknown object".
    """
    numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")
    try:
        if torch is not None and isinstance(value, torch.Tensor):
            big = value.numel() > MAX_ITEMS
            return f"<tensor of {value.numel()} numbers>" if big else value.detach().tolist()
        if numpy is not None and isinstance(value, numpy.ndarray | numpy.generic):
            return f"<array of {value.size} numbers>" if value.size > MAX_ITEMS else value.tolist()
        if type(value).__module__.startswith("labkit."):
            return value.to_dict() if hasattr(value, "to_dict") else value.data
    except Exception:  # noqa: BLE001 - the object is the student's; its errors are not ours to show
        return value
    return value


def _name(value: object) -> str:
    name = type.__dict__["__name__"].__get__(type(value))
    return f"<{_plain_text(str(name))[:60]}>"


def _order(value: JSON) -> tuple[str, float, str]:
    """Sort key that gives a set the same order in every process."""
    size = float(value) if isinstance(value, int | float) else 0.0
    return type(value).__name__, size, shown(value)


class _Short(reprlib.Repr):
    """A bounded repr of plain data in the words of the exercise: `...` for None, markers without quotes."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel, self.maxlist, self.maxdict, self.maxstring = 3, 8, 6, 60

    def repr(self, x: object) -> str:
        found = super().repr(x)
        return found if len(found) <= 160 else found[:159] + "…"

    def repr_int(self, x: int, level: int) -> str:
        return f"{x:,}" if level == self.maxlevel else str(x)

    def repr_float(self, x: float, level: int) -> str:
        size = abs(x)
        if size and not _SMALLEST <= size < _LARGEST:
            return f"{x:.4g}"
        found = number(x, 4)
        return found if level == self.maxlevel else found.replace(",", "")

    def repr_NoneType(self, x: None, level: int) -> str:  # noqa: N802 - reprlib looks this name up
        return "..."

    def repr_str(self, x: str, level: int) -> str:
        short = x if len(x) <= self.maxstring else x[: self.maxstring - 1] + "…"
        clean = "".join(c if c.isprintable() or c in _UNSEEN else " " for c in short)
        return clean if is_marker(x) else f'"{clean}"'


_SHORT = _Short()
