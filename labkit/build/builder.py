"""Build or check a whole workbook."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labkit.build.execute import executed, with_outputs
from labkit.build.faults import BuildError, Fault
from labkit.build.notebooks import Notebook, assemble, code_hash, to_bytes
from labkit.build.rules import faults_in
from labkit.build.source import Cell, read_shared, read_source
from labkit.messages import LANGUAGES, text
from labkit.workbook import Workbook, WorkbookError


@dataclass(frozen=True)
class Built:
    """What a build did: the files it wrote and the solution notebooks it ran."""

    written: tuple[Path, ...]
    executed: tuple[Path, ...]


def build_workbook(
    workbook: Workbook,
    rubric: Mapping[str, float] | None = None,
    only: str | None = None,
    *,
    execute: bool = True,
    force: bool = False,
    report: Callable[[str], None] = lambda line: None,
) -> Built:
    """Write the student and solution notebooks of every source, in both languages.

    Parameters
    ----------
    workbook : where the sources are and the notebooks go.
    rubric : points of every exercise; None takes them from `labkit.checks`.
    only : build the sources whose name contains this.
    execute : run the solutions whose code changed since their outputs were stored.
    force : run all solutions.
    report : gets one line before each run of a solution.

    Raises
    ------
    BuildError
        With every fault in the sources; nothing has been written then.
    ExecutionError
        If a solution cell fails; the student notebooks have been written then.
    """
    points = _rubric() if rubric is None else rubric
    sources = _checked_sources(workbook, points, only)
    written, ran = [], []
    for path, cells in sources.items():
        for lang in LANGUAGES:
            target = workbook.folder(lang) / f"{path.stem}.ipynb"
            written += _write(target, assemble(cells, lang, points))
    for path, cells in sources.items():
        for lang in LANGUAGES:
            target = workbook.folder(lang, solutions=True) / f"{path.stem}.ipynb"
            notebook = assemble(cells, lang, points, solutions=True)
            stored = None if force else _with_stored_outputs(notebook, target)
            if stored is None and execute:
                report(text("cli.executing", notebook=workbook.shown(target)))
                stored = executed(notebook, target.parent, workbook.shown(target))
                ran.append(target)
            written += _write(target, stored or notebook)
    return Built(tuple(written), tuple(ran))


def check_workbook(
    workbook: Workbook, rubric: Mapping[str, float] | None = None, only: str | None = None
) -> list[str]:
    """Return one sentence for each notebook that differs from what its source would build.

    Student notebooks are compared whole; solution notebooks in everything but their outputs. Notebooks
    without a source are reported too.

    Raises
    ------
    BuildError
        With every fault in the sources.
    """
    points = _rubric() if rubric is None else rubric
    sources = _checked_sources(workbook, points, only)
    differences = []
    for lang in LANGUAGES:
        for solutions in (False, True):
            expected = {}
            for path, cells in sources.items():
                target = workbook.folder(lang, solutions) / f"{path.stem}.ipynb"
                expected[target] = assemble(cells, lang, points, solutions)
            for target, notebook in expected.items():
                problem = _difference(target, notebook, solutions)
                if problem:
                    name = target.stem if only else ""
                    command = "python -m labkit build" + (f" --only {name}" if name else "")
                    differences.append(
                        text(f"build.{problem}", notebook=workbook.shown(target), command=command)
                    )
            if only is None:
                extra = set(workbook.built(lang, solutions)) - set(expected)
                differences += [text("build.no_source", notebook=workbook.shown(p)) for p in sorted(extra)]
    return differences


def _rubric() -> dict[str, float]:
    from labkit.checks import exercises, points

    return {exercise: points(exercise) for exercise in exercises()}


def _checked_sources(
    workbook: Workbook, rubric: Mapping[str, float], only: str | None
) -> dict[Path, Sequence[Cell]]:
    """Return the cells of every source asked for, or raise BuildError with all faults."""
    paths = [path for path in workbook.sources() if only is None or only in path.stem]
    if not paths:
        known = ", ".join(path.stem for path in workbook.sources()) or "–"
        raise WorkbookError(text("cli.nothing_selected", only=only or "*.py", known=known))
    shared, faults = read_shared(workbook.source / "_setup.py")
    sources: dict[Path, Sequence[Cell]] = {}
    for path in paths:
        cells, wrong = read_source(path, shared)
        sources[path] = cells
        faults += wrong or faults_in(cells, rubric)
    faults += _shared_exercises(sources)
    if faults:
        shown = [Fault(Path(workbook.shown(f.path)), f.line, f.id, f.values) for f in faults]
        raise BuildError(list({(f.path, f.line, str(f)): f for f in shown}.values()))
    return sources


def _shared_exercises(sources: Mapping[Path, Sequence[Cell]]) -> list[Fault]:
    """Report exercises answered in two notebooks: they would be graded twice."""
    first: dict[str, Path] = {}
    faults = []
    for path, cells in sources.items():
        for cell in cells:
            exercise = cell.option("answer")
            if exercise is not None and first.setdefault(exercise, path) != path:
                faults.append(cell.fault("exercise_twice", exercise=exercise, other=first[exercise].name))
    return faults


def _write(target: Path, notebook: Notebook) -> list[Path]:
    """Write a notebook if its bytes differ from what is there; return what was written."""
    content = to_bytes(notebook)
    if target.is_file() and target.read_bytes() == content:
        return []
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content)
    return [target]


def _read(target: Path) -> Any:
    try:
        return json.loads(target.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def _with_stored_outputs(notebook: Notebook, target: Path) -> Notebook | None:
    """Return the notebook with the outputs stored at `target`, if they belong to the same code."""
    stored = _read(target)
    try:
        if stored["metadata"]["labkit"]["executed"] != code_hash(notebook) or code_hash(stored) != code_hash(
            notebook
        ):
            return None
        return with_outputs(notebook, [cell for cell in stored["cells"] if cell["cell_type"] == "code"])
    except (KeyError, TypeError, ValueError):
        return None


def _difference(target: Path, notebook: Notebook, solutions: bool) -> str | None:
    """Return the message name of how the stored notebook differs, or None."""
    if not target.is_file():
        return "missing"
    if not solutions:
        return None if target.read_bytes() == to_bytes(notebook) else "differs"
    stored = _with_stored_outputs(notebook, target)
    if stored is None:
        return "stale_outputs"
    return None if target.read_bytes() == to_bytes(stored) else "differs"
