"""Functions in one operation for all lanes: to the bit and the type what Python and NumPy give for each lane."""

from __future__ import annotations

import bisect
import statistics

import numpy as np
import pytest
from scipy import stats

from dplint.readings.lanes import array_orders, arrays, laws, quantiles, reductions, searching
from dplint.readings.lanes.containers import subscript
from dplint.readings.lanes.lane_values import Arrays, Lists, Numbers, Tag, Uniform
from dplint.readings.lanes.lanes import Lanes
from dplint.runner.texts import TextNumbers

KNOWN = {**arrays.KNOWN, **reductions.KNOWN, **array_orders.KNOWN, **quantiles.KNOWN, **laws.KNOWN, **searching.KNOWN}
LANES = 400


def tables(count):
    """Numbers for each lane: floats with ties, infinities and zeros of both signs, and whole numbers."""
    rng = np.random.default_rng(count)
    floats = rng.normal(size=(count, LANES))
    special = rng.random(floats.shape) < 0.2
    floats[special] = rng.choice([0.0, -0.0, np.inf, 1.5, 1e-300], size=int(special.sum()))
    return [rng.normal(size=(count, LANES)), floats, rng.integers(-9, 9, (count, LANES))]


def answered(name, *given, **named):
    lanes = Lanes(LANES, TextNumbers())
    wide = [Arrays(lanes.root, one) if isinstance(one, np.ndarray) and one.ndim == 2 else one for one in given]
    found = KNOWN[name](lanes, [one(lanes) if callable(one) else one for one in wide], named, lanes.everywhere())
    if found is None:
        return None
    assert found.failed is None
    return lanes.explode(found.value, lanes.root, None)


def same(found, expected):
    """Whether they are of the same types, and the same to the bit but for the sign and the payload of NaN."""
    assert [type(one) for one in found] == [type(one) for one in expected]
    for one, other in zip(found, expected, strict=True):
        left, right = np.asarray(one), np.asarray(other)
        assert (left.dtype, left.shape) == (right.dtype, right.shape)
        assert np.array_equal(left, right, equal_nan=left.dtype.kind == "f")
        assert np.array_equal(np.signbit(left[~np.isnan(left)]), np.signbit(right[~np.isnan(right)]))


def listed(table, tag):
    """The rows of a table as a list in each lane."""
    return lambda lanes: Lists(lanes.root, tuple(Numbers(lanes.root, row, tag, 9) for row in table), None, tuples=False)


def below(table, *bounds):
    """A list of arrays in each lane: which of its numbers are below each of the bounds."""
    return lambda lanes: Lists(lanes.root, tuple(Arrays(lanes.root, table < one) for one in bounds), None, tuples=False)


@pytest.mark.parametrize("count", [1, 2, 5, 8])
@pytest.mark.filterwarnings("ignore:invalid value")
def test_quantiles_of_arrays(count):
    for table in tables(count):
        for place in (0.0, 0.25, 0.5, 0.9, 1):
            same(answered("numpy.quantile", table, Uniform(place)), [np.quantile(lane, place) for lane in table.T])
        same(answered("numpy.percentile", table, Uniform(30)), [np.percentile(lane, 30) for lane in table.T])
        same(answered("numpy.median", table), [np.median(lane) for lane in table.T])


@pytest.mark.parametrize("count", [1, 2, 5, 8])
def test_the_median_of_a_list(count):
    normal, special, whole = tables(count)
    for table, tag in ((normal, Tag.FLOAT), (special, Tag.FLOAT), (whole, Tag.INT)):
        expected = [statistics.median(lane) for lane in table.T.tolist()]
        same(answered("statistics.median", listed(table, tag)), expected)


def test_what_is_asked_of_numpy_and_python():
    """NaN in a list is in no order; no array has a quantile below none of it; of bools there are none."""
    table = np.array([[np.nan], [1.0], [2.0]]).repeat(LANES, axis=1)

    assert answered("statistics.median", listed(table, Tag.FLOAT)) is None
    assert answered("numpy.quantile", table, Uniform(1.5)) is None
    assert answered("numpy.quantile", table > 1, Uniform(0.5)) is None
    assert answered("bisect.bisect_left", listed(table, Tag.FLOAT), Uniform(1.0)) is None
    assert answered("numpy.diff", table > 1) is None
    assert np.isnan(answered("numpy.quantile", table, Uniform(0.5))).all()


@pytest.mark.filterwarnings("ignore:invalid value")
def test_differences():
    for table in tables(5):
        same(answered("numpy.diff", table), [np.diff(lane) for lane in table.T])


@pytest.mark.parametrize("default", [0, 0.5])
@pytest.mark.parametrize("choices", [(2, 1), (-1.0, 1.0), (2, 0.5)], ids=str)
def test_of_conditions_the_first_that_holds_selects(choices, default):
    for table in tables(5):
        found = answered("numpy.select", below(table, 0, 1), Uniform(list(choices)), default=Uniform(default))

        same(found, [np.select([one < 0, one < 1], list(choices), default) for one in table.T])


@pytest.mark.parametrize("side", ["left", "right"])
def test_places_in_a_list_of_each_lane(side):
    normal, special, _ = tables(6)
    for table in (normal, special):
        ordered, sought = np.sort(table[:5], axis=0), np.where(np.arange(LANES) % 3, table[5], table[0])
        function = getattr(bisect, f"bisect_{side}")
        number = lambda lanes, sought=sought: Numbers(lanes.root, sought, Tag.FLOAT)  # noqa: E731

        found = answered(f"bisect.bisect_{side}", listed(ordered, Tag.FLOAT), number)

        same(found, [function(edges, x) for edges, x in zip(ordered.T.tolist(), sought.tolist(), strict=True)])
        assert answered(f"bisect.bisect_{side}", listed(ordered[::-1], Tag.FLOAT), number) is None


def test_elements_at_listed_places():
    lanes = Lanes(LANES, TextNumbers())
    for table in tables(4):
        found = subscript(lanes, Arrays(lanes.root, table), Uniform([0, -1, 0]), lanes.everywhere())
        same(lanes.explode(found.value, lanes.root, None), [lane[[0, -1, 0]] for lane in table.T])
        assert subscript(lanes, Arrays(lanes.root, table), Uniform([0, 4]), lanes.everywhere()) is None
        assert subscript(lanes, Arrays(lanes.root, table), Uniform([True, False]), lanes.everywhere()) is None


@pytest.mark.parametrize("name", sorted(laws.KNOWN))
def test_functions_of_laws(name):
    *_, law, function = name.split(".")
    own = getattr(getattr(stats, law), function)
    table = np.random.default_rng(2).random((3, LANES))

    same(answered(name, table), [own(lane) for lane in table.T])
    same(answered(name, lambda lanes: Numbers(lanes.root, table[0], Tag.FLOAT)), [own(x) for x in table[0].tolist()])
    same(answered(name, table, Uniform(0.1), Uniform(2.0)), [own(lane, 0.1, 2.0) for lane in table.T])
