"""A lower bound of a mean that holds at any time, by bets."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy.special import logsumexp

_MOST = 0.9
"""Of the wealth, that one number may cost at most."""
_SPARSER = 8
_EARLIER = 4
"""Bets that are best after so many times fewer numbers each, and how many of them stand beside those for the end."""


class LeastMean:
    """Which means numbers in [0, 1] are known to exceed, one number after the other.

    A mean is exceeded unless each number, given those before it, has at most this mean. Of each of `means`, which are
    positive and increase, wealth is bet that it does not hold; where 1 / level was once won it is exceeded, which is
    wrong with a probability of `level` at most, at whatever time one looks. Waudby-Smith and Ramdas, Estimating means
    of bounded random variables by betting, JRSS B 2024, section 4: what is bet follows from the numbers before. last:
    how many numbers there will be if nothing comes between; half of the wealth is bet for that time.
    """

    def __init__(self, means: npt.NDArray[np.float64], level: float, last: int) -> None:
        self._means, self._needed, self._won = means, math.log(1 / level), np.zeros(len(means), np.bool_)
        self._times = last / float(_SPARSER) ** np.arange(_EARLIER + 1)[:, None]
        shares = np.full((_EARLIER + 1, 1), 0.5 / _EARLIER)
        shares[0] = 0.5
        self._logarithms = np.log(shares) + np.zeros((1, len(means)))
        self._count, self._sum, self._spread = 1, 0.5, 0.25

    def see(self, number: float) -> None:
        """The next number. Raises ValueError for one outside of [0, 1]."""
        if not 0.0 <= number <= 1.0:
            raise ValueError(f"{number} is not in [0, 1]")
        variance = self._spread / self._count
        share = np.minimum(np.sqrt(2 * self._needed / (variance * self._times)), _MOST / self._means)
        self._logarithms += np.log1p(share * (number - self._means))
        self._won |= logsumexp(self._logarithms, axis=0) >= self._needed
        self._count, self._sum = self._count + 1, self._sum + number
        self._spread += (number - self._sum / self._count) ** 2

    @property
    def exceeded(self) -> int:
        """How many of the means are exceeded, counted from the least one on: none is skipped."""
        return len(self._won) if self._won.all() else int(np.argmin(self._won))
