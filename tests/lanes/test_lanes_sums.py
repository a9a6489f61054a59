"""Sums and extremes over positions are NumPy's and Python's own, bit for bit, lane by lane."""

from __future__ import annotations

import math
import sys

import numpy as np
import pytest

from dplint.readings.lanes.builtin_sum import summing
from dplint.readings.lanes.lane_values import Lists, Mixed, Numbers, Tag
from dplint.readings.lanes.lanes import Lanes
from dplint.readings.lanes.sums import first_extreme, pairwise_sum
from dplint.runner.texts import TextNumbers
from tests.lanes.lane_tools import exact

LANES = 40
LENGTHS = [*range(1, 301), 511, 512, 513, 1000, 4097]


def floats(count, seed):
    """Rows of numbers of very different sizes, whose sums depend on the order of addition."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(count, LANES)) * 10.0 ** rng.integers(-12, 12, (count, LANES))


def awkward(count, seed):
    """Rows with infinities, NaN, both zeros, subnormal and huge numbers."""
    rng = np.random.default_rng(seed)
    rare = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 5e-324, 1.7e308, -1.7e308, 1e16, 1.0])
    chosen = (rng.random((count, LANES)) < 0.3) & (np.arange(LANES) % 2 == 0)  # else all sums would be NaN
    return np.where(chosen, rng.choice(rare, (count, LANES)), floats(count, seed))


def bits(numbers):
    """Floats to compare; one NaN is like another."""
    return [float(number).hex() for number in numbers]


@pytest.mark.parametrize("make", [floats, awkward])
def test_the_sum_of_an_array_is_numpys(make):
    order_matters = 0
    with np.errstate(all="ignore"):
        for count in LENGTHS:
            table = make(count, count)
            lanes = [np.ascontiguousarray(table[:, lane]) for lane in range(LANES)]
            expected = [np.sum(lane) for lane in lanes]
            order_matters += bits(expected) != bits(sum(table, np.zeros(LANES)))

            assert bits(pairwise_sum(list(table))) == bits(expected), count
    assert order_matters > 200


@pytest.mark.parametrize("zero", [0.0, -0.0])
@pytest.mark.parametrize("count", [1, 3, 8, 9, 130])
def test_the_sum_of_zeros_has_numpys_sign(count, zero):
    found = pairwise_sum([np.full(2, zero)] * count)

    assert bits(found) == bits([np.sum(np.full(count, zero))] * 2)


@pytest.mark.parametrize("largest", [True, False])
@pytest.mark.parametrize("count", [1, 2, 3, 10, 126, 127, 128, 129, 300])
@pytest.mark.parametrize("ties", [False, True])
def test_the_first_extreme_is_numpys(largest, count, ties):
    rng = np.random.default_rng(count)
    table = rng.integers(-2, 3, (count, LANES)).astype(float) if ties else rng.normal(size=(count, LANES))
    table[rng.random(table.shape) < 0.05] = np.inf if rng.random() < 0.5 else -np.inf
    before = table.copy()

    where, best = first_extreme(list(table), largest=largest)

    assert where.dtype == np.int64
    assert where.tolist() == (np.argmax if largest else np.argmin)(table, axis=0).tolist()
    assert best.tolist() == (np.max if largest else np.min)(table, axis=0).tolist()
    assert np.array_equal(table, before)


@pytest.mark.parametrize("dtype", [np.int64, np.float64])
def test_the_first_extreme_of_integers_and_of_an_extreme_in_the_last_place(dtype):
    for count in (2, 127, 128, 200):
        table = np.zeros((count, count), dtype)
        np.fill_diagonal(table, 1)

        where, best = first_extreme(list(table), largest=True)

        assert where.tolist() == list(range(count))
        assert best.tolist() == [1] * count


@pytest.mark.parametrize("largest", [True, False])
def test_an_entry_that_is_nan_shows_in_the_extreme(largest):
    table = floats(5, 1)
    table[2, ::3] = np.nan

    _, best = first_extreme(list(table), largest=largest)

    assert np.isnan(best).tolist() == [lane % 3 == 0 for lane in range(LANES)]


def left_to_right(numbers):
    """`sum` up to Python 3.11."""
    total = 0
    for number in numbers:
        total = total + number
    return total


def neumaier(numbers):
    """`sum` of floats since Python 3.12 (bltinmodule.c): what rounding loses is kept aside and added at the end.

    A. Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen", ZAMM 54, 1974.
    """
    total, lost = 0.0 + numbers[0], 0.0
    for number in numbers[1:]:
        raw = total + number
        lost += (total - raw) + number if abs(total) >= abs(number) else (number - raw) + total
        total = raw
    return total + lost if lost and math.isfinite(lost) else total


def summed(table, compensated, tag=Tag.FLOAT, lengths=None):
    """What the builtin gives on lanes."""
    lanes = Lanes(table.shape[1], TextNumbers())
    items = tuple(Numbers(lanes.root, row, tag, 100) for row in table)
    value = Lists(lanes.root, items, lengths, tuples=False)
    with np.errstate(all="ignore"):
        result = summing(compensated)(lanes, [value], {}, lanes.everywhere())
    assert result is not None
    assert result.failed is None
    return lanes.explode(result.value, lanes.root, None)


@pytest.mark.parametrize("make", [floats, awkward])
@pytest.mark.parametrize(("python", "reference"), [((3, 11), left_to_right), ((3, 12), neumaier)], ids=["3.11", "3.12"])
def test_the_builtin_sum_is_that_of_the_users_python(make, python, reference):
    differ = 0
    for count in (1, 2, 3, 5, 8, 20, 60):
        table = make(count, count)

        found = summed(table, python >= (3, 12))

        lanes = table.T.tolist()
        assert bits(found) == bits(reference(lane) for lane in lanes), count
        differ += bits(left_to_right(lane) for lane in lanes) != bits(neumaier(lane) for lane in lanes)
    assert differ >= 5


@pytest.mark.parametrize("make", [floats, awkward])
@pytest.mark.parametrize(("compensated", "reference"), [(False, left_to_right), (True, neumaier)])
def test_lists_of_several_lengths(make, compensated, reference):
    """Behind the end of a list there is anything, and the sum of none is an integer."""
    for least, count in ((0, 1), (0, 2), (1, 3), (0, 8), (2, 20)):
        table, lengths = make(count, count), np.random.default_rng(count).integers(least, count + 1, LANES)

        found = summed(table, compensated, lengths=lengths.astype(np.int32))

        lanes = [lane[:length] for lane, length in zip(table.T.tolist(), lengths.tolist(), strict=True)]
        expected = [reference(lane) if lane else 0 for lane in lanes]
        assert bits(found) == bits(expected)
        assert list(map(type, found)) == list(map(type, expected))
    whole = np.arange(3 * LANES).reshape(3, LANES) % 7
    found = summed(whole, compensated, Tag.INT, np.arange(LANES, dtype=np.int32) % 4)
    assert found == [sum(lane[: number % 4]) for number, lane in enumerate(whole.T.tolist())]
    assert {type(number) for number in found} == {int}


@pytest.mark.parametrize(("compensated", "reference"), [(False, left_to_right), (True, neumaier)])
@pytest.mark.parametrize("lengths", [None, np.arange(LANES, dtype=np.int32) % 7])
def test_floats_beside_integers_that_are_zero(compensated, reference, lengths):
    """What has been clamped by `max(x, 0)`. Zero adds nothing, so that the floats alone decide; no float leaves 0."""
    table = floats(6, 1)
    whole = np.random.default_rng(2).random(table.shape) < np.linspace(0, 1, LANES)
    lanes = Lanes(LANES, TextNumbers())
    tags = np.where(whole, Tag.INT, Tag.FLOAT).astype(np.uint8)
    items = tuple(Mixed(lanes.root, *row) for row in zip(tags, np.where(whole, 0.0, table), strict=True))

    result = summing(compensated)(lanes, [Lists(lanes.root, items, lengths, tuples=False)], {}, lanes.everywhere())

    assert result is not None
    found = lanes.explode(result.value, lanes.root, None)
    kept = [
        table[: None if lengths is None else lengths[lane], lane][
            ~whole[: None if lengths is None else lengths[lane], lane]
        ]
        for lane in range(LANES)
    ]
    expected = [reference(one.tolist()) if len(one) else 0 for one in kept]
    assert bits(found) == bits(expected)
    assert list(map(type, found)) == list(map(type, expected))
    assert {type(number) for number in found} == {int, float}


@pytest.mark.parametrize("compensated", [False, True])
def test_floats_of_numpy_are_added_as_they_come(compensated):
    """Also by a Python that compensates: it does so for its own floats alone (bltinmodule.c)."""
    table = floats(6, 1)

    found = summed(table, compensated, Tag.NP_FLOAT)

    assert bits(found) == bits(map(left_to_right, table.T.tolist()))
    assert {type(number) for number in found} == {np.float64}


def test_numpys_floats_beside_pythons_are_left_to_a_python_that_compensates():
    lanes = Lanes(3, TextNumbers())
    items = tuple(Numbers(lanes.root, np.ones(3), tag) for tag in (Tag.FLOAT, Tag.NP_FLOAT))

    assert summing(True)(lanes, [Lists(lanes.root, items, None, False)], {}, lanes.everywhere()) is None


def test_an_integer_beside_floats_is_left_to_a_python_that_compensates():
    lanes = Lanes(3, TextNumbers())
    mixed = Mixed(lanes.root, np.array([Tag.INT, Tag.FLOAT, Tag.INT], np.uint8), np.array([1.0, 0.5, 0.0]))

    assert summing(True)(lanes, [Lists(lanes.root, (mixed, mixed), None, False)], {}, lanes.everywhere()) is None


def test_the_references_are_what_this_python_does():
    reference = neumaier if sys.version_info >= (3, 12) else left_to_right
    for count in (1, 2, 5, 60):
        for lane in awkward(count, count).T.tolist():
            assert bits([sum(lane)]) == bits([sum([0, *lane, 0])]) == bits([reference(lane)])
            with np.errstate(all="ignore"):
                assert bits([sum(map(np.float64, lane))]) == bits([left_to_right(map(np.float64, lane))])


def test_the_compensated_sum_is_close_to_the_exact_one():
    """Neumaier's error is that of one rounding and n**2 * 2**-106 of the sum of magnitudes."""
    for lane in floats(50, 3).T.tolist():
        magnitude = math.fsum(map(abs, lane))
        bound = abs(math.fsum(lane)) * 2.0**-52 + 50**2 * 2.0**-105 * magnitude
        assert abs(summed(np.array(lane)[:, np.newaxis], True)[0] - math.fsum(lane)) <= bound


@pytest.mark.parametrize("compensated", [False, True])
def test_the_sum_of_integers_is_an_integer(compensated):
    table = np.random.default_rng(1).integers(-100, 101, (7, LANES))

    assert [exact(item) for item in summed(table, compensated, Tag.INT)] == [
        exact(sum(lane)) for lane in table.T.tolist()
    ]
