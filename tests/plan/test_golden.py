"""The reports, word for word. After a wanted change: LABKIT_GOLDEN=write pytest tests/plan/test_golden.py."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from plan_examples import mixed, plan, too_big

GOLDEN = Path(__file__).with_name("golden")
REPORTS = {
    "lesson.en.txt": lambda: plan().to_text("en") + "\n",
    "lesson.hi.txt": lambda: plan().to_text("hi") + "\n",
    "mixed.en.txt": lambda: mixed().to_text("en") + "\n",
    "mixed.hi.md": lambda: mixed().to_markdown("hi"),
    "mixed.en.html": lambda: mixed().to_html("en") + "\n",
    "too_big.en.txt": lambda: too_big().to_text("en") + "\n",
    "request.en.md": lambda: plan().request(
        "It decides what our class runs next.", "A. Student, B. College", "en"
    ),
    "request_blank.hi.md": lambda: too_big().request(lang="hi"),
}


@pytest.mark.parametrize("name", REPORTS)
def test_the_report_is_the_golden_one(name: str) -> None:
    report = REPORTS[name]()
    if os.environ.get("LABKIT_GOLDEN") == "write":
        GOLDEN.joinpath(name).write_text(report, encoding="utf-8", newline="\n")
    assert report == GOLDEN.joinpath(name).read_text(encoding="utf-8")


def test_every_golden_file_belongs_to_a_report() -> None:
    assert {path.name for path in GOLDEN.iterdir()} == set(REPORTS)
