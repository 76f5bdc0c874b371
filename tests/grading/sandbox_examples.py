"""Small notebooks for the sandbox, and ways to run things in it."""

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from mending_examples import code

from labkit.grading.execute import Executed, execute
from labkit.grading.frame import for_grading
from labkit.grading.runtime import Runtime
from labkit.grading.sandbox import WRITABLE, Limits, available, sandbox_command
from labkit.grading.watch import Watched, watched

needs_sandbox = pytest.mark.skipif(available() is not None, reason="bubblewrap is missing or not allowed")
LIMITS = Limits(cell_s=20, total_s=60, cpu_s=30, memory_bytes=2 * 2**30, processes=40, file_bytes=8 * 2**20)


def notebook(*cells):
    """Make a notebook of cells: (exercise, expression) is a check cell, text an answer cell."""
    made = [code("setup", "import labkit as lk")]
    for n, cell in enumerate(cells):
        if isinstance(cell, str):
            made.append(code(f"answer-{n}", cell, solution=True))
        else:
            exercise, expression = cell
            check = f'lk.check("{exercise}", {expression})'
            made.append(code(f"check-{exercise.replace('.', '-')}", check, grade=True))
    return {"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


def run_notebook(runtime: Runtime, folder: Path, *cells, limits: Limits = LIMITS, **options) -> Executed:
    return execute(for_grading(notebook(*cells), 0, {}), folder, runtime, limits, **options)


def run_inside(
    runtime: Runtime,
    folder: Path,
    command: str | Sequence[str],
    limits: Limits = LIMITS,
    cores: Sequence[int] = (),
) -> Watched:
    """Run Python code, or a command, in a sandbox."""
    file = folder / "notebook.ipynb"
    file.write_text("{}", encoding="utf-8")
    python = [sys.executable, "-c", command] if isinstance(command, str) else command
    return watched(
        sandbox_command(file, runtime, limits, python, cores=cores),
        total_s=limits.total_s,
        memory_bytes=limits.memory_bytes,
        output_bytes=limits.output_bytes,
        stdin=runtime.calls_filter,
        env={},
        folders=WRITABLE,
    )
