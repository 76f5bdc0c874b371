"""The page about the class."""

import re
from dataclasses import replace

import pytest
from class_examples import PARTLY, PLAN, RIGHT, TIME, example_class, failed, marks, without_score

from labkit.grading.merge import with_points_by_hand
from labkit.grading.overview import mistakes, overview_page


def row(html, heading):
    """Return the cells of the table row that starts with a text."""
    rows = [re.findall(r"<td[^>]*>(.*?)</td>", line) for line in html.split("<tr>")]
    plain = [[re.sub(r"<[^>]+>", " ", cell).strip() for cell in cells] for cells in rows]
    return next(cells for cells in plain if cells and cells[0].startswith(heading))


def section(html, heading):
    return html.partition(f"<h2>{heading}</h2>")[2].partition("<h2>")[0]


def test_counts_say_how_many_have_a_score_and_who_does_not():
    html = overview_page(example_class(), lang="en")
    assert row(html, PLAN) == [PLAN, "6", "1", "1", "3.67 / 7", "5", "0–7"]


def test_the_distribution_of_an_exercise_keeps_wrong_and_not_answered_apart():
    html = overview_page(example_class(), lang="en")
    cells = row(html.partition("Exercise by exercise")[2], "2.3")
    assert cells[1].split() == ["3", "1", "2"]  # right, not right yet, not answered
    assert re.findall(r'class="of_(\w+)" style="flex:(\d)"', html)[-3:] == [
        ("right", "3"),
        ("not_yet", "1"),
        ("unanswered", "2"),
    ]
    assert cells[3] == "2: 3 · 0: 1"


def test_mistakes_are_counted_by_student_most_frequent_first():
    found = [(count, exercise, remark.id) for count, exercise, remark in mistakes(example_class())]
    assert found[:2] == [(2, "2.1", "checks.2_1.no_ablation"), (2, "2.2", "checks.2_2.two")]
    assert not [one for one in found if "not_answered" in one[2]]


def test_a_mistake_met_twice_in_one_exercise_counts_once():
    twice = failed("2.1", "NameError")
    one = replace(marks("a", RIGHT), exercises={"2.1": replace(twice, remarks=twice.remarks * 2)})
    assert [count for count, _, _ in mistakes([one])] == [1]


def test_points_by_hand_are_no_mistake(tmp_path):
    file = tmp_path / "hand.csv"
    file.write_text(f"student_id,notebook,exercise,points\na,{PLAN},2.2,1\n", encoding="utf-8")
    (one,) = with_points_by_hand([marks("a", RIGHT)], file)
    assert mistakes([one]) == []


def test_who_has_no_score_is_named_with_the_reason():
    html = overview_page(example_class(), lang="en")
    assert "गीता कुमारी" in section(html, "Could not be run: no score, and not 0")
    assert "This is a PDF" in section(html, "Could not be run: no score, and not 0")
    assert "Hari" in section(html, "Not submitted")
    assert "ran longer than 60 s" in section(html, "Stopped before the end: what came before counts")


def test_a_class_in_which_all_went_well_has_no_empty_lists():
    html = overview_page([marks("a", RIGHT)], lang="en")
    assert re.findall("<h2>(.*?)</h2>", html) == [PLAN]


def test_a_notebook_without_any_score_says_so():
    one = replace(without_score("a", "not submitted", "grading.not_submitted"), notebook=TIME)
    assert "Nobody has a score" in overview_page([one], lang="en")


@pytest.mark.parametrize(("lang", "words"), [("en", "The class at a glance"), ("hi", "पूरी class एक नज़र में")])
def test_the_page_is_in_the_instructors_language(lang, words):
    html = overview_page(example_class(), lang=lang)
    assert f'<html lang="{lang}">' in html
    assert words in html


def test_names_and_errors_stay_text():
    hostile = "<script>alert(1)</script>"
    one = replace(marks(hostile, PARTLY, name=hostile), exercises={"2.1": failed("2.1", hostile)})
    bad = without_score(hostile, "could not be run", "grading.did_not_start", name=hostile, why=hostile)
    html = overview_page([one, bad, replace(bad, status="not submitted")], lang="en")
    assert "<script" not in html
    assert html.count("&lt;script&gt;") >= 6


def test_nobody_at_all_gives_a_page():
    assert "<table>" in overview_page([], lang="en")
