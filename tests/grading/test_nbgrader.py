"""nbgrader's own tools take our notebooks, and on honest ones their scores agree with ours."""

import json
import re
from pathlib import Path

import pytest

import labkit.grading
from labkit import checks
from labkit.build import build_workbook
from labkit.grading.grade import Options, grade, load_releases
from labkit.messages import LANGUAGES
from labkit.workbook import Workbook, find_workbook

pytest.importorskip("nbgrader", reason="nbgrader is in the extra `dev`")
from nbgrader.api import Gradebook
from nbgrader.apps import NbGraderAPI
from nbgrader.validator import Validator
from traitlets.config import Config

LAB = "09_small_lab"
SOURCE = """# A notebook with two exercises that runs in no time.

# %% [markdown] lang="en"
# # 9 · A small lab
# %% [markdown] lang="hi"
# # 9 · एक छोटा lab
# %% id="setup"
import labkit as lk
# %% tags=["parameters"]
lang = "en"
# %% answer="1.2"
best = ...
### BEGIN SOLUTION
best = "mean"
### END SOLUTION
# %% check="1.2"
lk.check("1.2", best)
# %% answer="2.2" open=true tags=["read"]
seeds = ...
seeds_why = ...
### BEGIN SOLUTION
seeds = [0, 1, 2]
seeds_why = "three show the spread"
### END SOLUTION
# %% check="2.2"
lk.check("2.2", {"seeds": seeds, "seeds_why": seeds_why})
"""
ANSWERS = {
    "full": {
        "answer-1-2": 'best = "mean"',
        "answer-2-2": 'seeds, seeds_why = [0, 1, 2], "three show the spread"',
    },
    "partly": {"answer-1-2": 'best = "median"', "answer-2-2": "seeds = [0, 1]\nseeds_why = ..."},
    "untouched": {},
}
SCORES = {"full": 3, "partly": 1, "untouched": 0}


def guide_config():
    """Return the configuration that the instructors' guide shows for nbgrader."""
    guide = Path(labkit.grading.__file__).with_name("GUIDE.md").read_text(encoding="utf-8")
    config = Config()
    (lines,) = re.findall(r"```python\n(c = get_config.*?)```", guide, re.DOTALL)
    exec(lines, {"get_config": lambda: config})
    return config


def course(folder, notebooks):
    """Return nbgrader's tools for a course with the assignment `lab`, from notebooks (name → file)."""
    source = folder / "source" / "lab"
    source.mkdir(parents=True)
    for name, notebook in notebooks.items():
        (source / name).write_bytes(notebook.read_bytes())
    config = guide_config()
    config.CourseDirectory.root = str(folder)
    config.CourseDirectory.db_url = f"sqlite:///{(folder / 'gradebook.db').as_posix()}"
    tools = NbGraderAPI(config=config)
    done = tools.generate_assignment("lab")
    assert done["success"], done["log"]
    return tools


def sources(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells]


@pytest.fixture(scope="module")
def workbook(tmp_path_factory):
    notebooks = tmp_path_factory.mktemp("lab") / "notebooks"
    (notebooks / "source").mkdir(parents=True)
    (notebooks / "source" / f"{LAB}.py").write_text(SOURCE, encoding="utf-8")
    rubric = {exercise: checks.points(exercise) for exercise in ("1.2", "2.2")}
    build_workbook(Workbook(notebooks), rubric, execute=False)
    return Workbook(notebooks)


@pytest.fixture(scope="module")
def submitted(workbook, tmp_path_factory):
    """Return a folder with the submissions, as nbgrader lays them out: `<student>/lab/<notebook>`."""
    folder = tmp_path_factory.mktemp("class") / "submitted"
    for student, answers in ANSWERS.items():
        notebook = json.loads((workbook.notebooks / f"{LAB}.ipynb").read_text(encoding="utf-8"))
        for cell in notebook["cells"]:
            cell["source"] = answers.get(cell["id"], cell["source"])
        (folder / student / "lab").mkdir(parents=True)
        (folder / student / "lab" / f"{LAB}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    return folder


def test_nbgrader_releases_our_notebooks_without_touching_a_cell(tmp_path):
    ours = {f"{lang}_{path.name}": path for lang in LANGUAGES for path in find_workbook().built(lang)}
    course(tmp_path, ours)
    for name, notebook in ours.items():
        released = tmp_path / "release" / "lab" / name
        assert sources(released) == sources(notebook)


@pytest.mark.filterwarnings("ignore:Object of type")  # SQLAlchemy about nbgrader's own tables
def test_nbgrader_gives_the_same_points_as_we_do(workbook, submitted, tmp_path):
    tools = course(submitted.parent, {f"{LAB}.ipynb": workbook.notebooks / f"{LAB}.ipynb"})
    for student in ANSWERS:
        done = tools.autograde("lab", student)
        assert done["success"], done["log"]
    theirs = {}
    with Gradebook(tools.coursedir.db_url) as gradebook:
        for submission in gradebook.assignment_submissions("lab"):
            (notebook,) = submission.notebooks
            points = {
                one.name.removeprefix("check-").replace("-", "."): one.auto_score for one in notebook.grades
            }
            theirs[submission.student.id] = (notebook.score, notebook.max_score, points)
    graded = grade(submitted, tmp_path, load_releases(workbook), options=Options(jobs=1, sandbox=False))
    ours = {
        one.student_id: (one.score, one.max_score, {e: r.points for e, r in one.exercises.items()})
        for one in graded.marked
    }
    assert {student: score for student, (score, _, _) in ours.items()} == SCORES
    assert theirs == ours


def test_nbgrader_validates_a_right_submission_and_names_the_cells_of_another(submitted):
    def wrong(student):
        found = Validator().validate(str(submitted / student / "lab" / f"{LAB}.ipynb"))
        assert "type_changed" not in found
        assert "changed" not in found
        return [cell["source"].strip() for cell in found.get("failed", [])]

    assert wrong("full") == []
    assert [source.partition(",")[0] for source in wrong("partly")] == ['lk.check("1.2"', 'lk.check("2.2"']
