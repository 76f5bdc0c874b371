"""Reading what came out of the sandbox: only what the runner writes, and only plain bounded data."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labkit.checks import to_plain
from labkit.grading.emitted import ANSWER, NotAnAnswerError, one_line, read_report, same, sent_value

DEEP = json.loads("[" * 900 + "]" * 900)


def line(answer='"mean"', cell="check-1-2"):
    sent = f'{{"exercise": "1.2", "answer": {answer}, "version": 1}}'
    return f'{{"cell": "{cell}", "state": "ran", "sent": [{sent}]}}'.encode()


def test_lines_of_the_runner_are_read_past_anything_else():
    report = read_report(b'nonsense\n\xff\xfe\n[1]\n{"cell": 3}\n' + line() + b'\n{"end": true}\n{"cell"')
    assert [one.grade_id for one in report.lines] == ["check-1-2"]
    assert report.ended


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "9" * 5000])
def test_numbers_that_are_none_make_no_line(number):
    assert not read_report(line(number)).lines


def test_data_too_deep_to_parse_makes_no_line():
    assert not read_report(line("[" * 100_000 + "]" * 100_000)).lines


def test_a_flood_of_lines_is_cut():
    assert len(read_report((line() + b"\n") * 20_000).lines) == 10_000


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        ((), "grading.nothing_sent"),
        ((1, 2), "grading.sent_twice"),
        (("mean",), "grading.not_from_the_check"),
        (({"exercise": "1.2", "answer": 1, "version": 2},), "grading.not_from_the_check"),
        (({"exercise": "1.2", "answer": 1, "version": 1, "points": 9},), "grading.not_from_the_check"),
        (({"exercise": "1.1", "answer": 1, "version": 1},), "grading.for_another_exercise"),
        (({"exercise": "1.2", "answer": 10**60, "version": 1},), "grading.not_plain"),
        (({"exercise": "1.2", "answer": "x" * 2000, "version": 1},), "grading.not_plain"),
        (({"exercise": "1.2", "answer": [0] * 2000, "version": 1},), "grading.not_plain"),
        (
            ({"exercise": "1.2", "answer": DEEP, "version": 1},),
            "grading.not_plain",
        ),
    ],
    ids=str,
)
def test_what_is_no_answer_says_why(sent, reason):
    with pytest.raises(NotAnAnswerError) as refused:
        sent_value(sent, "1.2", ANSWER)
    assert refused.value.message_id == reason


scalars = st.none() | st.booleans() | st.floats() | st.integers() | st.text()
values = st.recursive(scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner))


@given(values)
def test_every_answer_of_an_honest_kernel_is_taken(value):
    sent = json.loads(json.dumps({"exercise": "1.2", "answer": to_plain(value), "version": 1}))
    assert same(sent_value((sent,), "1.2", ANSWER), to_plain(value))


def test_a_strangers_text_becomes_one_printable_line_without_addresses():
    assert one_line("<f at 0x7f00aa11bb22>\n\x1b[31m\u202ered") == "<f at 0x…>  [31m red"
