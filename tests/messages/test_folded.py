"""Long sentences are printed in lines that a notebook does not break again."""

import unicodedata

import pytest

from labkit.messages import folded

HINDI = "तीन seeds पर loss हर बार कम हुआ, इसलिए कह सकते हैं कि size बढ़ने से फ़ायदा है। " * 4


@pytest.mark.parametrize("words", ["The losses fall with size for each of the seeds. " * 5, HINDI])
def test_lines_are_as_long_as_they_may_be_and_no_word_is_lost(words):
    lines = folded(words, 40).split("\n")
    lengths = [sum(not unicodedata.category(c).startswith("M") for c in line) for line in lines]
    assert max(lengths) <= 40
    assert min(lengths[:-1]) > 25
    assert " ".join(lines).split() == words.split()


def test_a_word_that_is_too_long_stays_whole():
    assert folded("see https://example.org/a/very/long/address now", 20).split("\n")[1].startswith("https")


def test_lines_and_their_indentation_stay():
    assert folded("one two three\n\n  - four five six", 10) == "one two\nthree\n\n  - four\n  five six"
