"""Attacks by what is graded beside notebooks: archives, and marks that were there before."""

import json
import stat
import zipfile

import pytest
from hostile_class import FULL, NAME, RELEASE, submission, write

from labkit.checks import core
from labkit.grading import batch
from labkit.grading.grade import Options, grade
from labkit.grading.sandbox import available

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(available() is not None, reason=f"no sandbox: {available()}"),
]
RELEASES = {NAME: {"en": RELEASE, "hi": RELEASE}}


@pytest.fixture(autouse=True)
def function_exercise(monkeypatch):
    wrong = core._Rubric(3, lambda calls: iter([core.wrong("checks.1_2.first_step")]), lambda source: [[[1]]])
    monkeypatch.setattr(core, "_rubrics", {**core._all_rubrics(), "9.1": wrong})


def run(submissions, out):
    return {(one.student_id, one.notebook): one for one in grade(submissions, out, RELEASES).marked}


def test_paths_out_of_a_zip_are_refused_and_the_rest_is_graded(tmp_path):
    notebook = json.dumps(submission())
    link = zipfile.ZipInfo(f"links/{NAME}.ipynb")
    link.create_system, link.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    archive = tmp_path / "in" / "class.zip"
    archive.parent.mkdir()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr(f"honest/{NAME}.ipynb", notebook)
        file.writestr(f"up/../../../{NAME}.ipynb", notebook)
        file.writestr(f"/absolute/{NAME}.ipynb", notebook)
        file.writestr(f"C:\\windows\\{NAME}.ipynb", notebook)
        file.writestr(f"back\\..\\..\\{NAME}.ipynb", notebook)
        file.writestr(link, "/etc/passwd")
    marked = run(archive, tmp_path / "out")
    assert {student: (one.status, one.reason and one.reason[0]) for (student, _), one in marked.items()} == {
        "honest": ("graded", None),
        "up": ("could not be run", "mending.unsafe_path"),
        "absolute": ("could not be run", "mending.unsafe_path"),
        "windows": ("could not be run", "mending.unsafe_path"),
        "back": ("could not be run", "mending.unsafe_path"),
        "links": ("could not be run", "mending.link"),
    }
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "out"]


def test_planted_marks_are_not_believed(tmp_path):
    write_to = tmp_path / "class"
    write_to.mkdir()
    write(write_to, "asha", submission())
    full = {"exercise": "1.2", "points": 99.0, "max_points": 1.0, "status": "graded", "remarks": []}
    planted = {
        "key": "0" * 64,
        "student_id": "asha",
        "name": "",
        "notebook": NAME,
        "lang": "en",
        "status": "graded",
        "reason": None,
        "score": 1e308,
        "max_score": 12.0,
        "exercises": {"1.2": full},
        "notes": [],
    }
    path = tmp_path / "out" / "marks" / "asha" / f"{NAME}.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(planted), encoding="utf-8")
    assert run(write_to, tmp_path / "out")["asha", NAME].score == FULL


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"{}", b'{"key": []}', b"\xff\xfe", b"[" * 100_000, b"9" * 10_000]
)
def test_broken_marks_do_not_end_the_batch(content, tmp_path, monkeypatch):
    write_to = tmp_path / "class"
    write_to.mkdir()
    (write_to / "asha").mkdir()
    (write_to / "asha" / f"{NAME}.ipynb").write_bytes(b"no notebook")
    path = tmp_path / "out" / "marks" / "asha" / f"{NAME}.json"
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    monkeypatch.setattr(batch, "execute", lambda *_, **__: pytest.fail("there is nothing to run"))
    assert run(write_to, tmp_path / "out")["asha", NAME].reason[0] == "mending.no_notebook"


def test_marks_behind_a_link_leave_what_it_points_to_alone(tmp_path):
    write_to = tmp_path / "class"
    write_to.mkdir()
    (write_to / "asha").mkdir()
    (write_to / "asha" / f"{NAME}.ipynb").write_bytes(b"no notebook")
    outside = tmp_path / "outside.json"
    outside.write_text("mine", encoding="utf-8")
    path = tmp_path / "out" / "marks" / "asha" / f"{NAME}.json"
    path.parent.mkdir(parents=True)
    path.symlink_to(outside)
    grade(write_to, tmp_path / "out", RELEASES, options=Options(jobs=1))
    assert outside.read_text(encoding="utf-8") == "mine"
