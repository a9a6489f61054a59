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

What the anytime test would have found: its power, by simulation of the bets that an audit places.
"""

from __future__ import annotations

import math
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


_SIMULATIONS = 1000
_SEED = 4
"""Fixed: the same question has the same answer. All losses are tried on the same stream."""
_MARGIN = 2.0
"""Standard errors of the simulation by which a probability has to exceed what is promised."""
_MOST_ABOVE = 20.0
"""A loss that exceeds the claimed epsilon by more is treated as infinite: P2(E) is then below 1e-8."""
_HALVINGS = 14


def detection_probability(
    p1: float,
    p2: float,
    blocks: Sequence[int],
    weight: float,
    alpha: float,
    epsilon: float,
    delta: float,
    screened: int = 0,
    simulations: int = _SIMULATIONS,
) -> float:
    """Probability that a bet alone refutes the claim (epsilon, delta), if P1(E) = p1 and P2(E) = p2.

    The bet holds the share `weight` of a portfolio that is tested at level alpha. Its first stake comes from `screened`
    runs on each side, the next ones also from the blocks before; blocks: their sizes, in runs on each side. It refutes
    if its money reaches 1 / (alpha weight) at the end of a block: the other bets can only add to that.

    A simulation under a fixed seed, with standard error sqrt(p (1 - p) / simulations). It takes for granted that the
    event is among the bets.
    """
    generator = np.random.default_rng(_SEED)
    goal = -math.log(alpha) - math.log(weight)
    runs = screened
    count1, count2 = (generator.binomial(screened, p, simulations) for p in (p1, p2))
    log_money, most = np.zeros(simulations), np.full(simulations, -np.inf)
    for block in blocks:
        placed = stake(count1, count2, runs, epsilon, delta)
        hits1, hits2 = (generator.binomial(block, p, simulations) for p in (p1, p2))
        log_money = log_money + log_wealth(hits1, hits2, block, placed, epsilon, delta)
        most = np.maximum(most, log_money)
        count1, count2, runs = count1 + hits1, count2 + hits2, runs + block
    return float(np.mean(most >= goal))


def detectable_epsilon(
    p1: float,
    blocks: Sequence[int],
    weight: float,
    alpha: float,
    epsilon_claimed: float,
    delta: float,
    probability: float = 0.95,
    screened: int = 0,
) -> float:
    """The smallest loss ln((p1 - delta) / P2(E)) that a bet would have turned into a violation, if P1(E) = p1.

    That is, with at least the given probability, within these blocks; inf if not even an event that is impossible on D2
    would have been found. Arguments as in `detection_probability`. For delta = 0 it falls as p1 grows: thinning a more
    likely event at random down to p1 keeps its loss, and only throws evidence away.

    By simulation: at the result, the simulated probability exceeds the required one by two standard errors. It is found
    to 1 % of what it exceeds the claimed epsilon by, where that is at least 0.01. Raises ValueError for numbers outside
    their range.
    """
    _require(p1, weight, alpha, delta, probability, screened, blocks)
    needed = min(1.0, probability + _MARGIN * math.sqrt(probability * (1 - probability) / _SIMULATIONS))

    def found(above: float) -> bool:
        p2 = (p1 - delta) * math.exp(-epsilon_claimed - above)
        return detection_probability(p1, p2, blocks, weight, alpha, epsilon_claimed, delta, screened) >= needed

    if p1 <= delta or not found(math.inf):
        return math.inf
    low, high = 0.0, _MOST_ABOVE
    if not found(high):
        return math.inf
    for _ in range(_HALVINGS):
        # Small losses need a fine division, large ones do not: halve their square roots.
        middle = ((math.sqrt(low) + math.sqrt(high)) / 2) ** 2
        low, high = (low, middle) if found(middle) else (middle, high)
    return epsilon_claimed + high


def _require(
    p1: float, weight: float, alpha: float, delta: float, probability: float, screened: int, blocks: Sequence[int]
) -> None:
    if not 0 <= p1 <= 1:
        raise ValueError(f"P1(E) = {p1}: it must lie between 0 and 1")
    if not (0 < weight <= 1 and 0 < alpha < 1 and 0 < probability < 1):
        raise ValueError(
            f"weight {weight}, alpha {alpha}, probability {probability}: all must lie between 0 and 1, and not be 0"
        )
    if not 0 <= delta < 1:
        raise ValueError(f"delta {delta}: it must be at least 0 and below 1")
    if screened < 0 or any(block <= 0 for block in blocks):
        raise ValueError(f"{screened} runs of screening, blocks {list(blocks)}: the former may be 0, no other")
