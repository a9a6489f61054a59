"""Several items chosen at once: types and shapes of the real generator, the law, and no call for each lane."""

from __future__ import annotations

import math
from collections import Counter
from itertools import permutations

import pytest
from scipy import stats

from dplint.readings.lanes.draws import RealGenerators
from dplint.readings.lanes.lane_values import Uniform
from dplint.readings.lanes.lanes import Lanes
from dplint.runner.texts import TextNumbers
from tests.lanes.test_lanes_draws import LEVEL, REAL, drawn, refused, sampled, uniform

LANES = 30_000


def several(items, size, family="generator", *, replace=True, p=None, seed=0):
    lanes = Lanes(LANES, TextNumbers())
    parameters = uniform({"a": items, "replace": replace, "p": p})
    return drawn(sampled(seed), lanes, "choice", parameters, family=family, size=Uniform(size))[1]


@pytest.mark.parametrize("items", [4, [3, 1, 2, 7], [0.5, 1.5, 1.0, 4.0], [True, False, True, True]], ids=str)
@pytest.mark.parametrize("size", [2, (2,), (2, 2)], ids=str)
@pytest.mark.parametrize("replace", [True, False])
@pytest.mark.parametrize("family", ["generator", "legacy"])
def test_arrays_are_those_of_the_real_generator(monkeypatch, items, size, replace, family):
    monkeypatch.setattr(RealGenerators, "draw", refused)
    real = REAL[family].choice(items, size=size, replace=replace)

    found = several(items, size, family, replace=replace)

    assert {(type(one), one.dtype, one.shape) for one in found} == {(type(real), real.dtype, real.shape)}


def test_those_of_which_none_comes_twice_come_in_each_order_as_often(monkeypatch):
    monkeypatch.setattr(RealGenerators, "draw", refused)

    counts = Counter(tuple(one.tolist()) for one in several([5, 6, 7, 8], 2, replace=False))

    assert set(counts) == set(permutations([5, 6, 7, 8], 2))
    assert stats.chisquare(list(counts.values())).pvalue > LEVEL


def test_weights_hold_for_each_and_they_are_independent(monkeypatch):
    monkeypatch.setattr(RealGenerators, "draw", refused)
    weights = [0.2, 0.5, 0.3]

    counts = Counter(tuple(one.tolist()) for one in several(3, 2, p=weights))

    pairs = [(first, second) for first in range(3) for second in range(3)]
    expected = [LANES * weights[first] * weights[second] for first, second in pairs]
    assert stats.chisquare([counts[pair] for pair in pairs], expected).pvalue > LEVEL


@pytest.mark.parametrize("replace", [True, False])
def test_python_gives_a_list_of_the_items_themselves(monkeypatch, replace):
    monkeypatch.setattr(RealGenerators, "draw", refused)
    items = ["a", None, 2.5]

    found = several(items, 2, "python", replace=replace, seed=3)

    possible = [(one, other) for one in items for other in items if replace or one is not other]
    counts = Counter(map(tuple, found))
    assert {type(one) for one in found} == {list}
    assert set(counts) == set(possible)
    assert stats.chisquare(list(counts.values())).pvalue > LEVEL


def test_more_than_there_are_fail_as_they_do_in_numpy():
    lanes = Lanes(50, TextNumbers())

    drawn(sampled(), lanes, "choice", uniform({"a": 2, "replace": False, "p": None}), size=Uniform(3))

    (ending,) = lanes.endings
    assert (ending.exception, lanes.count(ending.lanes)) == ("ValueError", 50)


def test_with_weights_and_none_twice_each_lane_asks():
    """The first has the law of the weights; what the second has is NumPy's own affair."""
    lanes = Lanes(2000, TextNumbers())
    parameters = uniform({"a": 3, "replace": False, "p": [0.2, 0.5, 0.3]})

    _, found = drawn(sampled(1), lanes, "choice", parameters, size=Uniform(2))

    first = [int(one[0]) for one in found]
    assert all(len(set(one.tolist())) == 2 for one in found)
    assert math.isclose(first.count(1) / 2000, 0.5, abs_tol=6 * 0.5 / math.sqrt(2000))
