"""Assemble a notebook, as plain JSON data, from checked cells: student or solution, English or Hindi."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from labkit.build.rules import LANG_LINE, PLACEHOLDER, POINTS, grade_id, markdown_pairs
from labkit.build.solutions import solution_text, student_text
from labkit.build.source import Cell
from labkit.messages import LANGUAGES, number

Notebook = dict[str, Any]


def assemble(
    cells: Sequence[Cell], lang: str, rubric: Mapping[str, float], solutions: bool = False
) -> Notebook:
    """Return one notebook in nbformat 4.5, without outputs.

    Cell ids come from the cell's `id`, its exercise, or its (English) content, so they are the same in both
    languages and do not move when a cell is added above.
    """
    twins = {id(hindi): english for english, hindi in markdown_pairs(cells)}
    used: set[str] = set()
    built = []
    for cell in cells:
        if cell.kind == "markdown" and cell.option("lang") != lang:
            continue
        cell_id = _unused(_cell_id(twins.get(id(cell), cell)), used)
        text = _text(cell, lang, rubric, solutions)
        entry: dict[str, Any] = {
            "cell_type": cell.kind,
            "id": cell_id,
            "metadata": _metadata(cell, cell_id, rubric),
            "source": text.splitlines(keepends=True),
        }
        if cell.kind == "code":
            entry |= {"execution_count": None, "outputs": []}
        built.append(entry)
    metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
        "labkit": {"lang": lang},
    }
    return {"cells": built, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def to_bytes(notebook: Notebook) -> bytes:
    """Return a notebook as it is stored: sorted keys, one space of indent, LF, UTF-8."""
    return (json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n").encode("utf-8")


def code_hash(notebook: Notebook) -> str:
    """Return a hash of everything that a run executes: the code cells, in order."""
    code = [cell["source"] for cell in notebook["cells"] if cell["cell_type"] == "code"]
    return hashlib.sha256(json.dumps(code).encode()).hexdigest()[:16]


def _text(cell: Cell, lang: str, rubric: Mapping[str, float], solutions: bool) -> str:
    if cell.kind == "markdown":
        return PLACEHOLDER.sub(lambda found: _points(found[1], rubric), cell.text)
    text = solution_text(cell) if solutions else student_text(cell)
    if "parameters" in cell.tags and lang != LANGUAGES[0]:
        text = LANG_LINE.sub(lambda found: found[0].replace('"en"', f'"{lang}"'), text)
    return text


def _points(placeholder: str, rubric: Mapping[str, float]) -> str:
    found = POINTS.fullmatch(placeholder)
    return number(rubric[found[1]]) if found else placeholder


def _cell_id(cell: Cell) -> str:
    named = grade_id(cell)
    if named is not None:
        return named
    return "c-" + hashlib.sha256(f"{cell.kind}\n{cell.text}".encode()).hexdigest()[:10]


def _unused(name: str, used: set[str]) -> str:
    """Return `name`, or for a second cell with the same content `name-2`, and remember it."""
    candidate, copies = name, 1
    while candidate in used:
        copies += 1
        candidate = f"{name}-{copies}"
    used.add(candidate)
    return candidate


def _metadata(cell: Cell, cell_id: str, rubric: Mapping[str, float]) -> dict[str, Any]:
    """Return tags and, for code, nbgrader's metadata (its schema 3)."""
    metadata: dict[str, Any] = {"tags": cell.tags} if cell.tags else {}
    if cell_id == "setup":  # a page of code that no student has to read: folded in JupyterLab and in Colab
        metadata |= {"jupyter": {"source_hidden": True}, "cellView": "form"}
    if cell.kind != "code":
        return metadata
    answer, check = cell.option("answer") is not None, cell.option("check")
    nbgrader = {
        "grade": check is not None,
        "grade_id": cell_id,
        "locked": not answer,
        "schema_version": 3,
        "solution": answer,
        "task": False,
    }
    if check is not None:
        nbgrader["points"] = rubric[check]
        metadata |= {"deletable": False, "editable": False}
    if answer:
        metadata["deletable"] = False
    return metadata | {"nbgrader": nbgrader}
