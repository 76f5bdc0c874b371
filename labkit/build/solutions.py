"""Answer cells: gaps for the student, `### BEGIN SOLUTION` … `### END SOLUTION` for the solutions.

A marker that is nearly right is the classic way for a solution to reach the students, so anything that
looks like a marker and is not exactly one is a fault.
"""

from __future__ import annotations

import ast
import itertools
import re
from difflib import SequenceMatcher

from labkit.build.faults import Fault
from labkit.build.source import Cell

BEGIN = "### BEGIN SOLUTION"
END = "### END SOLUTION"


def gap_lines(cell: Cell) -> set[int]:
    """Return the numbers of the student's lines that are gaps.

    A gap is a whole statement with a `...` to be filled in: `...` alone, `x = ...`, or a dict or a call with
    several, which may span lines. (`...` as an index, as in `x[..., 0]`, is not a gap.)
    """
    student = split_answer(cell)[0]
    try:
        tree = ast.parse("\n".join(line for _, line in student))
    except SyntaxError:
        return set()
    lines: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and not hasattr(node, "body") and _has_ellipsis(node):
            end = node.end_lineno or node.lineno
            lines |= {number for number, _ in student[node.lineno - 1 : end]}
    return lines


def _has_ellipsis(node: ast.AST) -> bool:
    if isinstance(node, ast.Subscript):
        return _has_ellipsis(node.value)
    if isinstance(node, ast.Constant):
        return node.value is ...
    return any(_has_ellipsis(child) for child in ast.iter_child_nodes(node))


def looks_like_marker(line: str) -> bool:
    """Return whether a line is a solution marker or was probably meant to be one."""
    comment = line.strip().strip("`")
    if not re.match(r"(#|//|%)", comment):
        return False
    words = re.findall(r"[A-Z]+", comment.upper().replace("_", " "))
    if len(words) > 4:
        return False
    if comment.startswith("###") and any(_alike(word, "SOLUTION") for word in words):
        return True
    starters = ("BEGIN", "END", "START", "STOP")
    pairs = any(
        _alike(b, "SOLUTION") and any(_alike(a, starter) for starter in starters)
        for a, b in itertools.pairwise(words)
    )
    return pairs or any(_alike(word, starter + "SOLUTION") for word in words for starter in starters)


def _alike(word: str, target: str) -> bool:
    return SequenceMatcher(None, word, target).ratio() >= (0.75 if len(target) > 5 else 0.6)


def marker_faults(cell: Cell) -> list[Fault]:
    """Return misspelt, left-over, nested and unclosed markers of one cell."""
    faults = []
    opened = 0
    for number, line in cell.lines:
        marker = line.strip()
        if marker not in (BEGIN, END):
            if looks_like_marker(line):
                faults.append(cell.fault("misspelt_marker", number, marker=marker))
        elif cell.option("answer") is None:
            faults.append(cell.fault("marker_outside_answer", number, marker=marker))
        elif marker == BEGIN:
            if opened:
                faults.append(cell.fault("marker_not_closed", opened))
            opened = number
        elif not opened:
            faults.append(cell.fault("marker_not_opened", number))
        else:
            opened = 0
    if opened:
        faults.append(cell.fault("marker_not_closed", opened))
    return faults


def split_answer(cell: Cell) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
    """Return the student's lines and the solution's lines of an answer cell, numbered, markers dropped."""
    student: list[tuple[int, str]] = []
    solution: list[tuple[int, str]] = []
    inside = False
    for number, line in cell.lines:
        if line.strip() in (BEGIN, END):
            inside = line.strip() == BEGIN
        else:
            (solution if inside else student).append((number, line))
    return student, solution


def student_text(cell: Cell) -> str:
    """Return the cell as students get it: every solution region removed."""
    if cell.option("answer") is None:
        return cell.text
    return "\n".join(line for _, line in split_answer(cell)[0]).strip("\n")


def solution_text(cell: Cell) -> str:
    """Return the cell as the solutions have it: gaps and markers removed."""
    if cell.option("answer") is None:
        return cell.text
    gaps = gap_lines(cell)
    kept = [line for number, line in cell.lines if line.strip() not in (BEGIN, END) and number not in gaps]
    return "\n".join(kept).strip("\n")


def answer_faults(cell: Cell) -> list[Fault]:
    """Return what an answer cell lacks: a gap for the student, a solution."""
    solution = split_answer(cell)[1]
    faults = []
    if not gap_lines(cell):
        faults.append(cell.fault("answer_without_gap", exercise=cell.option("answer")))
    if not any(line.strip() and not line.strip().startswith("#") for _, line in solution):
        faults.append(cell.fault("answer_without_solution", exercise=cell.option("answer")))
    return faults
