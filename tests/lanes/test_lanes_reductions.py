"""Sums, means and extremes along the axes of tables are NumPy's own, bit for bit, and so are changes of shape."""

from __future__ import annotations

import numpy as np
import pytest

from dplint.readings.lanes import reductions, reshaping
from dplint.readings.lanes.lane_values import Arrays, Lists, Numbers, Tag, Uniform
from dplint.readings.lanes.lanes import Lanes
from dplint.readings.lanes.spaces import Mask
from dplint.runner.texts import TextNumbers
from tests.lanes.lane_tools import exact

LANES = 6
SHAPES = [
    (1, 1),
    (1, 9),
    (9, 1),
    (2, 3),
    (3, 2),
    (8, 8),
    (9, 2),
    (2, 9),
    (17, 5),
    (5, 17),
    (129, 3),
    (3, 129),
    (300, 2),
]


def tables(shape, dtype, seed=1):
    """Numbers of very different sizes, whose sums depend on the order of addition."""
    rng = np.random.default_rng(seed)
    if dtype is float:
        return rng.normal(size=(*shape, LANES)) * 10.0 ** rng.integers(-12, 12, (*shape, LANES))
    return rng.integers(0, 2 if dtype is bool else 2**60, (*shape, LANES)).astype(dtype)


def found(known, given, *arguments, **keywords):
    """What a function gives in each lane, None where NumPy is left to."""
    lanes = Lanes(np.shape(given)[-1], TextNumbers())
    everywhere = Mask(lanes.root, None)
    keywords = {name: Uniform(value) for name, value in keywords.items()}
    result = known(lanes, [Arrays(lanes.root, given), *map(Uniform, arguments)], keywords, everywhere)
    return None if result is None else lanes.explode(result.value, lanes.root, None)


@pytest.mark.parametrize("name", ["sum", "mean", "max", "min", "any", "all"])
@pytest.mark.parametrize("dtype", [float, int, bool])
@pytest.mark.parametrize("axis", [None, 0, 1, -1, -2])
def test_numbers_along_an_axis(name, dtype, axis):
    for shape in SHAPES:
        data = tables(shape, dtype)
        expected = [getattr(np.ascontiguousarray(data[..., lane]), name)(axis=axis) for lane in range(LANES)]

        assert exact(found(reductions.METHODS[name], data, axis=axis)) == exact(expected), shape
        assert exact(found(reductions.METHODS[name], data, axis)) == exact(expected), shape


@pytest.mark.parametrize("name", ["sum", "mean"])
def test_the_order_of_addition_matters_in_these_tables(name):
    """Else the test above could not fail."""
    data = tables((129, 3), float)[..., 0]

    assert (getattr(np.asfortranarray(data), name)(axis=0) != getattr(data, name)(axis=0)).any()


@pytest.mark.parametrize("name", ["sum", "max", "min", "mean"])
def test_tables_with_two_zeros_are_left_to_numpy(name):
    data = np.zeros((2, 2, LANES))
    data[1, 0, 3] = -0.0

    assert found(reductions.METHODS[name], data, 1) is None


@pytest.mark.parametrize("axis", [2, -3, True, 0.0, (0, 1), "0"])
def test_other_axes_are_left_to_numpy(axis):
    assert found(reductions.METHODS["sum"], tables((2, 3), float), axis) is None


@pytest.mark.parametrize("axis", [None, 0, -1])
def test_arrays_of_one_dimension_have_one_axis(axis):
    data = tables((9,), float)

    assert exact(found(reductions.METHODS["sum"], data, axis)) == exact([data[:, lane].sum() for lane in range(LANES)])
    assert found(reductions.METHODS["sum"], data, 1) is None


@pytest.mark.parametrize("largest", [True, False])
def test_numpy_is_asked_for_the_position_only_in_lanes_with_nan(largest):
    data = tables((5,), float)
    data[2, 4] = np.nan
    lanes = Lanes(LANES, TextNumbers())
    known = reductions.METHODS["argmax" if largest else "argmin"]

    result = known(lanes, [Arrays(lanes.root, data)], {}, Mask(lanes.root, None))

    assert result.failed.tolist() == [False] * 4 + [True, False]
    function = np.argmax if largest else np.argmin
    value = lanes.settled(result, function, [Arrays(lanes.root, data)], Mask(lanes.root, None))
    assert exact(lanes.explode(value, lanes.root, None)) == exact([function(data[:, lane]) for lane in range(LANES)])


@pytest.mark.parametrize("dtype", [float, int, bool])
@pytest.mark.parametrize("shape", [(-1,), (6,), (3, 2), (6, 1), (1, -1), ((2, -1),), ([3, 2],)])
def test_shapes(dtype, shape):
    for before in [(6,), (2, 3), (1, 6)]:
        data = tables(before, dtype)
        lanes = [data[..., lane] for lane in range(LANES)]

        assert exact(found(reshaping.METHODS["reshape"], data, *shape)) == exact([one.reshape(*shape) for one in lanes])
        for name in ("ravel", "flatten"):
            assert exact(found(reshaping.METHODS[name], data)) == exact([getattr(one, name)() for one in lanes])


def test_shapes_that_arrays_do_not_have():
    data = tables((6,), float)

    assert found(reshaping.METHODS["reshape"], data, 1, 2, 3) is None
    with pytest.raises(ValueError, match="cannot reshape"):
        found(reshaping.METHODS["reshape"], data, 4, 2)


@pytest.mark.parametrize("dtype", [float, int, bool])
def test_outer_products(dtype):
    lanes = Lanes(LANES, TextNumbers())
    data = tables((3,), dtype)
    row = Numbers(lanes.root, tables((), float, 2), Tag.FLOAT)
    for other in (
        Arrays(lanes.root, tables((2,), float, 3)),
        Uniform([1, -2]),
        Lists(lanes.root, (row, row), None, False),
    ):
        for sides in ([Arrays(lanes.root, data), other], [other, Arrays(lanes.root, data)]):
            result = reshaping.KNOWN["numpy.outer"](lanes, sides, {}, Mask(lanes.root, None))

            given = zip(*(lanes.explode(side, lanes.root, None) for side in sides), strict=True)
            expected = [np.outer(*lane) for lane in given]
            assert exact(lanes.explode(result.value, lanes.root, None)) == exact(expected)
