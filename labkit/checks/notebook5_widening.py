"""Rubrics of exercises 5.2 and 5.3: functions that widen weights and Adam's second moment.

The rules are those of Ma et al., "mupscaling small models" (arXiv 2602.10545), under muP.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import TypeAlias

from labkit.checks.core import AnswerError, Remark, part, right, rubric, wrong
from labkit.checks.functions import Call, read_calls
from labkit.checks.plain import JSON, shown
from labkit.checks.shapes import as_number, as_whole, choice

WEIGHT, MOMENT = "widen_weight", "widen_second_moment"
ROLES = ("input", "hidden", "output")
FIXED = "fixed"
_Matrix: TypeAlias = "list[list[float]]"
_MOST_K = 100


@dataclass(frozen=True)
class _Widening:
    """What a function is asked to widen: `weight` is out x in."""

    weight: _Matrix
    role: str
    k: int

    @property
    def grows(self) -> tuple[int, int]:
        """By how much rows and columns are repeated."""
        return (
            self.k if self.role in ("input", "hidden") else 1,
            self.k if self.role in ("hidden", "output") else 1,
        )

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the wide matrix."""
        rows, columns = self.grows
        return rows * len(self.weight), columns * len(self.weight[0])

    def wide(self, power: int, tiled: tuple[bool, bool] = (False, False)) -> _Matrix:
        """Return the wide matrix divided by k^power; a tiled side goes u1 u2 u1 u2, not u1 u1 u2 u2."""
        rows, columns = (
            list(range(size)) * times if tile else [i for i in range(size) for _ in range(times)]
            for size, times, tile in zip(
                (len(self.weight), len(self.weight[0])), self.grows, tiled, strict=True
            )
        )
        return [[self.weight[row][column] / self.k**power for column in columns] for row in rows]


_Calls = Sequence[Call[_Widening]]


def _draw_weights(source: Random) -> list[list[JSON]]:
    return [_drawn(source, role, shape) for role in ROLES for shape in ((2, 3), (4, 2))]


def _draw_moments(source: Random) -> list[list[JSON]]:
    return [*_draw_weights(source), *(_drawn(source, FIXED, (1, size)) for size in (3, 4))]


def _drawn(source: Random, role: str, shape: tuple[int, int]) -> list[JSON]:
    """Draw one matrix of different positive numbers, and a factor from 2 to 4."""
    rows, columns = shape
    numbers = [n / 100 for n in source.sample(range(1, 200), rows * columns)]
    matrix: list[JSON] = [[*numbers[r * columns : (r + 1) * columns]] for r in range(rows)]
    return [matrix, role, source.randint(2, 4)]


def _read_weight(arguments: Sequence[JSON]) -> _Widening:
    return _read(arguments, ROLES)


def _read_moment(arguments: Sequence[JSON]) -> _Widening:
    return _read(arguments, (*ROLES, FIXED))


def _read(arguments: Sequence[JSON], roles: Sequence[str]) -> _Widening:
    if len(arguments) != 3:
        raise AnswerError("checks.not_a_function")
    weight, role, k = arguments
    given = _Widening(_matrix(weight, ""), choice(role, "role", roles), as_whole(k, "k"))
    if not 2 <= given.k <= _MOST_K:
        raise AnswerError("checks.not_a_function")
    return given


def _matrix(value: JSON, call: str) -> _Matrix:
    """Return rows of numbers, all of the same length, at least one in each."""
    rows = value if isinstance(value, list) else []
    lengths = {len(row) if isinstance(row, list) else 0 for row in rows}
    if len(lengths) != 1 or lengths == {0}:
        raise AnswerError("checks.5_2.not_a_matrix", call=call, given=shown(value))
    return [
        [as_number(v, f"{call}[{r}][{c}]") for c, v in enumerate(row)]
        for r, row in enumerate(rows)
        if isinstance(row, list)
    ]


def _returned(call: Call[_Widening]) -> _Matrix:
    return _matrix(call.value, call.text)


@rubric("5.2", points=3, calls=_draw_weights)
def widened_weight(answer: JSON) -> Iterator[Remark]:
    """Grade the widening of input, hidden and output weights, one point each."""
    calls = read_calls(answer, WEIGHT, _read_weight)
    for role in ROLES:
        yield part(1, _widened_weight, role, [call for call in calls if call.given.role == role])


