"""Student's t, the sign-flip test and the number of seeds, against tables and by counting."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from labkit.scaling.student import MOST_SEEDS, seeds_needed, sign_flip_p, smallest_flip_p, t_cdf, t_quantile


@pytest.mark.parametrize(
    ("p", "df", "t"),
    [  # from the tables in any textbook
        (0.975, 1, 12.706),
        (0.975, 2, 4.303),
        (0.975, 5, 2.571),
        (0.95, 10, 1.812),
        (0.995, 3, 5.841),
        (0.975, 30, 2.042),
        (0.8, 10, 0.879),
    ],
)
def test_quantiles_agree_with_the_table(p: float, df: int, t: float) -> None:
    assert t_quantile(p, df) == pytest.approx(t, abs=6e-4)
    assert t_quantile(1 - p, df) == pytest.approx(-t, abs=6e-4)


@pytest.mark.parametrize("df", [1, 2, 3, 4, 9, 50])
def test_the_distribution_agrees_with_integrating_the_density(df: int) -> None:
    x = np.linspace(0, 2.5, 20_001)
    scale = math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(df * math.pi)
    density = scale * (1 + x**2 / df) ** (-(df + 1) / 2)
    assert t_cdf(2.5, df) == pytest.approx(0.5 + np.trapezoid(density, x), abs=1e-7)
    assert t_cdf(-2.5, df) == pytest.approx(1 - t_cdf(2.5, df))


def test_the_sign_flip_p_is_the_share_of_all_sign_patterns() -> None:
    values = [0.3, 0.1, -0.2, 0.5]
    sums = [abs(sum(s * v for s, v in zip(signs, values, strict=True))) for signs in patterns(4)]
    assert sign_flip_p(values) == np.mean([s >= 0.7 - 1e-9 for s in sums])


def patterns(count: int) -> itertools.product:
    return itertools.product((-1, 1), repeat=count)


@pytest.mark.parametrize("seeds", [2, 3, 6])
def test_seeds_that_all_agree_give_the_smallest_p(seeds: int) -> None:
    assert sign_flip_p(np.arange(1, seeds + 1)) == smallest_flip_p(seeds) == 2 / 2**seeds


def test_differences_of_zero_are_no_evidence() -> None:
    assert sign_flip_p([0.0, 0.0, 0.0]) == 1.0


def test_many_seeds_are_flipped_at_random_with_nearly_the_exact_p() -> None:
    values = np.random.default_rng(0).normal(0.5, 1, 18)
    exact = np.mean(np.abs(np.array(list(patterns(18))) @ values) >= abs(values.sum()) - 1e-9)
    assert sign_flip_p(values) == pytest.approx(exact, abs=0.01)


def test_the_needed_seeds_show_the_effect_four_times_in_five() -> None:
    needed = seeds_needed(1.0, 1.5, lambda n: n - 1, alpha=0.05, least=2)
    generator = np.random.default_rng(0)

    def power(n: int) -> float:
        draws = generator.normal(1.0, 1.5, (20_000, n))
        error = draws.std(axis=1, ddof=1) / math.sqrt(n)
        return float(np.mean(draws.mean(axis=1) > t_quantile(0.975, n - 1) * error))

    assert power(needed) == pytest.approx(0.8, abs=0.04)
    assert power(needed - 3) < 0.8


def test_needed_seeds_end_at_the_most_that_are_counted() -> None:
    assert seeds_needed(0.0, 1.0, lambda n: n - 1, alpha=0.05, least=4) == MOST_SEEDS
    assert seeds_needed(1e6, 1.0, lambda n: n - 1, alpha=0.05, least=4) == 4
