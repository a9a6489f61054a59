"""The test of StatDP: thin the counts of D1 to the scale of D2, then compare as Fisher does.

Ding, Wang, Wang, Zhang, Kifer, "Detecting Violations of Differential Privacy", CCS 2018, section 5.2.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq
from scipy.stats import binom, hypergeom

_NEGLIGIBLE = 1e-60
"""Binomial mass that may be left out of the mean over thinnings; it is added back as if its p-value were 1."""
_BLOCKS = 4000
"""Thinned counts are taken one by one up to this many, beyond that in so many blocks."""


def thinned_p_value(count1: int, count2: int, runs: int, epsilon: float) -> float:
    """p-value of H0: P1(E) <= e^epsilon P2(E), for an event fixed before these runs; one direction.

    count1, count2: hits among `runs` runs on D1 and on D2. With count1' ~ Binomial(count1, e^-epsilon), the tail
    hypergeom.sf(count1' - 1; 2 runs, runs, count1' + count2) is a p-value for each count1'. StatDP averages it over a
    few hundred random thinnings. Here the mean over all of them is summed, so nothing is random. A mean of p-values is
    no p-value, but twice the mean is (Rueschendorf 1982; Vovk and Wang, Biometrika 107, 2020): that is returned.
    The tail falls as count1' grows, so where there are too many counts to sum, a block of them takes the tail of its
    smallest: an upper bound, by a few per cent. Not resolved below about 2e-60.
    """
    if epsilon < 0:
        raise ValueError(f"epsilon {epsilon} is negative")
    keep = math.exp(-epsilon)
    low = max(int(binom.ppf(_NEGLIGIBLE / 2, count1, keep)), 0)
    high = min(int(binom.isf(_NEGLIGIBLE / 2, count1, keep)), count1)
    starts = np.unique(np.linspace(low, high, min(high - low + 1, _BLOCKS)).astype(np.int64))
    edges = np.append(starts, high + 1) - 1
    weights = np.diff(binom.cdf(edges, count1, keep))
    # Far above the mean the cdf is 1 to the last digit; the other tail keeps what little mass there is.
    weights = np.where(starts > count1 * keep, -np.diff(binom.sf(edges, count1, keep)), weights)
    tails = hypergeom.sf(starts - 1, 2 * runs, runs, starts + count2)
    return min(1.0, 2.0 * (float(weights @ tails) + _NEGLIGIBLE))


def thinned_lower_bound(count1: int, count2: int, runs: int, alpha: float) -> float:
    """Lower confidence bound for the loss ln(P1(E) / P2(E)): the smallest epsilon that the test does not reject.

    It exceeds the true loss only if the test rejects that loss itself, so with probability at most alpha; and, but for
    rounding down by at most 1e-6, it is never below an epsilon that the test rejects at this level. The p-value grows
    with epsilon, since thinning harder removes evidence. Zero if nothing positive is rejected.
    """

    def excess(epsilon: float) -> float:
        return math.log(thinned_p_value(count1, count2, runs, epsilon) / alpha)

    highest = math.log(max(count1, 1)) + 1.0
    if excess(0.0) >= 0:
        return 0.0
    if excess(highest) < 0:
        return highest
    return max(0.0, float(brentq(excess, 0.0, highest, xtol=5e-7)) - 1e-6)


def two_sided(forward: float, backward: float) -> float:
    """p-value for "the claim is broken in one of the two directions" from the two one-sided ones (Bonferroni)."""
    return min(1.0, 2.0 * min(forward, backward))


def scores(
    counts1: npt.NDArray[np.int64], counts2: npt.NDArray[np.int64], runs: int, epsilon: float, delta: float
) -> npt.NDArray[np.float64]:
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
