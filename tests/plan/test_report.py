"""The reports: readable, safe, and the same facts in text, Markdown and HTML."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from plan_examples import PAIR, mixed, plan, too_big

import labkit as lk
from labkit.plan.notes import show_hours, show_range


@pytest.mark.parametrize("lang", ["en", "hi"])
def test_figures_stand_in_one_column_whatever_the_script(lang: str) -> None:
    lines = mixed().to_text(lang).splitlines()
    rows = [match for match in (re.match(r" +(?:[+=x] )?\d+(?= [a-zअ-ह])", line) for line in lines) if match]
    assert len(rows) == 5
    assert len({row.end() for row in rows}) == 1


def test_each_run_time_has_its_own_line_of_arithmetic() -> None:
    said = mixed().to_text("en")
    assert "आधार, मेरा तरीका, no <A> | *B*: 15 x 40 min = 10 h" in said
    assert "बड़ा model: 5 x 90 min = 7.5 h" in said
    assert "together = 17.5 h" in said


def test_ranges_are_shown_only_when_they_are_not_a_point() -> None:
    assert "12 h (10.5 to 15 h)" in plan(run_time=lk.Measured(40, 35, 50)).to_text("en")
    assert "(" not in next(line for line in plan().to_text("en").splitlines() if "50 %" in line)


def test_each_time_is_said_to_be_measured_or_guessed() -> None:
    said = mixed().to_text("en")
    assert re.search(r"Measured: .*आधार", said) and re.search(r"Guessed: .*बड़ा model", said)
    assert "scaled by its parameters" in said


@pytest.mark.parametrize(
    ("hours", "said"),
    [
        (12, "12 h"),
        (100, "100 h"),
        (1.5, "1.5 h"),
        (2 / 3, "40 min"),
        (1 / 3600, "1 s"),
        (12345.6, "12,346 h"),
    ],
)
def test_hours_have_sensible_digits_and_never_become_days(hours: float, said: str) -> None:
    assert show_hours(hours, "en") == said


def test_a_range_has_its_unit_once_if_it_is_the_same() -> None:
    assert show_range("10 h", "15 h", "en") == "10 to 15 h"
    assert show_range("30 min", "2 h", "hi") == "30 min से 2 h"


def test_an_unsound_plan_says_what_to_mend() -> None:
    said = too_big().to_text("en")
    assert all(problem.text("en").split(".")[0] in " ".join(said.split()) for problem in too_big().problems())


class Tags(HTMLParser):
    """Collects tags and attributes, and checks that they are closed in order."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("lang", ["en", "hi"])
def test_html_is_closed_self_contained_and_has_no_scripts(lang: str) -> None:
    evil = '"><script>alert(1)</script><a href="javascript:x" onclick=y>'
    html = plan([(evil, "baseline"), ("&amp;", "method")], question=evil, risks=[evil]).to_html(lang)
    tags = Tags(html)
    assert tags.open == []
    assert tags.tags <= {"div", "h3", "h4", "p", "ul", "li", "table", "tbody", "tr", "td"}
    assert tags.attributes <= {"class", "lang", "style"}
    assert "&amp;amp;" in html


def test_html_sets_no_colour_of_text_or_ground() -> None:
    styles = " ".join(re.findall(r'style="([^"]*)"', mixed().to_html("en")))
    assert not re.search(r"(?<!-)\b(color:(?!inherit)|background)", styles)


def test_markdown_shows_what_looks_like_markup_as_text() -> None:
    mistune = pytest.importorskip("mistune")
    odd = [
        "# not a heading",
        "- no item",
        "1. no number",
        "a | b",
        "$x$",
        "[a](http://b)",
        "`c` ~~d~~ <i>e</i>",
    ]
    page = mistune.create_markdown(escape=False, plugins=["table", "strikethrough"])(
        plan(PAIR, risks=odd, question="1. *why*").to_markdown("en")
    )
    for tag in ("<em", "<a ", "<code", "<i>", "<del", "<h1", "<ol"):
        assert tag not in page
    assert page.count("<table>") == 1
    assert "# not a heading" in page and "&#36;x&#36;" not in page.replace("$x$", "")


