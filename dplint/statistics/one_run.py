"""Lower bounds from guesses which canaries were in one training, each with probability 1/2 and independently.

A guess is right or wrong, and of a canary nothing need be guessed. Guesses follow from what the training releases
alone. That guesses of several trainings are put together is as good: a canary of one says nothing of another.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri
from scipy.stats import binom

from dplint.definitions import definition_named

_SHARES = (1.0, 0.5, 0.3, 0.2, 0.1, 0.07, 0.05, 0.03, 0.02, 0.01)
_FEWEST = 8
"""Shares of the canaries of which is guessed, and the fewest guesses."""
_HALVINGS = 24
_MOST_EPSILON, _MOST_MU = 60.0, 20.0
"""Bounds are not told above."""


@dataclass(frozen=True, slots=True)
class Guesses:
    """How many canaries there are, how many guesses were made, and how many of these are right. Raises ValueError."""

    canaries: int
    made: int
    right: int

    def __post_init__(self) -> None:
        if not 0 <= self.right <= self.made <= self.canaries:
            raise ValueError(f"{self.right} of {self.made} guesses right, of {self.canaries} canaries")


def chance(guesses: Guesses, epsilon: float, delta: float) -> float:
    """At most how likely so many right guesses, or more, are where (epsilon, delta) holds: a p-value, up to 1.

    Steinke, Nasr and Jagielski, Privacy Auditing with One (1) Training Run, NeurIPS 2023, theorem 5.2, for guesses of a
    number that was settled before.
    """
    accuracy = 1 / (1 + math.exp(-epsilon))
    by_pure = float(binom.sf(guesses.right - 1, guesses.made, accuracy))
    if delta == 0 or guesses.right == 0:
        return min(1.0, by_pure)
    fewer = np.arange(1, guesses.right + 1)
    gained = np.cumsum(binom.pmf(guesses.right - fewer, guesses.made, accuracy)) / fewer
    return min(1.0, by_pure + 2 * guesses.canaries * delta * float(gained.max()))


def least_epsilon(guesses: Guesses, delta: float, level: float) -> float:
    """The largest epsilon, with this delta, for which so many right guesses have a chance of `level` at most.

    A lower bound of epsilon that is wrong with a probability of `level` at most, whatever the training does; 0 where
    nothing is known.
    """
    return _largest(lambda epsilon: chance(guesses, epsilon, delta) <= level, _MOST_EPSILON)


def least_mu(guesses: Guesses, level: float) -> float:
    """The same of mu, where neighbours are told apart no better than two normal laws, mu standard deviations apart."""
    return _largest(lambda mu: refutes_mu(guesses, mu, level), _MOST_MU)


def refutes_mu(guesses: Guesses, mu: float, level: float) -> bool:
    """Whether no training that keeps mu makes so many guesses right with a probability of `level` or more.

    Mahloujifar, Melis and Chaudhuri, Auditing f-Differential Privacy in One Run, ICML 2025, algorithm 3:
    of the runs with i right guesses or more, those with one right guess fewer bear as much as the curve says. What is
    summed up here is how much there would have to be of these: more than all is impossible.
    """
    made, right = guesses.made, guesses.right
    if right == 0:
        return False
    canaries = guesses.canaries
    inside, outside = level * right / canaries, level * (made - right) / canaries
    for fewer in range(right - 1, -1, -1):
        needed = _other_side(inside, mu)
        if needed <= outside:
            return False
        inside += fewer / (made - fewer) * (needed - outside)
        outside = needed
        if inside + outside > made / canaries:
            return True
    return False


def _other_side(probability: float, mu: float) -> float:
    """The least probability of what has this one on a side, on the other side: of two normal laws mu apart."""
    return float(ndtr(ndtri(probability) - mu)) if probability < 1 else 1.0


def _largest(refuted: Callable[[float], bool], most: float) -> float:
    """The end of the values from 0 on that are refuted, from below; up to `most`."""
    low, high = 0.0, most
    if not refuted(0.0):
        return 0.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if refuted(middle) else (low, middle)
    return low


def epsilon_of(mu: float, delta: float) -> float:
    """The least epsilon that two normal laws, mu standard deviations apart, keep with this delta, from below."""
    if delta == 0:
        return math.inf if mu else 0.0
    curve = definition_named("mu").delta
    return _largest(lambda epsilon: curve((mu,), epsilon) > delta, _MOST_EPSILON)


def mu_of(epsilon: float, delta: float) -> float:
    """The largest mu that has this epsilon with this delta, which is not 0."""
    return _largest(lambda mu: mu == 0 or epsilon_of(mu, delta) <= epsilon, _MOST_MU)


@lru_cache(maxsize=64)
def guesses_planned(canaries: int, mu: float, delta: float | None, level: float) -> int:
    """Of how many canaries to guess, for the highest bound if neighbours are normal laws, mu apart: an even number.

    delta: for a bound of epsilon, None for one of mu. It says nothing of what was seen, and may not.
    """

    def bound(made: int) -> float:
        # Half of the guesses are of scores above the cut, where those of canaries that are in are mu higher.
        share = made / canaries
        cut = brentq(lambda at: ndtr(-at) + ndtr(mu - at) - share, -_MOST_MU, 2 * _MOST_MU)
        guesses = Guesses(canaries, made, min(made, math.floor(canaries * ndtr(mu - cut))))
        return least_mu(guesses, level) if delta is None else least_epsilon(guesses, delta, level)

    counts = {max(2 * round(canaries * share / 2), min(_FEWEST, canaries // 2 * 2)) for share in _SHARES}
    return max((made for made in counts if made <= canaries), key=lambda made: (bound(made), made))
