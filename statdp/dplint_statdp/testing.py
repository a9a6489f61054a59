"""The test of one proposal on fresh runs: StatDP's HypothesisTester, valid for delta > 0 as well; runs and levels.

Ding et al., "Detecting Violations of Differential Privacy", CCS 2018, Algorithm 2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from dplint.jobs import AuditSettings
from dplint.statistics.intervals import loss_lower_bound
from dplint_statdp.thinning import thinned_lower_bound, thinned_p_value

SMALLEST_P = 1e-300
"""p-values are not resolved below this."""
_EARLY = 20
"""The early round has this many times fewer runs than the full one."""
_LEAST = 200
"""No stage gets fewer runs on a side, however slow the mechanism."""
KEPT = 8
"""Inputs that go on from the screening of all inputs to the full selection."""


@dataclass(frozen=True, slots=True)
class Stages:
    """Runs on each side: screening all inputs, an early test, selecting on the kept inputs, the full test."""

    screen: int
    early_test: int
    select: int
    test: int

    def runs(self, inputs: int, kept: int) -> int:
        """Single executions for one value of the claim, given the number of data values screened and kept."""
        return self.screen * inputs + 2 * self.early_test + self.select * kept + 2 * self.test

    def scaled(self, factor: float) -> Stages:
        """The same with every stage shortened, for a mechanism too slow for the time limit."""
        return Stages(*(max(_LEAST, int(n * factor)) for n in (self.screen, self.early_test, self.select, self.test)))


def stages_of(settings: AuditSettings) -> Stages:
    """The stages for the settings: 100,000 and 500,000 as published, a twentieth of that for the early round."""
    select, test = settings.select_runs, settings.test_runs
    return Stages(max(_LEAST, select // _EARLY), max(_LEAST, test // _EARLY), select, test)


@dataclass(frozen=True, slots=True)
class Levels:
    """The levels of the two tests of one value of the claim.

    By the union bound over both rounds and all values of the claim, a right mechanism is flagged with probability at
    most alpha: a quarter goes to the early round, which only has to see what is blatant.
    """

    early: float
    full: float


def levels_of(alpha: float, values: int) -> Levels:
    """Split alpha over the rounds and the values of the claim."""
    return Levels(early=0.25 * alpha / values, full=0.75 * alpha / values)


@dataclass(frozen=True, slots=True)
class Hits:
    """How often an event happened in equally many runs on D1 and on D2."""

    count1: int
    count2: int
    runs: int

    @property
    def swapped(self) -> Hits:
        """The same seen from D2."""
        return Hits(self.count2, self.count1, self.runs)


@dataclass(frozen=True, slots=True)
class TestResult:
    """p_value: for a violation in either direction. lower: lower confidence bound for the loss in the better direction.

    forward: whether D1 is the likelier side, so that the counterexample reads as it was proposed.
    """

    p_value: float
    lower: float
    forward: bool
    hits: Hits


def hypothesis_test(hits: Hits, epsilon: float, delta: float, alpha: float) -> TestResult:
    """Test H0: P1(E) <= e^epsilon P2(E) + delta and its mirror image, for an event fixed before these runs.

    delta = 0: StatDP's thinned test. delta > 0: the union of two Clopper-Pearson bounds, which needs no thinning and is
    valid for every delta. Both directions are tested and the smaller p-value is doubled. `lower` inverts the same test
    at alpha / 2 for each direction: it is wrong with probability at most alpha, and above epsilon whenever the test
    rejects at alpha. It is 0 where nothing positive can be said.
    """
    forward, backward = _one_sided(hits, epsilon, delta), _one_sided(hits.swapped, epsilon, delta)
    ahead = forward <= backward
    seen = hits if ahead else hits.swapped
    if delta > 0:
        lower = max(0.0, loss_lower_bound(seen.count1, seen.runs, seen.count2, seen.runs, delta, alpha / 2))
    else:
        lower = thinned_lower_bound(seen.count1, seen.count2, seen.runs, alpha / 2)
    return TestResult(two_sided(forward, backward), lower, ahead, seen)


def _one_sided(hits: Hits, epsilon: float, delta: float) -> float:
    if delta > 0:
        return loss_p_value(hits.count1, hits.runs, hits.count2, hits.runs, epsilon, delta)
    return thinned_p_value(hits.count1, hits.count2, hits.runs, epsilon)


def loss_p_value(count1: int, runs1: int, count2: int, runs2: int, epsilon: float, delta: float) -> float:
    """p-value of H0: P1(E) <= e^epsilon P2(E) + delta, for any delta in [0, 1) and an event fixed before these runs.

    The smallest alpha at which `loss_lower_bound` exceeds epsilon: the rejection regions are nested in alpha, and
    each has probability at most alpha under H0, so this is a p-value. It is conservative, as every union bound.
    """
    if loss_lower_bound(count1, runs1, count2, runs2, delta, 1.0) <= epsilon:
        return 1.0
    low, high = math.log(SMALLEST_P), 0.0
    for _ in range(60):
        middle = (low + high) / 2
        if loss_lower_bound(count1, runs1, count2, runs2, delta, math.exp(middle)) > epsilon:
            high = middle
        else:
            low = middle
    return math.exp(high)


def two_sided(forward: float, backward: float) -> float:
    """p-value for "the claim is broken in one of the two directions" from the two one-sided ones (Bonferroni)."""
    return min(1.0, 2.0 * min(forward, backward))
