"""Exercises in which one of a few options is picked for each of several things."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from labkit.checks.core import AnswerError, Remark, part
from labkit.checks.plain import JSON, shown
from labkit.checks.shapes import choice


def graded_picks(
    answer: JSON,
    names: Iterable[str],
    options: Sequence[str],
    points_each: float,
    about: Callable[[str, str], Remark],
) -> Iterator[Remark]:
    """Grade one pick per name.

    Parameters
    ----------
    answer : dictionary from names to picks.
    about : gives the remark for a name and the option picked for it. Remarks with the same id and `name` as
        their only value are said once, with all their names.

    Raises
    ------
    AnswerError
        If `answer` is no dictionary, or nothing in it is picked yet.
    """
    listed = list(names)
    if not isinstance(answer, dict):
        shape = "{" + f'"{listed[0]}": "…", "{listed[1]}": "…", …' + "}"
        raise AnswerError("checks.picks_not_a_dictionary", given=shown(answer), shape=shape, last=listed[-1])
    picked = {name: answer.get(name) for name in listed}
    if all(pick is None for pick in picked.values()):
        raise AnswerError("checks.not_answered", status="not answered")

    def graded(name: str, pick: JSON) -> Remark:
        return about(name, choice(pick, name, options))

    together: dict[str, list[Remark]] = {}
    for name, pick in picked.items():
        remark = part(points_each, graded, name, pick)
        joins = remark.values.keys() == {"name"}
        together.setdefault(f"{remark.id} {remark.points:g}" if joins else name, []).append(remark)
    yield from map(_joined, together.values())


def slug(option: str) -> str:
    """Return an option as a part of a message id: `"not compute-bound"` becomes `"not_compute_bound"`."""
    return option.lower().replace(" ", "_").replace("-", "_")


def _joined(remarks: list[Remark]) -> Remark:
    if len(remarks) == 1:
        return remarks[0]
    return replace(
        remarks[0],
        values={"name": ", ".join(str(r.values["name"]) for r in remarks)},
        points=sum(r.points for r in remarks),
        max_points=sum(r.max_points for r in remarks),
    )
