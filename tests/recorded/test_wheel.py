"""The recordings wherever labkit is: in a clone, in the wheel, and in what the grader's sandbox shows."""

import os
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

from labkit import recorded

ROOT = Path(__file__).resolve().parents[2]
LOAD = "from labkit import recorded; found = recorded.load('toy'); print(len(found.rows), found.path)"


def run(*command, cwd, path=None):
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, *map(str, command)],
        cwd=cwd,
        env=environment | ({"PYTHONPATH": str(path)} if path else {}),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """Return a small clone with one finished recording, one unfinished and the script of both."""
    folder = tmp_path_factory.mktemp("clone")
    shutil.copytree(ROOT / "labkit", folder / "labkit", ignore=shutil.ignore_patterns("__pycache__", ".*"))
    for name in ("pyproject.toml", "README.md", "setup.py", "MANIFEST.in"):
        shutil.copy(ROOT / name, folder / name)
    recorder = recorded.Recorder(folder / "data" / "recorded" / "toy")
    recorder.add([{"loss": 1.5}, {"loss": 1.25}], seed=0)
    recorder.finish("python toy.py", "A toy.", {"seed": ("–", "seed"), "loss": ("nats", "loss")}, "CC BY 4.0")
    recorded.Recorder(folder / "data" / "recorded" / "later").add({"loss": 1}, seed=0)
    (folder / "data" / "recorded" / "toy.py").write_text("", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def wheel(clone, tmp_path_factory):
    into = tmp_path_factory.mktemp("wheels")
    options = ["--quiet", "--no-deps", "--wheel-dir", into, *offline()]
    run("-m", "pip", "wheel", *options, clone, cwd=into)
    (path,) = into.glob("*.whl")
    return path


def offline():
    """Let pip build with the setuptools installed here, where it is new enough."""
    try:
        return ["--no-build-isolation"] if int(version("setuptools").partition(".")[0]) >= 77 else []
    except PackageNotFoundError:
        return []


needs_setuptools = pytest.mark.skipif(not offline(), reason="setuptools is not installed here")


def test_a_clone_reads_its_own_folder(clone, tmp_path):
    assert run("-c", LOAD, cwd=tmp_path, path=clone) == f"2 {clone / 'data' / 'recorded' / 'toy.csv'}"


def test_the_wheel_brings_finished_recordings_and_nothing_else_of_the_folder(wheel):
    with zipfile.ZipFile(wheel) as archive:
        brought = sorted(name for name in archive.namelist() if name.startswith("labkit/recorded/data/"))
    assert brought == ["labkit/recorded/data/toy.csv", "labkit/recorded/data/toy.md"]


def test_unpacked_wheel_loads_its_copy(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    (tmp_path / "elsewhere").mkdir()
    shown = run("-c", LOAD, cwd=tmp_path / "elsewhere", path=tmp_path / "site")
    assert shown == f"2 {tmp_path / 'site' / 'labkit' / 'recorded' / 'data' / 'toy.csv'}"


@needs_setuptools
def test_a_recording_taken_away_is_not_in_the_next_wheel(clone, wheel, tmp_path):
    again = tmp_path / "clone"
    shutil.copytree(clone, again)
    for path in (again / "data" / "recorded").glob("toy.*"):
        path.unlink()
    stale = again / "build" / "lib" / "labkit" / "recorded" / "data" / "toy.csv"
    stale.parent.mkdir(parents=True, exist_ok=True)
    stale.touch()
    build = f"from setuptools import build_meta; build_meta.build_wheel({str(tmp_path)!r})"
    run("-c", build, cwd=again)
    (path,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        assert not [name for name in archive.namelist() if "toy" in name]


@needs_setuptools
def test_an_editable_install_copies_nothing(clone, tmp_path):
    build = f"from setuptools import build_meta; build_meta.build_editable({str(tmp_path)!r})"
    run("-c", build, cwd=clone)
    (path,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        assert not [name for name in archive.namelist() if "toy" in name]
    assert not (clone / "labkit" / "recorded" / "data").exists()


def test_the_sandbox_of_the_grader_gets_them_from_a_clone_and_from_an_installed_package(
    clone, wheel, tmp_path
):
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    prepare = "import sys, pathlib; from labkit.grading.runtime import prepare_runtime as prepare; "
    for home in (clone, tmp_path / "site"):
        inside = tmp_path / f"inside-{home.name}"
        inside.mkdir()
        run("-c", prepare + "prepare(pathlib.Path(sys.argv[1]))", inside, cwd=tmp_path, path=home)
        shown = run("-c", LOAD, cwd=tmp_path, path=inside)
        assert shown == f"2 {inside / 'labkit' / 'recorded' / 'data' / 'toy.csv'}"
        assert sorted(path.name for path in (inside / "labkit" / "recorded" / "data").iterdir()) == [
            "toy.csv",
            "toy.md",
        ]
