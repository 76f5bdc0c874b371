"""A release: the students' zip, the instructor's folder, and that both are of use."""

import json
import shutil
import zipfile
from pathlib import Path

import pytest

from labkit import recorded
from labkit.build import build_workbook
from labkit.build.execute import with_outputs
from labkit.build.notebooks import assemble, to_bytes
from labkit.build.source import read_shared, read_source
from labkit.checks import exercises, points
from labkit.cli import main
from labkit.grading.mend import mend
from labkit.grading.release import make_release, originals
from labkit.grading.validate import validate
from labkit.messages import set_language
from labkit.workbook import Workbook, WorkbookError

ROOT = Path(__file__).resolve().parents[2]
SOURCE = """\
# %% [markdown] lang="en"
# # Seeds
# %% [markdown] lang="hi"
# # Seeds चुनिए
# %% tags=["parameters"]
lang = "en"
# %% include="setup"
# %% answer="2.2"
seeds = ...
seeds_why = ...
### BEGIN SOLUTION
seeds = [0, 1, 2]
seeds_why = "three show the spread"
### END SOLUTION
# %% check="2.2"
lk.check("2.2", {"seeds": seeds, "seeds_why": seeds_why})
"""
SHARED = '# %% id="setup"\nimport labkit as lk\n'


@pytest.fixture(scope="module")
def workbook(tmp_path_factory):
    """Return a small clone: labkit, and one notebook whose solutions have outputs (which nothing has run)."""
    clone = tmp_path_factory.mktemp("clone")
    shutil.copytree(ROOT / "labkit", clone / "labkit", ignore=shutil.ignore_patterns("__pycache__", ".*"))
    for name in ("pyproject.toml", "README.md", "setup.py"):
        shutil.copy(ROOT / name, clone / name)
    recorder = recorded.Recorder(clone / "data" / "recorded" / "toy")
    recorder.add({"loss": 1.5}, seed=0)
    recorder.finish(
        "python toy.py", "A toy.", dict.fromkeys(("seed", "loss"), ("–", "a number")), "CC BY 4.0"
    )
    made = Workbook(clone / "notebooks")
    made.source.mkdir(parents=True)
    (made.source / "02_seeds.py").write_text(SOURCE, encoding="utf-8", newline="\n")
    (made.source / "_setup.py").write_text(SHARED, encoding="utf-8", newline="\n")
    build_workbook(made, execute=False)
    said = {"output_type": "stream", "name": "stdout", "text": "said\n"}
    for lang in ("en", "hi"):
        for path in made.built(lang, solutions=True):
            notebook = json.loads(path.read_text(encoding="utf-8"))
            code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
            ran = [cell | {"outputs": [said], "execution_count": 1} for cell in code]
            path.write_bytes(to_bytes(with_outputs(notebook, ran)))
    return made


@pytest.fixture(scope="module")
def release(workbook, tmp_path_factory):
    return make_release(workbook, tmp_path_factory.mktemp("release") / "out")


@pytest.fixture(scope="module")
def unpacked(release, tmp_path_factory):
    folder = tmp_path_factory.mktemp("student")
    with zipfile.ZipFile(release.students) as archive:
        archive.extractall(folder)
    return folder


@pytest.fixture(autouse=True)
def english():
    set_language("en")
    yield
    set_language("en")


def wheels(folder):
    return sorted(path.name for path in folder.glob("*.whl"))


@pytest.mark.parametrize(
    "folder", ["notebooks", "notebooks/hi", "notebooks/original", "notebooks/original/hi"]
)
def test_students_get_the_notebooks_in_both_languages_and_untouched_copies(unpacked, folder):
    assert [path.stem for path in (unpacked / folder).glob("*.ipynb")] == ["02_seeds"]


def test_students_get_a_wheel_beside_each_notebook_and_a_readme_that_names_it(unpacked):
    readme = (unpacked / "README.md").read_text(encoding="utf-8")
    (wheel,) = wheels(unpacked / "notebooks")
    assert wheels(unpacked / "notebooks" / "hi") == [wheel]
    assert readme.count(f"./notebooks/{wheel}[train,lab]") == 2
    assert "देने से पहले" in readme


def test_students_get_no_solution(release):
    with zipfile.ZipFile(release.students) as archive:
        assert not any(b"three show the spread" in archive.read(name) for name in archive.namelist())


