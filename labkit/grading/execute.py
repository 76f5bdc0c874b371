"""Run a mended notebook and collect what its check cells send out: plain, bounded, never trusted.

What comes out is the student's word. A kernel can be made to send any answer whatever, just as a student can
type any answer; marks reward answers, and the rubrics that turn them into points are not there to be read.
What cannot be forged are points: nothing that is printed, shown or reported inside counts.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from labkit.checks.plain import JSON
from labkit.grading.emitted import (
    ANSWER,
    RETURNED,
    NotAnAnswerError,
    Report,
    one_line,
    read_report,
    sent_value,
)
from labkit.grading.frame import Cells
from labkit.grading.runtime import Runtime
from labkit.grading.sandbox import NOTEBOOK, RUNTIME, WRITABLE, Limits, environment, sandbox_command
from labkit.grading.watch import Watched, watched

Status = Literal["ran", "timed out", "killed", "could not be run"]


class StoppedError(Exception):
    """The batch was interrupted while this notebook ran."""


@dataclass(frozen=True)
class CellOutcome:
    """How a code cell ended: `state` as the runner saw it, and the error that it showed, cleaned."""

    state: str
    error: str = ""


@dataclass(frozen=True)
class Executed:
    """The outcome of running one notebook.

    Attributes
    ----------
    answers : exercise → the answer that its own check cell sent out.
    returned : exercise → for each call, `{"returned": value}` or `{"raised": name}`.
    refused : grade_id of a check cell → message id that says why what was sent is no answer.
    cells : grade_id → how that cell ended, for those that were reached.
    reason_id, values : why it did not run to its end; None if it did.
    """

    status: Status
    answers: dict[str, JSON] = field(default_factory=dict)
    returned: dict[str, JSON] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    cells: dict[str, CellOutcome] = field(default_factory=dict)
    reason_id: str | None = None
    values: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    stderr_tail: str = ""


def execute(
    notebook: Mapping[str, Any],
    folder: Path,
    runtime: Runtime,
    limits: Limits,
    *,
    sandbox: bool = True,
    cores: Sequence[int] = (),
    stop: threading.Event | None = None,
) -> Executed:
    """Run a notebook in a sandbox.

    Parameters
    ----------
    notebook : nbformat 4 content, mended, with the grader's cells.
    folder : an empty folder of this submission's own, for the notebook file; without a sandbox the notebook
        runs in it.
    cores : the processor cores that a sandbox may use; all if empty.
    stop : ends the run early when set.
    """
    file = folder / "notebook.ipynb"
    file.write_text(json.dumps(notebook), encoding="utf-8")
    inside = [f"{limits.cell_s:g}", str(limits.output_bytes)]
    env: dict[str, str] = {}  # bubblewrap's own process can be seen inside
    if sandbox:
        file.chmod(0o644)
        python = [sys.executable, f"{RUNTIME}/runner.py", NOTEBOOK, *inside]
        command = sandbox_command(file, runtime, limits, python, cores=cores)
    else:
        command = [sys.executable, str(runtime.folder / "runner.py"), str(file), *inside]
        env = {**os.environ, **environment(str(runtime.folder), str(folder))}
    run = watched(
        command,
        total_s=limits.total_s,
        memory_bytes=limits.memory_bytes,
        output_bytes=limits.output_bytes,
        stdin=runtime.calls_filter if sandbox else None,
        cwd=folder,
        env=env,
        stop=stop,
        folders=WRITABLE if sandbox else (),
    )
    return _read(run, notebook, limits)


def _read(run: Watched, notebook: Mapping[str, Any], limits: Limits) -> Executed:
    if run.ending == "stopped":
        raise StoppedError
    report = read_report(run.output)
    parts = Cells(notebook)
    cells = {line.grade_id: CellOutcome(line.state, line.error) for line in reversed(report.lines)}
    taken: dict[str, dict[str, JSON]] = {ANSWER: {}, RETURNED: {}}
    refused: dict[str, str] = {}
    for grade_id, (exercise, what) in parts.checks.items():
        line = next((line for line in report.lines if line.grade_id == grade_id), None)
        if line is not None and line.state == "ran":
            try:
                taken[what][exercise] = sent_value(line.sent, exercise, what)
            except NotAnAnswerError as why:
                refused[grade_id] = why.message_id
    status, reason, values = _ending(run, report, cells, parts, limits)
    return Executed(
        status,
        taken[ANSWER],
        taken[RETURNED],
        refused,
        {name: outcome for name, outcome in cells.items() if name in parts.code},
        reason,
        values,
        run.seconds,
        run.stderr_tail,
    )


def _ending(
    run: Watched, report: Report, cells: Mapping[str, CellOutcome], parts: Cells, limits: Limits
) -> tuple[Status, str | None, dict[str, str]]:
    """Return status, reason and its values."""
    if run.ending != "ended":
        return _stopped(run, limits)
    if all(name in cells for name in parts.code):
        return "ran", None, {}
    reached = [name for name in parts.code if name in cells]
    if not reached:
        why = (
            report.failed or one_line(run.stderr_tail.strip().rpartition("\n")[2]) or f"exit {run.returncode}"
        )
        return "could not be run", "grading.did_not_start", {"why": why}
    last = reached[-1]
    if not report.ended:
        return "killed", "grading.runner_died", {"cell": last}
    if cells[last].state == "timed out":
        return "timed out", "grading.cell_out_of_time", {"cell": last, "limit": f"{limits.cell_s:g}"}
    printed = cells[last].state == "too much output"
    return "killed", "grading.cell_printed_too_much" if printed else "grading.kernel_died", {"cell": last}


def _stopped(run: Watched, limits: Limits) -> tuple[Status, str, dict[str, str]]:
    """Return why the whole run was stopped from outside."""
    if run.ending == "out of time":
        return "timed out", "grading.out_of_time", {"limit": f"{limits.total_s:g}"}
    if run.ending == "out of memory":
        return "killed", "grading.out_of_memory", {"limit": f"{limits.memory_bytes / 2**30:.3g}"}
    return "killed", "grading.sent_too_much", {"limit": f"{limits.output_bytes / 2**20:.3g}"}
