"""Event families are found by themselves, and one file is all that a new one takes."""

import numpy as np
import pytest
from event_tools import batch_of, batch_of_rows, holds, promise

from dplint.events.counting import EventCounter
from dplint.events.families import families
from dplint.events.printed import PrintedEvent
from dplint.events.refining import Refining
from dplint.events.split_runs import SplitRuns, discover_grids
from dplint.runner.texts import TextNumbers
from tests.toy_family import toy

__all__ = ["toy"]


def outputs(side, runs, seed):
    """Whole numbers, evenly from 0 to 999, that are odd with probability 1/2 on D2 and 3/5 on D1.

    Half-lines and intervals of any length have nearly the same probability on both sides, and single values are rare.
    """
    rng = np.random.default_rng((seed, side))
    return 2 * rng.integers(0, 500, runs) + (rng.random(runs) < (0.6, 0.5)[side])


def test_each_family_is_found_and_has_a_place_in_the_order():
    found = families()

    names = "RaisedName TypeName Message Element Length Count Hamming Whole Summed Reaching Difference PairSum Together"
    of_machines = "SpecialNumber Multiple LastBits Digits Reached"
    assert [family.__name__ for family in found] == [*names.split(), *of_machines.split()]
    assert [family.__name__ for family in found if family.OF_MACHINES] == of_machines.split()
    assert len({family.ORDER for family in found}) == len(found)


@pytest.mark.usefixtures("toy")
def test_a_new_family_is_found_printed_read_back_and_counted():
    texts = TextNumbers()
    values = [float(value) for value in outputs(0, 300, 1)]
    grids = discover_grids([batch_of(values)], [], texts)
    odd, even = (
        next(
            e
            for grid in grids
            for e in map(grid.event, range(grid.size))
            if e.expression() == f"int(output) % 2 == {n}"
        )
        for n in (1, 0)
    )
    shown = [*values, 2.5, -3.7, "7", "seven", None, [1], float("nan"), float("inf")]
    counter = EventCounter([odd, even], len(shown), texts)
    for side, output in enumerate(shown):
        counter.add(side, batch_of([output]))

    expected = [int(value % 2) for value in values]
    assert counter.hits()[0] == [*expected, 0, 1, 1, 0, 0, 0, 0, 0]
    assert counter.hits()[1] == [*(1 - one for one in expected), 1, 0, 0, 0, 0, 0, 0, 0]
    assert counter.hits()[0][: len(values)] == holds(odd, values)
    assert [PrintedEvent(odd.expression()).holds(output) for output in shown] == [bool(n) for n in counter.hits()[0]]


@pytest.mark.usefixtures("toy")
def test_a_new_family_wins_where_only_it_can():
    """P1 = 0.6 and P2 = 0.5 against epsilon = 0.1: exp(0.1) * 0.5 = 0.553 < 0.6, by 47 standard errors of the runs."""
    batches = [[batch_of_rows(outputs(side, 60_000, 2)[:, None].astype(float))] for side in (0, 1)]

    (best, *_) = Refining(SplitRuns(*batches, TextNumbers())).events(promise(0.1))

    assert "% 2" in best.event.expression()
    assert best.count1 / best.runs == pytest.approx(0.6, abs=0.02)
    assert best.count2 / best.runs == pytest.approx(0.5, abs=0.02)


def test_without_it_nothing_wins():
    """The same runs, without the family."""
    batches = [[batch_of_rows(outputs(side, 60_000, 2)[:, None].astype(float))] for side in (0, 1)]

    assert Refining(SplitRuns(*batches, TextNumbers())).events(promise(0.1)) == []


def test_features_are_spelled_as_their_outputs_have_it_whatever_was_seen_before():
    """True and 1 are equal in Python, so that counts of them are equal features."""

    def spelled(outputs):
        grids = discover_grids([batch_of(outputs)], [], TextNumbers())
        return {axis.feature.expression for grid in grids for axis in grid.axes if "count" in axis.feature.expression}

    of_bools = {"list(output).count(False)", "list(output).count(True)"}
    of_numbers = {"list(output).count(0)", "list(output).count(1)"}
    found = [spelled([[one, zero], [zero, zero]] * 100) for one, zero in ((True, False), (1, 0), (True, False))]
    assert found == [of_bools, of_numbers, of_bools]
