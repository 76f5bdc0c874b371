"""The gradebook, Canvas' columns, the JSON file and what they say when there is no score."""

import csv
import io
import json
from dataclasses import replace

import pytest
from class_examples import PLAN, RIGHT, TIME, example_class, failed, marks

from labkit.grading.marked import Marked
from labkit.grading.reports import canvas, gradebook, results, write_reports
from labkit.grading.tables import points_text, read_csv, to_csv


def table(rows):
    return [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]


def by_student(marked):
    return {row["student_id"]: row for row in table(gradebook(marked))}


def files_in(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def test_a_class_gets_every_file_and_a_page_for_each_student(tmp_path):
    overview = write_reports(tmp_path, example_class())
    assert overview == tmp_path / "overview.html"
    pages = {f"feedback/{one.student_id}/{PLAN}.html" for one in example_class()}
    assert set(files_in(tmp_path)) == {"gradebook.csv", "canvas.csv", "results.json", "overview.html"} | pages


def test_reports_do_not_depend_on_order_or_on_what_was_there(tmp_path):
    write_reports(tmp_path / "first", example_class())
    write_reports(tmp_path / "second", reversed(example_class()))
    first = files_in(tmp_path / "first")
    write_reports(tmp_path / "first", example_class())
    assert first == files_in(tmp_path / "second") == files_in(tmp_path / "first")


def test_marks_kept_in_a_file_give_the_same_reports(tmp_path):
    kept = [Marked.from_dict(json.loads(json.dumps(one.to_dict()))) for one in example_class()]
    write_reports(tmp_path / "fresh", example_class())
    write_reports(tmp_path / "kept", kept)
    assert files_in(tmp_path / "fresh") == files_in(tmp_path / "kept")


def test_gradebook_has_the_named_columns_and_then_the_exercises():
    assert gradebook(example_class())[0] == [
        *("student_id", "name", "notebook", "status", "score", "max_score"),
        *("2.1", "2.2", "2.3"),
    ]


def test_gradebook_keeps_no_score_not_answered_and_zero_apart():
    rows = by_student(example_class())
    assert [rows["hari"][c] for c in ("status", "score", "max_score", "2.1")] == [
        "not submitted",
        "",
        "7",
        "",
    ]
    assert [rows["gita"][c] for c in ("status", "score", "2.1")] == ["could not be run", "", ""]
    assert [rows["esha"][c] for c in ("status", "score", "2.1")] == ["graded", "0", "not answered"]
    assert [rows["dev"][c] for c in ("status", "score", "2.1")] == ["graded", "0", "0"]
    assert [rows["bimal"][c] for c in ("score", "2.1", "2.2", "2.3")] == ["5", "2.5", "0.5", "2"]


def test_gradebook_leaves_exercises_of_other_notebooks_empty():
    other = replace(marks("asha", RIGHT), notebook=TIME, exercises={"1.1": failed("1.1", "NameError")})
    rows = table(gradebook([marks("asha", RIGHT), other]))
    assert [(row["1.1"], row["2.1"]) for row in rows] == [("", "3"), ("0", "")]


def test_exercises_stand_in_the_order_of_the_notebook():
    one = marks("asha", RIGHT)
    result = one.exercises["2.1"]
    many = replace(one, exercises={e: replace(result, exercise=e) for e in ("2.10", "2.9", "10.1")})
    assert gradebook([many])[0][-3:] == ["2.9", "2.10", "10.1"]


def test_canvas_has_a_row_per_student_and_leaves_grades_alone_where_there_is_no_score():
    other = replace(marks("asha", RIGHT, name="Asha Rao"), notebook=TIME, score=1.5, max_score=8)
    rows = canvas(sorted([*example_class(), other], key=lambda one: (one.student_id, one.notebook)))
    assert rows[0] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", TIME, PLAN]
    assert rows[1] == ["    Points Possible", "", "", "", "", "8", "7"]
    found = {row[3]: row for row in rows[2:]}
    assert found["asha"] == ["Asha Rao", "", "asha", "asha", "", "1.5", "7"]
    assert found["gita"][-2:] == ["", ""]


def test_json_has_everything_with_words_in_both_languages():
    data = json.loads(results(example_class()))
    found = {one["student_id"]: one for one in data["results"]}
    assert found["hari"]["score"] is None
    assert found["gita"]["reason"]["id"] == "mending.is_pdf"
    remark = found["bimal"]["exercises"]["2.2"]["remarks"][0]
    assert (remark["id"], remark["points"], remark["max_points"]) == ("checks.2_2.two", 0.5, 1)
    assert set(remark["text"]) == {"en", "hi"}
    assert "plan (2).ipynb" in found["bimal"]["notes"][0]["text"]["en"]


def test_an_odd_student_id_stays_inside_the_folder(tmp_path):
    write_reports(tmp_path / "out", [replace(marks("asha", RIGHT), student_id="../../up", notebook="a/b")])
    assert {path.name for path in tmp_path.iterdir()} == {"out"}
    assert len(list((tmp_path / "out" / "feedback").glob("*/*.html"))) == 1


@pytest.mark.parametrize("name", ["=1+1", "+91 98", "-Asha", "@SUM(A1)", "\t=1", "  =1", "＝1", "\n=1"])
def test_no_cell_is_a_formula(name):
    cell = next(csv.reader(io.StringIO(to_csv([[name]]).decode("utf-8-sig"), newline="")))[0]
    assert cell == f"'{name}"


@pytest.mark.parametrize("name", ["=1+1", "-Asha", "'quoted'", 'अनन्या "A"\nराव', "क्\u200dष", "a;b,c\td"])
def test_a_table_is_read_back_as_it_was(name):
    assert read_csv(to_csv([["name", "n"], [name, "1"]])) == [["name", "n"], [name, "1"]]


def test_tables_are_quoted_utf8_with_a_byte_order_mark():
    content = to_csv([["नाम", "2"]])
    assert content == b"\xef\xbb\xbf" + '"नाम","2"\r\n'.encode()


def test_control_characters_and_half_characters_do_not_break_a_table():
    assert to_csv([["a\0b\x1bc\ud800"]]).decode("utf-8-sig") == '"a�b�c?"\r\n'


@pytest.mark.parametrize("text", ["a;b\n1;2\n", "a\tb\n1\t2\n", "a,b\r\n1,2\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_tables_saved_by_a_spreadsheet_are_understood(text, encoding):
    assert read_csv(text.encode(encoding)) == [["a", "b"], ["1", "2"]]


@pytest.mark.parametrize(("points", "shown"), [(0.0, "0"), (2.0, "2"), (0.75, "0.75"), (1.1 + 2.2, "3.3")])
def test_points_are_written_short(points, shown):
    assert points_text(points) == shown
