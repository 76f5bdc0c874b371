"""Rubrics of notebook 2 with fixed right answers: spot the flaw, more compute or not, the lesson test."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from labkit.checks.core import AnswerError, Remark, part, right, rubric, wrong
from labkit.checks.plain import JSON, shown
from labkit.checks.shapes import choice

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
        return wrong(f"checks.2_7.not_{picked.lower().replace(' ', '_')}", plan=plan)

    yield from _picks(answer, FLAWS, tuple(FLAWS.values()), 1, about)


@rubric("2.8", points=2)
def more_compute(answer: JSON) -> Iterator[Remark]:
    """Grade which of eight situations call for more compute, a quarter point each."""

    def about(statement: str, picked: str) -> Remark:
        if picked == MORE_COMPUTE[statement]:
            return right("checks.2_8.right", name=statement)
        return wrong(f"checks.2_8.wrong_{statement}")

    yield from _picks(answer, MORE_COMPUTE, ("not yet", "perhaps"), 0.25, about)


@rubric("2.9", points=5)
def lesson_test(answer: JSON) -> Iterator[Remark]:
    """Grade the five questions of the lesson test; three right ones pass."""

    def about(question: str, picked: str) -> Remark:
        if picked == LESSON_TEST[question]:
            return right("checks.2_9.right", name=question)
        return wrong(f"checks.2_9.{question}_{picked}")

    remarks = list(_picks(answer, LESSON_TEST, ("a", "b", "c"), 1, about))
    yield from remarks
    earned = int(sum(r.points for r in remarks))
    verdict = "passed" if earned >= PASS_AT else "not_passed"
    yield right(f"checks.2_9.{verdict}", earned=earned, pass_at=PASS_AT)


def _picks(
    answer: JSON,
    key: Mapping[str, str],
    options: Sequence[str],
    points_each: float,
    about: Callable[[str, str], Remark],
) -> Iterator[Remark]:
    """Grade one pick per name of `key`; right answers and open gaps share one remark each."""
    if not isinstance(answer, dict):
        names = list(key)
        shape = "{" + f'"{names[0]}": "{options[0]}", "{names[1]}": "{options[1]}", …' + "}"
        raise AnswerError("checks.picks_not_a_dictionary", given=shown(answer), shape=shape, last=names[-1])
    picks = {name: answer.get(name) for name in key}
    if all(pick is None for pick in picks.values()):
        raise AnswerError("checks.not_answered", status="not answered")

    def graded(name: str, pick: JSON) -> Remark:
        return about(name, choice(pick, name, options))

    together: dict[str, list[Remark]] = {}
    for name, pick in picks.items():
        remark = part(points_each, graded, name, pick)
        joins = remark.ok or remark.status == "not answered"
        together.setdefault(remark.id if joins else name, []).append(remark)
    yield from map(_joined, together.values())


def _joined(remarks: list[Remark]) -> Remark:
    if len(remarks) == 1:
        return remarks[0]
    return replace(
        remarks[0],
        values={"name": ", ".join(str(r.values["name"]) for r in remarks)},
        points=sum(r.points for r in remarks),
        max_points=sum(r.max_points for r in remarks),
    )
