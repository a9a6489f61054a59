"""Outputs whose dicts have some of their keys each, as one shape: what is seen of them is what Python says of each.

The references are the runner's own encoding of the same outputs, which has a shape for each set of keys, and Python.
"""

import math
from itertools import pairwise

import numpy as np
import pytest
from event_tools import batch_of, holds
from hypothesis import given
from hypothesis import strategies as st

from dplint.events import on_tables
from dplint.events.counting import CellCounter, EventCounter
from dplint.events.discover import discover_grids, sample_of
from dplint.events.exact_shapes import InShapes, exact_groups
from dplint.events.layout import layout_of
from dplint.events.missing_entries import ExactApart, exact_tables, values_of
from dplint.events.printed import PrintedEvent
from dplint.events.split_runs import SplitRuns
from dplint.events.survey import look_at
from dplint.events.tables import rows_of, stack, tables_of
from dplint.runner.batch import Batch, Group, Leaf, LeafKind, Mapping
from dplint.runner.batch import Sequence as Listed
from dplint.runner.decode import decode_batches
from dplint.runner.encode import Columns, Mode
from dplint.runner.frames import BrokenFrame
from dplint.runner.texts import TextNumbers
from tests.examples import examples

KEYS = ("a", "b", 1, ".d", None)
ENTRIES = st.one_of(st.floats(-2, 2, width=16), st.integers(0, 2), st.booleans(), st.none(), st.just(math.nan))
SOME = st.dictionaries(st.sampled_from(KEYS), ENTRIES).map(lambda one: {key: one[key] for key in KEYS if key in one})
OUTPUTS = [
    SOME,
    st.dictionaries(st.sampled_from(KEYS), st.floats(-2, 2, width=16), min_size=2).map(
        lambda one: {key: one[key] for key in KEYS if key in one}
    ),
    st.tuples(SOME, st.floats(-2, 2, width=16)),
    st.tuples(st.booleans(), SOME, SOME),
]
PRINTED = [
    "'a' in output",
    "'a' in output and output['a'] < 1",
    "output['b'] >= 0",
    "len(output) >= 2",
    "len(output) == 2 and 1 in output",
    "output[1] == 1",
    "len(list(output.values())) > 1",
    "sum(list(output.values())) > 0.5",
    "min(list(output.values())) < 0",
    "list(output.values()).count(1) >= 1",
    "list(output.values()) == [1, 2]",
    "isinstance(output['a'], (int, float)) and output['a'] > 0",
    "output == {}",
    "bool(output)",
    "None in output",
    "'z' in output",
]


def leaf(value):
    """Kind and value of a leaf, from the definition of `LeafKind`."""
    if value is None:
        return LeafKind.NONE, 0.0
    if isinstance(value, bool):
        return LeafKind.BOOL, float(value)
    if isinstance(value, float) and math.isnan(value):
        return LeafKind.NAN, value
    return (LeafKind.FLOAT if isinstance(value, float) else LeafKind.INT), float(value)


def together(outputs):
    """The batch of dicts, or tuples of dicts and scalars, with all keys that there may be in each dict."""
    of_tuples = isinstance(outputs[0], tuple)
    rows = [output if of_tuples else (output,) for output in outputs]
    is_dict = [isinstance(one, dict) for one in rows[0]]
    leaves = []
    for row in rows:
        found = []
        for one, held in zip(row, is_dict, strict=True):
            # Of what is missing the value is arbitrary.
            found += (
                [leaf(one[key]) if key in one else (LeafKind.MISSING, 7.0) for key in KEYS] if held else [leaf(one)]
            )
        leaves.append(found)
    parts = tuple(Mapping(KEYS, (Leaf(),) * len(KEYS), len(KEYS), some=True) if held else Leaf() for held in is_dict)
    skeleton = Listed("tuple", (len(parts),), parts) if of_tuples else parts[0]
    kinds = np.array([[kind for kind, _ in row] for row in leaves], np.uint8)
    values = np.array([[value for _, value in row] for row in leaves])
    return Batch(len(outputs), (Group(skeleton, np.arange(len(outputs), dtype=np.int32), kinds, values),), ())


SEVERAL = st.sampled_from(OUTPUTS).flatmap(lambda kind: st.lists(kind, min_size=4, max_size=30))


