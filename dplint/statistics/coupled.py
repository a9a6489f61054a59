"""Bets on coupled runs: a model that is simulated millions of times, and runs that only say how far it is off.

A model says from the noise of a run whether its output lies in an event E. Let X say it of the output itself and X' of
the model, for the same noise, in a run on D1; Y and Y' on D2. With q1 and q2 the model's own probabilities,

    P1(E) = q1 + E[X - X'],    P2(E) = q2 + E[Y - Y'],

whatever the model is worth. Let low <= q1 and high >= q2 be bounds from simulated runs, and U = X - X', V = Y - Y'.
The claim P1(E) <= c P2(E) + delta, with c = e^epsilon, gives E[U] + margin <= c E[V] for
margin = low - c high - delta. A block of n1 runs on D1 and n2 on D2 pays

    (1 + size1 (U - c pivot + margin)) for each run on D1, and (1 - size2 (V - pivot)) for each on D2,

all independent. With t = E[V] - pivot a factor of the first kind has mean at most 1 + c size1 t under the claim, and
one of the second has mean 1 - size2 t. As 1 + x <= e^x, all of them together have mean at most
exp((c size1 n1 - size2 n2) t), which is 1 for size2 n2 = c size1 n1: money is a nonnegative supermartingale for every
such pair of sizes that leaves all factors nonnegative and is known before the runs. If model and function never differ,
the money grows by a factor of about 1 + margin / c with every run on D2, where plain runs take 1 / margin^2 of them.

**Given noise.** On D1 only that matters which the model has in the event, and the function has not. So the runs there
may have noise that is drawn until the model is in the event. With the share R of these in which the function is not,
P1(E) >= low (1 - R), which is all of the above with U = -low where function and model differ and 0 where they do not.
As U is small then, few runs on D1 do: n1 / n2 = low / c lets both sizes be large.

**What is not known of a run** is counted against the bet: U = -1 and V = 1 are below and above whatever they were.

**The price of the simulation.** Where q1 and q2 are not computed, either bound fails with probability MISS. Money is
never counted beyond CAP, so at any time it has mean at most START + CAP (2 MISS) = 1, as that of any bet, and may be
mixed with theirs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

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
_UNLIKELY = 1e-9
_TRUST, _TRIED = 0.05, 20
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
    """What is risked on each run, against each epsilon: see the module. most: what a run on D1 may count against it."""

    size1: Floats
    size2: Floats
    pivot: Floats
    most: float


Bounds: TypeAlias = tuple[float, float]
"""What holds a probability."""


@dataclass(frozen=True, slots=True)
class Simulated:
    """Counts of an event among simulated runs of two models, fixed before it was counted.

    computed: intervals that hold q1 and q2 for certain, where these can be computed; counts then decide nothing.
    """

    count1: int
    count2: int
    runs: int
    computed: tuple[Bounds, Bounds] | None = None

    @property
    def low(self) -> float:
        """At most q1, but with probability MISS."""
        return lower_bound(self.count1, self.runs, MISS) if self.computed is None else self.computed[0][0]

    @property
    def high(self) -> float:
        """At least q2, but with probability MISS: as much as the complement has at least."""
        if self.computed is not None:
            return self.computed[1][1]
        return 1.0 - lower_bound(self.runs - self.count2, self.runs, MISS)

    @property
    def shares(self) -> tuple[float, float]:
        """About q1 and q2."""
        if self.computed is None:
            return self.count1 / self.runs, self.count2 / self.runs
        return tuple(math.fsum(one) / 2 for one in self.computed)  # type: ignore[return-value]

    def interval(self, side: int, alpha: float) -> Bounds:
        """Limits of q1 or q2, which both hold at 1 - alpha. side: 0 or 1."""
        if self.computed is not None:
            return self.computed[side]
        return interval((self.count1, self.count2)[side], self.runs, alpha)

    @property
    def is_likely(self) -> bool:
        """Whether the counts are such as the computed probabilities let one expect, but with probability 2e-9."""
        if self.computed is None:
            return True
        counts = zip((self.count1, self.count2), self.computed, strict=True)
        seen = [(interval(count, self.runs, _UNLIKELY), known) for count, known in counts]
        return all(low <= most and least <= high for (low, high), (least, most) in seen)

    def margin(self, epsilon: npt.ArrayLike, delta: float) -> Floats:
        """By how much the model breaks the claim, at least."""
        return np.asarray(self.low - np.exp(np.asarray(epsilon, np.float64)) * self.high - delta)


def coupled_interval(model: Simulated, side: int, off: Differences, alpha: float) -> Bounds:
    """Limits of P(E) = q + E[X - X'], from the model and from the runs that differed; both hold at 1 - alpha."""
    low, high = model.interval(side, alpha / 3)
    less, more = (interval(differ, off.runs, 2 * alpha / 3)[1] for differ in (off.model, off.function))
    return max(0.0, low - less), min(1.0, high + more)


def least_given(model: Simulated, off: Differences, alpha: float) -> float:
    """A limit below P1(E) from runs with given noise, which holds at 1 - alpha: the least share less what differed."""
    least = lower_bound(model.count1, model.runs, alpha / 2) if model.computed is None else model.computed[0][0]
    return least * (1 - interval(off.model, off.runs, alpha)[1])


def log_coupled(one: Differences, two: Differences, stake: CoupledStake, margin: Floats, c: Floats) -> Floats:
    """Logarithm of the factor by which a bet multiplies its money over a block, against each epsilon.

    one, two: of independent runs on D1 and on D2. margin, c: as in the module, of the shape of the stakes. Raises
    ValueError where the sizes of the stake are not for these numbers of runs.
    """
    if not np.allclose(stake.size2 * two.runs, c * stake.size1 * one.runs, rtol=1e-9):
        raise ValueError(f"the stake is not for {one.runs} runs on D1 and {two.runs} on D2")
    return _log(one, two, stake, margin, c)


def coupled_stake(
    one: Differences, two: Differences, margin: Floats, c: Floats, ratio: float = 1.0, most: float = 1.0
) -> CoupledStake:
    """The stake that would have grown fastest on the runs before, a little more of which had differed.

    one, two: of all earlier runs. Any stake that hangs on them alone is valid; this choice concerns speed. ratio: runs
    on D1 for each on D2 in the block to come. most: see `CoupledStake`.
    """
    first, second = one.runs + _TRIED * ratio, two.runs + _TRIED
    history1 = Differences(one.function, one.model + _TRUST * ratio, first)  # type: ignore[arg-type]
    history2 = Differences(two.function + _TRUST, two.model, second)  # type: ignore[arg-type]
    nothing = np.zeros_like(margin)
    best, rates = CoupledStake(nothing, nothing, nothing, most), nothing
    gain = np.maximum(margin, 0.0)
    for part in _PIVOTS:
        pivot = part * gain / c
        # Of a margin as large as the event's own probability nothing is left that could be lost.
        left = np.maximum(most + c * pivot - gain, 1e-12)
        largest = np.minimum(1 / left, 1 / (c * ratio * (1 - pivot)))
        for share in _SIZES:
            stake = CoupledStake(share * largest, share * largest * c * ratio, pivot, most)
            rate = _log(history1, history2, stake, gain, c)
            better = (rate > rates) & (margin > 0)
            rates = np.where(better, rate, rates)
            size1, size2, pivot = (np.where(better, new, old) for new, old in zip(stake[:3], best[:3], strict=True))
            best = CoupledStake(size1, size2, pivot, most)
    return best


def _log(one: Differences, two: Differences, stake: CoupledStake, margin: Floats, c: Floats) -> Floats:
    offset = margin - c * stake.pivot
    equal1, equal2 = one.runs - one.function - one.model, two.runs - two.function - two.model
    with np.errstate(divide="ignore", invalid="ignore"):
        total = equal1 * np.log1p(stake.size1 * offset) + equal2 * np.log1p(stake.size2 * stake.pivot)
        for count, factor in (
            (one.function, stake.size1 * (1 + offset)),
            (one.model, stake.size1 * (offset - stake.most)),
            (two.function, -stake.size2 * (1 - stake.pivot)),
            (two.model, stake.size2 * (1 + stake.pivot)),
        ):
            if count:
                total = total + count * np.log1p(np.maximum(factor, -1.0))
    return np.where(stake.size1 > 0, total, 0.0)


def capped(log_money: Floats) -> Floats:
    """Ln of the money of a bet that counts: START times what was won, at most CAP."""
    return np.minimum(log_money + math.log(START), math.log(CAP))
