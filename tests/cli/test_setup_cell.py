"""The shared setup cell where it must work: in a clone, with labkit installed, in Colab-like services."""

import os
import subprocess
import venv
import zipfile
from pathlib import Path

import pytest

from labkit.build.source import read_shared

ROOT = Path(__file__).resolve().parents[2]
SETUP = read_shared(ROOT / "notebooks" / "source" / "_setup.py")[0]["setup"].text
WHEEL = "compute_lab_workbook-0.1.0-py3-none-any.whl"


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """A Python with pip in which labkit is not installed."""
    folder = tmp_path_factory.mktemp("venv")
    venv.create(folder, with_pip=True)
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


@pytest.fixture
def run_setup(python, tmp_path):
    """Run the setup cell in a folder, as a kernel would, and return where its labkit came from."""

    def run(folder, **environment):
        # no index: what pip is asked for must be beside the wheel
        offline = {
            "PYTHONUTF8": "1",
            "PIP_NO_INDEX": "1",
            "PIP_NO_DEPS": "1",
            "PIP_FIND_LINKS": str(tmp_path / "links"),
        }
        inherited = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        return subprocess.run(
            [python, "-c", f"{SETUP}\nprint(lk.__file__)"],
            cwd=folder,
            env=inherited | offline | environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )

    return run


def write_wheel(path, package, files):
    """Write the smallest wheel that pip accepts: `files` maps names inside the wheel to bytes."""
    info = f"{package}-{path.name.split('-')[1]}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: {package}\nVersion: {path.name.split('-')[1]}\n"
    tags = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as wheel:
        for name, content in files.items():
            wheel.writestr(name, content)
        wheel.writestr(f"{info}/METADATA", metadata)
        wheel.writestr(f"{info}/WHEEL", tags)
        wheel.writestr(f"{info}/RECORD", "")


def labkit_files():
    return {
        path.relative_to(ROOT).as_posix(): path.read_bytes()
        for path in (ROOT / "labkit").rglob("*")
        if path.suffix in (".py", ".toml")
    }


def put(folder, files):
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


@pytest.mark.parametrize(
    "folder", ["notebooks", "notebooks/hi", "notebooks/solutions/en", "results/run-1/en"]
)
def test_in_a_clone_the_clone_is_used(run_setup, tmp_path, folder):
    put(tmp_path, labkit_files())
    (tmp_path / folder).mkdir(parents=True)
    assert run_setup(tmp_path / folder).stdout.strip() == str(tmp_path / "labkit" / "__init__.py")


def test_installed_labkit_is_used(run_setup, tmp_path):
    put(tmp_path / "site", labkit_files())
    (tmp_path / "anywhere").mkdir()
    shown = run_setup(tmp_path / "anywhere", PYTHONPATH=str(tmp_path / "site")).stdout
    assert shown.strip() == str(tmp_path / "site" / "labkit" / "__init__.py")


@pytest.mark.parametrize("folder", ["content", "content/uploaded"])
def test_uploaded_wheel_is_installed(run_setup, tmp_path, folder):
    write_wheel(tmp_path / folder / WHEEL, "compute_lab_workbook", labkit_files())
    write_wheel(tmp_path / "links" / "mnist1d-1.0-py3-none-any.whl", "mnist1d", {"mnist1d/__init__.py": b""})
    site = str(tmp_path / "site")
    done = run_setup(tmp_path / "content", PIP_TARGET=site, PYTHONPATH=site)
    assert done.stdout.strip() == str(tmp_path / "site" / "labkit" / "__init__.py"), done.stderr


def test_uploaded_folder_is_used(run_setup, tmp_path):
    put(tmp_path / "content" / "workbook", labkit_files())
    shown = run_setup(tmp_path / "content").stdout
    assert shown.strip() == str(tmp_path / "content" / "workbook" / "labkit" / "__init__.py")


def test_without_labkit_one_sentence_says_what_to_upload(run_setup, tmp_path):
    done = run_setup(tmp_path)
    assert done.returncode == 1
    assert done.stderr.count("Upload compute_lab_workbook-….whl") == 1
    assert "upload कीजिए" in done.stderr


def test_somebody_elses_labkit_is_not_mistaken_for_ours(run_setup, tmp_path):
    put(tmp_path / "site", {"labkit/__init__.py": b""})
    done = run_setup(tmp_path, PYTHONPATH=str(tmp_path / "site"))
    assert "Upload compute_lab_workbook-….whl" in done.stderr
