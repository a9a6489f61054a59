"""The test of StatDP: thin the counts of D1 to the scale of D2, then compare as Fisher does.

Ding, Wang, Wang, Zhang, Kifer, "Detecting Violations of Differential Privacy", CCS 2018, section 5.2.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq
from scipy.stats import binom, hypergeom

Counts = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_NEGLIGIBLE = 1e-60
"""Binomial mass that may be left out of the mean over thinnings; it is added back as if its p-value were 1."""
_FEW = 300
"""Thinned counts are taken one by one up to this many, beyond that in blocks."""
_GAP = 0.02
"""Blocks are split until they raise the mean by at most this share of it."""


def thinned_p_value(count1: int, count2: int, runs: int, epsilon: float) -> float:
    """p-value of H0: P1(E) <= e^epsilon P2(E), for an event fixed before these runs; one direction.

    count1, count2: hits among `runs` runs on D1 and on D2. With count1' ~ Binomial(count1, e^-epsilon), the tail
    hypergeom.sf(count1' - 1; 2 runs, runs, count1' + count2) is a p-value for each count1'. StatDP averages it over a
    few hundred random thinnings. Here the mean over all of them is summed, so nothing is random. A mean of p-values is
    no p-value, but twice the mean is (Rueschendorf 1982; Vovk and Wang, Biometrika 107, 2020): that is returned.
    The tail falls as count1' grows, so where there are too many counts to sum, a block of them takes the tail of its
    smallest: an upper bound, by at most two per cent. Not resolved below about 2e-60.
    """
    if epsilon < 0:
        raise ValueError(f"epsilon {epsilon} is negative")
    keep = math.exp(-epsilon)
    low = max(int(binom.ppf(_NEGLIGIBLE / 2, count1, keep)), 0)
    high = min(int(binom.isf(_NEGLIGIBLE / 2, count1, keep)), count1)

    def tail(counts: Counts) -> Floats:
        return np.asarray(hypergeom.sf(counts - 1, 2 * runs, runs, counts + count2), np.float64)

    starts = np.unique(np.linspace(low, high + 1, min(high + 1 - low, _FEW) + 1).astype(np.int64))
    tails = tail(starts)
    while True:
        upper = _masses(starts, count1, keep) * tails[:-1]
        gaps = upper - _masses(starts, count1, keep) * tails[1:]
        splittable = np.diff(starts) > 1
        if gaps[splittable].sum() <= _GAP * upper.sum():
            return min(1.0, 2.0 * (float(upper.sum()) + _NEGLIGIBLE))
        wide = np.flatnonzero(splittable & (gaps >= gaps[splittable].sum() / (4 * len(gaps))))
        middles = (starts[wide] + starts[wide + 1]) // 2
        starts, tails = np.insert(starts, wide + 1, middles), np.insert(tails, wide + 1, tail(middles))


def _masses(starts: Counts, count1: int, keep: float) -> Floats:
    """Binomial mass of the blocks [starts[i], starts[i + 1])."""
    below, above = binom.cdf(starts - 1, count1, keep), binom.sf(starts - 1, count1, keep)
    # Far above the mean the cdf is 1 to the last digit; there the other tail keeps what little mass there is.
    return np.asarray(np.where(starts[:-1] > count1 * keep, -np.diff(above), np.diff(below)), np.float64)


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
