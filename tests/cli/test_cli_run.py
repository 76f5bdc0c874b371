"""Notebooks run headless; each tiny source below is named by what becomes of it."""

import contextlib
import io
import json

import pytest

from labkit.build import build_workbook
from labkit.cli import main
from labkit.messages import set_language
from labkit.workbook import Workbook

HEAD = """# %% [markdown] lang="en"
# # Title
# %% [markdown] lang="hi"
# # शीर्षक
# %% tags=["parameters"]
lang = "en"
"""
SOURCES = {
    "01_runs": HEAD
    + 'seed = 0\nfast = False\nrate = 0.5\nname = "mine"\n'
    + "# %%\nprint(lang, seed, fast, rate, name)\n",
    "02_has_a_gap": HEAD
    + '# %% answer="1.1"\nx = ...\n### BEGIN SOLUTION\nx = 3 * 14\n### END SOLUTION\n'
    + '# %% check="1.1"\ndef check(exercise, answer):\n    return 0 if answer is ... else 1\n\n'
    + 'check("1.1", x)\n',
    "03_fails": HEAD + 'seed = 0\n# %% id="bad"\nprint("so far")\n1 / seed\n# %%\nprint("never")\n',
    "04_dies": HEAD + 'seed = 0\n# %% id="deadly"\nimport os\nos._exit(1)\n# %%\nprint("never")\n',
}


@pytest.fixture(scope="module")
def workbook(tmp_path_factory):
    workbook = Workbook(tmp_path_factory.mktemp("workbook") / "notebooks")
    workbook.source.mkdir(parents=True)
    for name, source in SOURCES.items():
        (workbook.source / f"{name}.py").write_text(source, encoding="utf-8")
    build_workbook(workbook, {"1.1": 1.0}, execute=False)
    return workbook


@pytest.fixture(autouse=True, scope="module")
def english():
    set_language("en")
    yield
    set_language("en")


def run(workbook, out, *arguments):
    """Run the command and return its exit code, what it printed and what it complained about."""
    printed, complained = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(complained):
        code = main(["run", "--notebooks", str(workbook.notebooks), "--out", str(out), *arguments])
    set_language("en")
    return code, printed.getvalue(), complained.getvalue()


@pytest.fixture(scope="module")
def all_english(workbook, tmp_path_factory):
    out = tmp_path_factory.mktemp("english")
    before = files(workbook)
    return out, *run(workbook, out), before


@pytest.fixture(scope="module")
def first_in_both(workbook, tmp_path_factory):
    out = tmp_path_factory.mktemp("both")
    return out, *run(workbook, out, "--only", "01", "--lang", "both")


def files(workbook):
    return {path: path.read_bytes() for path in workbook.notebooks.rglob("*") if path.is_file()}


def printed(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return ["".join(output.get("text", "")) for cell in cells for output in cell.get("outputs", [])]


def test_failing_notebook_gives_exit_code_1(all_english):
    assert all_english[1] == 1


@pytest.mark.parametrize(
    "failure",
    [
        'en/03_fails, cell 3 (bad, `print("so far")`): ZeroDivisionError: division by zero',
        "en/04_dies, cell 3 (deadly, `import os`): the kernel died",
    ],
    ids=["exception", "kernel death"],
)
def test_failing_cell_is_named_with_its_error(all_english, failure):
    assert any(line.startswith(failure) for line in all_english[3].splitlines())


def test_failure_is_in_the_report(all_english):
    report = (all_english[0] / "index.html").read_text(encoding="utf-8")
    assert "ZeroDivisionError: division by zero" in report


def test_the_other_notebooks_still_run(all_english):
    assert all_english[2].startswith("2 of 4 notebooks ran to the end")


def test_gap_not_filled_in_is_no_failure(all_english):
    cells = json.loads((all_english[0] / "en" / "02_has_a_gap.ipynb").read_text(encoding="utf-8"))["cells"]
    assert "".join(cells[-1]["outputs"][0]["data"]["text/plain"]) == "0"


def test_run_leaves_the_notebooks_as_they_are(all_english, workbook):
    assert files(workbook) == all_english[4]


def test_each_notebook_has_its_page(all_english):
    pages = sorted(path.stem for path in (all_english[0] / "en").glob("*.html"))
    assert pages == sorted(SOURCES)


def test_both_languages_run(first_in_both):
    out, code, _, _ = first_in_both
    assert (code, printed(out / "hi" / "01_runs.ipynb")) == (0, ["hi 0 False 0.5 mine\n"])


def test_report_links_the_pages_of_both_languages(first_in_both):
    index = (first_in_both[0] / "index.html").read_text(encoding="utf-8")
    assert all(f'href="{lang}/01_runs.html"' in index for lang in ("en", "hi"))


def test_parameters_given_reach_the_notebook(workbook, tmp_path):
    given = ["-p", "seed", "7", "-p", "rate", "2", "-p", "name", "1"]
    run(workbook, tmp_path, "--only", "01", "--fast", *given)
    assert printed(tmp_path / "en" / "01_runs.ipynb") == ["en 7 True 2 1\n"]


def test_solutions_run_instead_on_request_and_are_reported_in_hindi(workbook, tmp_path):
    _, out, _ = run(workbook, tmp_path, "--only", "02", "--solutions", "--lang", "hi")
    cells = json.loads((tmp_path / "hi" / "02_has_a_gap.ipynb").read_text(encoding="utf-8"))["cells"]
    assert "".join(cells[-1]["outputs"][0]["data"]["text/plain"]) == "1"
    assert "आखिर तक" in out


def test_unknown_parameter_is_refused_with_the_known_ones(workbook, tmp_path):
    code, _, err = run(workbook, tmp_path, "-p", "sed", "1")
    assert (code, "'sed'" in err, "fast, lang, name, rate, seed" in err) == (1, True, True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("name", "value"), [("seed", "1.5"), ("seed", "x"), ("fast", "1"), ("rate", "[1]")])
def test_parameter_of_the_wrong_type_is_refused(workbook, tmp_path, name, value):
    code, _, err = run(workbook, tmp_path, "-p", name, value)
    assert (code, err.startswith(f"Parameter {name} is {value!r}; expected")) == (1, True)


def test_selecting_nothing_lists_what_there_is(workbook, tmp_path):
    code, _, err = run(workbook, tmp_path, "--only", "07")
    assert (code, all(name in err for name in SOURCES)) == (1, True)
