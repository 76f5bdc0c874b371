"""The request for compute: filled from the plan, blanks where the plan knows nothing."""

from __future__ import annotations

import re

import pytest
from plan_examples import mixed, plan, too_big


def blanks(page: str) -> list[str]:
    return re.findall(r"\\\[(?:To fill in|भरना है): ([^\]]*)\\\]", page)


@pytest.mark.parametrize("lang", ["en", "hi"])
def test_it_has_everything_a_sponsor_asks_for(lang: str) -> None:
    page = mixed().request("It matters for our class", "A. Student", lang)
    unit = {"en": "h", "hi": "घंटे"}[lang]
    for part in ("MNIST-1D", "It matters for our class", "A. Student", "मेरा तरीका", "0, 1, 2, 3, 4",
                 "three show the spread", f"26.2 {unit}", f"13.1 {unit}", "INR", "parameters"):  # fmt: skip
        assert part in page, part


def test_it_says_how_the_hours_are_known_and_their_range() -> None:
    page = mixed().request(lang="en")
    assert "Measured" in page and "Guessed" in page and "= 26.2 h (18.8 to 41.2 h)" in page


def test_what_the_plan_cannot_know_is_a_marked_blank() -> None:
    assert len(blanks(plan().request("why", "team", "en"))) == 4  # safeguards, data, publication, contact
    assert len(blanks(plan().request(lang="hi"))) == 6  # and who asks, why it matters


def test_an_unfinished_plan_has_more_blanks_and_a_list_to_mend() -> None:
    page = too_big().request(lang="en")
    assert len(blanks(page)) == 8
    assert "before sending" in page and "venue is not given" in page


def test_a_sound_plan_has_nothing_to_mend() -> None:
    assert "before sending" not in plan().request(lang="en")


@pytest.mark.parametrize("lang", ["en", "hi"])
def test_it_is_one_page(lang: str) -> None:
    assert len(plan().request("why " * 40, "team", lang).split()) < 450


def test_what_is_not_text_is_an_error_that_says_so() -> None:
    with pytest.raises(TypeError, match="why_it_matters"):
        plan().request(why_it_matters=5)  # type: ignore[arg-type]
