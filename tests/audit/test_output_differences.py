"""The check of many runs at once: which outputs are the same, and which are not."""

from __future__ import annotations

import numpy as np
import pytest

from dplint.audit.run_blocks import first_difference
from tests.events.event_tools import batch_of


def outputs_of(*objects):
    return batch_of(objects)


@pytest.mark.parametrize(("number", "allowed"), [(1e6, 0.5), (-1e6, 0.5), (2.0, 1e-6), (0.1, 5e-7), (0.0, 5e-7)])
def test_a_tolerance_is_relative_to_the_larger_one_or_to_one(number, allowed):
    near, far = number + 0.9 * allowed, number + 2.2 * allowed

    assert first_difference(outputs_of(number), outputs_of(near), 5e-7) is None
    assert first_difference(outputs_of(number), outputs_of(near)) == 0
    assert first_difference(outputs_of(number), outputs_of(far), 5e-7) == 0


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
@pytest.mark.parametrize("tolerance", [0.0, 1e-13])
def test_outputs_that_differ(left, right, tolerance):
    assert first_difference(outputs_of(left), outputs_of(left), tolerance) is None
    assert first_difference(outputs_of(right), outputs_of(right), tolerance) is None
    assert first_difference(outputs_of(left), outputs_of(right), tolerance) == 0


def test_zeros_of_different_sign_differ_unless_a_sum_explains_it():
    assert first_difference(outputs_of(0.0), outputs_of(-0.0)) == 0
    assert first_difference(outputs_of([1.0, -0.0]), outputs_of([1.0, 0.0])) == 0
    assert first_difference(outputs_of(0.0), outputs_of(-0.0), 1e-13) is None


def test_the_first_run_that_differs_is_told():
    same, other = [1.5, "a", None, "b", 2**60], [1.5, "a", None, "c", 2**60]

    assert first_difference(outputs_of(*same), outputs_of(*same)) is None
    # The texts of the two are numbered differently.
    assert first_difference(outputs_of("b", "a", "c"), outputs_of("b", "a", "c")) is None
    assert first_difference(outputs_of(*same), outputs_of(*other)) == 3
