"""The most promising event of a pair, against scoring one event at a time with Python's numbers."""

import math

import numpy as np
import pytest

from dplint.audit.tally import Tally
from dplint.claims import Pair
from dplint.events.columns import number_key
from dplint.events.families.element import Element
from dplint.events.families.length import Length
from dplint.events.grids import Grid, NumberAxis, ValueAxis
from dplint.events.places import Place
from dplint_statdp.selection import best_event

RUNS = 400
PAIR = Pair([1.0], [2.0], "one above", 1)


def score_of(count1, count2, epsilon, delta):
    """The standard score of count1 thinned by e^-epsilon against count2, both out of RUNS; -inf for rare events."""
    if count1 + count2 < min(0.001 * RUNS * math.exp(epsilon), RUNS / 2):
        return -math.inf
    share1, share2 = max(count1 / RUNS - delta, 0) * math.exp(-epsilon), count2 / RUNS
    pooled = (share1 + share2) / 2 + 1 / RUNS
    return (share1 - share2) / math.sqrt(2 * pooled * max(1 - pooled, 1 / RUNS) / RUNS)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(("epsilon", "delta"), [(0.2, 0.0), (1.5, 0.05)])
def test_the_best_event_is_the_best_of_all_events(seed, epsilon, delta):
    """Over grids of one axis and of two: no event is worth more than the one that is chosen."""
    rng = np.random.default_rng(seed)
    numbers = NumberAxis(Element(Place((0,))), (-1.0, 0.0, 2.0))
    lengths = ValueAxis(Length(Place()), (number_key(1.0), number_key(2.0)))
    grids = (Grid((lengths,)), Grid((numbers,)), Grid((lengths, numbers)))
    counts = tuple(
        tuple(rng.multinomial(RUNS, rng.dirichlet(np.ones(math.prod(g.shape)))).reshape(g.shape) for g in grids)
        for _ in range(2)
    )

    best = best_event(Tally(grids, counts, RUNS), 0, PAIR, (0, 1), epsilon, delta)

    worths = {}
    for number, grid in enumerate(grids):
        for index in range(grid.size):
            one, two = (int(grid.totals(side[number])[index]) for side in counts)
            score = score_of(one, two, epsilon, delta)
            worths[grid.event(index)] = score * (1 - 0.02 * grid.event(index).complexity if score > 0 else 1)
    assert best.worth == pytest.approx(max(worths.values()), rel=1e-12)
    assert worths[best.event] == pytest.approx(best.worth, rel=1e-12)


def test_there_is_no_best_event_where_all_are_too_rare():
    """At epsilon 7 every event that does not fill half of its side is skipped; without grids there is none at all."""
    axis = ValueAxis(Element(Place()), (number_key(1.0),))
    counts = tuple((np.array([hits, RUNS - hits]),) for hits in (5, 0))

    assert best_event(Tally((Grid((axis,)),), counts, RUNS), 0, PAIR, (0, 1), 7.0, 0.0) is None
    assert best_event(Tally((), ((), ()), RUNS), 0, PAIR, (0, 1), 0.5, 0.0) is None