def test_wheel_holds_the_package(unpacked):
    (wheel,) = (unpacked / "notebooks").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {"labkit/cli.py", "labkit/messages/mending.toml", "labkit/py.typed"} <= set(names)
    assert "labkit/recorded/data/toy.csv" in names


def test_instructor_keeps_the_reference_with_outputs(release):
    (solved,) = Workbook(release.instructor / "notebooks").built("hi", solutions=True)
    assert "said" in solved.read_text(encoding="utf-8")


def test_instructor_keeps_points_and_version_of_the_rubric(release):
    rubric = json.loads((release.instructor / "rubric.json").read_text(encoding="utf-8"))
    assert (len(rubric["version"]), rubric["points"]["2.2"]) == (16, 2)


def test_untouched_copies_of_a_release_are_those_of_the_sources(unpacked, workbook):
    assert originals(Workbook(unpacked / "notebooks")) == originals(workbook)


def test_untouched_copies_stay_so_when_the_notebook_is_edited(unpacked, tmp_path, workbook):
    shutil.copytree(unpacked / "notebooks", tmp_path / "notebooks")
    (tmp_path / "notebooks" / "02_seeds.ipynb").write_text("mine", encoding="utf-8")
    assert originals(Workbook(tmp_path / "notebooks")) == originals(workbook)


def test_handed_out_notebook_is_undamaged_and_unanswered(unpacked):
    path = unpacked / "notebooks" / "hi" / "02_seeds.ipynb"
    found = validate(path, originals(Workbook(unpacked / "notebooks")))
    assert (found.mended.lang, found.mended.notes, found.unanswered) == ("hi", (), ("answer-2-2",))


def test_the_instructor_gets_the_guide(release):
    assert (release.instructor / "labkit" / "grading" / "GUIDE.md").is_file()


def test_two_releases_have_the_same_bytes(workbook, release, tmp_path):
    second = make_release(workbook, tmp_path / "out")
    assert second.students.read_bytes() == release.students.read_bytes()


def test_nothing_is_left_in_the_clone(workbook, release):
    assert sorted(path.name for path in workbook.notebooks.parent.iterdir()) == [
        "README.md",
        "data",
        "labkit",
        "notebooks",
        "pyproject.toml",
        "setup.py",
    ]


def test_command_says_where_the_release_is(workbook, tmp_path, capsys):
    out = tmp_path / "out"
    assert main(["build", "--release", str(out), "--notebooks", str(workbook.notebooks)]) == 0
    assert str(out / "instructor") in capsys.readouterr().out


def test_release_into_a_used_folder_is_refused(workbook, tmp_path, capsys):
    (tmp_path / "old.txt").touch()
    assert main(["build", "--release", str(tmp_path), "--notebooks", str(workbook.notebooks)]) == 1
    assert "not an empty folder" in capsys.readouterr().err


def test_release_of_notebooks_that_are_out_of_step_is_refused(workbook, tmp_path):
    copy = Workbook(tmp_path / "notebooks")
    shutil.copytree(workbook.notebooks, copy.notebooks)
    (path,) = copy.built("hi")
    path.write_bytes(path.read_bytes().replace(b"import labkit", b"import  labkit"))
    with pytest.raises(WorkbookError, match=r"hi/02_seeds\.ipynb"):
        make_release(copy, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_release_without_a_clone_says_what_is_missing(workbook, tmp_path):
    shutil.copytree(workbook.notebooks, tmp_path / "notebooks")
    with pytest.raises(WorkbookError, match=r"pyproject\.toml"):
        make_release(Workbook(tmp_path / "notebooks"), tmp_path / "out")


OURS = Workbook(ROOT / "notebooks")


@pytest.mark.parametrize("lang", ["en", "hi"])
@pytest.mark.parametrize("path", OURS.sources(), ids=lambda path: path.stem)
def test_solutions_of_our_notebooks_are_mended_without_a_note_and_wholly_answered(path, lang):
    cells, _ = read_source(path, read_shared(OURS.source / "_setup.py")[0])
    solved = assemble(cells, lang, {one: points(one) for one in exercises()}, solutions=True)
    mended = mend(to_bytes(solved), originals(OURS)[path.stem])
    assert (mended.notes, mended.lang, all(mended.answered.values())) == ((), lang, True)
    assert mended.notebook == solved
