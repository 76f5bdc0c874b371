"""The page that a student gets."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from class_examples import PARTLY, PLAN, RIGHT, example_class, failed, marks, without_score

from labkit.checks import Remark
from labkit.grading.feedback import feedback_page
from labkit.grading.notes import Note
from labkit.grading.page import Titles

CLASS = {one.student_id: one for one in example_class()}
HOSTILE = '</code></title><script>alert(1)</script><img src=x onerror="alert(2)">'
VOID = {"meta", "br", "img"}


class Page(HTMLParser):
    """The elements of a page, and its text; fails where elements are not closed in order."""

    def __init__(self, html):
        super().__init__()
        self.open, self.tags, self.attributes, self.text = [], [], [], ""
        self.feed(html)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, *pair) for pair in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.text += data


def said(one, titles=None):
    return " ".join(Page(feedback_page(one, titles)).text.split())


@pytest.mark.parametrize("student", CLASS)
def test_the_page_is_sound_html_in_the_students_language(student):
    page = Page(feedback_page(CLASS[student]))
    assert ("html", "lang", CLASS[student].lang) in page.attributes
    assert CLASS[student].name in page.text


def test_points_stand_at_the_top_and_at_each_exercise():
    text = said(CLASS["bimal"])
    assert "5 of 7 points" in text
    assert re.search("Exercise 2.1 ?2.5 of 3", text)


def test_each_part_says_what_was_seen_its_points_and_the_next_step():
    text = said(CLASS["bimal"])
    assert "Partly right: Two seeds show that runs differ" in text
    assert "0.5 of 1" in text
    assert "→ Next: " in text


def test_a_hindi_page_is_hindi_throughout():
    text = said(CLASS["चित्रा"])
    assert "7 में से 5 अंक" in text
    assert "थोड़ा सही" in text
    assert "Exercise" not in text
    assert "Right" not in text


def test_the_exercise_with_most_to_gain_is_named_first():
    assert "most to gain in 2.2: 1.5 more" in said(CLASS["bimal"])
    assert "Everything is right" in said(CLASS["asha"])


@pytest.mark.parametrize(
    ("student", "words"), [("hari", "Not submitted"), ("gita", "चल नहीं पाया"), ("esha", "Not answered yet")]
)
def test_no_score_and_no_answer_are_said_in_words(student, words):
    assert words in said(CLASS[student])


@pytest.mark.parametrize("student", ["hari", "gita"])
def test_without_a_score_there_are_no_points_on_the_page(student):
    assert not re.search(r"\d of \d|\d में से \d|points</p>", feedback_page(CLASS[student]))


def test_a_notebook_that_was_stopped_says_why_and_what_to_do():
    text = said(CLASS["farid"])
    assert "The cell 2.3 ran longer than 60 s" in text
    assert "Look for a loop that does not end." in text


def test_what_was_mended_is_listed():
    assert "plan (2).ipynb" in said(CLASS["bimal"])
    assert "mended" not in said(CLASS["asha"])


def test_an_error_names_the_cell_as_students_know_it():
    one = marks("asha", RIGHT)
    text = said(replace(one, exercises={"2.1": failed("2.1", "NameError: x")}))
    assert "the cell 2.1 ended with an error: NameError: x" in text


def test_hostile_text_anywhere_stays_text():
    one = marks(
        HOSTILE,
        PARTLY,
        name=HOSTILE,
        notes=(Note("mending.renamed", {"given": HOSTILE, "notebook": HOSTILE}),),
    )
    result = replace(
        one.exercises["2.1"], remarks=(Remark("checks.not_a_number", {"name": "x", "given": HOSTILE}),)
    )
    one = replace(one, notebook=HOSTILE, exercises={"2.1": result, "2.2": failed("2.2", HOSTILE)})
    page = Page(feedback_page(one))
    assert not {"script", "img"} & set(page.tags)
    assert not [a for a in page.attributes if a[1].startswith("on") or "alert" in (a[2] or "")]
    assert page.text.count("alert(1)") >= 6


def test_a_hostile_reason_stays_text():
    one = without_score("a", "could not be run", "grading.did_not_start", why=HOSTILE)
    assert not {"script", "img"} & set(Page(feedback_page(one)).tags)


def test_the_page_needs_nothing_else_and_runs_nothing():
    html = feedback_page(CLASS["asha"])
    assert not re.search(r"<script|<link|<img|url\(|https?:|@import", html)
    assert "default-src 'none'" in html
    assert "prefers-color-scheme: dark" in html
    assert "@media print" in html


def test_titles_come_from_the_release_in_the_students_language():
    def release(*headings):
        return {"cells": [{"cell_type": "markdown", "source": [f"{line}\n" for line in headings]}]}

    english = release("# 2 · The plan", "Text 2.1", "### Exercise 2.1 · Every setting (3 points, 2 minutes)")
    hindi = release("# 2 · योजना", "### अभ्यास 2.1 · हर setting (3 अंक, 2 मिनट)", "### 2.10 later", "### 2.11")
    titles = Titles({PLAN: {"en": english, "hi": hindi}})
    assert titles.notebook(PLAN, "hi") == "2 · योजना"
    assert titles.exercise(PLAN, "2.1", "en") == "Every setting"
    assert titles.exercise(PLAN, "2.1", "hi") == "हर setting"
    assert titles.exercise(PLAN, "2.10", "hi") == "later"
    assert titles.exercise(PLAN, "2.11", "hi") == titles.exercise(PLAN, "9.9", "en") == ""
    assert "Exercise 2.1 · Every setting" in said(CLASS["asha"], titles)
