"""Pairs of the user's own neighbour function: a claim binds in both directions, in whichever one they are yielded."""

import math

import pytest

from dplint.audit.procedures import carry_out
from dplint.check.loading import Target, load_file
from dplint.claims import MOST_OWN_PAIRS, Pair
from dplint.config import Settings
from dplint.inputs.pairs import both_orders
from dplint.jobs import PictureJob
from dplint.outcomes import Distributions, NoViolation, Proved, Violation
from tests.audit.conftest import outcome_of, settings_with

SOURCE = """
import math

import numpy as np
from dplint import dp

class Book:
    def __init__(self, rows):
        self.rows = rows
    def __len__(self):
        return len(self.rows)

class Closed(Book):
    def __reduce__(self):
        raise TypeError("not to be copied")

def one_way():
    yield 0, 1

def objects():
    yield Book([1]), Book([1, 2])

def closed():
    yield Closed([1]), Closed([1, 2])

def both_ways():
    yield np.zeros(2), np.ones(2)
    yield np.ones(2), np.zeros(2)

def many():
    for number in range(1000):
        yield [number], [number + 1]

@dp(epsilon=1.0, neighbors=one_way)
def coin(rng, value):
    return rng.random() < (0.5 if value else 0.05)

@dp(epsilon=1.0, neighbors=one_way)
def noise_and_answer(rng, value):
    return (7 if value and rng.random() < 0.3 else 0), rng.laplace()

@dp(epsilon=1.0, neighbors=objects)
def of_objects(rng, book):
    return "two" if len(book) == 2 and rng.random() < 0.3 else "one"

@dp(epsilon=1.0, neighbors=closed)
def of_closed_objects(rng, book):
    return "two" if len(book) == 2 and rng.random() < 0.3 else "one"

@dp(epsilon=1.0, neighbors=both_ways)
def yielded_twice(rng, data):
    return float(data.sum()) + rng.laplace(scale=2.0)

@dp(epsilon=1.0, neighbors=one_way)
def right(rng, value):
    keep = math.e / (1 + math.e)
    return value if rng.random() < keep else 1 - value

@dp(epsilon=1.0, neighbors=many)
def of_many(rng, values):
    return float(np.sum(values)) + rng.laplace()
"""
WRONG = ["coin", "noise_and_answer", "of_objects", "of_closed_objects"]
"""Those that lose ln 10 or more, or without limit, of D2 against D1 as yielded, and less than 1 the other way round."""


@pytest.fixture(scope="module")
def mechanisms(tmp_path_factory):
    path = tmp_path_factory.mktemp("both_orders") / "mechanisms.py"
    path.write_text(SOURCE)
    return {one.mechanism.qualname: one for one in load_file(path, Settings()) if isinstance(one, Target)}


@pytest.mark.process
@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize("method", ["anytime", "statdp"])
def test_what_is_wrong_in_the_order_that_is_not_yielded(mechanisms, name, method):
    """The seed is fixed; and runs do refute a claim that is broken, on the turned pair."""
    found = outcome_of(mechanisms[name], method=method, max_runs=60_000, select_runs=5_000, test_runs=5_000)

    assert isinstance(found, Violation), found
    assert found.effort.pairs == 2
    witness, evidence = found.counterexample.witness, found.counterexample.evidence
    assert evidence.p1 > math.e * evidence.p2
    if isinstance(witness.d1, int):
        assert (witness.d1, witness.d2) == (1, 0)


@pytest.mark.process
def test_a_picture_of_the_turned_pair(mechanisms):
    """D1 of the counterexample is the second of the pair that is yielded: the event comes on its side alone."""
    violation = outcome_of(mechanisms["noise_and_answer"])
    job = PictureJob(
        mechanism=mechanisms["noise_and_answer"].mechanism,
        program=mechanisms["noise_and_answer"].program,
        settings=settings_with(),
        witness=violation.counterexample.witness,
        runs=2000,
    )

    found = carry_out(job, lambda *_: None)

    assert isinstance(found, Distributions), found
    bars = [*found.bars, *found.others]
    assert sum(bar.inside1 for bar in bars) > 300
    assert sum(bar.inside2 for bar in bars) < 300 / math.e


@pytest.mark.process
def test_pairs_that_are_yielded_in_both_orders_are_not_doubled(mechanisms):
    """Although the arrays of the second pair are others than those of the first."""
    found = outcome_of(mechanisms["yielded_twice"], max_runs=60_000)

    assert isinstance(found, NoViolation), found
    assert found.effort.pairs == 2


@pytest.mark.process
def test_a_proof_tells_the_pairs_as_they_are_yielded(mechanisms):
    found = outcome_of(mechanisms["right"], proof_seconds=20.0)

    assert isinstance(found, Proved), found
    assert found.scope.pairs == ((0, 1),)


@pytest.mark.process
def test_more_pairs_than_are_looked_at(mechanisms):
    found = outcome_of(mechanisms["of_many"], max_runs=2_000)

    assert found.effort.pairs == 2 * MOST_OWN_PAIRS
    assert any(f"the first {MOST_OWN_PAIRS} pairs of the claim" in note for note in found.effort.notes)


def test_both_orders_of_objects_and_of_data():
    def data(d1, d2, handle=None):
        return Pair(d1, d2, "custom", 1, handle)

    assert both_orders([data(0, 1)]) == [data(0, 1), data(1, 0)]
    assert both_orders([data(0, 1), data(1, 0)]) == [data(0, 1), data(1, 0)]
    assert both_orders([data(1, 1)]) == [data(1, 1)]
    # Objects that look alike are told apart by their numbers.
    shown = "Book()"
    assert both_orders([data(shown, shown, (0, 1))]) == [data(shown, shown, (0, 1)), data(shown, shown, (1, 0))]
    assert both_orders([data(0, 1, (0, 1)), data(1, 0, (1, 0))]) == [data(0, 1, (0, 1)), data(1, 0, (1, 0))]
    assert both_orders([data(0, 1, (0, 1)), data(1, 0, (2, 3))]) == [
        data(0, 1, (0, 1)), data(1, 0, (1, 0)), data(1, 0, (2, 3)), data(0, 1, (3, 2)),
    ]  # fmt: skip
