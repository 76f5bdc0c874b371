"""A release: what students get (a zip) and what the instructor keeps."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from labkit.build import BuildError, check_workbook
from labkit.build.notebooks import Notebook, assemble, to_bytes
from labkit.build.source import read_shared, read_source
from labkit.checks import exercises, points
from labkit.messages import LANGUAGES, text
from labkit.workbook import Workbook, WorkbookError

ORIGINAL = "original"  # folder of untouched copies beside the notebooks in the students' zip
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the time of every file in the zip, so that two builds give the same bytes
_KEPT = ("README.md", "labkit/grading/GUIDE.md", "tests/nbval.ini")


@dataclass(frozen=True)
class Release:
    """Where a release was written: the students' zip and the instructor's folder."""

    students: Path
    instructor: Path


def make_release(workbook: Workbook, out: Path) -> Release:
    """Write a release of the workbook into the folder `out`.

    Students' zip: `notebooks/` (English), `notebooks/hi/`, the wheel in both, untouched copies in
    `notebooks/original/`, a README in both languages. Instructor's folder: `notebooks/` laid out as in the
    workbook, with the solutions and their outputs as reference; the same wheel; `rubric.json` with the points
    and the rubrics' version. Two releases of the same files have the same bytes.

    Raises
    ------
    WorkbookError
        If notebooks are out of step with their sources, `out` holds something else, or the wheel cannot be
        built.
    BuildError
        With every fault in the sources.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise WorkbookError(text("release.not_empty", folder=out))
    differences = check_workbook(workbook)
    if differences:
        raise WorkbookError("\n".join([text("release.out_of_step"), *differences]))
    wheel, package = _wheel(workbook.notebooks.parent)
    for_students = _students_files(workbook, wheel, package)
    release = Release(out / f"{'-'.join(wheel.split('-')[:2])}-students.zip", out / "instructor")
    for path, content in (_instructor_files(workbook) | {wheel: package}).items():
        target = release.instructor / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    _write_zip(release.students, for_students)
    return release


def originals(workbook: Workbook) -> dict[str, dict[str, Notebook]]:
    """Return the untouched student notebooks: name → language → notebook.

    They come from the sources, else from the copies that a release brings, else from the notebooks themselves
    (which a student may have written into).

    Raises
    ------
    WorkbookError
        With every fault in the sources.
    """
    if workbook.sources():
        return _assembled(workbook)
    copies = Workbook(workbook.notebooks / ORIGINAL)
    home = copies if copies.built(LANGUAGES[0]) else workbook
    found: dict[str, dict[str, Notebook]] = {}
    for lang in LANGUAGES:
        for path in home.built(lang):
            found.setdefault(path.stem, {})[lang] = json.loads(path.read_text(encoding="utf-8"))
    return found


def _assembled(workbook: Workbook) -> dict[str, dict[str, Notebook]]:
    rubric = {exercise: points(exercise) for exercise in exercises()}
    shared, faults = read_shared(workbook.source / "_setup.py")
    found = {}
    for path in workbook.sources():
        cells, wrong = read_source(path, shared)
        faults += wrong
        found[path.stem] = {} if faults else {lang: assemble(cells, lang, rubric) for lang in LANGUAGES}
    if faults:
        raise WorkbookError(str(BuildError(faults)))
    return found


def _students_files(workbook: Workbook, wheel: str, package: bytes) -> dict[str, bytes]:
    files = {"README.md": _readme(wheel).encode("utf-8")}
    for name, versions in originals(workbook).items():
        for lang, notebook in versions.items():
            folder = "" if lang == LANGUAGES[0] else f"{lang}/"
            files[f"notebooks/{folder}{wheel}"] = package
            for home in ("notebooks", f"notebooks/{ORIGINAL}"):
                files[f"{home}/{folder}{name}.ipynb"] = to_bytes(notebook)
    return files


def _instructor_files(workbook: Workbook) -> dict[str, bytes]:
    from labkit.grading.batch import rubric_version

    root = workbook.notebooks.parent
    rubric: dict[str, Any] = {
        "version": rubric_version(),
        "points": {exercise: points(exercise) for exercise in exercises()},
    }
    files = {"rubric.json": (json.dumps(rubric, indent=1) + "\n").encode()}
    for lang in LANGUAGES:
        for solutions in (False, True):
            for path in workbook.built(lang, solutions):
                files[path.relative_to(root).as_posix()] = path.read_bytes()
    return files | {name: (root / name).read_bytes() for name in _KEPT if (root / name).is_file()}


def _readme(wheel: str) -> str:
    return "\n\n".join(text("release.readme", lang, wheel=wheel) for lang in LANGUAGES) + "\n"


def _write_zip(target: Path, files: Mapping[str, bytes]) -> None:
    """Write a zip whose bytes depend on the files alone."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            info = zipfile.ZipInfo(name, _EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            archive.writestr(info, files[name])


def _wheel(root: Path) -> tuple[str, bytes]:
    """Return name and bytes of labkit's wheel, built from a copy: nothing is left in the clone."""
    if not (root / "pyproject.toml").is_file():
        raise WorkbookError(text("release.no_clone", folder=root))
    with tempfile.TemporaryDirectory(prefix="labkit-") as temporary:
        copy, into = Path(temporary, "clone"), Path(temporary, "wheels")
        junk = shutil.ignore_patterns("__pycache__", ".*")
        shutil.copytree(root / "labkit", copy / "labkit", ignore=junk)
        for name in ("pyproject.toml", "README.md", "setup.py"):
            shutil.copy(root / name, copy / name)
        if (root / "data" / "recorded").is_dir():
            shutil.copytree(root / "data" / "recorded", copy / "data" / "recorded", ignore=junk)
        options = ["--quiet", "--no-deps", "--wheel-dir", str(into)]
        if _has_setuptools():
            options.append("--no-build-isolation")
        done = subprocess.run(
            [sys.executable, "-m", "pip", "wheel", *options, str(copy)],
            env=os.environ | {"SOURCE_DATE_EPOCH": "315532800"},
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        wheels = [(path.name, path.read_bytes()) for path in into.glob("*.whl")]
    if done.returncode or not wheels:
        why = (done.stderr.strip().splitlines() or ["–"])[-1]
        raise WorkbookError(text("release.no_wheel", why=why))
    return wheels[0]


def _has_setuptools() -> bool:
    """Return whether the wheel can be built without the internet."""
    try:
        return int(version("setuptools").partition(".")[0]) >= 77
    except (PackageNotFoundError, ValueError):
        return False
