"""Each file in `faulty` is a source with one kind of fault: its name says which, its first line where."""

import re
from pathlib import Path

import pytest

from labkit.build import BuildError, check_workbook
from labkit.messages import table
from labkit.workbook import Workbook

FAULTY = sorted(Path(__file__).with_name("faulty").glob("*.txt"))
# faults that one source alone cannot show; each has its own test below
ELSEWHERE = {"exercise_twice", "not_utf8", "shared_without_id"}
NOT_FAULTS = {"missing", "differs", "stale_outputs", "no_source"}
FAULT_NAMES = {id_.removeprefix("build.") for id_ in table("build")} - NOT_FAULTS
VALID = """# %% [markdown] lang="en"
# # Title
# %% [markdown] lang="hi"
# # शीर्षक
# %% tags=["parameters"]
lang = "en"
# %% answer="1.1"
x = ...
### BEGIN SOLUTION
x = 3 * 14
### END SOLUTION
# %% check="1.1"
check("1.1", x)
"""


def faults_of(tmp_path, sources):
    workbook = Workbook(tmp_path / "notebooks")
    workbook.source.mkdir(parents=True)
    (workbook.source / "_setup.py").write_text('# %% id="setup"\nimport math\n', encoding="utf-8")
    for name, content in sources.items():
        (workbook.source / name).write_bytes(content)
    with pytest.raises(BuildError) as caught:
        check_workbook(workbook, {"1.1": 2.0})
    return caught.value.faults


def fault_named(stem):
    return max((name for name in FAULT_NAMES if stem.startswith(name)), key=len)


@pytest.mark.parametrize("file", FAULTY, ids=lambda file: file.stem)
def test_source_is_refused_at_its_faulty_lines_only(tmp_path, file):
    content = file.read_text(encoding="utf-8")
    expected = [
        (int(line), f"build.{fault_named(file.stem)}") for line in re.findall(r"\d+", content.split("\n")[0])
    ]
    faults = faults_of(tmp_path, {"01_x.py": content.encode()})
    assert [(fault.line, fault.id) for fault in faults] == expected


def test_every_fault_has_a_faulty_source():
    assert {fault_named(file.stem) for file in FAULTY} | ELSEWHERE == FAULT_NAMES


def test_all_faults_of_all_sources_are_listed_together(tmp_path):
    faulty = VALID.replace('check("1.1", x)', "print(x)").replace("# # शीर्षक", "# ## शीर्षक")
    other = faulty.replace("1.1", "1.2")
    faults = faults_of(tmp_path, {"01_x.py": faulty.encode(), "02_x.py": other.encode()})
    assert [(fault.path.name, fault.line) for fault in faults] == [
        ("01_x.py", 3),
        ("01_x.py", 12),
        ("02_x.py", 3),
        ("02_x.py", 7),
        ("02_x.py", 12),
        ("02_x.py", 12),
    ]


def test_fault_starts_with_the_place_as_an_editor_understands_it(tmp_path):
    fault = faults_of(tmp_path, {"01_x.py": VALID.replace("x = ...\n", "").encode()})[0]
    assert fault.text("en").startswith(f"{Path('notebooks/source/01_x.py')}:7: ")


def test_fault_is_told_in_hindi(tmp_path):
    fault = faults_of(tmp_path, {"01_x.py": VALID.replace("x = ...\n", "").encode()})[0]
    assert "खाली जगह" in fault.text("hi")


def test_exercise_in_two_notebooks_is_a_fault(tmp_path):
    faults = faults_of(tmp_path, {"01_x.py": VALID.encode(), "02_x.py": VALID.encode()})
    assert [(fault.path.name, fault.line, fault.id) for fault in faults] == [
        ("02_x.py", 7, "build.exercise_twice")
    ]


def test_source_that_is_not_utf8_is_a_fault(tmp_path):
    faults = faults_of(tmp_path, {"01_x.py": b"# %%\n\xff\xfe"})
    assert [fault.id for fault in faults] == ["build.not_utf8"]


def test_shared_cell_without_a_name_is_a_fault(tmp_path):
    faults = faults_of(tmp_path, {"01_x.py": VALID.encode(), "_setup.py": b"# %%\nimport math\n"})
    assert [fault.id for fault in faults] == ["build.shared_without_id"]


def test_open_answer_may_be_shown(tmp_path):
    workbook = Workbook(tmp_path / "notebooks")
    workbook.source.mkdir(parents=True)
    source = VALID.replace('answer="1.1"', 'answer="1.1" open=true') + "# %%\nx = 3 * 14\n"
    (workbook.source / "01_x.py").write_text(source, encoding="utf-8")
    assert all("is missing" in line for line in check_workbook(workbook, {"1.1": 2.0}))
