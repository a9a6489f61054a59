"""Thresholds that a person can read: as few decimals as say the same, none that only rounding makes."""

import numpy as np
import pytest
from event_tools import batch_of

from dplint.events.columns import Ordered
from dplint.events.split_runs import discover_grids
from dplint.events.thresholds import _shortest, cuts_at
from dplint.runner.texts import TextNumbers


@pytest.mark.parametrize(
    ("below", "value", "expected"),
    [
        (1.5, 1.9999999999999991, 1.9),
        (1.0, 2.0, 2.0),
        (0.25, 0.5, 0.5),
        (-0.5, 0.5, 0.0),
        (-2.0000000000000004, -1.0, -1.0),
        (1.0, 1.0000000000000002, 1.0000000000000002),
    ],
)
def test_the_fewest_decimals_that_tell_two_values_apart(below, value, expected):
    assert _shortest(below, value) == expected
    assert below < _shortest(below, value) <= value


def test_a_noise_free_value_does_not_bring_its_rounding_along():
    rng = np.random.default_rng(0)

    assert 5.659069840071663e-15 not in cuts_at(Ordered.of(rng.normal(size=500)), [0.5], (5.659069840071663e-15,))
    assert 0.0 in cuts_at(Ordered.of(rng.normal(size=500)), [0.5], (5.659069840071663e-15,))


def test_numbers_that_only_rounding_tells_apart_make_no_event():
    rng = np.random.default_rng(0)
    noise = rng.normal(size=500)
    outputs = [0.1 + (x - 0.1) - x for x in noise.tolist()]

    assert discover_grids([batch_of([1.0 + x for x in outputs])], [], TextNumbers()) == ()


def test_no_step_is_between_large_numbers_that_only_rounding_tells_apart():
    """Of their own size, not of that of most numbers: 1e6 / 3 in two ways, beside many small ones."""
    outputs = [*(number + 0.5 for number in range(20)), 1e6 / 3, float(np.nextafter(1e6 / 3, 1e9))]
    grids = discover_grids([batch_of(outputs)], [], TextNumbers())

    cuts = [cut for grid in grids for axis in grid.axes for cut in getattr(axis, "thresholds", ())]
    assert cuts
    assert not any(1e6 / 3 <= cut < 1e9 for cut in cuts)
