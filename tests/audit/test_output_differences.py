"""The check of many runs at once: which outputs are the same, and which are not."""

from __future__ import annotations

import numpy as np
import pytest

from dplint.audit.differences import first_difference
from tests.events.event_tools import batch_of


def outputs_of(*objects):
    return batch_of(objects)


@pytest.mark.parametrize("number", [1.0, -3.7, 1e-300, 1e300, 0.1])
def test_four_ulps_are_four_ulps(number):
    near, far = number, number
    for _ in range(4):
        near = np.nextafter(near, np.inf)
    for _ in range(5 if abs(number) != 1.0 else 6):
        far = np.nextafter(far, np.inf)

    assert first_difference(outputs_of(number), outputs_of(float(near)), 4) is None
    assert first_difference(outputs_of(number), outputs_of(float(near)), 0) == 0
    assert first_difference(outputs_of(number), outputs_of(float(far)), 4) == 0


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (1.0, 1), (1, True), (float("inf"), -float("inf")), (float("inf"), 1.7e308), (None, 0),
        (float("nan"), 0.0), ("a", "b"), (2**60, 2**60 + 1), ([1, 2], [2, 1]), ([1], (1,)), ([1], [1, 1]), ([[]], []),
        ({"a": 1}, {"b": 1}), ({"a": 1, "b": 2}, {"b": 2, "a": 1}), ({True: 1}, {1: 1}),
        ({(True,): 1}, {(1,): 1}), (np.zeros(2), [0.0, 0.0]),
        (np.zeros((2, 1)), np.zeros((1, 2))), ("1", 1),
    ],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("ulps", [0, 4])
def test_outputs_that_differ(left, right, ulps):
    assert first_difference(outputs_of(left), outputs_of(left), ulps) is None
    assert first_difference(outputs_of(right), outputs_of(right), ulps) is None
    assert first_difference(outputs_of(left), outputs_of(right), ulps) == 0


def test_zeros_of_different_sign_differ_unless_a_sum_explains_it():
    assert first_difference(outputs_of(0.0), outputs_of(-0.0), 0) == 0
    assert first_difference(outputs_of([1.0, -0.0]), outputs_of([1.0, 0.0]), 0) == 0
    assert first_difference(outputs_of(0.0), outputs_of(-0.0), 4) is None


def test_the_first_run_that_differs_is_told():
    same, other = [1.5, "a", None, "b", 2**60], [1.5, "a", None, "c", 2**60]

    assert first_difference(outputs_of(*same), outputs_of(*same), 0) is None
    # The texts of the two are numbered differently.
    assert first_difference(outputs_of("b", "a", "c"), outputs_of("b", "a", "c"), 0) is None
    assert first_difference(outputs_of(*same), outputs_of(*other), 0) == 3
