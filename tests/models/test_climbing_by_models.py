"""The climb by models of the noise: faults behind gates that no pattern opens, in functions that only calls can run."""

from __future__ import annotations

import pytest

from dplint.outcomes import NoViolation, Underpowered, Violation
from tests.mechanisms import targets
from tests.models.test_modelling import audited

__all__ = ["targets"]

pytestmark = pytest.mark.process

GATED = """
import numpy as np

def m_product(rng, queries):
    far = 3.0 if queries[0] * queries[1] > 30 and queries[0] < 0 and queries[2] > 1.5 else 1.0
    return far * queries[0] + rng.laplace(scale=1.0)

def m_product_right(rng, queries):
    near = queries[0] if queries[0] * queries[1] > 30 and queries[0] < 0 and queries[2] > 1.5 else queries[0] + 0.0
    return min(max(near, -8.0), 8.0) + rng.laplace(scale=1.0)

def m_order(rng, queries):
    scale = 0.3 if queries[0] < queries[1] - 5 and queries[2] > queries[1] + 3 else 1.0
    return queries[0] + rng.laplace(scale=1.0 if queries[0] < -9 else scale)
"""
CLAIM = 'epsilon=1.0, neighbors="linf", size=3, domain=(-10, 10)'


@pytest.mark.parametrize("name", ["m_product", "m_order"])
def test_it_opens_a_gate_that_the_patterns_leave_shut(targets, name):
    target = targets(GATED, CLAIM)[name]

    assert isinstance(audited(target, max_runs=60_000), Violation)


def test_a_right_one_behind_the_same_gate_is_not_accused(targets):
    target = targets(GATED, CLAIM)["m_product_right"]

    assert isinstance(audited(target, max_runs=60_000), NoViolation | Underpowered)
