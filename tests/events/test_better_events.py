"""Better events from earlier runs: finer thresholds, products, and the halves that they are found and scored on."""

import math

import numpy as np
import pytest
from event_tools import batch_of, batch_of_rows, growth, holds, leaf_by_leaf, promise

from dplint.events.conditions import Between, Event
from dplint.events.families.element import Element
from dplint.events.places import Place
from dplint.events.refining import Refining
from dplint.events.split_runs import SplitRuns
from dplint.runner.texts import TextNumbers


def values_of(sample, side):
    """The first leaf of every output of a data value."""
    return np.concatenate([table.values[0][table.sides == side] for table in sample.tables])


def split_runs_of(outputs1, outputs2):
    return SplitRuns([batch_of(outputs1)], [batch_of(outputs2)], TextNumbers())


@pytest.mark.parametrize("runs", [2, 3, 10, 101])
def test_every_run_is_in_one_half(runs):
    """Each half gets as many; one run may be left over."""
    split_runs = split_runs_of(list(map(float, range(runs))), list(map(float, range(runs))))

    for side in (0, 1):
        search, held = values_of(split_runs.search, side).tolist(), values_of(split_runs.held_out, side).tolist()
        assert len(search) == len(held) == split_runs.search.runs == split_runs.held_out.runs == runs // 2
        assert len({*search, *held}) == runs // 2 * 2


def test_halves_have_all_shapes_in_proportion():
    """Also where runs are numbered shape by shape, in several batches, and more on one side than on the other."""
    outputs = [[1.0]] * 600 + [[1.0, 2.0]] * 300 + [[1.0, 2.0, 3.0]] * 100
    more = [batch_of(outputs), leaf_by_leaf(batch_of(outputs)), batch_of(outputs[::-1])]

    split_runs = SplitRuns([batch_of(outputs)], more, TextNumbers())

    for half in (split_runs.search, split_runs.held_out):
        for side in (0, 1):
            shares = [int((table.sides == side).sum()) / half.runs for table in half.tables]
            assert sorted(shares) == pytest.approx([0.1, 0.3, 0.6], abs=0.01)


def test_at_most_so_many_runs_are_used():
    """The rest is left out evenly."""
    numbers = [batch_of(list(map(float, range(1000))))]

    split_runs = SplitRuns(numbers, numbers, TextNumbers(), most=100)

    assert split_runs.search.runs == split_runs.held_out.runs == 50
    assert np.diff(np.sort(values_of(split_runs.search, 0))) == pytest.approx(20)


def test_one_run_is_too_few():
    with pytest.raises(ValueError, match="less than two runs"):
        split_runs_of([1.0], [1.0, 2.0])


def test_suggestions_are_counted_on_runs_that_are_held_out():
    """The counts are those of the half that was not searched, and of equal events the simplest is kept."""
    rng = np.random.default_rng(0)
    split_runs = SplitRuns(
        [batch_of_rows(rng.random((500, 1)))], [batch_of_rows(rng.random((500, 1)) ** 2)], TextNumbers()
    )
    feature = Element(Place((0,)))
    above = Event((Between(feature, 0.5, math.inf),))
    twice = Event((Between(feature, 0.5, math.inf), Between(feature, 0.2, math.inf)))

    (found,) = split_runs.suggestions([twice, above], promise(0.0), most=5)

    counts = [int((values_of(split_runs.held_out, side) >= 0.5).sum()) for side in (0, 1)]
    assert found.event == above
    assert (found.count1, found.count2, found.runs) == (*counts, 250)


def test_a_finer_threshold_is_found():
    """Laplace noise on 0 and 1: with scale b the best event ends within the data, and its growth is known."""
    rng = np.random.default_rng(1)
    scale, epsilon = 2.0, 0.35
    batches = [batch_of_rows(shift + rng.laplace(scale=scale, size=(60_000, 1))) for shift in (0.0, 1.0)]

    best = Refining(SplitRuns([batches[0]], [batches[1]], TextNumbers())).events(promise(epsilon))[0]

    def cdf(x):
        return 0.5 * math.exp(x / scale) if x < 0 else 1 - 0.5 * math.exp(-x / scale)

    optimum = max(growth(cdf(t), cdf(t - 1.0), epsilon) for t in np.linspace(-5, 5, 401))
    (condition,) = best.event.conditions
    true = [
        cdf(condition.high - shift) - (cdf(condition.low - shift) if condition.low > -9e9 else 0) for shift in (0, 1)
    ]
    assert growth(*true, epsilon) > 0.9 * optimum


