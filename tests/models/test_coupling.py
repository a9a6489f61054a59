"""Function and model beside each other, on traces made by hand, and simulated runs against closed forms."""

import math

import numpy as np
import pytest

from dplint.audit.models.learning import Model
from dplint.audit.procedure import Coupling, masked, suspicious_words
from dplint.events.conditions import Between, Event
from dplint.events.families.element import Element
from dplint.events.places import Place
from dplint.runner.batch import Batch, Group, Leaf, LeafKind, Sequence
from dplint.runner.client import Trace, TracedDraws
from dplint.runner.texts import TextNumbers
from dplint.statistics.coupled import Differences

ABOVE = Event((Between(Element(Place((0,))), 1.0, math.inf),))
PAIR = Sequence("list", (2,), 2)


def model(centre, jacobian, law="laplace", others=None):
    jacobian = np.array(jacobian, float)
    return Model(PAIR, np.array(centre, float), jacobian, (law,) * jacobian.shape[1], others or {})


def trace(outputs, draws, skeleton=PAIR):
    """draws: the numbers of each run, None where they are not known; all Laplace."""
    values = np.array(outputs, float)
    group = Group(
        skeleton, np.arange(len(values), dtype=np.int32), np.full(values.shape, LeafKind.FLOAT, np.uint8), values
    )
    known = [None if one is None else TracedDraws(("laplace",) * len(one), tuple(one)) for one in draws]
    return Trace(Batch(len(values), (group,), ()), tuple(known))


COUPLING = Coupling(model([0, 9], [[1], [0]]), model([0.5, 9], [[2], [0]]), ABOVE)


def test_simulated_shares_are_those_of_the_laws():
    """P(z >= 1) = e^-1 / 2, P(0.5 + 2 z >= 1) = e^-0.25 / 2; four standard errors."""
    made = COUPLING.simulated(400_000, np.random.SeedSequence(1), TextNumbers())

    assert made.count1 / made.runs == pytest.approx(math.exp(-1) / 2, abs=0.0025)
    assert made.count2 / made.runs == pytest.approx(math.exp(-0.25) / 2, abs=0.0032)


@pytest.mark.parametrize("first", [True, False])
def test_runs_that_differ_are_counted_and_what_is_not_known_speaks_for_the_claim(first):
    """The model says 2, 2, -2, -2, and nothing of the last four: no draws, two draws, draws of another law, no list."""
    scale, centre = (1, 0) if first else (2, 0.5)
    z = [(2 - centre) / scale, (2 - centre) / scale, (-2 - centre) / scale, (-2 - centre) / scale]
    outputs = [[2, 9], [0, 9], [2, 9], [-2, 9], [2, 9], [-2, 9], [-2, 9]]
    made = trace(outputs, [*([one] for one in z), None, [1.0, 1.0], None])

    differences, hits = COUPLING.compared(made, TextNumbers(), first=first)

    # One run in the event by the model alone, one by the function alone, and three that are not known.
    assert differences == (Differences(1, 1 + 3, 7) if first else Differences(1 + 3, 1, 7))
    assert hits == 3


def test_an_output_of_another_form_is_not_in_the_event():
    made = trace([[2.0]], [[2.0]], skeleton=Leaf())

    assert COUPLING.compared(made, TextNumbers(), first=True) == (Differences(0, 1, 1), 0)
    assert masked(ABOVE, made.batch, TextNumbers()).tolist() == [False]


@pytest.mark.parametrize(
    ("loss", "delta", "said"),
    [(1.02, 0.0, True), (1.02, 1e-3, False), (1.0 + 1e-9, 0.0, False), (math.inf, 0.0, False)],
)
def test_a_loss_that_no_event_shows_is_suspicious_unless_a_delta_allows_it(loss, delta, said):
    words = suspicious_words(loss, 1.0, delta)

    assert (words is not None) == said
    assert not said or "no violation: by a model of its noise the loss comes to 1.02" in words


def test_a_model_says_the_same_of_a_run_in_any_company():
    """Bit by bit, so that what is at the edge of an event in simulated runs is there in coupled ones."""
    rng = np.random.default_rng(5)
    mixed = model([1e6, 3], rng.normal(size=(2, 40)))
    z = rng.laplace(size=(40, 257))
    alone = [mixed.outputs([0, 1], np.ascontiguousarray(z[:, [run]])) for run in range(257)]

    assert (np.hstack(alone) == mixed.outputs([0, 1], z)).all()


def test_leaves_that_are_texts_are_what_they_are():
    texts = TextNumbers()
    named = model([math.nan, 0], [[0], [1]], others={0: (int(LeafKind.STRING), "pay")})
    above = Event((Between(Element(Place((1,))), 0.0, math.inf),))
    made = Coupling(named, named, above).simulated(10_000, np.random.SeedSequence(2), texts)

    assert made.count1 / 10_000 == pytest.approx(0.5, abs=0.025)


def test_given_noise_is_of_the_law_of_the_draws_where_the_model_is_in_the_event():
    """z >= 1 is Laplace noise of scale 1, moved by 1: a mean of 2 and a median of 1 + ln 2; five standard errors."""
    z = COUPLING.given(20_000, np.random.SeedSequence(1), TextNumbers())

    assert z.shape == (20_000, 1)
    assert z.min() >= 1
    assert z.mean() == pytest.approx(2, abs=5 / math.sqrt(20_000))
    assert np.median(z) == pytest.approx(1 + math.log(2), abs=5 / math.sqrt(20_000))


def test_noise_for_an_event_that_never_is_is_not_looked_for_for_ever():
    never = Coupling(COUPLING.first, COUPLING.second, Event((Between(Element(Place((0,))), 1e6, math.inf),)))

    assert never.given(1, np.random.SeedSequence(1), TextNumbers()) is None


def test_draws_that_an_event_does_not_hang_on_are_given_as_well():
    """Of two draws the second is in another number: it has its own law, whatever the first one is."""
    both = Coupling(model([0, 9], [[1, 0], [0, 1]]), model([0, 9], [[1, 0], [0, 1]]), ABOVE)

    z = both.given(20_000, np.random.SeedSequence(1), TextNumbers())

    assert z[:, 0].min() >= 1
    assert np.median(z[:, 1]) == pytest.approx(0, abs=5 / math.sqrt(20_000))
    assert np.abs(z[:, 1]).mean() == pytest.approx(1, abs=5 / math.sqrt(20_000))
    assert both.simulated(400_000, np.random.SeedSequence(1), TextNumbers()).count1 / 400_000 == pytest.approx(
        math.exp(-1) / 2, abs=0.0025
    )
