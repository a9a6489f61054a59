"""Which numbers a replay takes for the same: rounding may differ, infinite numbers may not."""

import math
import sys

import pytest

from dplint.audit.comparing import same_outputs
from dplint.runner.alike import near, same

INFINITE = [(math.inf, -math.inf), (math.inf, sys.float_info.max), (-math.inf, -1.0), (math.inf, 0), (math.nan, 1.0)]


@pytest.mark.parametrize(("one", "other"), INFINITE)
def test_an_infinite_number_is_near_to_none(one, other):
    for first, second in ((one, other), (other, one)):
        assert not near(first, second, 1e-9)
        assert not same(first, second, 1e-9)
        assert not same_outputs(first, second)


@pytest.mark.parametrize("number", [math.inf, -math.inf, 0.0, 3, sys.float_info.max])
def test_a_number_is_the_same_as_itself(number):
    assert same(number, number, 1e-9)
    assert same_outputs(number, number)


@pytest.mark.parametrize(("one", "other", "is_near"), [(1.0, 1.0 + 1e-10, True), (1.0, 1.0 + 2e-9, False),
                                                       (1e12, 1e12 + 500, True), (1e12, 1e12 + 2000, False),
                                                       (0.0, 5e-10, True), (10**30, 10**30 + 1, True)])  # fmt: skip
def test_rounding_is_relative_to_the_larger_one_or_to_one(one, other, is_near):
    assert near(one, other, 1e-9) is is_near
    assert same(one, other, 1e-9) is is_near
