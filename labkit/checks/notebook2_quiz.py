"""Rubrics of notebook 2 with fixed right answers: spot the flaw, more compute or not, the lesson test."""

from __future__ import annotations

from collections.abc import Iterator

from labkit.checks.core import Remark, right, rubric, wrong
from labkit.checks.picks import graded_picks, slug
from labkit.checks.plain import JSON

FLAWS = {
    "A": "unequal seeds",
    "B": "guess not marked",
    "C": "plan B drops the baseline",
    "D": "no margin",
    "E": "total does not follow",
}
MORE_COMPUTE = {
    "1": "not yet",
    "2": "perhaps",
    "3": "not yet",
    "4": "perhaps",
    "5": "not yet",
    "6": "perhaps",
    "7": "not yet",
    "8": "perhaps",
}
LESSON_TEST = {"q1": "b", "q2": "c", "q3": "a", "q4": "b", "q5": "c"}
PASS_AT = 3


@rubric("2.7", points=5)
def flaws(answer: JSON) -> Iterator[Remark]:
    """Grade which flaw each of five plans has, one point a plan."""

    def about(plan: str, picked: str) -> Remark:
        if picked == FLAWS[plan]:
            return right(f"checks.2_7.{plan}_right")
        return wrong(f"checks.2_7.not_{slug(picked)}", plan=plan)

    yield from graded_picks(answer, FLAWS, tuple(FLAWS.values()), 1, about)


@rubric("2.8", points=2)
def more_compute(answer: JSON) -> Iterator[Remark]:
    """Grade which of eight situations call for more compute, a quarter point each."""

    def about(statement: str, picked: str) -> Remark:
        if picked == MORE_COMPUTE[statement]:
            return right("checks.2_8.right", name=statement)
        return wrong(f"checks.2_8.wrong_{statement}")

    yield from graded_picks(answer, MORE_COMPUTE, ("not yet", "perhaps"), 0.25, about)


@rubric("2.9", points=5)
def lesson_test(answer: JSON) -> Iterator[Remark]:
    """Grade the five questions of the lesson test; three right ones pass."""

    def about(question: str, picked: str) -> Remark:
        if picked == LESSON_TEST[question]:
            return right("checks.2_9.right", name=question)
        return wrong(f"checks.2_9.{question}_{picked}")

    remarks = list(graded_picks(answer, LESSON_TEST, ("a", "b", "c"), 1, about))
    yield from remarks
    earned = int(sum(r.points for r in remarks))
    verdict = "passed" if earned >= PASS_AT else "not_passed"
    yield right(f"checks.2_9.{verdict}", earned=earned, pass_at=PASS_AT)
