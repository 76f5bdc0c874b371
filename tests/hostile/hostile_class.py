"""A small release, and a class of students who hand in attacks on whoever grades it.

Every attack is a row in one of the tables `attacks_*.py`. Its code stands in the gap of exercise 1.2, which
it leaves wrong; 1.1 before it and 1.4 after it are right. So what is deserved is 3 points, or 1 where the
attack ends the notebook. 2.9 and the function of 9.1 are wrong throughout: points there would be stolen.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

NAME = "01_small"
SECRET = "S3CRET-of-the-grader"  # in a file and a variable that no notebook may read
FULL, BEFORE = 3.0, 1.0  # points: the attack changes nothing; it ends the notebook
LEFT_WRONG = ("checks.1_2.first_step",)
WRONG_PICKS = tuple(f"checks.2_9.{pick}" for pick in ("q1_a", "q2_a", "q3_b", "q4_a", "q5_a", "not_passed"))
WRONG_FUNCTION = LEFT_WRONG * 3  # one remark a call; any message in both languages will do
GAPS = {
    "answer-1-1": "guess = ...",
    "answer-1-2": "best = ...",
    "answer-1-4": "lost = ...",
    "answer-2-9": "picks = ...",
    "answer-9-1": "double = ...",
}
HONEST = {
    "answer-1-1": "guess = 3",
    "answer-1-2": 'best = "first step"',
    "answer-1-4": "lost = 37 % 10",
    "answer-2-9": 'picks = {"q1": "a", "q2": "a", "q3": "b", "q4": "a", "q5": "a"}',
    "answer-9-1": "def double(values):\n    return values",
}
CHECKS = {
    "check-1-1": 'lk.check("1.1", guess)',
    "check-1-2": 'lk.check("1.2", best)',
    "check-1-4": 'lk.check("1.4", {"killed_at": 37, "checkpoint_every": 10, "steps_lost": lost})',
    "check-2-9": 'lk.check("2.9", picks)',
    "check-9-1": 'lk.check("9.1", double)',
}


def _code(grade_id, source, **more):
    solution = grade_id.startswith("answer-")
    grade = grade_id.startswith("check-")
    marks = {"grade_id": grade_id, "grade": grade, "solution": solution, "locked": not solution}
    marks |= {"schema_version": 3, "task": False} | ({"points": 1} if grade else {})
    cell = {"cell_type": "code", "execution_count": None, "id": grade_id, "outputs": [], "source": [source]}
    return {**cell, "metadata": {"nbgrader": marks, **more}}


RELEASE = {
    "cells": [
        _code("setup", "import labkit as lk"),
        _code("settings", 'lang = "en"\nfast = False', tags=["parameters"]),
        *(
            _code(name, source)
            for pair in zip(GAPS.items(), CHECKS.items(), strict=True)
            for name, source in pair
        ),
    ],
    "metadata": {"labkit": {"lang": "en"}, "kernelspec": {"name": "python3", "display_name": "Python 3"}},
    "nbformat": 4,
    "nbformat_minor": 5,
}


@dataclass(frozen=True)
class Attack:
    """One hostile submission and what is to become of it.

    Attributes
    ----------
    tries : what it is after, in words.
    code : of the gap of exercise 1.2; where it does not set `best`, the wrong answer is set after it.
    answers : sources of other answer cells.
    points, reason, remarks : the exact points, the id of the reason why it was stopped (None: it ran to its
        end), and the ids of what is said about exercises; about 1.2, if it ran, that the answer is wrong.
    hand_in : writes the submission in another way: gets the class's folder, the name, and the notebook.
    status : what becomes of it.
    notes : ids of notes that must be among those on the feedback page.
    """

    name: str
    tries: str
    code: str = ""
    points: float = FULL
    reason: str | None = None
    remarks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    answers: Mapping[str, str] = field(default_factory=dict)
    hand_in: Callable[[Path, str, dict], None] | None = None
    status: str = "graded"
    notes: tuple[str, ...] = ()

    def notebook(self, outside: "Outside") -> dict:
        """Return the submission."""
        code = self.code
        for word, value in outside.words().items():
            code = code.replace(word, value)
        if "best =" not in code:
            code = f"{code}\n{HONEST['answer-1-2']}"
        return submission(**{"answer-1-2": code, **self.answers})


@dataclass(frozen=True)
class Outside:
    """What lies outside the sandbox, for anybody to read and write, and is to be left alone."""

    folder: Path
    port: int
    submissions: Path
    results: Path

    def words(self) -> dict[str, str]:
        """Return what stands for these in the attacks' code."""
        return {
            "OUTSIDE": repr(str(self.folder)),
            "PORT": str(self.port),
            "SUBMISSIONS": repr(str(self.submissions)),
            "RESULTS": repr(str(self.results)),
            "REPOSITORY": repr(str(Path(__file__).resolve().parents[2])),
        }


def submission(**answers: str) -> dict:
    """Return the release with answers: the honest ones, but for those given."""
    made = json.loads(json.dumps(RELEASE))
    for cell in made["cells"]:
        given = {**HONEST, **answers}.get(cell["id"])
        if given is not None:
            cell["source"] = [given]
    return made


def write(folder: Path, name: str, notebook: dict) -> None:
    """Hand in as a student does."""
    path = folder / name / f"{NAME}.ipynb"
    path.parent.mkdir()
    path.write_text(json.dumps(notebook), encoding="utf-8")
