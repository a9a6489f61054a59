"""Small trees are looked for early: what only a product of conditions on late numbers shows takes few runs."""

from unittest import mock

import numpy as np
import pytest

from benchmarks.in_process import audit_in_process, mechanism_of
from dplint.audit.betting import proposing
from dplint.claims import Claim
from dplint.jobs import AuditSettings
from dplint.outcomes import Violation
from dplint.runner.batch import Batch, Group, Leaf, LeafKind, Mapping

NAMES = tuple("abcdef")
RUNS = 250_000


def signs(scale):
    """Six answers under their names, all but two drowned in noise, of these one with the other sign.

    Their difference and their sum are no better than each; both at once have loss 2 / scale. The first numbers alone
    are crossed with one another from the start.
    """
    wide, sign = np.array([1000.0] * 4 + [scale] * 2), np.array([1.0] * 5 + [-1.0])
    skeleton = Mapping(NAMES, (Leaf(),) * 6, 6)

    def law(seed, data, _, runs):
        leaves = sign * np.asarray(data) + np.random.default_rng(seed).laplace(scale=wide, size=(runs, 6))
        kinds = np.full(leaves.shape, LeafKind.FLOAT, np.uint8)
        return Batch(runs, (Group(skeleton, np.arange(runs, dtype=np.int32), kinds, leaves),), ())

    return law


def outcome(scale, seed=1):
    settings = AuditSettings(
        method="anytime", seed=seed, epsilons=(1.0,), max_runs=RUNS, budget=1e9, time_limit=1e9, deadline=1e9
    )
    mechanism = mechanism_of("signs", Claim(epsilon=1.0, relation="linf", size=(6,)))
    return audit_in_process(mechanism, signs(scale), settings).outcome


def test_a_product_of_late_numbers_is_found_before_anything_is_learnt():
    with mock.patch("dplint.audit.betting.proposing.learn", side_effect=AssertionError("learnt")):
        found = outcome(1.1)

    assert isinstance(found, Violation), found
    event = found.counterexample.witness.event
    assert "output['e']" in event
    assert "output['f']" in event


def test_it_is_the_early_round_that_finds_it():
    with mock.patch.object(proposing, "EARLY", 99):
        assert not isinstance(outcome(1.1), Violation)


@pytest.mark.nightly
def test_the_right_twin_stands():
    assert not isinstance(outcome(2.0), Violation)
