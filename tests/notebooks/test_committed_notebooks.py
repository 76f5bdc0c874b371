"""The committed notebooks: in sync with their sources, run from top to bottom, and score what they should."""

import json
import os
import subprocess
import sys
from pathlib import Path

import nbformat
import papermill
import pytest

from labkit import checks

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = ROOT / "notebooks"
NAMES = sorted(path.stem for path in (NOTEBOOKS / "source").glob("[0-9]*.py"))
FOLDERS = {"en": NOTEBOOKS, "hi": NOTEBOOKS / "hi"}


def execute(notebook: Path, work: Path, lang: str) -> nbformat.NotebookNode:
    """Run a copy of a notebook through papermill, fast, in a folder of its own."""
    copy = work / notebook.name
    copy.write_bytes(notebook.read_bytes())
    papermill.execute_notebook(
        copy,
        work / f"executed_{notebook.name}",
        parameters={"fast": True, "lang": lang},
        kernel_name="python3",
        cwd=work,
        progress_bar=False,
    )
    return nbformat.read(work / f"executed_{notebook.name}", as_version=4)


def scores(notebook: nbformat.NotebookNode) -> dict[str, float]:
    """Return what each check cell showed: exercise → points."""
    found = {}
    for cell in notebook.cells:
        grade_id = cell.metadata.get("nbgrader", {}).get("grade_id", "")
        if grade_id.startswith("check-"):
            (output,) = [o for o in cell.outputs if o.output_type == "execute_result"]
            answer = output.data["application/vnd.labkit.answer+json"]
            found[answer["exercise"]] = float(output.data["text/plain"])
            assert json.dumps(answer, allow_nan=False)
    return found


def exercises(name: str) -> dict[str, float]:
    number = name[:2].lstrip("0")
    return {e: checks.points(e) for e in checks.exercises() if e.startswith(f"{number}.")}


def test_notebooks_are_in_sync_with_their_sources():
    done = subprocess.run(
        [sys.executable, "-m", "labkit", "build", "--check"],
        cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("lang", FOLDERS)
@pytest.mark.parametrize("name", NAMES)
def test_untouched_student_notebook_runs_to_its_end_and_scores_zero(name, lang, tmp_path):
    executed = execute(FOLDERS[lang] / f"{name}.ipynb", tmp_path, lang)
    assert scores(executed) == dict.fromkeys(exercises(name), 0.0)


@pytest.mark.slow
@pytest.mark.parametrize("lang", FOLDERS)
@pytest.mark.parametrize("name", NAMES)
def test_solution_scores_full_marks(name, lang, tmp_path):
    executed = execute(NOTEBOOKS / "solutions" / lang / f"{name}.ipynb", tmp_path, lang)
    assert scores(executed) == exercises(name)


@pytest.mark.parametrize("lang", FOLDERS)
@pytest.mark.parametrize("name", NAMES)
def test_stored_outputs_of_the_solution_show_full_marks(name, lang):
    stored = nbformat.read(NOTEBOOKS / "solutions" / lang / f"{name}.ipynb", as_version=4)
    assert scores(stored) == exercises(name)


def put_copies(lang: str, folder: Path, fast: bool) -> None:
    """Copy the solved notebooks, outputs included; what they compare does not depend on `fast`."""
    for name in NAMES:
        notebook = nbformat.read(NOTEBOOKS / "solutions" / lang / f"{name}.ipynb", as_version=4)
        (cell,) = (c for c in notebook.cells if "parameters" in c.metadata.get("tags", []))
        cell.source = cell.source.replace("fast = False", f"fast = {fast}")
        nbformat.write(notebook, folder / f"{name}.ipynb")


# At the default settings in one language only: it takes minutes, and the languages share the code.
@pytest.mark.slow
@pytest.mark.parametrize(("lang", "rounds"), [("en", (False, True)), ("hi", (True, True))])
def test_nbval_passes_twice_in_a_row(lang, rounds, tmp_path):
    options = [
        "--nbval",
        "--nbval-sanitize-with",
        ROOT / "tests" / "nbval.ini",
        "--nbval-cell-timeout",
        "300",
    ]
    alone = ["--noconftest", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", tmp_path]
    for fast in rounds:
        put_copies(lang, tmp_path, fast)
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", *options, *alone, tmp_path],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, done.stdout[-5000:]


@pytest.mark.parametrize("lang", FOLDERS)
@pytest.mark.parametrize("name", NAMES)
def test_student_notebooks_carry_no_outputs_and_no_solution(name, lang):
    notebook = nbformat.read(FOLDERS[lang] / f"{name}.ipynb", as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells)
    assert "SOLUTION" not in json.dumps(notebook)
