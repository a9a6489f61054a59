"""How often a test must run a mechanism, and what it must leave to chance.

The test counts an event in `runs` runs on D1 and as many on D2, and fails if

    count1 > e^epsilon count2 + delta runs + slack,    slack = constant + factor * count2

Let the claim hold, p1 <= e^epsilon p2 + delta, and let lambda > 0 and kappa = e^epsilon + factor. By Chernoff's bound
(Boucheron, Lugosi, Massart: Concentration Inequalities, 2013, section 2.2), that is by Markov's inequality for
exp(lambda (count1 - kappa count2)), whose mean is that of one run to the power of `runs`, a failure has a probability
of at most

    exp(runs g - lambda (delta runs + constant)),    g = max over p2 of ln((1 + p1 A) (1 - p2 B)),
    A = e^lambda - 1,  B = 1 - e^(-lambda kappa),  p1 = min(1, e^epsilon p2 + delta)

The constant is what makes this CHANCE. The factor is zero where the event is frequent: it pays for rare ones, since the
largest g is otherwise that of a frequent one, whose counts vary far more.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

CHANCE = 1e-6
"""With at most this probability a mechanism that keeps its claim fails its test."""
_LEAST_RUNS = 1_000
_DEVIATIONS = 5.0
"""By so many standard deviations a mechanism with the probabilities given is to miss what is allowed."""
_LAMBDAS = tuple(1e-4 * 1.15**i for i in range(75))
_FACTORS = tuple(0.01 * 1.3**i for i in range(30))
"""As shares of e^epsilon."""
_CONSTANT_IS_CHEAP = 1.5
"""A test that is simpler to read may take so many times the runs."""


@dataclass(frozen=True, slots=True)
class Margin:
    """The numbers of a test. deviations: by how many standard deviations the mechanism misses what is allowed."""

    runs: int
    constant: int
    factor: float
    deviations: float


@dataclass(frozen=True, slots=True)
class Odds:
    """A claim, and the probabilities of an event that break it."""

    epsilon: float
    delta: float
    p1: float
    p2: float

    def runs(self, stake: float, factor: float) -> float:
        """How many runs a test needs until the mechanism fails it safely."""
        drift, deviation = self._drift(stake, factor), self._deviation(factor) * stake
        if drift <= 0:
            return math.inf
        spread = _DEVIATIONS * deviation
        return float(((spread + math.sqrt(spread**2 - 4 * drift * math.log(CHANCE))) / (2 * drift)) ** 2)

    def deviations(self, runs: int, stake: float, factor: float) -> float:
        """By how many standard deviations the mechanism fails a test of so many runs."""
        reserve = runs * self._drift(stake, factor) + math.log(CHANCE)
        deviation = stake * self._deviation(factor) * math.sqrt(runs)
        return reserve / deviation if deviation > 0 else math.copysign(math.inf, reserve)

    def constant(self, runs: int, stake: float, factor: float) -> int:
        """The constant part of the slack."""
        return math.ceil((runs * self._growth(stake, factor) - math.log(CHANCE)) / stake - self.delta * runs)

    def _drift(self, stake: float, factor: float) -> float:
        return stake * (self.p1 - (math.exp(self.epsilon) + factor) * self.p2) - self._growth(stake, factor)

    def _deviation(self, factor: float) -> float:
        kappa = math.exp(self.epsilon) + factor
        return math.sqrt(self.p1 * (1 - self.p1) + kappa**2 * self.p2 * (1 - self.p2))

    def _growth(self, stake: float, factor: float) -> float:
        """The largest g under the claim: a parabola in p2, and falling where p1 = 1."""
        ratio = math.exp(self.epsilon)
        a, b = math.expm1(stake), -math.expm1(-stake * (ratio + factor))
        most = min(1.0, (1 - self.delta) / ratio)
        p2 = min(max(0.0, (a * ratio - b * (1 + a * self.delta)) / (2 * a * ratio * b)), most)
        return math.log1p((ratio * p2 + self.delta) * a) + math.log1p(-p2 * b)


def margin(odds: Odds, most: int) -> Margin | None:
    """The shortest test that these odds fail safely; None if it takes more than `most` runs."""
    simple, _ = min((odds.runs(stake, 0.0), stake) for stake in _LAMBDAS)
    shortest, factor = min((odds.runs(stake, f), f) for f in _factors(odds) for stake in _LAMBDAS)
    if simple <= max(_LEAST_RUNS, _CONSTANT_IS_CHEAP * shortest) and simple <= most:
        shortest, factor = simple, 0.0
    if shortest > most:
        return None
    runs = min(most, _round_up(max(_LEAST_RUNS, shortest)))
    constant, stake = min((odds.constant(runs, stake, factor), stake) for stake in _LAMBDAS)
    return Margin(runs, constant, factor, odds.deviations(runs, stake, factor))


def _factors(odds: Odds) -> Iterator[float]:
    """Factors as they are printed, so that the bound is about what the test says."""
    yield 0.0
    yield from (float(f"{share * math.exp(odds.epsilon):.2g}") for share in _FACTORS)


def _round_up(runs: float) -> int:
    """Two significant digits."""
    unit: int = 10 ** (math.floor(math.log10(runs)) - 1)
    return math.ceil(runs / unit) * unit
