"""What can be told about a cell's Python without running it: names it sets, gaps, names it needs."""

from __future__ import annotations

import ast
import builtins
import functools
import re
import threading
import warnings
from collections.abc import Iterator

MANY = 4096  # sources whose facts are remembered: all cells of some submissions
_one_at_a_time = threading.Lock()
_MAGIC = re.compile(r"^(\s*)[%!].*$", re.MULTILINE)
_NOT_PYTHON = (SyntaxError, ValueError, RecursionError, MemoryError)  # all that the parser raises on odd text


@functools.lru_cache(maxsize=8)  # trees are large
def python(source: str) -> ast.Module | None:
    """Return the syntax tree of a cell (magics count as `pass`), or None if it is not Python."""
    return None if fault(source) else _parsed(source)


@functools.lru_cache(maxsize=MANY)
def fault(source: str) -> tuple[int, str] | None:
    """Return line number and reason if a cell is not Python, else None."""
    try:
        _parsed(source)
    except SyntaxError as error:
        return error.lineno or 1, error.msg
    except _NOT_PYTHON as error:
        return 1, type(error).__name__
    return None


def _parsed(source: str) -> ast.Module:
    # One at a time: submissions are graded in threads, which share Python's filters of warnings.
    with _one_at_a_time, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return _compiled(source)  # a line of an expression may start with % or !=
        except SyntaxError:
            return _compiled(_MAGIC.sub(r"\1pass", source))


def _compiled(code: str) -> ast.Module:
    flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    try:
        tree = compile(code, "cell", "exec", flags)
    except SystemError:  # "recursion depth mismatch": by bad luck, with threads (cpython issue 106905)
        tree = compile(code, "cell", "exec", flags)
    assert isinstance(tree, ast.Module)
    return tree


@functools.lru_cache(maxsize=MANY)
def names_set(source: str) -> frozenset[str]:
    """Return the names that a cell binds: assignments, imports, functions and classes, not inside those."""
    tree = python(source)
    names: set[str] = set()
    for node in _outside_functions(tree) if tree else ():
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.alias):
            names.add((node.asname or node.name).split(".")[0])
    return frozenset(names)


def names_needed(source: str) -> set[str]:
    """Return the names that a cell reads and neither sets itself nor finds among Python's own."""
    tree = python(source)
    if tree is None:
        return set()
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    own = {name.id for name in names if not isinstance(name.ctx, ast.Load)}
    own |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    return {name.id for name in names} - own - names_set(source) - set(dir(builtins))


def open_gaps(source: str) -> list[str]:
    """Return the names whose last assignment in a cell still holds `...`; a bare `...` gives `"..."`."""
    tree = python(source)
    still_open: dict[str, bool] = {}
    for node in _outside_functions(tree) if tree else ():
        if not isinstance(node, ast.stmt) or hasattr(node, "body"):
            continue
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        names = [t.id for t in targets if isinstance(t, ast.Name)]
        for name in names or (["..."] if _has_ellipsis(node) else []):
            still_open[name] = _has_ellipsis(node)
    return [name for name, is_open in still_open.items() if is_open]


def is_answered(source: str, gap: str) -> bool:
    """Return whether a cell holds a statement that the release's cell has not, and that is not only a gap."""
    tree, given = python(source), python(gap)
    if tree is None or given is None:
        return bool(source.strip()) and source.split() != gap.split()
    try:
        known = {ast.dump(statement) for statement in given.body}
        return any(ast.dump(s) not in known and not _is_gap(s) for s in tree.body)
    except RecursionError:
        return True


def _is_gap(statement: ast.stmt) -> bool:
    value = getattr(statement, "value", None)
    return isinstance(statement, ast.Pass) or (isinstance(value, ast.Constant) and value.value is ...)


def _has_ellipsis(node: ast.AST) -> bool:
    """Return whether `...` stands in a statement, other than as an index."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, ast.Constant) and one.value is ...:
            return True
        if not isinstance(one, ast.Subscript):
            waiting += ast.iter_child_nodes(one)
    return False


def _outside_functions(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield every node in order, the definitions themselves too, but nothing inside them."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            waiting += reversed(list(ast.iter_child_nodes(node)))
