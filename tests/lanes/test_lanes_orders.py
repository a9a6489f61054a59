"""The order of numbers in each lane, against Python's own sorting."""

import numpy as np
import pytest

from dplint.readings.lanes.orders import distinct, stable_order


@pytest.mark.parametrize("count", [0, 1, 2, 5, 24, 25, 40])
@pytest.mark.parametrize("kind", [np.float64, np.int64])
def test_the_order_is_that_of_sorted(count, kind):
    """With equal numbers, zeros of both signs, infinities and the ends of 64 bits, in lanes with and without ties."""
    rng = np.random.default_rng(count)
    ends = [0.0, -0.0, np.inf, -np.inf, 1e-300] if kind is np.float64 else [0, 1, -(2**63), 2**63 - 1, 2**53 + 1]
    table = rng.integers(-50, 50, (count, 60)).astype(kind)
    table[rng.random(table.shape) < 0.2] = rng.choice(np.array(ends, kind))
    table[:, :10] = np.array([rng.permutation(count) for _ in range(10)], kind).reshape(10, count).T

    order, differ = stable_order(table), distinct(table)

    lanes = table.T.tolist()
    assert order.T.tolist() == [sorted(range(count), key=lane.__getitem__) for lane in lanes]
    assert differ.tolist() == [len(set(lane)) == count for lane in lanes]
    assert differ[:10].all()
    assert order.dtype == np.int64
