"""What events promise: many at once against one at a time, and against the formula of the growth of a bet."""

import math

import numpy as np
import pytest

from dplint.audit.betting.input_groups import promise, promises
from dplint.audit.tally import Tally
from dplint.events.columns import number_key
from dplint.events.counting import CellCounter
from dplint.events.families.element import Element
from dplint.events.grids import Grid, NumberAxis, ValueAxis
from dplint.events.places import Place
from dplint.runner.batch import Batch, Group, LeafKind, Sequence
from dplint.runner.texts import TextNumbers
from dplint.statistics.betting import optimal_stake

RUNS = 1_000


def alone(count1, count2, epsilon, delta):
    """The promise of one event, by the definition of the payoff, in Python's numbers."""
    c, q1, q2 = math.exp(epsilon), (count1 + 0.5) / (RUNS + 1), (count2 + 0.5) / (RUNS + 1)
    error = math.sqrt((q1 * (1 - q1) + c**2 * q2 * (1 - q2)) / RUNS)
    score = (count1 / RUNS - c * count2 / RUNS - delta) / error
    if score <= 1:
        return 0.0
    size, pivot = (float(part) for part in optimal_stake(q1, q2, epsilon, delta))
    pivot1 = c * pivot + delta
    on_d1 = q1 * math.log1p(size * (1 - pivot1)) + (1 - q1) * math.log1p(-size * pivot1)
    on_d2 = q2 * math.log1p(-c * size * (1 - pivot)) + (1 - q2) * math.log1p(c * size * pivot)
    return max(on_d1 + on_d2, 0.0) * (1 - 1 / score) ** 2


@pytest.mark.parametrize(("epsilon", "delta"), [(0.3, 0.0), (1.0, 0.02)])
def test_events_of_several_pairs_promise_what_each_does_alone(epsilon, delta):
    """Also events that promise nothing, and pairs without a promising event."""
    rng = np.random.default_rng(1)
    counts = [*rng.integers(0, RUNS, (3, 60)), np.full(60, 10)]
    sides = [(0, 1), (1, 0), (2, 0), (3, 3)]

    found = promises(counts, sides, RUNS, epsilon, delta)

    for (one, other), (events, gains) in zip(sides, found, strict=True):
        wanted = [alone(int(a), int(b), epsilon, delta) for a, b in zip(counts[one], counts[other], strict=True)]
        dense = np.zeros(60)
        dense[events] = gains
        assert dense == pytest.approx(wanted, rel=1e-9)
        assert promise(counts[one], counts[other], RUNS, epsilon, delta) == pytest.approx(wanted, rel=1e-9)
    assert not len(found[3][0])
    assert any(len(events) for events, _ in found)


def test_of_many_events_the_best_of_each_row_are_looked_at():
    """Two rows at once as one after the other: the rows do not compete with each other."""
    rng = np.random.default_rng(2)
    count1, count2 = rng.integers(500, RUNS, (2, 400)), rng.integers(0, 300, (2, 400))
    count1[1] //= 2

    both = promise(count1, count2, RUNS, 0.1, 0.0)

    assert both.tolist() == [promise(*row, RUNS, 0.1, 0.0).tolist() for row in zip(count1, count2, strict=True)]
    assert [np.count_nonzero(row) for row in both] == [100, 100]


def batch_of(values):
    """Outputs that are lists of two numbers, shape (runs, 2)."""
    kinds = np.full(values.shape, LeafKind.FLOAT, np.uint8)
    return Batch(len(values), (Group(Sequence("list", (2,), 2), np.arange(len(values)), kinds, values),), ())


def test_a_counter_goes_on_with_some_of_its_grids():
    """What it counted before is kept: as if those grids alone had been counted from the start."""
    rng = np.random.default_rng(3)
    first, second = (Element(Place((place,))) for place in (0, 1))
    numbers, values = NumberAxis(first, (-1.0, 0.0, 1.0)), ValueAxis(second, (number_key(0.0), number_key(1.0)))
    grids = (Grid((numbers,)), Grid((values,)), Grid((values, numbers)))
    texts = TextNumbers()
    batches = [
        batch_of(np.column_stack([rng.normal(size=500), rng.integers(0, 3, 500).astype(float)])) for _ in range(4)
    ]
    narrowed, fresh = CellCounter(grids, 2, texts), CellCounter((grids[0], grids[2]), 2, texts)

    for number, batch in enumerate(batches):
        if number == 2:
            narrowed = narrowed.of_grids([0, 2], [np.zeros(grids[0].size), np.zeros(grids[2].size)], 3)
        narrowed.add(number % 2, batch)
        fresh.add(number % 2, batch)

    for mine, wanted in zip(narrowed.counts(), fresh.counts(), strict=True):
        assert [one.tolist() for one in mine] == [one.tolist() for one in wanted]
    assert [int(one.sum()) for one in narrowed.counts()[0]] == [1_000, 1_000]


def test_the_leading_grids_are_those_of_the_best_events():
    """In the order in which the tally has them."""
    axes = [NumberAxis(Element(Place((place,))), (0.0,)) for place in range(3)]
    tally = Tally(tuple(Grid((axis,)) for axis in axes), (), 0)
    scores = np.array([0.0, 3.0, 1.0, 1.0, -1.0, 2.0])

    assert [part.tolist() for part in tally.by_grid(scores)] == [[0.0, 3.0], [1.0, 1.0], [-1.0, 2.0]]
    assert tally.leading(tally.by_grid(scores), 2) == [0, 2]
    assert tally.leading(tally.by_grid(scores), 5) == [0, 1, 2]


@pytest.mark.parametrize("seed", range(6))
def test_the_thresholds_of_the_best_events_are_counted_further(seed):
    """The events that are left have the counts that they had, and the best ones are among them."""
    rng = np.random.default_rng(seed)
    first, second = (Element(Place((place,))) for place in (0, 1))
    numbers, others = NumberAxis(first, tuple(np.linspace(-2, 2, 9))), NumberAxis(second, (-1.0, 0.0, 1.0))
    values = ValueAxis(second, (number_key(0.0), number_key(1.0)))
    grids = (Grid((numbers,)), Grid((values, numbers)), Grid((numbers, others)))
    counter = CellCounter(grids, 2, TextNumbers())
    for side in (0, 1):
        counter.add(side, batch_of(np.column_stack([rng.normal(size=900), rng.integers(-1, 3, 900).astype(float)])))
    totals = [grid.totals(counts) for grid, counts in zip(grids, counter.counts()[1], strict=True)]
    scores = [rng.normal(size=grid.size) for grid in grids]

    few = counter.of_grids([0, 1, 2], scores, 4)

    for old, new, known, counts, own in zip(grids, few.grids, totals, few.counts()[1], scores, strict=True):
        before = {old.event(place): int(known[place]) for place in range(old.size)}
        after = {new.event(place): int(count) for place, count in enumerate(new.totals(counts))}
        assert after.items() <= before.items()
        assert old.event(int(own.argmax())) in after
        assert all(len(axis.thresholds) <= 4 for axis in new.axes if isinstance(axis, NumberAxis))
        assert any(axis in new.axes for axis in (values, others)) or old is grids[0]
