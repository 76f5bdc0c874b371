"""The rules a notebook source must obey. Each function returns every fault it finds."""

from __future__ import annotations

import ast
import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from labkit.build.faults import Fault
from labkit.build.leaks import leak_faults
from labkit.build.solutions import (
    answer_faults,
    looks_like_marker,
    marker_faults,
    solution_text,
    student_text,
)
from labkit.build.source import Cell

PLACEHOLDER = re.compile(r"\{\{(.*?)\}\}")
POINTS = re.compile(r"points (\d+\.\d+)")
LANG_LINE = re.compile(r'^lang\s*=\s*"en"', re.MULTILINE)
_LINK = re.compile(r"\]\(([^)\s]*)")
_HEADING = re.compile(r"^(#{1,6}) ", re.MULTILINE)
_LITERAL_POINTS = re.compile(r"\b\d+(\.\d+)?\s*(points?\b|अंक)", re.IGNORECASE)
_LEFT_OVER = re.compile(
    r"\b(TODO|FIXME|XXX|TBD)\b|<(URL|LINK|OUTPUT)[^>]*>|https?://(\.\.\.|…|(www\.)?example\.)"
    r"|\b(OWNER/REPO|YOUR[_-](ORG|REPO|URL))\b|\b(URL|LINK|OUTPUTS?) (GOES )?HERE\b"
)


def faults_in(cells: Sequence[Cell], rubric: Mapping[str, float]) -> list[Fault]:
    """Return every fault of one notebook's cells.

    Parameters
    ----------
    cells : as `read_source` returns them, includes resolved.
    rubric : points of every exercise the checks know.
    """
    faults = [
        *_language_faults(cells),
        *_parameter_faults(cells),
        *_exercise_faults(cells, rubric),
        *_id_faults(cells),
    ]
    for cell in cells:
        faults += _text_faults(cell)
        if cell.kind == "markdown":
            faults += _markdown_faults(cell, rubric)
        else:
            wrong = marker_faults(cell)
            if cell.option("answer") is not None and not wrong:
                wrong = answer_faults(cell)
            faults += wrong or _syntax_faults(cell)
    return faults + leak_faults(cells)


def markdown_pairs(cells: Sequence[Cell]) -> Iterator[tuple[Cell, Cell]]:
    """Return the Markdown cells that stand side by side in English and Hindi."""
    for first, second in itertools.pairwise(cells):
        if first.kind == second.kind == "markdown" and _languages(first, second) == ("en", "hi"):
            yield first, second


def _languages(*cells: Cell) -> tuple[str | None, ...]:
    return tuple(cell.option("lang") for cell in cells)


def _language_faults(cells: Sequence[Cell]) -> list[Fault]:
    pairs = list(markdown_pairs(cells))
    paired = {id(cell) for pair in pairs for cell in pair}
    faults = []
    for cell in cells:
        if cell.kind == "markdown" and id(cell) not in paired:
            if cell.option("lang") is None:
                faults.append(cell.fault("no_lang"))
            else:
                other = "hi" if cell.option("lang") == "en" else "en"
                faults.append(cell.fault("one_language", given=cell.option("lang"), other=other))
    for english, hindi in pairs:
        for id_, pattern in (("placeholders", PLACEHOLDER), ("links", _LINK), ("headings", _HEADING)):
            left, right = pattern.findall(english.text), pattern.findall(hindi.text)
            same = left == right if id_ == "headings" else Counter(left) == Counter(right)
            if not same:
                en, hi = (", ".join(found) or "–" for found in (left, right))
                faults.append(hindi.fault(f"different_{id_}", en=en, hi=hi))
    return faults


def _parameter_faults(cells: Sequence[Cell]) -> list[Fault]:
    tagged = [cell for cell in cells if "parameters" in cell.tags]
    if not tagged:
        return [cells[0].fault("no_parameters")] if cells else []
    faults = [cell.fault("second_parameters") for cell in tagged[1:]]
    if len(LANG_LINE.findall(tagged[0].text)) != 1:
        faults.append(tagged[0].fault("no_lang_parameter"))
    return faults


