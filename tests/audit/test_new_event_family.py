"""A new family of events wins bets, in a whole audit with a real runner."""

import pytest

from dplint.outcomes import NoViolation, Violation
from tests.audit.conftest import outcome_of
from tests.toy_family import toy

__all__ = ["toy"]
ODD = """
def m_odd(rng, queries):
    odd = rng.random() < 0.3 + 0.6 * min(max(queries[0], 0.0), 1.0)
    return 2 * int(rng.integers(0, 50000)) + int(odd)
"""
"""Odd with probability 0.9 or 0.3, and else evenly from 0 to 99,999: ln 3 = 1.1 against a claim of 0.7."""


@pytest.mark.process
@pytest.mark.usefixtures("toy")
def test_a_mechanism_that_only_a_new_family_sees_through(targets):
    outcome = outcome_of(targets(ODD)["m_odd"], max_runs=300_000)

    assert isinstance(outcome, Violation)
    assert outcome.counterexample.witness.event in ("int(output) % 2 == 1", "int(output) % 2 == 0")
    assert outcome.epsilon_lower > 0.7


@pytest.mark.process
def test_without_it_nothing_is_found(targets):
    assert isinstance(outcome_of(targets(ODD)["m_odd"], max_runs=300_000), NoViolation)
