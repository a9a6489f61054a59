"""Counting at array speed says what Python says of the printed events, one output at a time."""

import gc
import pickle
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from event_tools import OUTPUTS, batch_of, holds, leaf_by_leaf
from hypothesis import given
from hypothesis import strategies as st

from dplint.events import counting, gathering
from dplint.events.columns import Column, ValueClass
from dplint.events.conditions import Between, Event
from dplint.events.counting import CellCounter, Counting, EventCounter
from dplint.events.families.element import Element
from dplint.events.gathering import numbering_of
from dplint.events.grids import NumberAxis
from dplint.events.places import Place
from dplint.events.split_runs import PILOT_RUNS, discover_grids
from dplint.events.table_values import tables_of
from dplint.runner.texts import TextNumbers
from tests.examples import examples

CHUNKS = st.lists(st.tuples(st.integers(0, 2), st.lists(OUTPUTS, min_size=1, max_size=12)), min_size=1, max_size=8)
"""Outputs as they come in: for one of three data values some at a time."""


def check(chunks, events_of_a_grid=12):
    """Counts of cells and of events against the sums of what Python says, for every data value."""
    texts = TextNumbers()
    outputs = [(side, output) for side, part in chunks for output in part]
    grids = discover_grids([batch_of([o for s, o in outputs if s == side] or [None]) for side in range(3)], [], texts)
    events = [grid.event(i) for grid in grids for i in range(0, grid.size, max(1, grid.size // events_of_a_grid))]
    cells, hits = CellCounter(grids, 3, texts), EventCounter(events, 3, texts)
    alone = EventCounter(events[:1], 3, texts)
    for number, (side, part) in enumerate(chunks):
        batch = batch_of(part) if number % 2 else leaf_by_leaf(batch_of(part))
        for counter in (cells, hits, alone):
            counter.add(side, batch)

    expected = []
    for event in events:
        truth = holds(event, [output for _, output in outputs])
        expected.append([sum(t for t, (s, _) in zip(truth, outputs, strict=True) if s == side) for side in range(3)])
    assert dict(zip([e.expression() for e in events], hits.hits(), strict=True)) == dict(
        zip([e.expression() for e in events], expected, strict=True)
    )
    assert alone.hits() == expected[:1]
    # What is to be counted of nothing is cells, where outputs never vary.
    for counter, what in ((cells, grids), (hits, events))[: 1 + bool(events)]:
        assert_equal_arrays(counter.totals(), counted_apart(Counting(tuple(what)), chunks, texts))
    counts = cells.counts()
    remaining = iter(expected)
    for number, grid in enumerate(grids):
        totals = [grid.totals(counts[side][number]) for side in range(3)]
        for index in range(0, grid.size, max(1, grid.size // events_of_a_grid)):
            assert [total[index] for total in totals] == next(remaining), grid.event(index).expression()


@examples(25)
@given(CHUNKS, st.data())
def test_events_that_are_counted_of_some_data_values_alone(chunks, data):
    """Here and, under other numbers, elsewhere: the counts that are wanted are those of a counter that counts all."""
    texts = TextNumbers()
    batches = [batch_of([o for s, part in chunks if s == side for o in part] or [None]) for side in range(3)]
    events = [grid.event(0) for grid in discover_grids(batches, [], texts)]
    wanted = tuple(data.draw(st.frozensets(st.integers(0, 2))) for _ in events)
    counting = pickle.loads(pickle.dumps(Counting(tuple(events), wanted)))
    whole, some = EventCounter(events, 3, texts), counting.counter(3, texts)
    elsewhere = [counting.counter(1, texts.copy(), [side]) for side in range(3)]
    for side, part in chunks:
        for counter, number in ((whole, side), (some, side), (elsewhere[side], 0)):
            counter.add(number, batch_of(part))

    expected = [
        [hits * (side in those) for side, hits in enumerate(row)]
        for row, those in zip(whole.hits(), wanted, strict=True)
    ]
    here, apart = some.totals(), [one for counter in elsewhere for one in counter.totals()]
    if events:
        assert here[0].T.tolist() == np.concatenate(apart).T.tolist() == expected


def counted_apart(counting, chunks, texts):
    """The totals where each data value is counted in another process, in two parts."""
    found = []
    for side in range(3):
        sent = pickle.loads(pickle.dumps(counting))
        counter, other = sent.counter(1, texts.copy()), sent.counter(1, texts.copy())
        for number, (_, part) in enumerate(one for one in chunks if one[0] == side):
            (other if number % 2 else counter).add(0, batch_of(part))
        counter.add_totals(other.totals())
        found.append(counter.totals())
    assert [one.shape for one in counter.totals()] == counting.shapes(1)
    return [np.concatenate(parts) for parts in zip(*found, strict=True)]


def assert_equal_arrays(one, other):
    assert len(one) == len(other)
    for mine, theirs in zip(one, other, strict=True):
        np.testing.assert_array_equal(mine, theirs)


@pytest.mark.parametrize(
    ("enough", "waiting", "small"),
    [(1, 1 << 25, 1), (9, 1 << 25, 5), (1 << 15, 100, 1 << 12), (1 << 15, 1 << 25, 1 << 12), (1 << 15, 1 << 25, 1)],
)
@examples(60)
@given(CHUNKS)
def test_whatever_comes_and_however_it_is_gathered(enough, waiting, small, chunks):
    """Mixed kinds, shapes that vary, NaN, None, texts, nesting; tables of one output, of some, of all; together."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gathering, "_ENOUGH", enough)
        patch.setattr(gathering, "_MOST_WAITING", waiting)
        patch.setattr(counting, "_SMALL", small)
        check(chunks)


@pytest.mark.parametrize("seed", range(3))
def test_outputs_that_come_in_few_ways(seed):
    """Lists of bools, ints, None and texts, of varying length, enough of them to be numbered."""
    rng = np.random.default_rng(seed)
    values = [[True, False], [0, 1, 2], [None, "a", 2], [-1, 5, True]][seed]
    lists = [[values[i] for i in rng.integers(0, len(values), n)] for n in rng.integers(0, 5, 3000)]
    chunks = [
        (int(side), lists[i : i + 100]) for i, side in zip(range(0, 3000, 100), rng.integers(0, 3, 30), strict=True)
    ]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gathering, "_ENOUGH", 400)
        check(chunks, events_of_a_grid=6)


def test_numbered_outputs_come_back_as_they_were():
    """Kinds, values and data values of every output, and how often it came."""
    rng = np.random.default_rng(0)
    kinds = [True, False, 3, -2, None, "a", "b", 2**60]
    batches = [batch_of([[kinds[i] for i in rng.integers(0, 8, 2)] for _ in range(4000)]) for _ in range(2)]
    (table,) = tables_of(batches, TextNumbers(), 4000)

    numbering = numbering_of(table, 2)
    back = numbering.table(table.layout, numbering.count(table))

    assert back.size < 150
    columns = zip(table.sides.tolist(), table.kinds.T.tolist(), table.values.T.tolist(), strict=True)
    returned = zip(back.sides.tolist(), back.kinds.T.tolist(), back.values.T.tolist(), strict=True)
    counts = {repr(column): weight for column, weight in zip(returned, back.weights.tolist(), strict=True)}
    assert counts == Counter(map(repr, columns))


@pytest.mark.parametrize("outputs", [[0.5, 1.5], [[True] * 20, [False] * 20], [0, 2**52]])
def test_outputs_that_come_in_too_many_ways_are_not_numbered(outputs):
    """Floats, long lists, wide ranges: there would be more numbers than outputs."""
    (table,) = tables_of([batch_of(outputs * 50)], TextNumbers(), 100)

    assert numbering_of(table, 1) is None


def test_outputs_that_wait_do_not_keep_leaves_that_nobody_looks_at(monkeypatch):
    """Of a wide output one leaf may be all that is looked at; a full table may be a view, for it does not wait."""
    monkeypatch.setattr(gathering, "_ENOUGH", 100)
    event = Event((Between(Element(Place((1,))), 0.5, float("inf")),))
    counter = EventCounter([event], 1, TextNumbers())
    batches = [batch_of([[float(i), float(i % 2), 0.0] for i in range(count)]) for count in (40, 200)]

    counter.add(0, batches[0])
    (shape,) = counter._gathering._shapes.values()
    (waiting,) = shape.waiting
    assert waiting.values.shape == (1, 40)
    assert not np.shares_memory(waiting.values, batches[0].groups[0].values)
    assert shape.at_once == slice(1, 2)
    counter.add(0, batches[1])
    assert not shape.waiting
    assert counter.hits() == [[120]]


def test_large_integers_and_bools_that_all_outputs_of_a_shape_agree_on():
    """Their kinds and classes are those of one output, and not written out for each."""
    texts = TextNumbers()
    outputs = [[2, None, 2**60], [2, None, 2**60], [3, None, 2**60], 2**60, 2**60, False]
    events = [Event((Between(Element(Place(steps)), 0.5, float("inf")),)) for steps in ((), (0,), (1,), (2,))]
    counter = EventCounter(events, 1, texts)
    counter.add(0, batch_of(outputs))

    # The two large integers alone; the first and the last item of all three lists.
    assert counter.hits() == [[2], [3], [0], [3]]


def test_the_grids_do_not_depend_on_how_many_runs_come_at_once():
    """Only the first runs of each data value are looked at, however large the first batch is."""
    values = np.random.default_rng(0).normal(size=5 * PILOT_RUNS).tolist()

    assert discover_grids([batch_of(values)], [], TextNumbers()) == discover_grids(
        [batch_of(values[:PILOT_RUNS])], [], TextNumbers()
    )


def test_outputs_that_were_counted_are_let_go_at_once():
    """Nothing is left for the garbage collector, whose next visit may be hundreds of megabytes away."""
    texts = TextNumbers()
    batch = batch_of([[float(i), [i % 3, True], {"a": i}] for i in range(600)])
    grids = discover_grids([batch], [], texts)
    events = [grid.event(0) for grid in grids]

    def count():
        cells, hits = CellCounter(grids, 1, texts), EventCounter(events, 1, texts)
        for counter in (cells, hits):
            counter.add(0, batch)
        return cells.counts(), hits.hits()

    count()  # which leaves are looked at is found once
    gc.collect()
    gc.disable()
    try:
        count()
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_where_outputs_never_vary_there_is_nothing_to_count():
    """A function that returns the same in nearly all runs, so that the few that events are looked for in show none."""
    texts = TextNumbers()
    counter = CellCounter(discover_grids([batch_of([0.0] * 100)] * 2, [], texts), 2, texts)
    elsewhere = counter.counting.counter(2, texts)
    elsewhere.add(1, batch_of([0.0] * 5_000))
    counter.add_totals(elsewhere.take())

    assert counter.counting.what == ()
    assert counter.counts() == ((), ())


@pytest.mark.parametrize("thresholds", [(0.5,), (-1.0, -0.25, 0.0, 0.1, 0.75, 1.5, 3.0)])
@pytest.mark.parametrize("most", [3, 40, 3000, 20_000])
def test_cells_of_a_number_in_long_and_in_short_pieces(thresholds, most):
    """Whether pieces are compared and counted or located, against a loop over the numbers."""
    rng = np.random.default_rng(most)
    sizes = [most, most // 3, most // 2]
    edges = np.cumsum([0, *sizes]).tolist()
    pieces = [slice(start, stop) for start, stop in pairwise(edges)]
    values = rng.normal(size=edges[-1]).round(1)
    values[:3] = -np.inf, np.inf, -0.0
    axis = NumberAxis(None, thresholds)
    counted = axis.counted(Column(np.full(1, ValueClass.NUMBER, np.uint8), values), pieces)
    for row, piece in zip(counted.tolist(), pieces, strict=True):
        cells = Counter(sum(value >= one for one in thresholds) for value in values[piece].tolist())
        assert row == [cells[number] for number in range(axis.cells)]


def test_columns_whose_cells_are_not_counted_by_comparing():
    axis, pieces = NumberAxis(None, (0.5,)), [slice(0, 2)]
    mixed = np.array([ValueClass.NUMBER, ValueClass.NAN], np.uint8)
    assert axis.counted(Column(mixed, np.zeros(2)), pieces) is None
    assert axis.counted(Column(mixed[:1], np.zeros(1)), pieces) is None