def _exercise_faults(cells: Sequence[Cell], rubric: Mapping[str, float]) -> list[Fault]:
    """Each answer has its check after it and the reverse; each exercise is in the rubric."""
    faults = []
    answered: set[str] = set()
    checked = {cell.option("check") for cell in cells}
    for cell in cells:
        answer, check = cell.option("answer"), cell.option("check")
        if answer is not None:
            answered.add(answer)
            if answer not in checked:
                faults.append(cell.fault("answer_without_check", exercise=answer))
        if check is not None:
            if check not in answered:
                faults.append(cell.fault("check_without_answer", exercise=check))
            if not _ends_in_check(cell.text, check):
                faults.append(cell.fault("not_a_check", exercise=check))
        for exercise in {answer, check} - {None}:
            if exercise not in rubric:
                faults.append(_unknown(cell, str(exercise), rubric))
    return faults


def _unknown(cell: Cell, exercise: str, rubric: Mapping[str, float], line: int | None = None) -> Fault:
    return cell.fault("unknown_exercise", line, exercise=exercise, known=", ".join(rubric) or "–")


def _ends_in_check(code: str, exercise: str) -> bool:
    try:
        last = ast.parse(code).body[-1]
    except (SyntaxError, IndexError):
        return False
    call = getattr(last, "value", None)
    return (
        isinstance(last, ast.Expr)
        and isinstance(call, ast.Call)
        and ast.unparse(call.func).split(".")[-1] == "check"
        and bool(call.args)
        and isinstance(call.args[0], ast.Constant)
        and call.args[0].value == exercise
    )


def grade_id(cell: Cell) -> str | None:
    """Return the id that an exercise or an `id=` option gives a cell, or None."""
    for kind in ("answer", "check"):
        if cell.option(kind) is not None:
            return f"{kind}-{cell.option(kind).replace('.', '-')}"
    name: str | None = cell.option("id")
    return name


def _id_faults(cells: Sequence[Cell]) -> list[Fault]:
    first: dict[str, Cell] = {}
    pairs = {id(hindi): english for english, hindi in markdown_pairs(cells)}
    faults = []
    for cell in cells:
        name = grade_id(cell)
        if name is None or (id(cell) in pairs and grade_id(pairs[id(cell)]) == name):
            continue
        if name in first:
            faults.append(cell.fault("duplicate_id", name=name, line_of_first=first[name].line))
        first.setdefault(name, cell)
    return faults


def _markdown_faults(cell: Cell, rubric: Mapping[str, float]) -> list[Fault]:
    faults = []
    for number, line in cell.lines:
        if looks_like_marker(line):
            faults.append(cell.fault("marker_outside_answer", number, marker=line.strip()))
        for placeholder in PLACEHOLDER.findall(line):
            points = POINTS.fullmatch(placeholder)
            if not points:
                faults.append(cell.fault("unknown_placeholder", number, placeholder=placeholder))
            elif points[1] not in rubric:
                faults.append(_unknown(cell, points[1], rubric, number))
        if line.startswith("#") and _LITERAL_POINTS.search(line):
            faults.append(cell.fault("points_by_hand", number))
    return faults


def _text_faults(cell: Cell) -> list[Fault]:
    faults = [] if cell.text.strip() else [cell.fault("empty_cell")]
    for number, line in cell.lines:
        left = _LEFT_OVER.search(line)
        if left:
            faults.append(cell.fault("left_over", number, what=left[0]))
    return faults


def _syntax_faults(cell: Cell) -> list[Fault]:
    """Both what students get and the solution must be Python (magics aside)."""
    for text in (student_text(cell), solution_text(cell)):
        code = re.sub(r"^(\s*)[%!].*$", r"\1pass", text, flags=re.MULTILINE)
        try:
            compile(code, cell.path.name, "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        except SyntaxError as error:
            wrong = (error.text or "").strip()
            line = next((n for n, line in cell.lines if wrong and wrong in line), cell.line)
            return [cell.fault("not_python", line, error=error.msg)]
    return []
