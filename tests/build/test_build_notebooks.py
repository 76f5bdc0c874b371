import json

import nbformat
import pytest

from labkit.build import build_workbook, check_workbook
from labkit.build.execute import ExecutionError
from labkit.workbook import Workbook

SETUP = '# %% id="setup"\nimport math\n'
SOURCE = """# The first notebook.

# %% [markdown] lang="en"
# # Title
#
# Worth {{points 1.1}} points.

# %% [markdown] lang="hi"
# # शीर्षक
#
# {{points 1.1}} अंक।

# %% include="setup"

# %% tags=["parameters"]
lang = "en"  # @param ["en", "hi"]
fast = False  # @param {type:"boolean"}

# %% answer="1.1"
def area(radius):
    # The area of a circle
    ...
    ### BEGIN SOLUTION
    return math.pi * radius**2
    ### END SOLUTION

choices = {
    "A": ...,
    "B": ...,
}
### BEGIN SOLUTION
choices = {"A": "first of all", "B": 2}
### END SOLUTION

# %% check="1.1"
def check(exercise, answer):
    return answer

check("1.1", choices["A"])

# %% tags=["nbval-ignore-output"]
import sys
print("shown", lang)
print("50%|#####     | 1/2 [00:00<00:00, 9.99it/s]", file=sys.stderr)
# %matplotlib inline
"""
RUBRIC = {"1.1": 2.5}


@pytest.fixture
def workbook(tmp_path):
    workbook = Workbook(tmp_path / "notebooks")
    workbook.source.mkdir(parents=True)
    (workbook.source / "_setup.py").write_text(SETUP, encoding="utf-8")
    (workbook.source / "01_first.py").write_text(SOURCE, encoding="utf-8")
    return workbook


@pytest.fixture(scope="module")
def executed(tmp_path_factory):
    workbook = Workbook(tmp_path_factory.mktemp("built") / "notebooks")
    workbook.source.mkdir(parents=True)
    (workbook.source / "_setup.py").write_text(SETUP, encoding="utf-8")
    (workbook.source / "01_first.py").write_text(SOURCE, encoding="utf-8")
    build_workbook(workbook, RUBRIC)
    return workbook


def built(workbook, lang="en", solutions=False):
    return json.loads((workbook.folder(lang, solutions) / "01_first.ipynb").read_text(encoding="utf-8"))


def cell(notebook, cell_id):
    return next(cell for cell in notebook["cells"] if cell["id"] == cell_id)


def source_of(notebook, cell_id):
    return "".join(cell(notebook, cell_id)["source"])


def edit(workbook, old, new):
    path = workbook.source / "01_first.py"
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")


def every_file(workbook):
    return {path: path.read_bytes() for path in workbook.notebooks.rglob("*.ipynb")}


def test_student_and_solution_notebooks_exist_in_both_languages(executed):
    names = {executed.shown(path) for path in executed.notebooks.rglob("*.ipynb")}
    assert names == {
        "notebooks/01_first.ipynb",
        "notebooks/hi/01_first.ipynb",
        "notebooks/solutions/en/01_first.ipynb",
        "notebooks/solutions/hi/01_first.ipynb",
    }


def test_notebooks_are_valid_nbformat_4_5(executed):
    for path in executed.notebooks.rglob("*.ipynb"):
        notebook = nbformat.read(path, as_version=nbformat.NO_CONVERT)
        assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
        nbformat.validate(notebook)


def test_solution_does_not_reach_the_student(executed):
    assert source_of(built(executed), "answer-1-1") == (
        "def area(radius):\n    # The area of a circle\n    ...\n\n"
        'choices = {\n    "A": ...,\n    "B": ...,\n}'
    )


def test_solution_notebook_has_neither_gaps_nor_markers(executed):
    assert source_of(built(executed, solutions=True), "answer-1-1") == (
        "def area(radius):\n    # The area of a circle\n    return math.pi * radius**2\n\n"
        'choices = {"A": "first of all", "B": 2}'
    )


def test_markdown_of_one_language_only(executed):
    first = "".join(built(executed, "hi")["cells"][0]["source"])
    assert first == "# शीर्षक\n\n2.5 अंक।"


def test_cell_ids_are_the_same_in_both_languages(executed):
    english, hindi = ([cell["id"] for cell in built(executed, lang)["cells"]] for lang in ("en", "hi"))
    assert english == hindi


def test_hindi_notebook_asks_for_hindi(executed):
    parameters = next(
        c for c in built(executed, "hi")["cells"] if "parameters" in c["metadata"].get("tags", [])
    )
    assert parameters["source"][0] == 'lang = "hi"  # @param ["en", "hi"]\n'


def test_magic_is_uncommented(executed):
    assert built(executed)["cells"][-1]["source"][-1] == "%matplotlib inline"


@pytest.mark.parametrize(
    ("cell_id", "expected"),
    [
        ("answer-1-1", {"grade": False, "locked": False, "solution": True}),
        ("check-1-1", {"grade": True, "locked": True, "solution": False, "points": 2.5}),
        ("setup", {"grade": False, "locked": True, "solution": False}),
    ],
)
def test_nbgrader_metadata(executed, cell_id, expected):
    metadata = cell(built(executed), cell_id)["metadata"]["nbgrader"]
    assert metadata == expected | {"grade_id": cell_id, "schema_version": 3, "task": False}


def test_solution_stores_what_its_cells_show(executed):
    outputs = cell(built(executed, solutions=True), "check-1-1")["outputs"]
    assert outputs[0]["data"] == {"text/plain": ["'first of all'"]}


def test_progress_bar_is_not_stored(executed):
    outputs = built(executed, "hi", solutions=True)["cells"][-1]["outputs"]
    assert [(output["name"], output["text"]) for output in outputs] == [("stdout", ["shown hi\n"])]


