"""Power: it agrees with audits that are played run by run, and it knows what cannot be found."""

import math

import numpy as np
import pytest

from dplint.statistics.betting import detectable_epsilon, detection_probability, stake

BLOCKS = (50, 100, 200, 400, 800)


def played(p1, p2, blocks, goal, epsilon, delta, screened, audits, seed):
    """The share of audits whose money reaches the goal; every run is drawn and paid on its own."""
    generator = np.random.default_rng(seed)
    c = math.exp(epsilon)
    seen1, seen2 = ((generator.random((audits, screened)) < p).sum(axis=1) for p in (p1, p2))
    runs, money, highest = screened, np.ones(audits), np.zeros(audits)
    for block in blocks:
        size, pivot = (part[:, None] for part in stake(seen1, seen2, runs, epsilon, delta))
        x, y = generator.random((audits, block)) < p1, generator.random((audits, block)) < p2
        money = money * np.prod((1 + size * (x - c * pivot - delta)) * (1 - c * size * (y - pivot)), axis=1)
        highest = np.maximum(highest, money)
        seen1, seen2, runs = seen1 + x.sum(axis=1), seen2 + y.sum(axis=1), runs + block
    return np.mean(highest >= goal)


@pytest.mark.parametrize(
    ("p1", "p2", "epsilon", "delta", "screened"),
    [(0.45, 0.2, 0.5, 0.0, 100), (0.05, 0.005, 0.7, 0.0, 300), (0.4, 0.15, 0.3, 0.1, 50), (0.03, 0.0, 1.0, 0.0, 0)],
)
def test_the_probability_is_that_of_audits_played_run_by_run(p1, p2, epsilon, delta, screened):
    """Within five standard errors of both simulations, whose seeds are fixed."""
    weight, alpha, audits = 0.1, 0.01, 2000
    share = played(p1, p2, BLOCKS, 1 / (weight * alpha), epsilon, delta, screened, audits, seed=11)

    probability = detection_probability(p1, p2, BLOCKS, weight, alpha, epsilon, delta, screened, simulations=4000)

    assert 0.05 < probability < 0.99
    assert abs(probability - share) < 5 * math.sqrt(0.25 / audits + 0.25 / 4000)


def test_what_is_detectable_is_found_as_often_as_promised_and_little_less_is_not():
    p1, weight, alpha, epsilon = 0.3, 0.1, 0.01, 0.5
    found = detectable_epsilon(p1, BLOCKS, weight, alpha, epsilon, 0.0, screened=100)

    def share(loss):
        return played(p1, p1 * math.exp(-loss), BLOCKS, 1 / (weight * alpha), epsilon, 0.0, 100, 2000, seed=12)

    assert found > epsilon
    assert share(found) > 0.95 - 5 * math.sqrt(0.95 * 0.05 / 2000)
    assert share(epsilon + 0.8 * (found - epsilon)) < 0.9


def test_more_runs_more_money_and_likelier_events_show_smaller_losses():
    def found(p1=0.2, blocks=BLOCKS, weight=0.1, alpha=0.01, probability=0.95):
        return detectable_epsilon(p1, blocks, weight, alpha, 0.5, 0.0, probability, screened=100)

    usual = found()

    assert found(blocks=(*BLOCKS, 1600, 3200)) < usual
    assert found(weight=1.0) < usual < found(alpha=0.0001)
    assert found(p1=0.4) < usual < found(p1=0.05)
    assert found(probability=0.5) < usual < found(probability=0.99)


def test_ten_times_the_runs_show_about_a_third_of_the_excess():
    """For small excesses the growth is quadratic; shrunk stakes and the steps of blocks leave some room."""
    blocks = [1000 * 2**k for k in range(7)]
    few = detectable_epsilon(0.3, blocks, 0.1, 0.001, 0.5, 0.0, screened=1000) - 0.5
    many = detectable_epsilon(0.3, [10 * block for block in blocks], 0.1, 0.001, 0.5, 0.0, screened=10_000) - 0.5

    assert many / few == pytest.approx(1 / math.sqrt(10), rel=0.15)


def test_some_events_show_no_loss_however_large():
    assert detectable_epsilon(0.001, BLOCKS, 0.1, 0.01, 0.5, 0.0, screened=100) == math.inf
    assert detectable_epsilon(0.3, [], 0.1, 0.01, 0.5, 0.0) == math.inf
    # Delta alone allows the event.
    assert detectable_epsilon(0.2, BLOCKS, 0.1, 0.01, 0.5, 0.2, screened=100) == math.inf
    assert detectable_epsilon(0.9, BLOCKS, 0.1, 0.01, 0.5, 0.2, screened=100) < 2


def test_the_same_question_has_the_same_answer():
    answers = {detectable_epsilon(0.2, BLOCKS, 0.1, 0.01, 0.5, 1e-4, screened=100) for _ in range(2)}

    assert len(answers) == 1


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"p1": 1.2}, "P1"),
        ({"weight": 0.0}, "weight"),
        ({"alpha": 1.0}, "alpha"),
        ({"probability": 1.0}, "probability"),
        ({"delta": 1.0}, "delta"),
        ({"screened": -1}, "screening"),
        ({"blocks": [10, 0]}, "blocks"),
    ],
)
def test_numbers_outside_their_range_are_named(wrong, message):
    right = {"p1": 0.2, "blocks": BLOCKS, "weight": 0.1, "alpha": 0.01, "epsilon_claimed": 0.5, "delta": 0.0}

    with pytest.raises(ValueError, match=message):
        detectable_epsilon(**(right | wrong))
