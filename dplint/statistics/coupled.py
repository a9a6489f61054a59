"""Bets on coupled runs: a model that is simulated millions of times, and runs that only say how far it is off.

A model says from the noise of a run whether its output lies in an event E. Let X say it of the output itself and X' of
the model, for the same noise, in a run on D1; Y and Y' on D2. With q1 and q2 the model's own probabilities,

    P1(E) = q1 + E[X - X'],    P2(E) = q2 + E[Y - Y'],

whatever the model is worth. Let low <= q1 and high >= q2 be bounds from simulated runs, and U = X - X', V = Y - Y'.
The claim P1(E) <= c P2(E) + delta, with c = e^epsilon, gives E[U] + margin <= c E[V] for
margin = low - c high - delta. A pair of runs pays

    (1 + size (U - c pivot + margin)) (1 - c size (V - pivot)),

two independent factors. With x = c size (E[V] - pivot) the first has mean at most 1 + x under the claim and the second
has mean 1 - x, and (1 + x)(1 - x) <= 1: money is a nonnegative supermartingale for every size that leaves both factors
nonnegative and is known before the runs. If model and function never differ, the money grows by a factor of about
1 + margin / c with every pair of runs, where plain runs take 1 / margin^2 of them.

**What is not known of a run** is counted against the bet: U = -1 and V = 1 are below and above whatever they were.

**The price of the simulation.** Either bound fails with probability MISS. Money is never counted beyond CAP, so at any
time it has mean at most START + CAP (2 MISS) = 1, as that of any bet, and may be mixed with theirs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dplint.statistics.intervals import interval, lower_bound

Floats = npt.NDArray[np.float64]

MISS = 1e-13
"""Probability that a bound by simulated runs fails."""
CAP = 1e10
"""Money that a bet can make at most."""
START = 1 - 2 * MISS * CAP
"""Money that it starts with; what is missing from 1 pays for bounds that fail."""

_SIZES = np.array([0.0, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.96, 0.99])
"""Shares of the largest size that leaves both factors nonnegative."""
_PIVOTS = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
"""Shares of margin / c."""
_TRUST, _TRIED = 0.1, 10
"""Runs that differed, of so many, added to those that were made: what a model is trusted with before it was tried."""


class Differences(NamedTuple):
    """Of some runs of one data value, in how many only the function or only the model is in the event."""

    function: int
    model: int
    runs: int

    def plus(self, more: Differences) -> Differences:
        """These and others."""
        return Differences(self.function + more.function, self.model + more.model, self.runs + more.runs)


NONE = Differences(0, 0, 0)


class CoupledStake(NamedTuple):
    """What is risked on each pair of runs, against each epsilon: see the module."""

    size: Floats
    pivot: Floats


@dataclass(frozen=True, slots=True)
class Simulated:
    """Counts of an event among simulated runs of two models, fixed before it was counted."""

    count1: int
    count2: int
    runs: int

    @property
    def low(self) -> float:
        """At most q1, but with probability MISS."""
        return lower_bound(self.count1, self.runs, MISS)

    @property
    def high(self) -> float:
        """At least q2, but with probability MISS: as much as the complement has at least."""
        return 1.0 - lower_bound(self.runs - self.count2, self.runs, MISS)

    def margin(self, epsilon: npt.ArrayLike, delta: float) -> Floats:
        """By how much the model breaks the claim, at least."""
        return np.asarray(self.low - np.exp(np.asarray(epsilon, np.float64)) * self.high - delta)


def coupled_interval(count: int, simulated: int, off: Differences, alpha: float) -> tuple[float, float]:
    """Limits of P(E) = q + E[X - X'], from the model's runs and from those that differed; both hold at 1 - alpha."""
    low, high = interval(count, simulated, alpha / 3)
    less, more = (interval(differ, off.runs, 2 * alpha / 3)[1] for differ in (off.model, off.function))
    return max(0.0, low - less), min(1.0, high + more)


def log_coupled(one: Differences, two: Differences, stake: CoupledStake, margin: Floats, c: Floats) -> Floats:
    """Logarithm of the factor by which a bet multiplies its money over a block, against each epsilon.

    one, two: of equally many independent runs on D1 and on D2. margin, c: as in the module, of the shape of the stakes.
    Raises ValueError for unequal numbers of runs.
    """
    if one.runs != two.runs:
        raise ValueError(f"{one.runs} runs on D1 and {two.runs} on D2")
    return _log(one, two, stake, margin, c)


def coupled_stake(one: Differences, two: Differences, margin: Floats, c: Floats) -> CoupledStake:
    """The stake that would have grown fastest on the runs before, a little more of which had differed.

    one, two: of all earlier runs. Any stake that hangs on them alone is valid; this choice concerns speed.
    """
    history1 = Differences(one.function, one.model + _TRUST, one.runs + _TRIED)  # type: ignore[arg-type]
    history2 = Differences(two.function + _TRUST, two.model, two.runs + _TRIED)  # type: ignore[arg-type]
    best = CoupledStake(np.zeros_like(margin), np.zeros_like(margin))
    most = np.zeros_like(margin)
    gain = np.maximum(margin, 0.0)
    for part in _PIVOTS:
        pivot = part * gain / c
        largest = np.minimum(1 / (1 + c * pivot - gain), 1 / (c * (1 - pivot)))
        for share in _SIZES:
            stake = CoupledStake(share * largest, pivot)
            rate = _log(history1, history2, stake, gain, c) / history1.runs
            better = (rate > most) & (margin > 0)
            most = np.where(better, rate, most)
            best = CoupledStake(np.where(better, stake.size, best.size), np.where(better, pivot, best.pivot))
    return best


def _log(one: Differences, two: Differences, stake: CoupledStake, margin: Floats, c: Floats) -> Floats:
    size, offset = stake.size, margin - c * stake.pivot
    equal1, equal2 = one.runs - one.function - one.model, two.runs - two.function - two.model
    with np.errstate(divide="ignore", invalid="ignore"):
        total = equal1 * np.log1p(size * offset) + equal2 * np.log1p(c * size * stake.pivot)
        for count, factor in (
            (one.function, size * (1 + offset)),
            (one.model, size * (offset - 1)),
            (two.function, -c * size * (1 - stake.pivot)),
            (two.model, c * size * (1 + stake.pivot)),
        ):
            if count:
                total = total + count * np.log1p(np.maximum(factor, -1.0))
    return np.where(size > 0, total, 0.0)


def capped(log_money: Floats) -> Floats:
    """Ln of the money of a bet that counts: START times what was won, at most CAP."""
    return np.minimum(log_money + math.log(START), math.log(CAP))