@examples(60)
@given(SEVERAL)
def test_outputs_come_back_as_they_were(outputs):
    batch = together(outputs)
    apart = Batch(batch.runs, tuple(group for one in batch.groups for group in exact_groups(one)), ())

    assert repr(batch.outputs()) == repr(batch.likenesses()) == repr(apart.outputs()) == repr(outputs)
    shapes = {group.skeleton: len(group.rows) for group in batch_of(outputs).groups}
    assert {group.skeleton: len(group.rows) for group in apart.groups} == shapes


@examples(60)
@given(SEVERAL)
def test_the_survey_is_that_of_exact_shapes(outputs):
    texts = TextNumbers()
    one, other = (look_at(tables_of([batch], texts, 500)) for batch in (together(outputs), batch_of(outputs)))

    assert one == other
    for steps in one.sights:
        assert one.guards(steps) == other.guards(steps)
        assert one.surely_seen(steps) == other.surely_seen(steps)


@examples(40)
@given(st.sampled_from(OUTPUTS).flatmap(lambda kind: st.tuples(*[st.lists(kind, min_size=6, max_size=40)] * 2)))
def test_grids_and_their_counts_are_those_of_exact_shapes(sides):
    found = []
    for make in (together, batch_of):
        texts, batches = TextNumbers(), [make(outputs) for outputs in sides]
        grids = discover_grids(batches, [], texts)
        counter = CellCounter(grids, 2, texts)
        for side, batch in enumerate(batches):
            counter.add(side, batch)
        events = [[grid.event(number).expression() for number in range(grid.size)] for grid in grids]
        found.append((grids, events, [counts.tolist() for counts in counter.totals()]))

    assert found[0] == found[1]


def test_outputs_of_one_shape_and_of_exact_shapes_are_counted_beside_one_another():
    """Also what a list of all values is, of which not all outputs have as many."""
    outputs = [{"a": i % 2, "b": 1} if i % 3 else {"a": i % 2, "b": 0, 1: 1} for i in range(30)]
    texts = TextNumbers()
    grids = discover_grids([together(outputs)], [], texts)
    counters = [CellCounter(grids, 1, texts) for _ in range(3)]
    for counter, parts in zip(counters, ([together], [batch_of], [together, batch_of]), strict=True):
        for make in parts:
            counter.add(0, make(outputs))
    first, second, both = ([one.tolist() for one in counter.totals()] for counter in counters)

    assert any(axis.feature.IS_LIST for grid in grids for axis in grid.axes)
    assert first == second
    assert both == [(2 * np.array(one)).tolist() for one in first]


