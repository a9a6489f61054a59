"""The test of StatDP: thin the counts of D1 to the scale of D2, then compare as Fisher does.

Ding, Wang, Wang, Zhang, Kifer, "Detecting Violations of Differential Privacy", CCS 2018, section 5.2.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

_NEGLIGIBLE = 1e-60
"""Binomial mass that may be left out of the mean over thinnings; it is added back as if its p-value were 1."""
_FAR = 50
"""Standard deviations after which a log-concave tail is below 1e-20 of what it was."""
_CLOSE = 5e-7
"""How closely a lower bound is found; it is rounded down by as much."""


def thinned_p_value(count1: int, count2: int, runs: int, epsilon: float) -> float:
    """p-value of H0: P1(E) <= e^epsilon P2(E), for an event fixed before these runs; one direction.

    count1, count2: hits among `runs` runs on D1 and on D2. With count1' ~ Binomial(count1, e^-epsilon), the tail
    hypergeom.sf(count1' - 1; 2 runs, runs, count1' + count2) is a p-value for each count1'. StatDP averages it over a
    few hundred random thinnings. Here the mean over all of them is summed, so nothing is random. A mean of p-values is
    no p-value, but twice the mean is (Rueschendorf 1982; Vovk and Wang, Biometrika 107, 2020): that is returned, to
    eight digits. Not resolved below 2e-60.
    """
    if epsilon < 0:
        raise ValueError(f"epsilon {epsilon} is negative")
    low, masses = _thinned_counts(count1, epsilon)
    mean = float(masses @ _tails(low, low + len(masses) - 1, count2, runs))
    return min(1.0, 2.0 * (mean + _NEGLIGIBLE))


def _thinned_counts(count1: int, epsilon: float) -> tuple[int, Floats]:
    """Binomial(count1, e^-epsilon): the smallest count of those that are not negligible, and their masses."""
    keep = math.exp(-epsilon)
    if keep == 1.0:
        return count1, np.ones(1)
    # Bernstein's inequality: outside mean +- reach lies a mass below _NEGLIGIBLE.
    exponent = math.log(2 / _NEGLIGIBLE)
    reach = exponent / 3 + math.sqrt(exponent**2 / 9 + 2 * exponent * count1 * keep * (1 - keep))
    low = max(0, math.ceil(count1 * keep - reach))
    high = min(count1, math.floor(count1 * keep + reach))
    counts = np.arange(low, high, dtype=np.float64)
    logs = _added_up(0.0, np.log((count1 - counts) / (counts + 1)) - math.log(math.expm1(epsilon)))
    masses = np.exp(logs - logs.max())
    return low, np.asarray(masses / masses.sum(), np.float64)


def _tails(low: int, high: int, count2: int, runs: int) -> Floats:
    """hypergeom.sf(c - 1; 2 runs, runs, c + count2) for c = low to high.

    Of 2 `runs` balls, half of them white, c + count2 are drawn: it is the probability of at least c white ones, that is
    of at most `count2` black ones. Drawn one by one, this says that at least c white balls precede the black ball
    number r = count2 + 1. So all these tails are those of one law, the negative hypergeometric, and need one sum.
    """
    if count2 >= runs:
        return np.ones(high - low + 1)
    r = count2 + 1
    mean = r * runs / (runs + 1)
    variance = mean * (2 * runs + 1) * (runs - r + 1) / ((runs + 1) * (runs + 2))
    # The law is log-concave, so that beyond `top` there is nothing even in proportion to the tail at `high`.
    top = min(runs, math.ceil(max(high, mean) + _FAR * (math.sqrt(variance) + 1)))
    white = np.arange(low, top, dtype=np.float64)
    ratios = (white + r) * (runs - white) / ((white + 1) * (2 * runs - r - white))
    first = _log_choose(low + r - 1, low) + _log_choose(2 * runs - r - low, runs - low) - _log_choose(2 * runs, runs)
    masses = np.exp(_added_up(first, np.log(ratios)))
    return np.asarray(np.minimum(np.cumsum(masses[::-1])[::-1][: high - low + 1], 1.0), np.float64)


def _added_up(first: float, steps: Floats) -> Floats:
    return first + np.concatenate([[0.0], np.cumsum(steps)])


def _log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def thinned_lower_bound(count1: int, count2: int, runs: int, alpha: float) -> float:
    """Lower confidence bound for the loss ln(P1(E) / P2(E)): the smallest epsilon that the test does not reject.

    It exceeds the true loss only if the test rejects that loss itself, so with probability at most alpha; and, but for
    rounding down by at most 1e-6, it is never below an epsilon that the test rejects at this level. The p-value grows
    with epsilon, since thinning harder removes evidence. Zero if nothing positive is rejected.
    """
    low, high = 0.0, math.log(max(count1, 1)) + 1.0
    if thinned_p_value(count1, count2, runs, low) >= alpha:
        return 0.0
    while high - low > _CLOSE:
        middle = (low + high) / 2
        if thinned_p_value(count1, count2, runs, middle) < alpha:
            low = middle
        else:
            high = middle
    return max(0.0, low - _CLOSE)
