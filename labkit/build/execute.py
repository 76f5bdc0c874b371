"""Run a solution notebook through papermill and keep only outputs that are worth storing."""

from __future__ import annotations

import copy
import json
import os
import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from labkit.build.notebooks import Notebook, code_hash, to_bytes
from labkit.messages import text
from labkit.workbook import WorkbookError

# papermill passes these on: without them each kernel logs a notice about TCP to the terminal
QUIET = {"extra_arguments": ["--IPKernelApp.log_level=CRITICAL"]}
_ADDED = {"injected-parameters", "papermill-error-cell-tag"}  # tags of cells that papermill puts in
_WIDGET = "application/vnd.jupyter.widget-view+json"
_PROGRESS = re.compile(r"\d+%\||\bit/s\b|\bs/it\b|\d+it \[")


class ExecutionError(Exception):
    """A cell of a notebook failed, or its kernel died."""


def executed(notebook: Notebook, folder: Path, name: str) -> Notebook:
    """Return the notebook with outputs, run by papermill with `folder` as working directory.

    Raises
    ------
    ExecutionError
        With the notebook, the cell (its number, id and first line) and the error.
    WorkbookError
        If papermill is not installed.
    """
    papermill = load_papermill()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary, labkit_on_path():
        source, result = Path(temporary, "in.ipynb"), Path(temporary, "out.ipynb")
        source.write_bytes(to_bytes(notebook))
        try:
            run = papermill.execute_notebook(
                str(source), str(result), cwd=str(folder), kernel_name="python3", progress_bar=False, **QUIET
            )
        except Exception as error:
            raise ExecutionError(describe_failure(error, name, result)) from error
    return with_outputs(notebook, [cell for cell in run["cells"] if cell["cell_type"] == "code"])


def load_papermill() -> Any:
    """Return the papermill module, or raise WorkbookError with the command that installs it."""
    try:
        import papermill
    except ImportError:
        raise WorkbookError(text("cli.no_papermill")) from None
    return papermill


@contextmanager
def labkit_on_path() -> Iterator[None]:
    """Let kernels started inside import this labkit, wherever their working directory is."""
    before = os.environ.get("PYTHONPATH")
    own = str(Path(__file__).resolve().parents[2])
    os.environ["PYTHONPATH"] = os.pathsep.join([own, before] if before else [own])
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONPATH"]
        else:
            os.environ["PYTHONPATH"] = before


def describe_failure(error: Exception, name: str, result: Path) -> str:
    """Say which cell of which notebook failed and why; cells are counted as the student sees them.

    papermill's cell status is not trusted: after a kernel's death it says "completed". The cell that failed
    is the last one with an error or, when the kernel died, the last one that was started.
    """
    ename: str | None = getattr(error, "ename", None)
    if ename is not None:
        why = text("cli.cell_error", error=ename, why=getattr(error, "evalue", "") or "–")
    elif type(error).__name__ == "DeadKernelError":
        why = text("cli.kernel_died")
    else:
        why = text("cli.cell_error", error=type(error).__name__, why=error)
    cells = _own_cells(result)
    reached = [
        n for n, cell in enumerate(cells) if (_has_error(cell) if ename is not None else _started(cell))
    ]
    if not reached:
        return text("cli.notebook_failed", notebook=name, why=why)
    failed = cells[reached[-1]]
    source = "".join(failed["source"]).strip().splitlines() or [""]
    return text(
        "cli.cell_failed",
        notebook=name,
        cell=reached[-1] + 1,
        id=failed.get("id", "–"),
        line=source[0],
        why=why,
    )


def _own_cells(result: Path) -> list[dict[str, Any]]:
    """Return the cells of a saved run, without those that papermill has put in."""
    if not result.is_file():
        return []
    cells: list[dict[str, Any]] = json.loads(result.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in cells if not _ADDED.intersection(cell["metadata"].get("tags", []))]


def _has_error(cell: Mapping[str, Any]) -> bool:
    return any(output["output_type"] == "error" for output in cell.get("outputs", []))


def _started(cell: Mapping[str, Any]) -> bool:
    return bool(cell["metadata"].get("papermill", {}).get("start_time"))


def with_outputs(notebook: Notebook, run: list[Mapping[str, Any]]) -> Notebook:
    """Return the notebook with the outputs of executed code cells and a hash of the code they belong to."""
    filled = copy.deepcopy(notebook)
    code = [cell for cell in filled["cells"] if cell["cell_type"] == "code"]
    for cell, done in zip(code, run, strict=True):
        cell["execution_count"] = done.get("execution_count")
        cell["outputs"] = [kept for output in done["outputs"] for kept in _storable(output)]
    filled["metadata"]["labkit"]["executed"] = code_hash(notebook)
    return filled


def _storable(output: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the output without what differs at every run: progress bars, widget ids, timestamps."""
    kept = copy.deepcopy(dict(output))
    kept.pop("transient", None)
    if kept["output_type"] == "stream":
        joined = "".join(kept["text"])
        if kept["name"] == "stderr" and _PROGRESS.search(joined):
            return []
        kept["text"] = joined.splitlines(keepends=True)
    if "data" in kept:
        plain = "".join(kept["data"].get("text/plain", ""))
        if kept["data"].pop(_WIDGET, None) is not None and (_PROGRESS.search(plain) or not kept["data"]):
            return []
        kept["metadata"] = dict(kept.get("metadata", {}))
        kept["data"] = {mime: _lines(mime, value) for mime, value in kept["data"].items()}
    return [kept]


def _lines(mime: str, value: Any) -> Any:
    """Return text as nbformat stores it: a list of lines; JSON and base64 stay as they are."""
    if isinstance(value, str) and (mime.startswith("text/") or mime == "image/svg+xml"):
        return value.splitlines(keepends=True)
    return value
