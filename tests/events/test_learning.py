"""Learnt events: how near they come to the likelihood ratio, and that they mean what they say."""

import numpy as np
import pytest
from event_tools import batch_of, batch_of_rows, growth, holds, promise

from dplint.events.conditions import Event, ScoreAbove
from dplint.events.counting import EventCounter
from dplint.events.learning import learn
from dplint.events.refining import cut
from dplint.events.split_runs import SplitRuns
from dplint.runner.texts import TextNumbers

FRESH = 200_000


def optimum(ratio1, ratio2, epsilon):
    """The growth of the best half-line of the true likelihood ratio, from its values on fresh runs of D1 and D2.

    By Neyman and Pearson no event of any kind does better, up to the error of this sample.
    """
    cuts = np.quantile(ratio2, np.linspace(0.5, 0.9995, 200))
    return max(growth(float(np.mean(ratio1 >= c)), float(np.mean(ratio2 >= c)), epsilon) for c in cuts)


def achieved(draw, runs, epsilon, seed):
    """The growth of the best learnt event on fresh runs, and the event; draw(side, rng, runs) makes rows."""
    texts = TextNumbers()
    rng = np.random.default_rng(seed)
    batches = [[batch_of_rows(draw(side, rng, runs))] for side in (0, 1)]
    split_runs = SplitRuns(*batches, texts)
    found = cut(learn(split_runs), split_runs, promise(epsilon))
    if not found:
        return 0.0, None
    counter = EventCounter([found[0].event], 2, texts)
    for side in (0, 1):
        counter.add(side, batch_of_rows(draw(side, rng, FRESH)))
    hits = [count / FRESH for count in counter.hits()[0]]
    return growth(*hits, epsilon), found[0].event


def laplace(side, rng, runs):
    """Eight answers, all higher by one on D2."""
    return side + rng.laplace(scale=8.0, size=(runs, 8))


@pytest.mark.process
def test_many_small_differences():
    """Laplace noise on every one of eight answers: the likelihood ratio needs them all."""
    ratios = [
        (np.abs(rows - 1.0) - np.abs(rows)).sum(axis=1)
        for rows in (laplace(side, np.random.default_rng(9), FRESH) for side in (0, 1))
    ]
    best = optimum(*ratios, 0.5)

    found, event = achieved(laplace, 20_000, 0.5, seed=0)

    assert found > 0.5 * best
    assert isinstance(event.conditions[0], ScoreAbove)


def test_running_sums():
    """The sums of such answers: their steps tell, not the sums themselves."""
    ratios = [
        (np.abs(rows - 1.0) - np.abs(rows)).sum(axis=1)
        for rows in (laplace(side, np.random.default_rng(9), FRESH) for side in (0, 1))
    ]

    found, event = achieved(lambda *a: laplace(*a).cumsum(axis=1), 20_000, 0.5, seed=0)

    assert found > 0.5 * optimum(*ratios, 0.5)
    assert "b - a" in event.expression() or "output[1] - output[0]" in event.expression()


def test_gaussian_noise():
    """The likelihood ratio is linear in the answers, each with its own weight."""
    shifts, spread = np.array([0.0, 1.0, -1.0, 2.0]), 4.0

    def draw(side, rng, runs):
        return side * shifts + rng.normal(scale=spread, size=(runs, 4))

    rng = np.random.default_rng(9)
    ratios = [-draw(side, rng, FRESH) @ shifts for side in (0, 1)]

    found, _ = achieved(draw, 20_000, 0.5, seed=1)

    assert found > 0.7 * optimum(*ratios, 0.5)


def test_bits():
    """Five of twelve bits differ, under randomised response; the best event counts them."""
    keep = 0.6

    def draw(side, rng, runs):
        truth = np.zeros(12)
        truth[:5] = side
        return np.abs(truth - (rng.random((runs, 12)) >= keep))

    rng = np.random.default_rng(9)
    ratios = [-draw(side, rng, FRESH)[:, :5].sum(axis=1) for side in (0, 1)]

    found, event = achieved(draw, 10_000, 1.0, seed=0)

    assert found > 0.8 * optimum(*ratios, 1.0)
    assert {feature.expression for feature in event.features} >= {f"output[{i}]" for i in range(5)}


def mixtures(seed, runs, shift):
    """What mechanisms return: lists that end early with a number, pairs of an index and a value, exceptions."""
    rng = np.random.default_rng(seed)
    outputs = []
    for length, kind in zip(rng.geometric(0.3 + shift / 10, runs), rng.integers(0, 8, runs), strict=True):
        number = float(rng.laplace(shift))
        if kind == 0:
            outputs.append(ValueError("too small") if number < 0 else None)
        elif kind == 1:
            outputs.append((int(rng.integers(3)), number))
        else:
            outputs.append([False] * int(length - 1) + [number])
    return outputs


@pytest.mark.parametrize(
    "outputs",
    [
        lambda seed, shift: mixtures(seed, 2_000, shift),
        lambda seed, shift: [
            row.tolist() for row in np.random.default_rng(seed).random((2_000, 10)) < 0.5 - shift / 10
        ],
        lambda seed, shift: list((shift + np.random.default_rng(seed).laplace(size=(2_000, 6))).cumsum(axis=1)),
        lambda seed, shift: [
            (row[0], row[1:].tolist()) for row in shift + np.random.default_rng(seed).laplace(size=(2_000, 4))
        ],
    ],
    ids=["mixtures", "bools", "arrays", "nested"],
)
def test_learnt_events_mean_what_they_say(outputs):
    """For every score at several thresholds, the printed Python holds for the outputs that are counted."""
    one, two = outputs(0, 0.0), outputs(1, 1.0)
    texts = TextNumbers()
    split_runs = SplitRuns([batch_of(one)], [batch_of(two)], texts)
    learnt = learn(split_runs)
    suggested = [s.event for s in cut(learnt, split_runs, promise(0.1))]
    models = [scores[number] for scores in learnt for number in {0, len(scores) - 1}]
    events = [*suggested, *(Event((ScoreAbove(score.terms, t),)) for score in models for t in (-1.0, 0.25, 3.0))]
    shown = (one + two)[::7]

    counter = EventCounter(events, len(shown), texts)
    for side, output in enumerate(shown):
        counter.add(side, batch_of([output]))

    assert suggested
    for event, hits in zip(events, counter.hits(), strict=True):
        assert hits == holds(event, shown), event.expression()


def test_the_same_seed_learns_the_same():
    def once():
        rng = np.random.default_rng(0)
        split_runs = SplitRuns(*([batch_of_rows(laplace(side, rng, 3_000))] for side in (0, 1)), TextNumbers())
        return learn(split_runs)

    assert once() == once()


@pytest.mark.parametrize(
    "outputs", [[1.0] * 40, [[]] * 40, [0.5, 1.5], [float("nan"), float("inf"), 1e308, -1e308] * 20]
)
def test_little_to_learn_from(outputs):
    """Outputs that never vary, two runs, the ends of floats: no events, and no error."""
    split_runs = SplitRuns([batch_of(outputs)], [batch_of(outputs)], TextNumbers())

    assert cut(learn(split_runs), split_runs, promise(0.0)) == []
