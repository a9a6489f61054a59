"""The test of one proposal on fresh runs: StatDP's HypothesisTester, valid for delta > 0 as well."""

from __future__ import annotations

from dataclasses import dataclass

from dplint.statistics.intervals import loss_lower_bound, loss_p_value
from dplint.statistics.thinning import thinned_lower_bound, thinned_p_value, two_sided


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
