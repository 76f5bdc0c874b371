"""The house's rules: imports run downwards only, and planning needs nothing heavy."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "labkit"

# Floors of the house, from the ground up. A module may import from its own floor or from below.
FLOORS = [
    {"messages", "disk"},
    {"parameters", "plan", "clock", "forecast", "timing"},
    {"checkpoint", "config", "data", "device", "kahani", "models", "mup", "schedules", "workload", "train"},
    {"recorded", "runs", "scaling", "sweep", "training_length", "upscale"},
    {"checks", "plots"},
    {"build", "grading", "lab", "run_notebooks", "run_report", "widgets", "workbook"},
    {"cli", "__main__"},
]
FLOOR = {name: level for level, names in enumerate(FLOORS) for name in names}


def room(path: Path) -> str:
    """Return the module or subpackage of labkit that a file belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_rooms(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name} uses a relative import; write labkit.… in full"
            names |= {
                f"{node.module}.{alias.name}" if node.module == "labkit" else str(node.module)
                for alias in node.names
            }
    return {name.split(".")[1] for name in names if name.startswith("labkit.")}


MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_run_downwards(path):
    here = FLOOR[room(path)]
    upwards = {name for name in imported_rooms(path) if name in FLOOR and FLOOR[name] > here}
    assert not upwards


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_modules_stay_short(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 350


def run_python(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


HEAVY = (
    "[m for m in ('torch', 'matplotlib', 'numpy', 'ipywidgets', 'IPython', 'papermill') if m in sys.modules]"
)


@pytest.mark.parametrize(
    "module", ["labkit", "labkit.plan", "labkit.timing", "labkit.messages", "labkit.checks", "labkit.cli"]
)
def test_import_loads_nothing_heavy(module):
    assert run_python(f"import sys, {module}; print({HEAVY})") == "[]"


def test_planning_works_where_torch_numpy_and_matplotlib_are_missing():
    code = """
import sys
for name in ("torch", "numpy", "matplotlib", "ipywidgets", "IPython"):
    sys.modules[name] = None
import labkit as lk
plan = lk.ComputePlan("Q?", [("baseline", "baseline"), ("mine", "method")], [0, 1, 2], "why", lk.Measured(40))
print(plan.total_hours, plan.plan_b().fits, lk.check("2.1", [["a", "baseline"]]) >= 0)
"""
    assert run_python(code).startswith("6.0 ")


def test_every_public_name_loads_and_an_unknown_one_lists_them():
    import labkit

    for name in labkit.__all__:
        assert getattr(labkit, name) is not None
    with pytest.raises(AttributeError, match="measure_steps"):
        _ = labkit.measure_stepz