def test_solution_keeps_no_trace_of_when_it_ran(executed):
    notebook = built(executed, solutions=True)
    keys = set(notebook["metadata"]) | {key for c in notebook["cells"] for key in c["metadata"]}
    ours = {"kernelspec", "language_info", "labkit", "tags", "nbgrader", "deletable", "editable"}
    assert keys == ours | {"jupyter", "cellView"}


def test_building_again_changes_no_byte_and_runs_nothing(executed):
    before = every_file(executed)
    assert build_workbook(executed, RUBRIC).executed == ()
    assert every_file(executed) == before


def test_files_have_unix_line_ends(executed):
    assert all(b"\r" not in content and content.endswith(b"}\n") for content in every_file(executed).values())


def test_what_was_built_passes_the_check(executed):
    assert check_workbook(executed, RUBRIC) == []


def test_adding_a_cell_above_keeps_the_ids_below(workbook):
    build_workbook(workbook, RUBRIC, execute=False)
    before = [c["id"] for c in built(workbook)["cells"]]
    edit(workbook, '# %% tags=["parameters"]', '# %%\nimport os\n\n# %% tags=["parameters"]')
    build_workbook(workbook, RUBRIC, execute=False)
    after = [c["id"] for c in built(workbook)["cells"]]
    assert [cell_id for cell_id in after if cell_id in before] == before


def test_two_cells_with_the_same_content_have_different_ids(workbook):
    edit(
        workbook, '# %% tags=["parameters"]', '# %%\nimport os\n\n# %%\nimport os\n\n# %% tags=["parameters"]'
    )
    build_workbook(workbook, RUBRIC, execute=False)
    ids = [c["id"] for c in built(workbook)["cells"]]
    assert len(set(ids)) == len(ids)


def test_nothing_is_written_when_a_source_is_faulty(workbook):
    edit(workbook, "### END SOLUTION", "### END SOLUTON")
    with pytest.raises(Exception, match="END SOLUTON"):
        build_workbook(workbook, RUBRIC)
    assert every_file(workbook) == {}


def test_changed_text_keeps_the_outputs(executed, tmp_path):
    workbook = copy_of(executed, tmp_path)
    edit(workbook, "# # Title", "# # Another title")
    result = build_workbook(workbook, RUBRIC)
    assert (result.executed, bool(cell(built(workbook, solutions=True), "check-1-1")["outputs"])) == (
        (),
        True,
    )


def test_changed_code_runs_the_solution_again(executed, tmp_path):
    workbook = copy_of(executed, tmp_path)
    edit(workbook, "first of all", "second of all")
    build_workbook(workbook, RUBRIC, only="01")
    outputs = cell(built(workbook, solutions=True), "check-1-1")["outputs"]
    assert outputs[0]["data"] == {"text/plain": ["'second of all'"]}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "# # शीर्षक",
            "# # दूसरा शीर्षक",
            ["notebooks/hi/01_first.ipynb", "notebooks/solutions/hi/01_first.ipynb"],
        ),
        (
            "first of all",
            "second of all",
            ["notebooks/solutions/en/01_first.ipynb", "notebooks/solutions/hi/01_first.ipynb"],
        ),
    ],
    ids=["Hindi text", "solution"],
)
def test_check_names_the_files_that_differ(executed, tmp_path, old, new, expected):
    workbook = copy_of(executed, tmp_path)
    edit(workbook, old, new)
    differences = check_workbook(workbook, RUBRIC)
    assert [line.split()[0] for line in differences] == expected


def test_check_names_the_command_that_mends_it(executed, tmp_path):
    workbook = copy_of(executed, tmp_path)
    workbook.built("hi")[0].write_text("{}", encoding="utf-8")
    assert check_workbook(workbook, RUBRIC)[0].endswith("python -m labkit build")


def test_check_ignores_the_outputs_of_solutions(executed, tmp_path):
    workbook = copy_of(executed, tmp_path)
    path = workbook.built("en", solutions=True)[0]
    path.write_bytes(path.read_bytes().replace(b"shown en", b"shown at another time"))
    assert check_workbook(workbook, RUBRIC) == []


def test_check_reports_a_notebook_without_a_source(executed, tmp_path):
    workbook = copy_of(executed, tmp_path)
    (workbook.notebooks / "09_gone.ipynb").write_text("{}", encoding="utf-8")
    assert [line.split()[0] for line in check_workbook(workbook, RUBRIC)] == ["notebooks/09_gone.ipynb"]


@pytest.mark.parametrize(
    ("code", "error"),
    [("1 / 0", "ZeroDivisionError: division by zero"), ("import os; os._exit(1)", "the kernel died")],
    ids=["exception", "kernel death"],
)
def test_failing_solution_is_named_with_cell_and_error(workbook, code, error):
    edit(workbook, '# %% check="1.1"', f'# %% id="bad"\n{code}\n\n# %% check="1.1"')
    with pytest.raises(ExecutionError) as caught:
        build_workbook(workbook, RUBRIC)
    assert str(caught.value).startswith(
        f"notebooks/solutions/en/01_first.ipynb, cell 5 (bad, `{code}`): {error}"
    )


def copy_of(workbook, folder):
    copy = Workbook(folder / "notebooks")
    for path in workbook.notebooks.rglob("*.*"):
        target = copy.notebooks / path.relative_to(workbook.notebooks)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes())
    return copy


def test_the_setup_cell_is_folded_in_jupyterlab_and_in_colab(executed):
    metadata = cell(built(executed), "setup")["metadata"]
    assert (metadata["jupyter"], metadata["cellView"]) == ({"source_hidden": True}, "form")
