"""A class of thirty from files to the gradebook: the exact points and remarks, and the same files twice.

`class_of_thirty.txt` holds what each student deserves: a line a student, then one an exercise with its points
and the ids of its remarks.
"""

import csv
from pathlib import Path

import pytest
from sandbox_examples import needs_sandbox
from thirty_students import ABSENT, NAME, STUDENTS, hand_in, small

from labkit.grading.grade import Options, grade, load_releases
from labkit.messages import table
from labkit.workbook import find_workbook

pytestmark = [needs_sandbox, pytest.mark.slow]
DESERVED = (Path(__file__).parent / "class_of_thirty.txt").read_text(encoding="utf-8")
ROSTER = {student: made.name for student, made in STUDENTS.items()} | ABSENT


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """The class graded, how to grade it again, and the folder of results."""
    folder, out = tmp_path_factory.mktemp("thirty"), tmp_path_factory.mktemp("results")
    released = load_releases(find_workbook(), NAME)[NAME]
    releases = {NAME: {lang: small(notebook) for lang, notebook in released.items()}}
    hand_in(folder, releases[NAME])

    def again(to):
        return grade(folder, to, releases, roster=ROSTER, options=Options(jobs=3))

    return again(out), again, out


def described(marked):
    """Return one student's marks in the form of `class_of_thirty.txt`."""
    lines = [f"{marked.student_id} {marked.lang} {marked.status} {marked.score:g}"]
    for exercise, result in marked.exercises.items():
        ids = " ".join(remark.id.removeprefix("checks.") for remark in result.remarks)
        lines.append(f"  {exercise} {result.points:g} {result.status}: {ids}")
    return "\n".join(lines)


@pytest.mark.parametrize("student", ROSTER)
def test_points_and_remarks_are_those_that_are_deserved(student, graded):
    marked = next(one for one in graded[0].marked if one.student_id == student)
    expected = next(part for part in DESERVED.split("\n\n") if part.split()[0] == student)
    assert described(marked) == expected.strip()


def test_every_message_of_the_checks_of_notebook_2_is_met():
    met = {f"checks.{word}" for word in DESERVED.split()}
    assert {name for name in table("checks") if name.startswith("checks.2_")} <= met


def test_nobody_is_lost_or_added(graded):
    assert sorted(one.student_id for one in graded[0].marked) == sorted(ROSTER)


def test_honest_files_need_no_mending(graded):
    assert not [one for one in graded[0].marked if one.notes or (one.reason and one.student_id not in ABSENT)]


def test_the_gradebook_has_every_name_and_score(graded):
    with (graded[2] / "gradebook.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = {row["student_id"].lstrip("'"): row for row in csv.DictReader(file)}
    assert {student: rows[student]["name"].lstrip("'") for student in ROSTER} == ROSTER
    scores = {one.student_id: one.score for one in graded[0].marked if one.status == "graded"}
    assert {student: float(rows[student]["score"]) for student in STUDENTS} == scores
    assert {rows[student]["score"] for student in ABSENT} == {""}


def test_grading_twice_gives_the_same_files_byte_for_byte(graded, tmp_path):
    graded[1](tmp_path)
    first, second = (
        {str(path.relative_to(out)): path.read_bytes() for path in out.rglob("*") if path.is_file()}
        for out in (graded[2], tmp_path)
    )
    assert [name for name in first.keys() | second.keys() if first.get(name) != second.get(name)] == []