@examples(40)
@given(st.sampled_from(OUTPUTS).flatmap(lambda kind: st.tuples(*[st.lists(kind, min_size=6, max_size=40)] * 2)))
def test_events_hold_where_python_says_so(sides):
    texts, batches = TextNumbers(), [together(outputs) for outputs in sides]
    grids = discover_grids(batches, [], texts)
    events = [grid.event(number) for grid in grids for number in range(0, grid.size, max(1, grid.size // 6))]
    counter = EventCounter(events, 2, texts)
    for side, batch in enumerate(batches):
        counter.add(side, batch)

    expected = [[sum(holds(event, outputs)) for outputs in sides] for event in events]
    assert counter.hits() == expected if events else not counter.hits()


@pytest.mark.parametrize("text", PRINTED)
@examples(25)
@given(st.sampled_from(OUTPUTS[:2]).flatmap(lambda kind: st.lists(kind, min_size=4, max_size=30)))
def test_whatever_is_asked_is_what_python_says(text, outputs):
    event, texts = PrintedEvent(text), TextNumbers()
    # One leaf of a table is kept only if somebody says that it is looked at.
    counter = EventCounter([event], 1, texts)
    counter.add(0, together(outputs))

    assert counter.hits() == [[sum(map(event.holds, outputs))]]


def test_what_is_looked_at_is_found_whoever_has_which_keys():
    (group,) = together([({"a": 1.0}, 0.5)] * 2).groups
    layout = layout_of(group.skeleton)
    last = layout.parts[(1,)].start

    assert PrintedEvent("output[1] < 0").leaves(layout) == {last}
    # A length that no example has must not hide what comes after it.
    assert last in PrintedEvent("len(output[0]) == 3 and output[1] < 0").leaves(layout)
    assert last in PrintedEvent("'a' not in output[0] and output[1] < 0").leaves(layout)


def test_two_dicts_of_which_an_event_knows_one():
    outputs = [(True, {"a": 1.0}, {"b": 2.0}), (True, {}, {"a": 1.0}), (False, {"a": 0.0, "b": 1.0}, {})]
    event = PrintedEvent("len(output[1]) == 1")
    counter = EventCounter([event], 1, TextNumbers())
    counter.add(0, together(outputs))

    assert counter.hits() == [[1]]


def thresholded(runs, seed, keys=6):
    noisy = np.random.default_rng(seed).normal(size=(runs, len(KEYS)))
    return [{key: x for key, x in zip(KEYS, row, strict=True) if x > -0.5} for row in noisy.tolist()]


def test_features_are_asked_about_once_for_all_shapes(monkeypatch):
    texts, batches = TextNumbers(), [together(thresholded(300, side)) for side in range(2)]
    grids = discover_grids(batches, [], texts)
    asked = []
    column = on_tables._column
    monkeypatch.setattr(on_tables, "_column", lambda *given, **named: (asked.append(given), column(*given, **named))[1])
    counter = CellCounter(grids, 2, texts)
    for side, batch in enumerate(batches):
        counter.add(side, batch)
    counter.totals()

    features = {axis.feature for grid in grids for axis in grid.axes}
    assert len(asked) == len(features) > 5


def test_every_shape_is_in_the_sample_in_proportion():
    outputs = [{"a": 0.0}] * 90 + [{}] * 9 + [{"b": 1.0}]
    kept = []
    for make in (together, batch_of):
        tables = tables_of([make(outputs)], TextNumbers(), 20)
        kept.append(sorted(repr(look_at([part]).sights) for table in tables for _, part in exact_tables(table)))

    assert kept[0] == kept[1]
    assert len(kept[0]) == 3


def test_a_sample_of_dicts_that_always_have_several_entries_is_of_exact_shapes():
    outputs = [{"a": float(i), "b": 0.5} if i % 2 else {"a": 0.5, 1: float(i), "b": 1.5} for i in range(40)]
    several = sample_of([together(outputs)], [], TextNumbers())
    mixed = sample_of([together([*outputs, {"a": 1.0}])], [], TextNumbers())

    assert [table.layout.varies for table in several.tables] == [False, False]
    assert [table.layout.varies for table in mixed.tables] == [True]


def test_better_events_are_looked_for_as_in_exact_shapes():
    sides = [thresholded(400, seed) for seed in range(2)]
    runs = [SplitRuns([make(sides[0])], [make(sides[1])], TextNumbers()) for make in (together, batch_of)]
    first, second = ([repr(item.feature) for item in one.described] for one in runs)

    assert first == second
    assert len(first) > 5
    assert [table.layout.varies for table in runs[0].search.tables] == [True]


@pytest.mark.parametrize("keys", [3, 59, 60, 61, 64, 150])
def test_outputs_of_one_shape_stand_together_however_many_keys_there_are(keys):
    missing = np.random.default_rng(keys).random((keys, 300)) < np.where(np.arange(keys) < 4, 0.5, 0.02)[:, None]
    shapes = InShapes.of(missing, 300)
    sets = [tuple(column) for column in missing.T.tolist()]
    ordered = [sets[number] for number in shapes.order.tolist()]

    assert sorted(shapes.order.tolist()) == list(range(300))
    assert sum(a != b for a, b in pairwise(ordered)) + 1 == len(set(sets))
    assert [sets.count(one) for one in ordered] == shapes.size.tolist()
    assert all(sets[: shapes.order[i]].count(one) == shapes.place[i] for i, one in enumerate(ordered))


def test_weights_and_data_values_go_with_the_outputs():
    (group,) = together([{"a": 1.0}, {}, {"a": 2.0}, {"b": 3.0}]).groups
    rows = [rows_of(group, side, None) for side in (0, 1)]
    table = stack(layout_of(group.skeleton), rows)

    parts = exact_tables(table)

    assert sorted(part.size for _, part in parts) == [2, 2, 4]
    for columns, part in parts:
        assert part.sides.tolist() == table.sides[columns].tolist()
    values = values_of(table, TextNumbers())
    assert isinstance(values, ExactApart)


def test_nothing_is_missing_in_what_a_runner_sends():
    columns = Columns(Mode())
    columns.take(1)
    header, buffers = columns.finish()
    kinds = np.array([[LeafKind.MISSING]], np.uint8)
    body = b"".join((kinds if b.dtype == np.uint8 else np.ascontiguousarray(b)).tobytes() for b in buffers)

    with pytest.raises(BrokenFrame):
        decode_batches({"batches": [header]}, body)
