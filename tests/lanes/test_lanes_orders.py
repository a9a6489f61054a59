"""The order of numbers in each lane, against Python's own sorting."""

from itertools import product

import numpy as np
import pytest

from dplint.readings.lanes import array_orders
from dplint.readings.lanes.lane_values import Arrays, Lists, Numbers, Tag, Uniform
from dplint.readings.lanes.lanes import Lanes
from dplint.readings.lanes.orders import distinct, in_order, stable_order
from dplint.readings.lanes.places import reordered
from dplint.readings.lanes.sorting import KNOWN
from dplint.readings.lanes.spaces import Mask
from dplint.runner.texts import TextNumbers
from tests.lanes.lane_tools import exact


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


@pytest.mark.parametrize("count", range(1, 14))
def test_every_row_of_zeros_and_ones_comes_in_order(count):
    """So every row does (Knuth, The Art of Computer Programming, volume 3, 5.3.4, the zero-one principle)."""
    table = np.array(list(product([0, 1], repeat=count)), np.int64).T

    assert in_order(table).tolist() == np.sort(table, axis=0).tolist()


@pytest.mark.parametrize("count", [0, 1, 2, 7, 24, 25, 40])
@pytest.mark.parametrize("special", [[], [0.0, -0.0], [np.nan, 1.0], [np.inf, -np.inf, 0.0], [np.nan, -0.0]], ids=str)
def test_numbers_in_order_are_those_of_numpy_to_the_bit(count, special):
    rng = np.random.default_rng(count)
    table = rng.normal(size=(count, 200))
    if special:
        table = np.where(rng.random(table.shape) < 0.3, rng.choice(special, size=table.shape), table)

    for given in (table, np.round(table).astype(np.int64) if not special else table, table > 0):
        found = in_order(given)
        assert (found.dtype, found.shape) == (given.dtype, given.shape)
        assert found.tobytes() == np.sort(given, axis=0).tobytes()


@pytest.mark.parametrize("count", [1, 2, 5, 24, 30])
@pytest.mark.parametrize("special", [[], [0.0, -0.0], [np.inf, -np.inf, 0.0]], ids=str)
@pytest.mark.parametrize("kind", [np.float64, np.int64])
@pytest.mark.parametrize("reverse", [False, True])
def test_lists_of_several_lengths_are_those_of_sorted(count, special, kind, reverse):
    """Behind the end of a list there is anything."""
    rng, lanes = np.random.default_rng(count), Lanes(300, TextNumbers())
    table = rng.normal(size=(count, 300)) * 5
    if special and kind is np.float64:
        table = np.where(rng.random(table.shape) < 0.3, rng.choice(special, size=table.shape), table)
    rows, lengths = table.astype(kind), rng.integers(0, count + 1, 300)
    tag = Tag.INT if kind is np.int64 else Tag.FLOAT
    items = tuple(Numbers(lanes.root, row, tag, 100) for row in rows)
    lists = Lists(lanes.root, items, lengths.astype(np.int32), tuples=False)

    found = KNOWN["sorted"](lanes, [lists], {"reverse": Uniform(reverse)}, lanes.everywhere())

    assert found is not None
    expected = [sorted(lane[:length], reverse=reverse) for lane, length in zip(rows.T.tolist(), lengths, strict=True)]
    assert [exact(one) for one in lanes.explode(found.value, lanes.root, None)] == [exact(one) for one in expected]


@pytest.mark.parametrize("kind", [None, "stable"])
def test_numpy_is_asked_for_the_order_only_where_it_is_its_own_affair(kind):
    table = np.random.default_rng(1).permutation(20).reshape(5, 4).astype(float)
    table[0, 1] = table[3, 1]
    table[2, 2] = np.nan
    lanes = Lanes(4, TextNumbers())
    keywords = {} if kind is None else {"kind": Uniform(kind)}

    result = array_orders.KNOWN["numpy.argsort"](lanes, [Arrays(lanes.root, table)], keywords, Mask(lanes.root, None))

    assert result.failed.tolist() == [False, kind is None, True, False]
    sure = ~result.failed
    expected = np.argsort(table, axis=0, kind=kind)
    assert result.value.data[:, sure].tolist() == expected[:, sure].tolist()


@pytest.mark.parametrize("middle", [[0, 1, 2], [2, 0, 1]])
def test_an_order_that_is_the_same_in_all_lanes_leaves_items_as_they_are(middle):
    lanes = Lanes(3, TextNumbers())
    items = (Uniform("a"), Uniform("b"), Numbers(lanes.root, np.array([1.0, 2.0, 3.0]), Tag.FLOAT))
    order = np.array([[0, 1, 2], middle, [0, 1, 2]]).T

    found = reordered(lanes, items, order, lanes.everywhere())

    rows = [["a", "b", 1.0], ["a", "b", 2.0], ["a", "b", 3.0]]
    expected = [[row[place] for place in places] for row, places in zip(rows, order.T.tolist(), strict=True)]
    value = Lists(lanes.root, found, None, tuples=False)
    assert lanes.explode(value, lanes.root, None) == expected
    assert isinstance(found[0], Uniform) == (middle == [0, 1, 2])
