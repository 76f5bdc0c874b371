"""What the sandbox shows of labkit: a clean copy without the rubrics and without their words.

A student's code can read every file that it can import. So the copy has no rubric, no right answer and no
message of a check; in its place stands `labkit.grading.inside.checks`, which only sends the answer out.
"""

from __future__ import annotations

import compileall
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from labkit import recorded
from labkit.grading.seccomp import filter_program

_PACKAGE = Path(__file__).resolve().parents[1]
_LEFT_OUT = ("checks", "build", "grading", "cli.py", "__main__.py", "__pycache__")
_SECRET_WORDS = ("checks.toml", "mending.toml", "grading.toml", "feedback.toml", "build.toml", "cli.toml")
_INSIDE = Path(__file__).parent / "inside"


@dataclass(frozen=True)
class Runtime:
    """A prepared folder, used by all submissions of a batch.

    Attributes
    ----------
    folder : appears read-only inside.
    hidden : folders that must not be seen inside, wherever they lie.
    calls_filter : file with the filter of system calls; None where there is none for this machine.
    """

    folder: Path
    hidden: tuple[Path, ...]
    calls_filter: Path | None


def prepare_runtime(folder: Path, hidden: Sequence[Path] = ()) -> Runtime:
    """Fill an empty folder with the copy of labkit, the runner, and a kernel of our own.

    Parameters
    ----------
    folder : new or empty; every user must be able to read it.
    hidden : the folders of submissions, marks and reference notebooks. The installed labkit is always hidden.
    """
    copy = folder / "labkit"
    shutil.copytree(_PACKAGE, copy, ignore=_ignored)
    recorded.copy_to(copy)
    (copy / "checks").mkdir()
    shutil.copyfile(_INSIDE / "checks.py", copy / "checks" / "__init__.py")
    for name in ("calls.py", "plain.py"):
        shutil.copyfile(_PACKAGE / "checks" / name, copy / "checks" / name)
    for name in ("runner.py", "kernel.py"):
        shutil.copyfile(_INSIDE / name, folder / name)
    spec = folder / "jupyter" / "kernels" / "labkit"
    spec.mkdir(parents=True)
    (spec / "kernel.json").write_text(json.dumps(_kernel()), encoding="utf-8")
    etc = folder / "etc"
    etc.mkdir()
    for name, lines in _ETC.items():
        (etc / name).write_text(lines, encoding="utf-8")
    _list_fonts(folder / "matplotlib")
    compileall.compile_dir(folder, quiet=1, force=True)
    program = filter_program()
    (folder / "calls.bpf").write_bytes(program)
    covered = (*_repository(), *(path.resolve() for path in hidden))
    return Runtime(folder, covered, folder / "calls.bpf" if program else None)


_ETC = {
    "passwd": "root:x:0:0::/:/bin/sh\n",
    "group": "root:x:0:\n",
    "hosts": "127.0.0.1 localhost sandbox\n",
}


def _ignored(folder: str, names: list[str]) -> set[str]:
    if Path(folder) == _PACKAGE:
        return {name for name in names if name in _LEFT_OUT}
    if Path(folder) == _PACKAGE / "messages":
        return {name for name in names if name in (*_SECRET_WORDS, "__pycache__")}
    return {name for name in names if name == "__pycache__"}


def _list_fonts(folder: Path) -> None:
    """Let matplotlib make its list of fonts, once for the whole batch."""
    folder.mkdir()
    environment = {"HOME": str(folder), "MPLCONFIGDIR": str(folder), "PATH": os.environ.get("PATH", "")}
    listing = [sys.executable, "-c", "import matplotlib.font_manager"]
    subprocess.run(listing, env=environment, cwd=folder, capture_output=True, check=False)


def _repository() -> list[Path]:
    """Return labkit's own folder and, in a clone, the notebooks and tests beside it."""
    beside = [_PACKAGE.parent / name for name in ("notebooks", "tests", "data", "build", ".git")]
    clone = (_PACKAGE.parent / "pyproject.toml").is_file()
    return [_PACKAGE, *(beside if clone else [])]


def _kernel() -> dict[str, object]:
    return {
        "argv": [sys.executable, "{resource_dir}/../../../kernel.py", "-f", "{connection_file}"],
        "display_name": "labkit",
        "language": "python",
    }


def missing_packages() -> list[str]:
    """Return the packages that executing needs and this Python lacks."""
    return [name for name in ("pytest", "nbval", "ipykernel") if importlib.util.find_spec(name) is None]
