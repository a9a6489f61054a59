"""Clopper-Pearson bounds, and what they say of the privacy loss of one event.

The test of StatDP: thin the counts of D1 to the scale of D2, then compare as Fisher does.

Ding, Wang, Wang, Zhang, Kifer, "Detecting Violations of Differential Privacy", CCS 2018, section 5.2.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy.special import betaincinv

SMALLEST_P = 1e-300
"""p-values are not resolved below this."""
_OVERLAP_LEVEL = 1e-9


def lower_bound(count: int, runs: int, alpha: float) -> float:
    """One-sided lower confidence bound for a probability: it exceeds the truth with probability at most alpha.

    Clopper and Pearson, Biometrika 26 (1934): the exact binomial interval.
    """
    _require_count(count, runs)
    return 0.0 if count == 0 else float(betaincinv(count, runs - count + 1, alpha))


def upper_bound(count: int, runs: int, alpha: float) -> float:
    """One-sided upper confidence bound for a probability: below the truth with probability at most alpha."""
    _require_count(count, runs)
    return 1.0 if count == runs else float(betaincinv(count + 1, runs - count, 1.0 - alpha))


def interval(count: int, runs: int, alpha: float) -> tuple[float, float]:
    """Two-sided Clopper-Pearson interval at confidence 1 - alpha."""
    return lower_bound(count, runs, alpha / 2), upper_bound(count, runs, alpha / 2)


def agree(count1: int, runs1: int, count2: int, runs2: int) -> bool:
    """Whether two counts may well come from one probability: their intervals overlap, at a level of one in 1e9."""
    low1, high1 = interval(count1, runs1, _OVERLAP_LEVEL)
    low2, high2 = interval(count2, runs2, _OVERLAP_LEVEL)
    return low1 <= high2 and low2 <= high1


def loss_lower_bound(count1: int, runs1: int, count2: int, runs2: int, delta: float, alpha: float) -> float:
    """Lower confidence bound for the loss ln((P1(E) - delta) / P2(E)) of an event fixed before these runs.

    Both probabilities are bounded at level alpha / 2 (union bound), so the result exceeds the true loss with
    probability at most alpha. Never infinite: with no hit among the runs of D2 its probability may still be about
    -ln(alpha / 2) / runs2. Returns -inf if nothing can be said, i.e. if P1(E) may be as small as delta.
    """
    above = lower_bound(count1, runs1, alpha / 2) - delta
    if above <= 0.0:
        return -math.inf
    return math.log(above) - math.log(upper_bound(count2, runs2, alpha / 2))


def loss_p_value(count1: int, runs1: int, count2: int, runs2: int, epsilon: float, delta: float) -> float:
    """p-value of H0: P1(E) <= e^epsilon P2(E) + delta, for any delta in [0, 1) and an event fixed before these runs.

    The smallest alpha at which `loss_lower_bound` exceeds epsilon: the rejection regions are nested in alpha, and
    each has probability at most alpha under H0, so this is a p-value. It is conservative, as every union bound.
    """
    if loss_lower_bound(count1, runs1, count2, runs2, delta, 1.0) <= epsilon:
        return 1.0
    low, high = math.log(SMALLEST_P), 0.0
    for _ in range(60):
        middle = (low + high) / 2
        if loss_lower_bound(count1, runs1, count2, runs2, delta, math.exp(middle)) > epsilon:
            high = middle
        else:
            low = middle
    return math.exp(high)


def _require_count(count: int, runs: int) -> None:
    if not 0 <= count <= runs or runs == 0:
        raise ValueError(f"count {count} of {runs} runs: it must lie between 0 and the runs, and runs be positive")


Counts = npt.NDArray[np.int64]
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


def two_sided(forward: float, backward: float) -> float:
    """p-value for "the claim is broken in one of the two directions" from the two one-sided ones (Bonferroni)."""
    return min(1.0, 2.0 * min(forward, backward))


def scores(counts1: Counts, counts2: Counts, runs: int, epsilon: float, delta: float) -> Floats:
    """How promising events are: the approximate standard score of H0: P1(E) <= e^epsilon P2(E) + delta.

    Only for choosing among events on runs that are not used for the test: a large score is not evidence. The variance
    is that of the thinned comparison, so that the choice fits the test that follows.
    """
    keep = math.exp(-epsilon)
    share1 = np.maximum(counts1 / runs - delta, 0.0) * keep
    share2 = counts2 / runs
    pooled = (share1 + share2) / 2 + 1.0 / runs
    spread = np.sqrt(2 * pooled * np.maximum(1 - pooled, 1.0 / runs) / runs)
    return np.asarray((share1 - share2) / spread, dtype=np.float64)