def test_the_edge_of_the_noise_is_found():
    """Exponential noise is never negative: below the larger answer D2 has nothing. Both ends, both directions."""
    rng = np.random.default_rng(2)
    batches = [batch_of_rows(shift + rng.exponential(size=(20_000, 1))) for shift in (0.0, 0.1)]
    refining = Refining(SplitRuns([batches[0]], [batches[1]], TextNumbers()))
    mirrored = Refining(SplitRuns(*([batch_of_rows(-b.groups[0].values)] for b in batches), TextNumbers()))

    (edge,) = refining.events(promise(1.0), most=1)
    (other,) = mirrored.events(promise(1.0), most=1)

    assert edge.event.conditions[0].high == pytest.approx(0.1, abs=0.005)
    assert other.event.conditions[0].low == pytest.approx(-0.1, abs=0.005)
    assert edge.count2 == other.count2 == 0


def test_a_product_is_found():
    """On D1 a corner of the square is fuller. No condition alone tells as much, and no output may be too short."""
    rng = np.random.default_rng(3)

    def outputs(corner):
        points = rng.random((30_000, 3))
        moved = rng.random(30_000) < corner
        points[moved] = points[moved] * 0.2 + [0.0, 0.8, 0.4]
        return [p.tolist() if rng.random() < 0.9 else [] for p in points]

    (best,) = Refining(split_runs_of(outputs(0.05), outputs(0.0))).events(promise(1.0), most=1)

    fresh1, fresh2 = (np.mean(holds(best.event, outputs(corner))) for corner in (0.05, 0.0))
    # The corner: 0.9 (0.05 + 0.95 * 0.008) against 0.9 * 0.008.
    assert growth(fresh1, fresh2, 1.0) > 0.5 * growth(0.9 * (0.05 + 0.95 * 0.008), 0.9 * 0.008, 1.0)
    assert len(best.event.conditions) > 1


@pytest.mark.parametrize("outputs", [[1.0] * 50, [[]] * 50, [float("nan")] * 50, [None] * 50])
def test_nothing_comes_of_outputs_that_never_vary(outputs):
    assert Refining(split_runs_of(outputs, outputs)).events(promise(0.0)) == []


def test_numbers_at_the_ends_of_floats():
    """Spreads that overflow or underflow, infinities and NaN: thresholds stay floats, and events mean what they say."""
    rng = np.random.default_rng(5)
    for scale in (1e308, 5e-324, 1e-310):
        numbers = [n * scale for n in rng.integers(-9, 10, 400).tolist()] + [1e10, math.inf, -math.inf, math.nan] * 10
        texts = TextNumbers()
        found = Refining(SplitRuns([batch_of(numbers)], [batch_of(numbers[::2])], texts)).events(
            lambda a, b, n: a + 0.5
        )
        assert found
        assert all(math.isfinite(suggestion.score) for suggestion in found)
        assert all(sum(holds(suggestion.event, numbers)) >= suggestion.count1 for suggestion in found)


def test_many_shapes():
    """Lists of 0 to 30 numbers, of which some are in few outputs only."""
    rng = np.random.default_rng(6)
    one, two = ([rng.normal(size=int(n)).tolist() for n in rng.geometric(p, 3_000) - 1] for p in (0.2, 0.3))

    (best,) = Refining(split_runs_of(one, two)).events(promise(0.0), most=1)

    assert best.score > 0


def test_the_same_runs_give_the_same_events():
    rng = np.random.default_rng(7)
    batches = [batch_of_rows(rng.normal(size=(2_000, 3))) for _ in range(2)]

    found = [Refining(SplitRuns([batches[0]], [batches[1]], TextNumbers())).events(promise(-0.2)) for _ in range(2)]

    assert found[0]
    assert found[0] == found[1]
