"""Functions as students write them: the right ones of notebooks 3 and 5, and the usual mistakes."""

import math
import statistics
from typing import Any

from labkit.checks import inputs
from labkit.checks.calls import outcomes, paired


def called(exercise: str, function: Any, seed: object = 0) -> list[Any]:
    """Return the calls of a function as the rubric sees them."""
    arguments = inputs(exercise, seed)
    assert arguments is not None
    return paired(arguments, outcomes(function, arguments))


def standard_error(differences: list[float]) -> float:
    return statistics.stdev(differences) / math.sqrt(len(differences))


def by_seed(a, b):
    other = dict(map(tuple, b))
    return [other[seed] - loss for seed, loss in a if seed in other]


def by_position(a, b):
    return [y[1] - x[1] for x, y in zip(a, b, strict=False)]


def compare(pairs=by_seed, error=standard_error, mean=statistics.mean):
    """Return a `paired` with one of its steps changed."""
    return lambda a, b: [mean(pairs(a, b)), error(pairs(a, b))]


def unpaired(a, b, pairs=by_seed):
    common = {seed for seed, _ in a} & {seed for seed, _ in b}
    parts = [[loss for seed, loss in rows if seed in common] for rows in (a, b)]
    return [
        statistics.mean(pairs(a, b)),
        math.sqrt(sum(statistics.variance(part) / len(part) for part in parts)),
    ]


def means_apart(a, b):
    parts = [[loss for _, loss in rows] for rows in (a, b)]
    error = math.sqrt(sum(statistics.variance(part) / len(part) for part in parts))
    return [statistics.mean(parts[1]) - statistics.mean(parts[0]), error]


def is_stopped(*_arguments):
    raise TimeoutError  # as the time limit of a call does


def fails_without_partner(a, b):
    other = dict(map(tuple, b))
    differences = [other[seed] - loss for seed, loss in a]
    return [statistics.mean(differences), standard_error(differences)]


def repeated(weight, rows, columns, power, tiled=False):
    """Return a matrix with repeated rows and columns, divided by a number."""

    def times(items, count):
        return items * count if tiled else [item for item in items for _ in range(count)]

    return [times([v / power for v in row], columns) for row in times(weight, rows)]


def sides(role, k):
    return (k if role in ("input", "hidden") else 1, k if role in ("hidden", "output") else 1)


def widen(divisor, tiled=False):
    """Return a widening function that divides by `divisor(role, k)`; the fixed part is copied."""
    return lambda weight, role, k: repeated(weight, *sides(role, k), divisor(role, k), tiled)


def right_weight(role, k):
    return k if role == "hidden" else 1


def right_moment(role, k):
    return 1 if role == "fixed" else k * k


def all_sides(weight, role, k):
    return repeated(weight, k, k, right_weight(role, k))


def linear(step, base, warmup, begin, length):
    if step < warmup:
        return base * step / warmup
    return base * min(1.0, max(0.0, 1 - (step - begin) / length))


def cosine(step, base, warmup, begin, end):
    if step < warmup:
        return base * step / warmup
    progress = min(1.0, max(0.0, (step - begin) / (end - begin)))
    return base * 0.5 * (1 + math.cos(math.pi * progress))


def right_linear(step, base, warmup, constant, decay, extra):
    return linear(step, base, warmup, warmup + constant + extra, decay)


def right_cosine(step, base, warmup, constant, decay, extra):
    return cosine(step, base, warmup, warmup, warmup + constant + decay + extra)


def schedule(linear_rate=right_linear, cosine_rate=right_cosine):
    """Return a `rate` with one of its kinds changed."""
    return lambda *arguments: (linear_rate if arguments[-1] == "linear" else cosine_rate)(*arguments[:-1])


def wholly_stretched(step, base, warmup, constant, decay, extra):
    stretch = 1 + extra / (warmup + constant + decay)
    return linear(step, base, warmup * stretch, (warmup + constant) * stretch, decay * stretch)


def counted_from_one(step, *arguments):
    return schedule()(step + 1, *arguments)
