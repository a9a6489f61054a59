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
_STEPS = 12
"""Newton steps, or halvings, for the closest point of H0 where delta > 0."""


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

    The pivots are the maximum likelihood estimate under H0, that is the root of c s1 + s2 = 0 with
    s1 = (pivot1 - q1) / (pivot1 (1 - pivot1)) and s2 = (pivot - q2) / (pivot (1 - pivot)); a quadratic for delta = 0
    (Farrington and Manning, Statistics in Medicine 9, 1990), a cubic otherwise. Rounding in the root costs growth,
    never validity.
    """
    c = _factor(epsilon)
    q1, q2, c = np.broadcast_arrays(np.asarray(q1, np.float64), np.asarray(q2, np.float64), c)
    low, high = q2, (q1 - delta) / c
    promising = high > low
    high = np.where(promising, high, low)
    with np.errstate(divide="ignore", invalid="ignore"):
        pivot = _pivot(q1, q2, c) if delta == 0 else _pivot_of_cubic(q1, q2, c, delta, low, high)
        pivot = np.clip(pivot, low, high)
        pivot1 = c * pivot + delta
        # Both are the size if the root is exact; the smaller one keeps both factors positive if it is not.
        size = np.minimum((q1 - pivot1) / (pivot1 * (1 - pivot1)), (pivot - q2) / (c * pivot * (1 - pivot)))
    return Stake(np.where(promising, np.maximum(size, 0.0), 0.0), np.where(promising, pivot, 0.0))


def stake(
    count1: npt.ArrayLike, count2: npt.ArrayLike, runs: npt.ArrayLike, epsilon: npt.ArrayLike, delta: float
) -> Stake:
    """The stake for the next block, from the counts of all earlier runs of this event on this pair."""
    n = np.asarray(runs, np.float64)
    q1 = (np.asarray(count1, np.float64) + 0.5) / (n + 1)
    q2 = (np.asarray(count2, np.float64) + 0.5) / (n + 1)
    best = optimal_stake(q1, q2, epsilon, delta)
    gain = n * growth(q1, q2, best, epsilon, delta)
    return Stake(best.size * np.maximum(0.0, 1 - 1 / np.maximum(gain, 1e-300)), best.pivot)


def log_mean(log_weights: npt.ArrayLike, log_wealths: npt.ArrayLike, axis: int = 0) -> Floats:
    """Logarithm of the weighted mean of wealths along an axis: of the money of a portfolio.

    The weights are fixed before the runs on which they are paid and add up to at most 1; both arrays broadcast. The
    mean of supermartingales is one, whatever their dependence (linearity). -inf stands for no weight, or no money.
    """
    return np.asarray(logsumexp(np.asarray(log_weights) + np.asarray(log_wealths), axis=axis), np.float64)


def lower_bound(grid: Floats, log_wealth: Floats, alpha: float) -> float:
    """The anytime lower bound for epsilon: the largest of the grid that is rejected with all smaller ones; 0.0 if none.

    grid: ascending, fixed before the runs; log_wealth: ln of the money of the portfolio against each, now or at best so
    far. It exceeds the true epsilon, at any time, with probability at most alpha: then the smallest value of the grid
    that is not below the truth is rejected, and against that one H0 is true (Ville).
    """
    rejected = np.asarray(log_wealth) >= -np.log(alpha)
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


def _pivot(q1: Floats, q2: Floats, c: Floats) -> Floats:
    """The root for delta = 0: the smaller one of 2 c t^2 - b t + q1 + q2 = 0, in the form that does not cancel."""
    b = c + 1 + q1 + c * q2
    root = np.sqrt(np.maximum(b * b - 8 * c * (q1 + q2), 0.0))
    return np.asarray(2 * (q1 + q2) / (b + root), np.float64)


def _pivot_of_cubic(q1: Floats, q2: Floats, c: Floats, delta: float, low: Floats, high: Floats) -> Floats:
    """The root for delta > 0 between low and high, where the cubic changes its sign: Newton, kept inside by halving."""
    t = (low + high) / 2
    for _ in range(_STEPS):
        t1 = c * t + delta
        u, v = t * (1 - t), t1 * (1 - t1)
        value = c * (t1 - q1) * u + (t - q2) * v
        slope = c * c * u + c * (t1 - q1) * (1 - 2 * t) + v + (t - q2) * c * (1 - 2 * t1)
        low, high = np.where(value < 0, t, low), np.where(value < 0, high, t)
        step = t - value / slope
        t = np.where((step > low) & (step < high), step, (low + high) / 2)
    return t
