"""Attacks on the grader: no undeserved point, nothing outside read or changed, an end, the right reason.

All are graded in one batch, in the real sandbox, side by side with each other and with an honest student.
"""

import csv
import json
import os
import re
import time
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest
from all_attacks import ATTACKS
from hostile_class import FULL, LEFT_WRONG, NAME, SECRET, WRONG_FUNCTION, WRONG_PICKS

from labkit.grading.students import safe_id

pytestmark = pytest.mark.slow
WRONG = {"1.2": LEFT_WRONG, "2.9": WRONG_PICKS, "9.1": WRONG_FUNCTION}
QUIET_TAGS = {
    *(
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "header",
        "main",
        "footer",
        "section",
        "div",
        "h1",
        "h2",
        "h3",
    ),
    *(
        "p",
        "span",
        "bdi",
        "strong",
        "code",
        "a",
        "ul",
        "li",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "details",
    ),
    *("summary", "svg", "rect", "g", "text", "line", "small", "em", "ol", "b", "i", "br", "nav"),
}


def test_there_are_at_least_forty():
    assert len(ATTACKS) >= 40


def test_the_points_are_those_that_are_deserved(attack, attacked):
    marked = attacked.of(attack)
    assert (marked.status, marked.score) == (attack.status, attack.points)


def test_the_reason_is_right(attack, attacked):
    marked = attacked.of(attack)
    assert (marked.reason and marked.reason[0]) == attack.reason


def test_what_is_said_about_each_exercise_is_right(attack, attacked):
    results = attacked.of(attack).exercises
    ran = bool(results) and attack.reason is None
    expected = {**(WRONG if ran else {}), **attack.remarks}
    said = {e: tuple(remark.id for remark in results[e].remarks) for e in expected}
    assert said == expected, f"the answer to 1.2 was {attacked.answers[safe_id(attack.name)]}"


def test_what_was_mended_is_told(attack, attacked):
    assert set(attack.notes) <= {note.id for note in attacked.of(attack).notes}


def test_the_honest_neighbour_gets_what_is_deserved(attacked):
    (honest,) = [one for one in attacked.graded.marked if one.student_id == "honest"]
    assert (honest.status, honest.score, honest.reason) == ("graded", FULL, None)


def test_everybody_has_one_outcome(attacked):
    outcomes = Counter(one.student_id for one in attacked.graded.marked if one.notebook == NAME)
    assert len(outcomes) == len(ATTACKS) + 1
    assert set(outcomes.values()) == {1}


def test_nothing_outside_was_changed(attacked):
    assert attacked.after == attacked.before


def test_nobody_came_through_the_network(attacked):
    assert attacked.connections == []


def test_nothing_secret_is_in_the_results(attacked):
    assert [path for path in files(attacked.results) if SECRET.encode() in path.read_bytes()] == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives each submission a user id of its own")
def test_no_process_is_left(attacked):
    assert len(attacked.uids) > len(ATTACKS) / 2
    until = time.monotonic() + 20  # what was killed takes a moment to go
    while at_work(attacked.uids) and time.monotonic() < until:
        time.sleep(0.2)
    assert at_work(attacked.uids) == []


def at_work(uids):
    """Return the processes that belong to one of the user ids."""
    owners = {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            owners[process.name] = process.stat().st_uid
        except OSError:
            continue
    return [pid for pid, uid in owners.items() if uid in uids]


def test_results_lie_in_the_folder_of_results_only(attacked):
    unknown = [
        path.relative_to(attacked.results)
        for path in files(attacked.results)
        if not re.fullmatch(
            r"(marks/[^/]+/[^/]+\.json|feedback/[^/]+/[^/]+\.html|overview\.html|results\.json|to_read\.csv"
            r"|gradebook\.csv|canvas\.csv)",
            path.relative_to(attacked.results).as_posix(),
        )
    ]
    assert unknown == []


def test_pages_have_no_script_and_fetch_nothing(attacked):
    pages = [path for path in files(attacked.results) if path.suffix == ".html"]
    assert len(pages) > len(ATTACKS)
    found = {path.parent.name: Elements(path).odd for path in pages}
    assert {student: odd for student, odd in found.items() if odd} == {}


def test_results_hold_no_codes_for_terminals_and_no_turned_text(attacked):
    odd = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069]|\\\\u001b|\\\\u202e")
    told = {path: odd.findall(path.read_text(encoding="utf-8")) for path in files(attacked.results)}
    assert {str(path): found for path, found in told.items() if found} == {}


def test_no_cell_of_the_gradebook_is_a_formula(attacked):
    for name in ("gradebook.csv", "canvas.csv"):
        with (attacked.results / name).open(encoding="utf-8-sig", newline="") as file:
            cells = [cell for row in csv.reader(file) for cell in row]
        assert [cell for cell in cells if re.match(r"[=+@\t\r]|-[^\d]", cell)] == []


def test_results_are_json_with_finite_points(attacked):
    def refuse(constant):
        raise ValueError(constant)

    data = json.loads((attacked.results / "results.json").read_text(encoding="utf-8"), parse_constant=refuse)
    assert data
    for one in attacked.graded.marked:
        assert 0 <= one.score <= max(one.max_score, 0) < 1e6


class Elements(HTMLParser):
    """What a page has that a quiet page has not: other elements, handlers of events, addresses elsewhere."""

    def __init__(self, path):
        super().__init__()
        self.odd = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        if tag not in QUIET_TAGS:
            self.odd.append(tag)
        for name, value in attributes:
            elsewhere = name in ("href", "src", "action") and not (value or "").startswith(("#", "feedback/"))
            if name.startswith("on") or elsewhere:
                self.odd.append(f"{tag} {name}={value}")


def files(folder):
    return [path for path in folder.rglob("*") if path.is_file()]
