"""The parameter cell: the one locked cell whose values, plain numbers and words, a student may choose."""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping
from typing import Any

from labkit.grading.code import python
from labkit.grading.notes import Note, shown
from labkit.parameters import usable

MAX_NUMBER = 1e9
MAX_WORD = 60

Value = bool | int | float | str


def values_in(source: str) -> dict[str, Value]:
    """Return the plain values that a parameter cell assigns to names, line by line: `name = value`."""
    tree = python(source)
    return {name: value for name, (value, _) in _assignments(tree).items()} if tree else {}


def with_values(cell: Mapping[str, Any], chosen: Mapping[str, Value]) -> tuple[str, list[Note]]:
    """Return a release's parameter cell with the student's values, and a note if any but `lang` differ.

    A value is taken if the release has a parameter of that name and of the same kind (a switch, a number, a
    word), it is finite and short, and the notebook can run with it. Code is never taken.
    """
    source = "".join(cell["source"])
    tree = python(source)
    lines = source.splitlines(keepends=True)
    kept = []
    for name, (given, node) in (_assignments(tree) if tree else {}).items():
        value = chosen.get(name, given)
        if value == given or not (_same_kind(value, given) and usable(name, value)):
            continue
        at = node.lineno - 1
        line = lines[at].encode("utf-8")
        written = _written(value)
        replaced = line[: node.col_offset] + written.encode("utf-8") + line[node.end_col_offset :]
        lines[at] = replaced.decode("utf-8")
        if name != "lang":
            kept.append(f"{name} = {shown(written)}")
    notes = [Note("mending.parameters", {"values": ", ".join(kept)})] if kept else []
    return "".join(lines), notes


def _assignments(tree: ast.Module) -> dict[str, tuple[Value, ast.expr]]:
    found = {}
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target, value = statement.targets[0], _plain(statement.value)
            if isinstance(target, ast.Name) and value is not None:
                found[target.id] = (value, statement.value)
    return found


def _plain(node: ast.expr) -> Value | None:
    """Return the value of a literal switch, number or word on one line, else None."""
    minus = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    literal = node.operand if isinstance(node, ast.UnaryOp) and minus else node
    if not isinstance(literal, ast.Constant) or node.lineno != node.end_lineno:
        return None
    value = literal.value
    if isinstance(value, bool | str):
        return None if minus else value
    if isinstance(value, int | float) and abs(value) <= MAX_NUMBER and math.isfinite(value):
        return -value if minus else value
    return None


def _written(value: Value) -> str:
    plain = isinstance(value, str) and value.isprintable() and not {'"', "\\"} & set(value)
    return f'"{value}"' if plain else repr(value)


def _same_kind(value: Value, given: Value) -> bool:
    if isinstance(given, bool) or isinstance(value, bool):
        return isinstance(given, bool) and isinstance(value, bool)
    if isinstance(given, str) or isinstance(value, str):
        return isinstance(given, str) and isinstance(value, str) and len(value) <= MAX_WORD
    return True
