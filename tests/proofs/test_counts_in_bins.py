"""Counts and places as the checker reads them are those of NumPy and `bisect`, on numbers that floats hold exactly."""

import bisect
import functools
import random
from types import SimpleNamespace

import numpy as np
import pytest
import z3

from dplint.program.refusals import UnsupportedConstruct
from dplint.proofs.checker.context import Asked
from dplint.proofs.checker.functions import called
from dplint.proofs.checker.intervals import Intervals
from dplint.proofs.checker.known import Known
from dplint.proofs.checker.values import NOWHERE, Items, Leaves, exact
from dplint.proofs.checker.walking import Walk

NUMBERS = [-1.0, -0.5, 0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0]
RUN = SimpleNamespace(decider=Known([]), leaves=Leaves(), intervals=Intervals(), numpy=True)
RUN.by_element = functools.partial(Walk.by_element, RUN)


def read(function, *arguments, **keywords):
    """What the checker makes of a call on known values, as plain numbers."""
    given = {name: exact(one) for name, one in keywords.items()}
    return _plain(called(RUN, Asked(function, tuple(map(exact, arguments)), given, True, NOWHERE)))


def _plain(value):
    if isinstance(value, Items):
        return [_plain(one) for one in value.items]
    return z3.simplify(value).as_long() if z3.is_expr(value) else float(value)


def values():
    chance = random.Random(3)
    return [[chance.choice(NUMBERS) for _ in range(chance.randrange(6))] for _ in range(60)]


@pytest.mark.parametrize("bins", [[0.0, 0.5, 2.0], [0, 1, 2], [-0.5, 0.25]])
def test_histograms_by_edges(bins):
    for one in values():
        assert read("numpy.histogram", one, bins) == [part.tolist() for part in np.histogram(one, bins)]


@pytest.mark.parametrize("ends", [(0.0, 2.0), (-1, 1)])
def test_histograms_between_two_ends(ends):
    for one in values():
        assert read("numpy.histogram", one, 4, range=ends) == [part.tolist() for part in np.histogram(one, 4, ends)]


def test_counts_of_each_value():
    chance = random.Random(4)
    for length in range(12):
        places = [chance.randrange(4) for _ in range(length)]
        assert read("numpy.bincount", places, minlength=4) == np.bincount(places, minlength=4).tolist()


@pytest.mark.parametrize("name", ["bisect", "bisect_left", "bisect_right"])
def test_places_among_constants(name):
    grid = [0.0, 0.5, 0.5, 2.0]
    for one in NUMBERS:
        assert read(f"bisect.{name}", grid, one) == getattr(bisect, name)(grid, one)


@pytest.mark.parametrize("edges", [[0.0, 0.5, 0.5, 2.0], [0, 1, 2], [0.25]])
def test_bins_of_an_array(edges):
    for one in values():
        assert read("numpy.digitize", one, edges) == np.digitize(one, edges).tolist()
    assert [read("numpy.digitize", one, edges) for one in NUMBERS] == np.digitize(NUMBERS, edges).tolist()


@pytest.mark.parametrize("edges", [[2.0, 1.0], [0.0, 2.0, 1.0]])
def test_edges_that_go_down_are_refused(edges):
    """NumPy counts them the other way round, or fails."""
    with pytest.raises(UnsupportedConstruct, match="no constants that go up"):
        read("numpy.digitize", [0.5], edges)
