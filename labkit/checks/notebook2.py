"""Rubrics of notebook 2 (first cut: an answer of any kind counts)."""

from collections.abc import Iterator

from labkit.checks.core import Remark, part, right, rubric
from labkit.checks.plain import JSON


def _answered() -> Remark:
    return right("checks.answered")


@rubric("2.1", points=3)
def check_2_1(answer: JSON) -> Iterator[Remark]:
    """Count any answer."""
    yield part(3, _answered)


@rubric("2.2", points=2)
def check_2_2(answer: JSON) -> Iterator[Remark]:
    """Count any answer."""
    yield part(2, _answered)


@rubric("2.3", points=2)
def check_2_3(answer: JSON) -> Iterator[Remark]:
    """Count any answer."""
    yield part(2, _answered)


@rubric("2.4", points=3)
def check_2_4(answer: JSON) -> Iterator[Remark]:
    """Count any answer."""
    yield part(3, _answered)


@rubric("2.5", points=2)
def check_2_5(answer: JSON) -> Iterator[Remark]:
    """Count any answer."""
    yield part(2, _answered)


@rubric("2.6", points=3)
def check_2_6(answer: JSON) -> Iterator[Remark]:
    """Count any answer."""
    yield part(3, _answered)


@rubric("2.7", points=5)
def check_2_7(answer: JSON) -> Iterator[Remark]:
    """Count any answer."""
    yield part(5, _answered)


@rubric("2.8", points=2)
def check_2_8(answer: JSON) -> Iterator[Remark]:
    """Count any answer."""
    yield part(2, _answered)


@rubric("2.9", points=5)
def check_2_9(answer: JSON) -> Iterator[Remark]:
    """Count any answer."""
    yield part(5, _answered)