def test_line_breaks_and_escapes_in_texts_do_not_reach_the_reports() -> None:
    odd = plan(question="first\nsecond \x1b[31mred", seeds_why="a\n\n# b")
    for report in (odd.to_text("en"), odd.to_markdown("en"), odd.to_html("en"), odd.request(lang="en")):
        assert "first second [31mred" in report.replace("\\", "")
        assert "\x1b" not in report and "\n# b" not in report


def test_a_long_name_stays_whole_in_the_reports() -> None:
    name = "a very long name " * 11
    assert name.strip() in " ".join(plan([(name, "baseline"), ("mine", "method")]).to_text("en").split())


def test_a_notebook_shows_the_html_in_the_language_in_use() -> None:
    lk.set_language("hi")
    try:
        assert plan()._repr_html_() == plan().to_html("hi")
        assert str(plan()) == plan().to_text("hi")
        assert plan()._repr_markdown_() == plan().to_markdown("hi")
    finally:
        lk.set_language("en")


@pytest.mark.parametrize(
    ("minutes", "lang", "said"),
    [
        (40, "en", "Calendar time: 7 days, at 12 h a week"),
        (41, "en", "Calendar time: 8 days, at"),
        (6, "en", "Calendar time: 2 days, at"),
        (0.01, "en", "Calendar time: less than a day, at"),
        (41, "hi", "कैलेंडर में: 8 दिन, "),
        (0.01, "hi", "कैलेंडर में: एक दिन से कम, "),
    ],
)
def test_calendar_days_are_whole(minutes: float, lang: str, said: str) -> None:
    assert said in plan(run_time=lk.Measured(minutes)).to_text(lang)


@pytest.mark.parametrize(("lang", "said"), [("en", "8 days"), ("hi", "8 दिन")])
def test_days_that_are_missing_are_whole(lang: str, said: str) -> None:
    late = plan(run_time=lk.Measured(41), venue=lk.Venue("server", hours_per_week=12, days_available=7))
    (problem,) = late.problems()
    assert said in problem.text(lang) and said in late.venue_fit().reasons[-1].text(lang)


@pytest.mark.parametrize("lang", ["en", "hi"])
def test_one_of_a_kind_is_in_the_singular(lang: str) -> None:
    said = plan([("mine", "method")], seeds=[0]).to_text(lang)
    assert "1 setting x 1 seed = 1 run\n" in said


@pytest.mark.parametrize(
    ("time", "lang", "said"),
    [
        (lk.Measured(0.1812, 0.104, 0.32), "en", "Measured: one run takes about 10.9 s (6.24 to 19.2 s)"),
        (lk.Measured(40), "hi", "मापा हुआ: एक run में लगभग 40 मिनट"),
        (
            lk.Guess(40, "a friend's run took this"),
            "en",
            "Guessed: one run takes perhaps 40 min (20 to 80 min), because a friend's run took this",
        ),
        (
            lk.Guess(40, "दोस्त ने बताया"),
            "hi",
            "अंदाज़ा: एक run में शायद 40 मिनट (20 से 80 मिनट), क्योंकि दोस्त ने बताया",
        ),
        (lk.Guess(40), "en", "Guessed: one run takes perhaps 40 min (20 to 80 min)"),
    ],
)
def test_a_run_time_is_printed_in_words_in_the_language_in_use(
    time: lk.Measured | lk.Guess, lang: str, said: str
) -> None:
    lk.set_language(lang)
    try:
        assert str(time) == said
    finally:
        lk.set_language("en")


def test_the_repr_of_a_run_time_stays_code() -> None:
    assert repr(lk.Measured(40)) == "Measured(minutes=40.0, low=40.0, high=40.0)"
