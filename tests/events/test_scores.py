"""Scores and the features that they are made of mean what their printed Python says."""

import numpy as np
import pytest
from event_tools import OUTPUTS, batch_of, holds
from hypothesis import given
from hypothesis import strategies as st

from dplint.events.columns import number_key
from dplint.events.conditions import Between, Equals, Event, ScoreAbove, Slope, Vote
from dplint.events.counting import EventCounter
from dplint.events.families.difference import Difference
from dplint.events.families.element import Element
from dplint.events.families.length import Length
from dplint.events.families.reaching import Reaching
from dplint.events.places import Place
from dplint.events.split_runs import candidates
from dplint.events.table_values import tables_of
from dplint.program.parsing import parse
from dplint.runner.texts import TextNumbers
from tests.examples import examples


def hits(events, outputs, texts):
    """Which events hold for each output, as counted: one row for each event."""
    counter = EventCounter(events, len(outputs), texts)
    for side, output in enumerate(outputs):
        counter.add(side, batch_of([output]))
    return counter.hits()


def terms_of(described):
    """Votes and slopes on all features that these outputs have, with weights that tell them apart."""
    conditions = [
        condition
        for item in described
        for axis in item.axes
        for condition in map(axis.condition, range(0, axis.size, 3))
    ]
    votes = [Vote(1 + number % 7 if number % 3 else -2, one) for number, one in enumerate(conditions)]
    features = [item.feature for item in described]
    slopes = [Slope(0.1 + n, f) for n, f in enumerate(features) if isinstance(f, Element | Reaching)]
    return votes, slopes


def check(outputs):
    """Scores of votes, of slopes and of both, cut where about half of the outputs reach."""
    texts = TextNumbers()
    described = candidates(tables_of([batch_of(outputs)], texts, len(outputs)), texts)
    votes, slopes = terms_of(described)
    scores = [votes[i : i + 25] for i in range(0, len(votes), 25)]
    scores += [[*slopes[:1], *slopes[i : i + 4]] for i in range(0, len(slopes), 4)]
    scores += [[*votes[:3], *slopes[:3], *votes[3:5]]]
    events = [Event((ScoreAbove(tuple(terms), cut),)) for terms in scores if terms for cut in (1.0, 4.0, -0.3)]
    events += [Event((term.condition,)) for term in votes]
    assert dict(zip([e.expression() for e in events], hits(events, outputs, texts), strict=True)) == {
        event.expression(): holds(event, outputs) for event in events
    }
    return events


@examples(120)
@given(st.lists(OUTPUTS, min_size=2, max_size=25))
def test_whatever_comes(outputs):
    """Mixed kinds, shapes that vary, NaN, infinity, None, texts, nesting: mask and expression agree."""
    check(outputs)


def sequences(seed, lengths, draw, n=200):
    rng = np.random.default_rng(seed)
    return [draw(rng, int(length)) for length in rng.choice(lengths, n)]


@pytest.mark.parametrize(
    "outputs",
    [
        sequences(0, [4], lambda rng, n: rng.laplace(size=n).cumsum().tolist()),
        sequences(1, [0, 1, 2, 5], lambda rng, n: rng.normal(size=n).tolist()),
        sequences(2, [3], lambda rng, n: (int(rng.integers(3)), rng.normal(size=n).tolist())),
        sequences(3, [4], lambda rng, n: [int(x) for x in rng.geometric(0.02, n)]),
        sequences(4, [1, 3], lambda rng, n: [False] * (n - 1) + [float(rng.normal())]),
        sequences(5, [3], lambda rng, n: rng.normal(size=n).astype(np.float32)),
        sequences(6, [3], lambda rng, n: rng.integers(0, 256, n).astype(np.uint8)),
        sequences(7, [3], lambda rng, n: rng.random(n) < 0.5),
        sequences(8, [3], lambda rng, n: [*rng.normal(size=n).tolist(), None if rng.random() < 0.5 else 1e308]),
        sequences(9, [2], lambda rng, n: list(rng.normal(size=n))),
        sequences(10, [3], lambda rng, n: set(rng.integers(0, 1000, n).tolist())),
    ],
    ids=[
        "sums",
        "lengths",
        "nested",
        "integers",
        "sparse",
        "float32",
        "uint8",
        "bools",
        "none",
        "numpy scalars",
        "sets",
    ],
)
def test_sequences(outputs):
    """Differences, steps and counts of elements; NumPy's elements, whose own arithmetic is another, as well."""
    events = check(outputs)

    assert any(len(event.features) > 1 for event in events)


def test_differences_and_steps_are_looked_at_where_numbers_are_many():
    """Each step of running sums, as difference and as count; not so among a few usual values."""
    sums = sequences(0, [3], lambda rng, n: rng.laplace(size=n).cumsum().tolist())
    bits = sequences(0, [3], lambda rng, n: rng.integers(0, 2, n).tolist())

    def features(outputs):
        texts = TextNumbers()
        return [item.feature for item in candidates(tables_of([batch_of(outputs)], texts, 200), texts)]

    found = {feature.expression for feature in features(sums)}
    assert {"output[1] - output[0]", "output[2] - output[1]"} <= found
    assert any(text.startswith("sum(b - a >= ") for text in found)
    assert not any(isinstance(feature, Difference | Reaching) for feature in features(bits))


def test_a_score_reads_like_a_sum():
    """Votes in brackets, signs as one writes them, guards inside."""
    inside = (parse("len(output) > 1", frozenset(["output"])),)
    score = ScoreAbove(
        (
            Vote(3, Between(Element(Place((0,))), 0.5, np.inf)),
            Vote(-1, Equals(Element(Place((1,)), inside), number_key(1.0, boolean=True))),
            Slope(-0.25, Element(Place((1,)), inside)),
            Slope(2.0, Reaching(Place(()), threshold=1.5)),
        ),
        2.0,
    )

    assert Event((score,)).expression() == (
        "3 * (output[0] >= 0.5) - 1 * (len(output) > 1 and output[1] == True)"
        " + (-0.25 * float(output[1]) if len(output) > 1 else 0) + 2 * sum(x >= 1.5 for x in output) >= 2"
    )


def test_a_score_is_harder_to_take_in_than_any_product():
    """So that a plain event is preferred wherever it does as well."""
    hardest = Between(Reaching(Place(()), threshold=1.0, steps=True), 1.0, 2.0)
    score = ScoreAbove((Vote(1, Between(Length(Place(())), 1.0, np.inf)),), 1.0)

    assert Event((score,)).complexity > Event((hardest,)).complexity
