"""What grading needs to know about a release notebook's cells, and the cells that the grader adds."""

from __future__ import annotations

import ast
import copy
import json
from collections.abc import Mapping
from typing import Any

from labkit.checks.core import inputs
from labkit.grading.code import python
from labkit.grading.emitted import ANSWER, RETURNED

_SHOWN = (["plots"], ["plan_form"])  # what labkit draws: nobody looks while grading
_CALLS = "calls-"


class Cells:
    """The code cells of a mended notebook.

    Attributes
    ----------
    code : grade_ids of all code cells, in order.
    checks : grade_id of a cell that sends something out → its exercise, and what it sends.
    """

    def __init__(self, notebook: Mapping[str, Any]) -> None:
        self.code: list[str] = []
        self.checks: dict[str, tuple[str, str]] = {}
        for cell in notebook["cells"]:
            marks = cell["metadata"].get("nbgrader", {})
            if cell["cell_type"] == "code" and "grade_id" in marks:
                grade_id = marks["grade_id"]
                self.code.append(grade_id)
                if marks.get("grade") and not marks.get("solution"):
                    self.checks[grade_id] = _sends(grade_id)

    @property
    def exercises(self) -> list[str]:
        """The exercises that are graded by rubric, in order."""
        return [exercise for exercise, what in self.checks.values() if what == ANSWER]

    def before(self, check: str) -> list[str]:
        """Return the grade_ids of the cells after the previous check, up to this one and including it."""
        place = self.code.index(check)
        start = max((n + 1 for n, name in enumerate(self.code[:place]) if name in self.checks), default=0)
        return self.code[start : place + 1]


def _sends(grade_id: str) -> tuple[str, str]:
    what = RETURNED if grade_id.startswith(_CALLS) else ANSWER
    return grade_id.partition("-")[2].replace("-", "."), what


def for_grading(notebook: Mapping[str, Any], seed: int, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the notebook as it is executed.

    No outputs, so that nbval compares nothing; no figures and forms in locked cells; parameters set as
    papermill sets them; and, at the end, a cell for each exercise that asks for a function, which calls it on
    arguments drawn from the grader's seed.
    """
    made: dict[str, Any] = copy.deepcopy(dict(notebook))
    for cell in made["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [], None
            if cell["metadata"].get("nbgrader", {}).get("locked"):
                cell["source"] = without_figures("".join(cell["source"]))
            if "parameters" in cell["metadata"].get("tags", []):
                lines = [f"{name} = {value!r}" for name, value in parameters.items()]
                cell["source"] = "\n".join(["".join(cell["source"]), *lines])
    for exercise in Cells(made).exercises:
        arguments = grader_inputs(exercise, seed)
        if arguments is not None:
            made["cells"].append(_calling_cell(exercise, arguments))
    return made


def without_figures(source: str) -> str:
    """Return a cell without its statements that only draw, such as `lk.plots.speed(measured)`.

    Only whole lines go, and only calls whose result nothing uses; they take half the time of short notebooks.
    """
    tree = python(source)
    lines = source.splitlines(keepends=True)
    for statement in tree.body if tree else ():
        first, last = statement.lineno - 1, statement.end_lineno or statement.lineno
        whole = ast.get_source_segment(source, statement) == "".join(lines[first:last]).strip()
        if isinstance(statement, ast.Expr) and whole and _draws(statement.value):
            lines[first:last] = ["\n"] * (last - first)
    return "".join(lines)


def _draws(value: ast.expr) -> bool:
    """Say whether an expression is a call of `lk.plots.…` or `lk.plan_form`."""
    path = []
    node: ast.expr = value.func if isinstance(value, ast.Call) else value
    while isinstance(node, ast.Attribute):
        path.append(node.attr)
        node = node.value
    return (
        isinstance(value, ast.Call) and isinstance(node, ast.Name) and node.id == "lk" and path[-1:] in _SHOWN
    )


def grader_inputs(exercise: str, seed: int) -> list[list[Any]] | None:
    """Return the arguments for a function exercise, others than those in the notebook."""
    return inputs(exercise, f"grader {seed}")


def _calling_cell(exercise: str, arguments: list[list[Any]]) -> dict[str, Any]:
    grade_id = _CALLS + exercise.replace(".", "-")
    marks = {"grade": True, "grade_id": grade_id, "locked": True, "points": 0, "schema_version": 3}
    data = json.dumps(json.dumps(arguments))
    return {
        "cell_type": "code",
        "id": grade_id,
        "metadata": {"nbgrader": {**marks, "solution": False, "task": False}},
        "execution_count": None,
        "outputs": [],
        "source": "import json\nimport labkit.checks\n"
        f"labkit.checks.returned({exercise!r}, json.loads({data}))",
    }
