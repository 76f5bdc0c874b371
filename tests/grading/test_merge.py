"""What is listed for reading, and points by hand."""

import json

import pytest
from class_examples import PARTLY, PLAN, RIGHT, example_class, marks, without_score

from labkit.grading.feedback import feedback_page
from labkit.grading.merge import MergeError, to_read, with_points_by_hand, write_reading_list
from labkit.grading.reports import results
from labkit.grading.submissions import Submission
from labkit.grading.tables import read_csv, to_csv

HEADS = ["student_id", "notebook", "exercise", "points", "comment"]


def cell(grade_id, source, *, solution, tags=()):
    marks = {"grade": not solution, "grade_id": grade_id, "locked": not solution, "solution": solution}
    return {
        "cell_type": "code",
        "id": grade_id,
        "metadata": {"tags": list(tags), "nbgrader": {**marks, "schema_version": 3, "task": False}},
        "execution_count": None,
        "outputs": [],
        "source": source.splitlines(keepends=True),
    }


def notebook(seeds="...", settings="..."):
    cells = [
        cell("answer-2-1", f"settings = {settings}", solution=True),
        cell("check-2-1", 'lk.check("2.1", settings)', solution=False),
        cell("answer-2-2", f"seeds_why = {seeds}", solution=True, tags=["read"]),
        cell("check-2-2", 'lk.check("2.2", seeds_why)', solution=False),
    ]
    return {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


def listed(tmp_path, **handed_in):
    found = []
    for student, seeds in handed_in.items():
        path = tmp_path / f"{student}.ipynb"
        path.write_text(json.dumps(notebook(seeds)), encoding="utf-8")
        found.append(Submission(student, PLAN, path))
    graded = [marks(student, {} if seeds == "..." else RIGHT) for student, seeds in handed_in.items()]
    return to_read(found, {PLAN: {"en": notebook()}}, graded)


def merged(tmp_path, *rows, heads=HEADS, marked=None):
    file = tmp_path / "hand.csv"
    file.write_bytes(to_csv([heads, *rows]))
    return {one.student_id: one for one in with_points_by_hand(marked or example_class(), file)}


def test_answers_with_the_tag_are_listed_and_unanswered_ones_are_not(tmp_path):
    items = listed(tmp_path, b='"because of luck"', a='"three, since …"', c="...")
    assert [(item.student_id, item.exercise, item.points) for item in items] == [
        ("a", "2.2", 2),
        ("b", "2.2", 2),
    ]
    assert items[0].answer == 'seeds_why = "three, since …"'


def test_who_has_no_score_is_not_listed(tmp_path):
    path = tmp_path / "a.ipynb"
    path.write_text(json.dumps(notebook('"why"')), encoding="utf-8")
    bad = without_score("a", "could not be run", "grading.kernel_died", cell="x")
    assert to_read([Submission("a", PLAN, path)], {PLAN: {"en": notebook()}}, [bad]) == []


def test_the_reading_list_has_room_for_points_and_comments(tmp_path):
    path = write_reading_list(tmp_path, listed(tmp_path, a='"three"'))
    heads, row = read_csv(path.read_bytes())
    assert dict(zip(heads, row, strict=True)) == {
        **{"student_id": "a", "name": "", "notebook": PLAN, "exercise": "exercise 2.2"},
        **{"answer": 'seeds_why = "three"', "max_points": "2", "points_so_far": "2"},
        **{"points": "", "comment": ""},
    }


def test_a_list_that_was_filled_in_is_never_overwritten(tmp_path):
    path = write_reading_list(tmp_path, listed(tmp_path, a='"three"'))
    filled = path.read_bytes().replace(b'"","",""', b'"","1","well"').replace(b'"2","",""', b'"2","1","well"')
    path.write_bytes(filled)
    new = write_reading_list(tmp_path, listed(tmp_path, a='"three"', b='"four"'))
    assert path.read_bytes() == filled
    assert [row[0] for row in read_csv(new.read_bytes())[1:]] == ["b"]


def test_nothing_to_read_writes_nothing(tmp_path):
    assert write_reading_list(tmp_path, []) is None
    assert list(tmp_path.iterdir()) == []


def test_points_by_hand_replace_the_rubrics_points_and_are_explained(tmp_path):
    one = merged(tmp_path, ["bimal", PLAN, "exercise 2.2", "1,5", "You said it in class. <b>"])["bimal"]
    assert (one.exercises["2.2"].points, one.score) == (1.5, 6)
    page = feedback_page(one)
    assert "You said it in class. &lt;b&gt;" in page
    assert "1.5 of 2" in page
    assert "Two seeds show" in page  # what the rubric said stays


def test_lines_without_points_and_other_students_stay_as_they_were(tmp_path):
    before = {one.student_id: one for one in example_class()}
    after = merged(tmp_path, ["asha", PLAN, "2.2", "", "only a thought"], ["bimal", PLAN, "2.2", "2", ""])
    assert {student for student in before if before[student] != after[student]} == {"bimal"}


def test_merging_twice_gives_the_same_bytes(tmp_path):
    row = ["bimal", PLAN, "2.2", "2", 'a; "b"\nc']
    assert results(list(merged(tmp_path, row).values())) == results(list(merged(tmp_path, row).values()))


def test_any_exercise_can_be_marked_by_hand_even_one_not_answered(tmp_path):
    one = merged(tmp_path, ["esha", PLAN, "2.1", "0", "on paper"])["esha"]
    assert one.exercises["2.1"].status == "graded"


def test_every_fault_of_the_file_is_listed_and_nothing_is_merged(tmp_path):
    with pytest.raises(MergeError) as error:
        merged(
            tmp_path,
            ["nobody", PLAN, "2.2", "1", ""],
            ["gita", PLAN, "2.2", "1", ""],
            ["asha", PLAN, "9.9", "1", ""],
            ["asha", PLAN, "2.2", "2.5", ""],
            ["asha", PLAN, "2.3", "-1", ""],
            ["asha", PLAN, "2.1", "nan", ""],
            ["asha", PLAN, "2.1", "much", ""],
            ["bimal", PLAN, "2.1", "1", ""],
            ["bimal", PLAN, "2.1", "2", ""],
        )
    lines = str(error.value).splitlines()
    assert len(lines) == 9
    for number, words in {
        2: "no submission of",
        3: "Could not be run",
        4: "2.1, 2.2, 2.3",
        5: "0 to 2",
        6: "-1 points",
        7: "nan",
        8: "much",
        10: "line 9 already",
    }.items():
        assert [line for line in lines if line.startswith(f"Line {number}:") and words in line]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"student_id,points\n", "notebook, exercise"),
        (b"", "student_id, notebook, exercise, points"),
        (b"\xff\x00\x01", "cannot be read"),
        (b'student_id,points\n"a', "cannot be read"),
    ],
)
def test_a_file_that_is_no_such_table_is_refused(tmp_path, content, words):
    file = tmp_path / "hand.csv"
    file.write_bytes(content)
    with pytest.raises(MergeError, match=words):
        with_points_by_hand(example_class(), file)


def test_a_missing_file_is_said_plainly(tmp_path):
    with pytest.raises(MergeError, match="cannot be read"):
        with_points_by_hand([], tmp_path / "none.csv")


def test_an_id_that_looks_like_a_formula_survives_the_spreadsheet(tmp_path):
    after = merged(tmp_path, ["-7", PLAN, "2.2", "2", ""], marked=[marks("-7", PARTLY)])
    assert after["-7"].exercises["2.2"].points == 2
