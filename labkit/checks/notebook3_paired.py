"""Rubric of exercise 3.2: a function that compares two settings seed by seed."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import cast

from labkit.checks.core import AnswerError, Remark, part, right, rubric, wrong
from labkit.checks.functions import Call, read_calls
from labkit.checks.plain import JSON, shown
from labkit.checks.shapes import as_number, as_whole

NAME = "paired"


@dataclass(frozen=True)
class _Study:
    """Losses of two settings, as pairs (seed, loss) in the order in which the function got them."""

    a: tuple[tuple[int, float], ...]
    b: tuple[tuple[int, float], ...]

    @property
    def common(self) -> list[tuple[float, float]]:
        """The losses (of a, of b) of each seed that both have."""
        other = dict(self.b)
        return [(loss, other[seed]) for seed, loss in self.a if seed in other]

    @property
    def by_seed(self) -> list[float]:
        return [b - a for a, b in self.common]

    @property
    def by_position(self) -> list[float]:
        return [b[1] - a[1] for a, b in zip(self.a, self.b, strict=False)]


_Calls = Sequence[Call[_Study]]
_Number = Callable[[_Study], float]


def _draw(source: Random) -> list[list[JSON]]:
    """Draw four studies: one in order, one in another order, two with seeds that only one setting has."""
    shapes = ((5, 0, 0, False), (4, 0, 0, True), (3, 2, 0, True), (8, 1, 2, True))
    return [_study(source, *shape) for shape in shapes]


def _study(source: Random, pairs: int, alone_a: int, alone_b: int, turned: bool) -> list[JSON]:
    """Draw the losses of both settings: `pairs` seeds in common, others in one setting only."""
    seeds = source.sample(range(30), pairs + alone_a + alone_b)
    luck = {seed: source.gauss(2.0, 0.1) for seed in seeds}
    common = seeds[:pairs]
    only_a, only_b = seeds[pairs : pairs + alone_a], seeds[pairs + alone_a :]
    rows_a = [*only_a, *common]
    rows_b = [*only_b, *(reversed(common) if turned else common)]
    return [
        [[seed, round(luck[seed] + source.gauss(shift, 0.05), 4)] for seed in rows]
        for rows, shift in ((rows_a, 0.0), (rows_b, source.choice([-0.15, 0.15])))
    ]


def _read(arguments: Sequence[JSON]) -> _Study:
    if len(arguments) != 2:
        raise AnswerError("checks.not_a_function")
    study = _Study(_read_losses(arguments[0]), _read_losses(arguments[1]))
    if len(study.common) < 2 or any(len(dict(rows)) < len(rows) for rows in (study.a, study.b)):
        raise AnswerError("checks.not_a_function")
    return study


def _read_losses(rows: JSON) -> tuple[tuple[int, float], ...]:
    if not isinstance(rows, list) or any(not isinstance(r, list) or len(r) != 2 for r in rows):
        raise AnswerError("checks.not_a_function")
    pairs = cast("list[list[JSON]]", rows)
    return tuple((as_whole(seed, "seed"), as_number(loss, "loss")) for seed, loss in pairs)


@rubric("3.2", points=3, calls=_draw)
def paired_difference(answer: JSON) -> Iterator[Remark]:
    """Grade pairs by seed, the mean of b - a, and its standard error.

    A mean and a standard error that follow from other pairs are right: that mistake costs only once.
    """
    calls = read_calls(answer, NAME, _read)
    usable = [call for call in calls if _has_shape(call)]
    if not usable:
        _two_values(calls[0])
    if all(_is_swapped(call) for call in usable):
        yield part(3, wrong, "checks.3_2.swapped", 2)
        return
    yield part(1, _pairs, calls)
    so_far = "" if len(usable) == len(calls) else "_so_far"
    yield part(1, _mean, usable, so_far)
    yield part(1, _error, usable, so_far)


def _two_values(call: Call[_Study]) -> list[JSON]:
    value = call.value
    if not isinstance(value, list) or len(value) != 2:
        raise AnswerError("checks.3_2.not_two_numbers", call=call.text, given=shown(value))
    return value


def _has_shape(call: Call[_Study]) -> bool:
    try:
        return bool(_two_values(call))
    except AnswerError:
        return False


def _given_mean(call: Call[_Study]) -> float:
    return as_number(_two_values(call)[0], f"{call.text}[0]")


def _given_error(call: Call[_Study]) -> float:
    return as_number(_two_values(call)[1], f"{call.text}[1]")


def _same(given: float, truth: float) -> bool:
    """Say whether two numbers agree up to rounding to three decimals."""
    return abs(given - truth) <= max(5.1e-4, 1e-6 * abs(truth))


def _all_are(calls: _Calls, given: Callable[[Call[_Study]], float], truth: _Number) -> bool:
    return all(_same(given(call), truth(call.given)) for call in calls)


def _is_swapped(call: Call[_Study]) -> bool:
    try:
        mean, error = _given_error(call), _given_mean(call)
    except AnswerError:
        return False
    differences = call.given.by_seed
    return _same(mean, _mean_of(differences)) and _same(error, _error_of(differences))


def _mean_of(differences: Sequence[float]) -> float:
    return math.fsum(differences) / len(differences)


def _error_of(differences: Sequence[float]) -> float:
    """Return the standard error of the mean: sample standard deviation over the root of the count."""
    return statistics.stdev(differences) / math.sqrt(len(differences))


def _apart(study: _Study) -> float:
    """Return the mean of all of b less the mean of all of a."""
    return _mean_of([loss for _, loss in study.b]) - _mean_of([loss for _, loss in study.a])


def _pairs(calls: _Calls) -> Remark:
    found = _pairing(calls)
    return right("checks.3_2.pairs_right") if found == "by_seed" else wrong(f"checks.3_2.pairs_{found}")


_MEANS: dict[str, _Number] = {
    "by_seed": lambda study: _mean_of(study.by_seed),
    "by_position": lambda study: _mean_of(study.by_position),
    "apart": _apart,
}


def _pairing(calls: _Calls) -> str:
    """Return how the losses were paired, as far as the means and the standard errors show it."""
    for name, mean in _MEANS.items():
        if _all_are(calls, _given_mean, mean) or _all_are(calls, _given_mean, _negative(mean)):
            return name
    return "by_seed" if _all_are(calls, _given_error, lambda s: _error_of(s.by_seed)) else "off"


def _negative(number: _Number) -> _Number:
    return lambda study: -number(study)


def _mean(calls: _Calls, so_far: str) -> Remark:
    for name, mean in _MEANS.items():
        if _all_are(calls, _given_mean, mean):
            return right(f"checks.3_2.mean_right{so_far}" if name == "by_seed" else "checks.3_2.mean_follows")
    if any(_all_are(calls, _given_mean, _negative(mean)) for mean in _MEANS.values()):
        return wrong("checks.3_2.sign", 0.5)
    if _all_are(calls, _given_mean, lambda study: math.fsum(study.by_seed)):
        return wrong("checks.3_2.sum")
    return wrong("checks.3_2.mean_off", call=calls[0].text, given=_given_mean(calls[0]))


def _error(calls: _Calls, so_far: str) -> Remark:
    if _all_are(calls, _given_error, lambda s: _error_of(s.by_seed)):
        return right(f"checks.3_2.error_right{so_far}")
    if _all_are(calls, _given_error, lambda s: _error_of(s.by_position)):
        return right("checks.3_2.error_follows")
    for name, (number, points) in _USUAL_ERRORS.items():
        if any(_all_are(calls, _given_error, kind) for kind in _on_pairs(number)):
            return wrong(f"checks.3_2.{name}", points)
    if any(_all_are(calls, _given_error, kind) for kind in (_unpaired_common, _unpaired_all)):
        return wrong("checks.3_2.unpaired")
    return wrong("checks.3_2.error_off", call=calls[0].text, given=_given_error(calls[0]))


# The usual mistakes: name → what it gives, and its points.
_USUAL_ERRORS: dict[str, tuple[Callable[[Sequence[float]], float], float]] = {
    "divided_by_n": (lambda d: statistics.pstdev(d) / math.sqrt(len(d)), 0.5),
    "no_root": (statistics.stdev, 0.5),
    "root_forgotten": (lambda d: statistics.stdev(d) / len(d), 0.5),
    "numpy_std": (statistics.pstdev, 0),
}


def _on_pairs(number: Callable[[Sequence[float]], float]) -> tuple[_Number, _Number]:
    return lambda study: number(study.by_seed), lambda study: number(study.by_position)


def _unpaired_common(study: _Study) -> float:
    return _unpaired([a for a, _ in study.common], [b for _, b in study.common])


def _unpaired_all(study: _Study) -> float:
    return _unpaired([loss for _, loss in study.a], [loss for _, loss in study.b])


def _unpaired(a: Sequence[float], b: Sequence[float]) -> float:
    return math.sqrt(statistics.variance(a) / len(a) + statistics.variance(b) / len(b))