def _widened_weight(role: str, calls: _Calls) -> Remark:
    if not calls:
        raise AnswerError("checks.not_a_function", name=WEIGHT, given="[]")
    _need_an_answer(WEIGHT, calls)
    for call in calls:
        if _size(_returned(call)) != call.given.shape:
            return _wrong_shape(call)
    divided = 1 if role == "hidden" else 0
    tiled, power = _rule(calls)
    if power == divided and not tiled:
        return right(f"checks.5_2.{role}_right")
    if power == divided:
        return wrong("checks.5_2.tiled", 0.5, role=role)
    if power is None:
        return _first_off("checks.5_2.off", calls, divided)
    if role != "hidden":
        return wrong(f"checks.5_2.{role}_divided")
    return wrong("checks.5_2.hidden_divided_more" if power else "checks.5_2.hidden_not_divided")


@rubric("5.3", points=2, calls=_draw_moments)
def widened_second_moment(answer: JSON) -> Iterator[Remark]:
    """Grade the shapes of the widened second moment, and its values where the shape is right."""
    calls = read_calls(answer, MOMENT, _read_moment)
    yield part(1, _moment_shapes, calls)
    yield part(1, _moment_values, calls)


def _need_an_answer(name: str, calls: _Calls) -> None:
    """Raise AnswerError if nothing at all came back for a role: usually a branch without `return`."""
    for role in dict.fromkeys(call.given.role for call in calls):
        if all(call.returned is None and not call.raised for call in calls if call.given.role == role):
            raise AnswerError("checks.5_2.no_branch", status="not answered", name=name, role=role)


def _moment_shapes(calls: _Calls) -> Remark:
    _need_an_answer(MOMENT, calls)
    for call in calls:
        if _size(_returned(call)) != call.given.shape:
            fixed = call.given.role == FIXED
            return wrong("checks.5_3.fixed_widened", 0.5) if fixed else _wrong_shape(call)
    return right("checks.5_3.shapes_right")


def _moment_values(calls: _Calls) -> Remark:
    """Grade the values of those roles whose shape is right; three of the four earn half of the points."""
    fitting = [call for call in calls if _fits(call)]
    by_role = {role: [c for c in fitting if c.given.role == role] for role in (*ROLES, FIXED)}
    found = {role: _rule(same) for role, same in by_role.items() if same}
    mistaken = {r: power for r, (_, power) in found.items() if power != _moment_power(r)}
    points = 0.5 if len(found) - len(mistaken) == len(by_role) - 1 else 0
    for role, power in mistaken.items():
        if power is None:
            return _first_off("checks.5_3.off", by_role[role], _moment_power(role), points)
        if role == FIXED:
            return wrong("checks.5_3.fixed_divided", points)
        names = {0: "not_divided", 1: "divided_once", 3: "divided_thrice", 4: "divided_per_side"}
        return wrong(f"checks.5_3.{names[power]}", points, role=role)
    if len(found) < len(by_role):
        return wrong("checks.5_3.values_of_some", points)
    tiled = any(tiled for tiled, _ in found.values())
    return wrong("checks.5_3.tiled", 0.5) if tiled else right("checks.5_3.values_right")


def _moment_power(role: str) -> int:
    """Return by which power of k the second moment of a role is divided."""
    return 0 if role == FIXED else 2


def _fits(call: Call[_Widening]) -> bool:
    try:
        return _size(_returned(call)) == call.given.shape
    except AnswerError:
        return False


def _rule(calls: _Calls) -> tuple[bool, int | None]:
    """Return whether the copies are tiled and by which power of k they are divided, None for no power."""
    for rows, columns, power in product((False, True), (False, True), range(5)):
        if all(_same(_returned(call), call.given.wide(power, (rows, columns))) for call in calls):
            return rows or columns, power
    return False, None


def _first_off(message_id: str, calls: _Calls, power: int, points: float = 0) -> Remark:
    """Show the first entry that is not right; `power` is that of the right division."""
    call, r, c, value = next(
        (call, r, c, value)
        for call in calls
        for r, row in enumerate(_returned(call))
        for c, value in enumerate(row)
        if not _same([[value]], [[call.given.wide(power)[r][c]]])
    )
    return wrong(message_id, points, call=call.text, row=r, column=c, given=value)


def _wrong_shape(call: Call[_Widening]) -> Remark:
    rows, columns = _size(_returned(call))
    weight = call.given.weight
    return wrong(
        "checks.5_2.shape",
        role=call.given.role,
        k=call.given.k,
        before=f"{len(weight)} × {len(weight[0])}",
        given=f"{rows} × {columns}",
    )


def _size(matrix: _Matrix) -> tuple[int, int]:
    return len(matrix), len(matrix[0])


def _same(found: _Matrix, truth: _Matrix) -> bool:
    """Say whether two matrices of the same shape agree up to rounding to three decimals."""
    pairs = zip((v for row in found for v in row), (v for row in truth for v in row), strict=True)
    return all(abs(a - b) <= max(5.1e-4, 1e-6 * abs(b)) for a, b in pairs)
