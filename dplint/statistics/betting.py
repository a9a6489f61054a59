"""The anytime test: bets on counts, whose money is evidence against a claim at whatever moment one looks.

A bet is an event E, an ordered pair of data (D1, D2), and a tested epsilon and delta. It stands against
H0: P1(E) <= c P2(E) + delta, with c = e^epsilon. Its money starts at 1 and is multiplied block by block. Under H0 it is
a nonnegative supermartingale, so it ever reaches 1 / alpha with probability at most alpha (Ville 1939). The mean of
many such bets is one again, whatever their dependence: to search is to test.

**The payoff.** Let X and Y say whether a run on D1 and a run on D2 falls in E. A stake is two numbers, size and pivot;
with pivot1 = c pivot + delta the pivots are two probabilities that H0 just allows. A pair of runs pays

    (1 + size (X - pivot1)) (1 - c size (Y - pivot)).

If X and Y are independent, this has mean at most 1 under H0. For with x = c size (P2(E) - pivot), the first factor has
mean at most 1 + x, the second has mean 1 - x >= 0, and (1 + x)(1 - x) <= 1. So every stake is valid that depends on
earlier runs only and leaves both factors nonnegative, and of a block only the two counts matter: runs need no partner.

**Why this payoff.** If the probabilities are q1 and q2, no e-value for independent runs grows faster than the
likelihood ratio of (q1, q2) to the point of H0 that is closest in Kullback-Leibler divergence (Turner, Ly, Gruenwald,
"Generic E-variables for exact sequential k-sample tests that allow for optional stopping", J. Statist. Plann. Inference
230, 2024). That ratio is the payoff with this point for pivots: `optimal_stake`. The well-known payoff
1 + stake (X - c Y - delta) stays valid for runs that share their randomness. But it depends on how runs are paired, and
grows slower: as fast in the limit of rare events, half as fast where P1(E) is near 1 and P2(E) near 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import logsumexp, xlog1py

Floats = npt.NDArray[np.float64]

_LARGEST_EPSILON = 700.0
"""e^700 is near the largest double. With smoothed estimates there is nothing to gain anywhere near it: stakes are 0."""
_STEPS = 4
"""Steps towards the closest point of H0."""
_CAUTION = 2.0
"""The score at which half of the optimal stake is risked."""


class Stake(NamedTuple):
    """What a bet risks on each pair of runs of a block: two arrays of one shape."""

    size: Floats
    """At least 0. The factors pay 1 + size (X - pivot1) and 1 - c size (Y - pivot); 0 keeps the money as it is."""
    pivot: Floats
    """In [0, 1): a probability of E on D2; that on D1 is pivot1 = c pivot + delta."""


def log_wealth(
    count1: npt.ArrayLike,
    count2: npt.ArrayLike,
    runs: npt.ArrayLike,
    stake: Stake,
    epsilon: npt.ArrayLike,
    delta: float,
) -> Floats:
    """Logarithm of the factor by which a bet multiplies its money over a block; -inf if it loses all of it.

    count1, count2: hits among the `runs` runs of the block on each side. All arguments broadcast, e.g. counts of shape
    (bets, 1), epsilon of shape (epsilons,), stakes of shape (bets, epsilons).

    Its exponential has mean at most 1 under H0, given all earlier runs, if the stake depends on these only (see the
    module). That remains true where the probabilities drift inside the block, as long as their means over the block
    obey H0 (inequality of the means). Not promised for runs on D1 and D2 that share their randomness.
    """
    c, (size, pivot) = _factor(epsilon), stake
    pivot1 = c * pivot + delta
    hits1, hits2, n = (np.asarray(values, np.float64) for values in (count1, count2, runs))
    won = xlog1py(hits1, size * (1 - pivot1)) + xlog1py(n - hits2, c * size * pivot)
    lost = xlog1py(n - hits1, -size * pivot1) + xlog1py(hits2, -c * size * (1 - pivot))
    return np.asarray(won + lost, np.float64)


def growth(p1: npt.ArrayLike, p2: npt.ArrayLike, stake: Stake, epsilon: npt.ArrayLike, delta: float) -> Floats:
    """Expected ln factor of one pair of runs, if P1(E) = p1 and P2(E) = p2: Kelly's rate of growth (1956).

    Broadcasts as `log_wealth`; indeed it is its value at the expected counts, in which it is linear.
    """
    return log_wealth(p1, p2, 1.0, stake, epsilon, delta)


def optimal_stake(q1: npt.ArrayLike, q2: npt.ArrayLike, epsilon: npt.ArrayLike, delta: float) -> Stake:
    """The stake of fastest growth if P1(E) = q1 < 1 and P2(E) = q2 > 0; size 0 where these obey H0.

    The pivots are what maximum likelihood estimates under H0 from shares q1 and q2 (Farrington and Manning, Statistics
    in Medicine 9, 1990): they solve c (pivot1 - q1) / v1 + (pivot - q2) / v2 = 0 with the variances v1 = pivot1
    (1 - pivot1) and v2 = pivot (1 - pivot). With the variances of the last guess that is linear, and its root is a
    weighted mean of both ends of the range [q2, (q1 - delta) / c]: a few steps (Fisher's scoring) are safe and close.
    What they are off costs growth, never validity: mostly nothing, at worst 0.3 % for delta = 0 and 4 % otherwise.
    """
    q1, q2, c = np.broadcast_arrays(np.asarray(q1, np.float64), np.asarray(q2, np.float64), _factor(epsilon))
    low, high = q2, (q1 - delta) / c
    promising = high > low
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        pivot = (low + high) / 2
        for _ in range(_STEPS):
            pivot1 = c * pivot + delta
            weight = c * c * pivot * (1 - pivot) / (pivot1 * (1 - pivot1))
            pivot = (weight * high + low) / (weight + 1)
        pivot1 = c * pivot + delta
        # Both would be the size if the root were exact. The smaller one keeps both factors positive.
        size = np.minimum((q1 - pivot1) / (pivot1 * (1 - pivot1)), (pivot - q2) / (c * pivot * (1 - pivot)))
    return Stake(np.where(promising, np.maximum(size, 0.0), 0.0), np.where(promising, pivot, 0.0))


def stake(
    count1: npt.ArrayLike, count2: npt.ArrayLike, runs: npt.ArrayLike, epsilon: npt.ArrayLike, delta: float
) -> Stake:
    """The stake for the next block, from the counts of all earlier runs of this event on this pair.

    Broadcasts as `log_wealth`; of size 0 where nothing was seen that speaks against H0. It is the optimal stake for the
    shares that were seen (with half a hit and half a miss more, so that none is 0 or 1), shrunk by z / (z + 2), where z
    is the standard score of H0: half Kelly at two standard errors, nearly full Kelly once the matter is clear.

    An event is bet on because it looked best among thousands, so what was seen of it is too good; a full stake on it
    loses money at first. Of a dozen ways to shrink this one came within about a tenth of the best wherever tried, with
    and without selection. The choice concerns speed alone: any stake from earlier runs is valid (Waudby-Smith and
    Ramdas, "Estimating means of bounded random variables by betting", J. R. Statist. Soc. B 86, 2024).
    """
    n = np.asarray(runs, np.float64)
    q1 = (np.asarray(count1, np.float64) + 0.5) / (n + 1)
    q2 = (np.asarray(count2, np.float64) + 0.5) / (n + 1)
    size, pivot = optimal_stake(q1, q2, epsilon, delta)
    # The score statistic of Farrington and Manning: at the pivots size (q1 - c q2 - delta) = m^2 / v for the difference
    # m from H0 and its variance v in one pair of runs.
    z = np.sqrt(n * size * np.maximum(q1 - delta - _factor(epsilon) * q2, 0.0))
    return Stake(size * z / (z + _CAUTION), pivot)


def log_mean(log_weights: npt.ArrayLike, log_wealths: npt.ArrayLike, axis: int = 0) -> Floats:
    """Logarithm of the weighted mean of wealths along an axis: of the money of a portfolio.

    The weights are fixed before the runs on which they are paid and add up to at most 1; both arrays broadcast. The
    mean of supermartingales is one, whatever their dependence (linearity). -inf stands for no weight, or no money.
    """
    return np.asarray(logsumexp(np.asarray(log_weights) + np.asarray(log_wealths), axis=axis), np.float64)


def lower_bound(grid: Floats, log_wealths: Floats, alpha: float) -> float:
    """The anytime lower bound for epsilon: the largest of the grid that is rejected with all smaller ones; 0.0 if none.

    grid: ascending, fixed before the runs; log_wealths: ln of the money of the portfolio against each, now or at its
    highest so far. It exceeds the true epsilon, at any time, with probability at most alpha: for then the smallest
    value of the grid that is not below the truth is rejected, and against that one H0 is true (Ville).
    """
    rejected = np.asarray(log_wealths) >= -np.log(alpha)
    first = len(grid) if rejected.all() else int(np.argmin(rejected))
    return float(grid[first - 1]) if first else 0.0


def epsilon_grid(claimed: Sequence[float]) -> Floats:
    """The epsilons that are tested, ascending: from 0.005 to 20 in steps of 1 %, and every claimed one exactly.

    From a tenth below a claimed value up to it the steps are 0.2 %, since there a bound is read most closely. Fixed
    before any data, as `lower_bound` needs it.
    """
    for value in claimed:
        if not 0 < value < np.inf:
            raise ValueError(f"claimed epsilon {value}: it must be positive and finite")
    coarse = np.geomspace(0.005, 20.0, 835)
    fine = [value * np.geomspace(0.9, 1.0, 54)[:-1] for value in claimed]
    return np.unique(np.concatenate([coarse, *fine, np.asarray(claimed, np.float64)]))


def _factor(epsilon: npt.ArrayLike) -> Floats:
    return np.exp(np.minimum(np.asarray(epsilon, np.float64), _LARGEST_EPSILON))
