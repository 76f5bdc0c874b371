"""Run the notebooks without a browser, through papermill, and write an HTML report."""

from __future__ import annotations

import ast
import json
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from labkit.build.execute import QUIET, describe_failure, labkit_on_path, load_papermill
from labkit.messages import text
from labkit.run_report import Outcome, write_index, write_page
from labkit.workbook import Workbook, WorkbookError


def run_notebooks(
    workbook: Workbook,
    languages: Sequence[str],
    out: Path,
    *,
    only: str | None = None,
    given: Mapping[str, str] | None = None,
    fast: bool = False,
    solutions: bool = False,
    report: Callable[[str], None] = lambda line: None,
) -> list[Outcome]:
    """Run notebooks one after another; a failing one does not stop the next.

    Executed copies and HTML pages go to `out/<language>`, which is also the working directory, so that a
    run never touches the files that a student's own session has written. The index is `out/index.html`.

    Parameters
    ----------
    only : run the notebooks whose name contains this.
    given : values for the parameters cell, as typed; each goes to the notebooks that know it.
    fast : sets the parameter `fast` where there is one.
    solutions : run the solution notebooks instead of the student notebooks.
    report : gets one line for each notebook that fails.

    Raises
    ------
    WorkbookError
        If papermill or nbconvert is missing, nothing is selected, or a parameter is unknown or of the wrong
        type.
    """
    papermill = load_papermill()
    selected = [(lang, path) for lang in languages for path in _selected(workbook, lang, only, solutions)]
    known = {path: parameters_of(json.loads(path.read_text(encoding="utf-8"))) for _, path in selected}
    values = _values(given or {}, known)
    outcomes = []
    for lang, path in selected:
        parameters = {name: value for name, value in values.items() if name in known[path]}
        if fast and "fast" in known[path]:
            parameters = {"fast": True} | parameters
        outcome = _run(papermill, path, f"{lang}/{path.stem}", out / lang / path.name, parameters)
        if outcome.failure:
            report(outcome.failure)
        if outcome.copy.is_file():
            write_page(outcome.copy, outcome.page)
        outcomes.append(outcome)
    write_index(out, outcomes)
    return outcomes


def parameters_of(notebook: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the cell tagged `parameters` sets: name → default (None if not a literal)."""
    for cell in notebook["cells"]:
        if "parameters" in cell["metadata"].get("tags", []):
            found = {}
            for statement in ast.parse("".join(cell["source"])).body:
                if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
                    found[statement.targets[0].id] = _literal(ast.unparse(statement.value))
            return found
    return {}


def _selected(workbook: Workbook, lang: str, only: str | None, solutions: bool) -> list[Path]:
    built = workbook.built(lang, solutions)
    paths = [path for path in built if only is None or only in path.stem]
    if not paths:
        known = ", ".join(path.stem for path in built) or text("cli.none_built")
        raise WorkbookError(text("cli.nothing_selected", only=only or "*.ipynb", known=known))
    return paths


def _values(given: Mapping[str, str], known: Mapping[Path, Mapping[str, Any]]) -> dict[str, Any]:
    """Return the typed parameter values, or raise WorkbookError with everything that is wrong with them."""
    defaults = {name: default for names in known.values() for name, default in names.items()}
    values = {}
    wrong = []
    for name, typed in given.items():
        if name not in defaults:
            names = ", ".join(sorted(defaults)) or "–"
            wrong.append(text("cli.unknown_parameter", name=name, known=names))
            continue
        default = defaults[name]
        value = typed if isinstance(default, str) else _literal(typed)
        if default is None or type(value) is type(default) or (type(default), type(value)) == (float, int):
            values[name] = typed if value is None else value
        else:
            kind = text(f"cli.kind_{type(default).__name__}") if type(default) in (bool, int, float) else "…"
            wrong.append(text("cli.parameter_type", name=name, given=typed, kind=kind, default=default))
    if wrong:
        raise WorkbookError("\n".join(wrong))
    return values


def _literal(code: str) -> Any:
    """Return a Python literal's value (`true` and `false` in any case), or None."""
    if code.lower() in ("true", "false"):
        return code.lower() == "true"
    try:
        return ast.literal_eval(code)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None


def _run(papermill: Any, path: Path, name: str, copy: Path, parameters: dict[str, Any]) -> Outcome:
    copy.parent.mkdir(parents=True, exist_ok=True)
    started = time.perf_counter()
    failure = None
    with labkit_on_path():
        try:
            papermill.execute_notebook(
                str(path),
                str(copy),
                parameters=parameters,
                cwd=str(copy.parent),
                kernel_name="python3",
                progress_bar={"desc": name},
                **QUIET,
            )
        except Exception as error:  # noqa: BLE001 - whatever stopped this notebook, the next one runs
            failure = describe_failure(error, name, copy)
    return Outcome(name, copy, time.perf_counter() - started, failure)
