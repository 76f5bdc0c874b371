"""Rubrics of notebook 1 (first cut: an answer of any kind counts)."""

from collections.abc import Iterator

from labkit.checks.core import Remark, part, right, rubric
from labkit.checks.plain import JSON


def _answered() -> Remark:
    return right("checks.answered")


@rubric("1.1", points=1)
def check_1_1(answer: JSON) -> Iterator[Remark]:
    """Count any answer."""
    yield part(1, _answered)


@rubric("1.2", points=1)
def check_1_2(answer: JSON) -> Iterator[Remark]:
    """Count any answer."""
    yield part(1, _answered)


@rubric("1.3", points=2)
def check_1_3(answer: JSON) -> Iterator[Remark]:
    """Count any answer."""
    yield part(2, _answered)


@rubric("1.4", points=2)
def check_1_4(answer: JSON) -> Iterator[Remark]:
    """Count any answer."""
    yield part(2, _answered)


@rubric("1.5", points=2)
def check_1_5(answer: JSON) -> Iterator[Remark]:
    """Count any answer."""
    yield part(2, _answered)
