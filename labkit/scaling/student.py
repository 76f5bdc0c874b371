"""Student's t, the sign-flip test and the number of seeds, for the few runs that a small budget allows.

Written out here so that scaling checks need nothing but numpy.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

POWER = 0.8  # the usual chance of seeing an effect that is there; Colas et al. use it throughout
MOST_SEEDS = 1000  # "needed seeds" stop here: nobody trains more, and the effect may as well be zero
EXACT_FLIPS = 14  # up to so many seeds all 2^n sign flips are tried, beyond that as many at random
MOST_FLIPPED = 1000  # beyond that the sum of flipped differences is as good as normal


def t_cdf(t: float, df: int) -> float:
    """Return P(T <= t) for Student's t with `df` degrees of freedom, a whole number.

    The finite series of Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4.
    """
    angle = math.atan2(t, math.sqrt(df))
    sine, cosine2 = math.sin(angle), math.cos(angle) ** 2
    odd = df % 2
    term = sine * math.cos(angle) if odd else sine
    total = 0.0 if df == 1 else term
    for k in range(3 if odd else 2, df, 2):
        term *= cosine2 * (k - 1) / k
        total += term
    inside = 2 / math.pi * (angle + total) if odd else total
    return (1 + inside) / 2


@functools.cache
def t_quantile(p: float, df: int) -> float:
    """Return the t that P(T <= t) = p for, found by bisection; 0 < p < 1."""
    if p < 0.5:
        return -t_quantile(1 - p, df)
    low, high = 0.0, 1.0
    while t_cdf(high, df) < p:
        low, high = high, 2 * high
    while high - low > 1e-10 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if t_cdf(middle, df) < p else (low, middle)
    return high


def sign_flip_p(differences: ArrayLike) -> float:
    """Return the two-sided p value of the sign-flip test that paired differences centre on zero.

    Without an effect each difference could as well have had the other sign: p is the share of all 2^n sign
    patterns whose sum is at least as far from zero as the one seen (E. S. Pitman, 1937). It assumes no normal
    distribution, and can never be below `smallest_flip_p(n)`. Of over `MOST_FLIPPED` differences the sum is
    taken as normal, with the variance of the flips, the sum of their squares (central limit theorem).
    """
    values = np.asarray(differences, dtype=float)
    seen = abs(values.sum()) * (1 - 1e-9)  # equal sums in another order of adding count as equal
    if values.size <= EXACT_FLIPS:
        sums = np.zeros(1)
        for value in values:
            sums = np.concatenate([sums + value, sums - value])
    elif values.size > MOST_FLIPPED:
        spread = math.sqrt(2 * float(values @ values))
        return math.erfc(seen / spread) if spread else 1.0
    else:
        signs = np.random.default_rng(0).choice([-1.0, 1.0], size=(2**EXACT_FLIPS - 1, values.size))
        sums = np.append(signs @ values, values.sum())
    return float(np.mean(np.abs(sums) >= seen))


def smallest_flip_p(seeds: int) -> float:
    """Return the smallest two-sided p that a sign-flip test of so many seeds can give: 2/2^n."""
    return float(2.0 ** (1 - seeds))


def seeds_needed(
    effect: float, error_of_one: float, degrees: Callable[[int], int], alpha: float, least: int
) -> int:
    """Return how many seeds would show an effect of this size with 80 % probability.

    The smallest n for which effect >= (t_{1 - alpha/2} + t_{0.8}) · error_of_one / sqrt(n), as in Colas,
    Sigaud and Oudeyer, arXiv 1806.08295, section 4. The effect and the spread are those seen so far, which
    few seeds know only roughly: a number to plan with.

    Parameters
    ----------
    effect : the difference that was seen; its sign does not matter.
    error_of_one : the standard error that it would have with a single seed.
    degrees : n → the degrees of freedom that n seeds give.
    alpha : the probability of a false alarm, two-sided.
    least : the smallest answer, at least 2.

    Returns
    -------
    int
        From `least` to `MOST_SEEDS`; the latter also stands for any larger number.
    """

    def enough(n: int) -> bool:
        quantiles = t_quantile(1 - alpha / 2, degrees(n)) + t_quantile(POWER, degrees(n))
        return abs(effect) * math.sqrt(n) >= quantiles * error_of_one

    low, high = least - 1, MOST_SEEDS  # more seeds are never worse, so that the smallest is found by halving
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
