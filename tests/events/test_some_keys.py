"""Outputs that differ in which keys their dicts have are counted together, and as Python counts them one by one."""

from unittest import mock

import numpy as np
import pytest
from event_tools import batch_of
from hypothesis import given
from hypothesis import strategies as st
from test_counting import check

from dplint.events import some_keys
from dplint.events.array_values import NotFollowed, of_types, type_name
from dplint.events.columns import MISSING, NUMBER, Column
from dplint.events.counting import CellCounter
from dplint.events.discover import discover_grids
from dplint.events.missing_entries import SomeKeys
from dplint.events.places import Through
from dplint.events.some_keys import Together
from dplint.events.split_runs import SplitRuns
from dplint.events.table_values import TableValues
from dplint.events.tables import tables_of
from dplint.runner.batch import LeafKind
from dplint.runner.texts import TextNumbers
from tests.examples import examples

KEYS = st.sampled_from(["a", "b", "c", ".d", 1, 2, None, (1, "x"), True, 0, False])
VALUES = st.floats(-2, 2, width=16) | st.integers(0, 2) | st.sampled_from([None, "text", float("nan"), 2**60])
HISTOGRAMS = st.dictionaries(KEYS, VALUES, max_size=4)
KINDS = [
    HISTOGRAMS,
    st.dictionaries(st.sampled_from("abc"), st.floats(-2, 2, width=16)),
    st.tuples(HISTOGRAMS, st.integers(0, 2)),
    st.tuples(HISTOGRAMS, st.dictionaries(st.sampled_from("ab"), st.booleans()), st.lists(st.booleans(), max_size=1)),
    st.one_of(HISTOGRAMS, st.none(), st.lists(st.integers(0, 1), max_size=2)),
]
"""Of outputs that a mechanism may have."""


@examples(40)
@given(
    st.sampled_from(KINDS).flatmap(
        lambda kind: st.lists(st.lists(kind, min_size=4, max_size=12), min_size=2, max_size=4)
    )
)
def test_counts_are_those_of_python(parts):
    check([(number % 3, part) for number, part in enumerate(parts)])


@examples(40)
@given(st.sampled_from(KINDS).flatmap(lambda kind: st.lists(kind, min_size=8, max_size=30)))
def test_the_same_grids_are_found_and_counted_shape_by_shape(outputs):
    found = []
    for fewest in (some_keys._FEWEST, 1 << 30):
        with mock.patch.object(some_keys, "_FEWEST", fewest):
            texts, batch = TextNumbers(), batch_of(outputs)
            grids = discover_grids([batch], [], texts)
            counter = CellCounter(grids, 1, texts)
            counter.add(0, batch)
            found.append([(repr(grid), counts.tolist()) for grid, counts in zip(grids, counter.totals(), strict=True)])

    assert found[0] == found[1]


def thresholded(runs, keys=6, seed=0):
    """Outputs of a histogram with noise, of which what is above a threshold is released."""
    noisy = np.random.default_rng(seed).normal(size=(runs, keys))
    return [({f"k{i}": x for i, x in enumerate(row) if x > -0.5}, len(row)) for row in noisy.tolist()]


def test_features_are_asked_about_once(monkeypatch):
    texts = TextNumbers()
    batches = [batch_of(thresholded(400, seed=side)) for side in range(2)]
    grids = discover_grids(batches, [], texts)
    asked = []
    counter = CellCounter(grids, 2, texts)
    for side, batch in enumerate(batches):
        counter.add(side, batch)
    one = TableValues.place
    monkeypatch.setattr(TableValues, "place", lambda self, steps: (asked.append(type(self)), one(self, steps))[1])
    counter.counts()

    shapes = len(batches[0].groups)
    assert shapes > 30
    assert asked.count(SomeKeys) > asked.count(TableValues) / shapes


def test_better_events_are_looked_for_in_all_shapes_together():
    texts = TextNumbers()
    batches = [[batch_of(thresholded(300, seed=side))] for side in range(2)]
    found = SplitRuns(*batches, texts).search

    apart = [[event_mask(event, values) for values in found.values] for event in events_of(found)]
    together = found.masks(events_of(found))

    assert len(together) > 5
    for parts, mask in zip(apart, together, strict=True):
        assert np.concatenate(parts).tolist() == mask.tolist()


def events_of(sample):
    grids = discover_grids([batch_of(thresholded(300, seed=7))], [], sample.texts)
    return [grid.event(number) for grid in grids for number in range(0, grid.size, 5)]


def event_mask(event, values):
    return np.broadcast_to(event.mask(values), values.table.size)


def test_what_is_asked_of_a_whole_dict_is_asked_of_each_shape():
    texts = TextNumbers()
    tables = [TableValues(table, texts) for table in tables_of([batch_of(thresholded(200))], texts, 200)]
    values = [table for table in tables if table.has((0, Through("values")))]
    lengths = Together(values).asked(lambda one: one.place((0, Through("values"))).part.length, lambda one, _: one)

    assert sorted({*lengths}) == [length for length in range(2, 7) if length in lengths]
    assert len({*lengths}) > 3


def test_nobody_says_what_type_an_entry_has_that_is_not_there():
    column = Column(
        np.array([MISSING, NUMBER], np.uint8), np.zeros(2), np.array([LeafKind.NONE, LeafKind.INT], np.uint8)
    )

    with pytest.raises(NotFollowed):
        of_types(column, frozenset(["str"]))
    with pytest.raises(NotFollowed):
        type_name(column, TextNumbers())
