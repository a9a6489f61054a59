"""Bets over the curve of a promise: whole audits of normal noise, which keeps each of its points with nothing to spare.

`python -m benchmarks.currency --audits 2000` does the same at scale.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from scipy.stats import binom

from benchmarks.currency import normal_noise
from benchmarks.soundness import ALPHA, simulate
from dplint.audit.settings import claim_settings
from dplint.claims import Claim, Promise

AUDITS = 24


@pytest.fixture(scope="module")
def simulated():
    return [simulate("normal noise", normal_noise(), "reckless", 10_000, seed) for seed in range(AUDITS)]


def test_false_alarms_over_all_points_are_within_alpha(simulated):
    """Fixed seeds; a sound engine fails under others with probability below 1e-6."""
    most = int(binom.isf(1e-6, AUDITS, ALPHA))
    assert sum(one.alarm for one in simulated) <= most
    assert sum(one.above for one in simulated) <= most


def test_all_points_are_bet_on(simulated):
    right = normal_noise()
    assert len(claim_settings(right.mechanism, right.epsilons)) == 4
    assert min(one.runs for one in simulated) > 0
    assert max(one.lower for one in simulated) > 0.3


def test_what_is_promised_and_not_kept_is_refuted():
    """The same noise with two thirds of its mu."""
    right = normal_noise()
    claim: Claim = replace(right.mechanism.claim, promise=Promise("mu", (0.5,)))
    wrong = replace(right, mechanism=replace(right.mechanism, claim=claim))
    found = [simulate("too little noise", wrong, "reckless", 60_000, seed) for seed in range(2)]
    assert all(one.alarm for one in found)
