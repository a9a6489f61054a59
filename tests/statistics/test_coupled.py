"""Bets on coupled runs, held against direct sums over outcomes, SciPy's binomial law and simulations of whole tests."""

import math
from functools import lru_cache
from itertools import product

import numpy as np
import pytest
from scipy.stats import binom

from dplint.statistics.coupled import (
    CAP,
    MISS,
    NONE,
    START,
    CoupledStake,
    Differences,
    Simulated,
    capped,
    coupled_interval,
    coupled_stake,
    log_coupled,
)

EPSILONS = np.array([0.1, 1.0, 3.0])
C = np.exp(EPSILONS)
HISTORIES = [NONE, Differences(0, 0, 50), Differences(0, 0, 5_000), Differences(3, 1, 400), Differences(40, 60, 300)]
MARGINS = [np.array([0.2, 0.02, -0.1]), np.array([0.7, 0.3, 1e-4]), np.array([0.9, 0.05, 0.01])]


def payoff(u, v, stake, margin, c):
    """What one pair of runs pays, by the definition."""
    return (1 + stake.size * (u - c * stake.pivot + margin)) * (1 - c * stake.size * (v - stake.pivot))


def counted(values):
    return Differences(sum(v > 0 for v in values), sum(v < 0 for v in values), len(values))


@pytest.mark.parametrize(("before", "margin"), list(product(HISTORIES, MARGINS)))
def test_a_block_pays_the_product_of_its_pairs_and_never_less_than_nothing(before, margin):
    stake = coupled_stake(before, before, margin, C)
    pairs = list(zip([0, 0, 1, -1, 0, 0, 1], [0, 1, 0, 0, 0, -1, -1], strict=True))
    expected = np.prod([payoff(u, v, stake, margin, C) for u, v in pairs], axis=0)
    one, two = (counted(side) for side in zip(*pairs, strict=True))

    assert np.exp(log_coupled(one, two, stake, margin, C)) == pytest.approx(expected, rel=1e-9)
    for u, v in product((-1, 0, 1), repeat=2):
        assert (1 + stake.size * (u - C * stake.pivot + margin) >= -1e-12).all()
        assert (1 - C * stake.size * (v - stake.pivot) >= -1e-12).all()
        assert (payoff(u, v, stake, margin, C) >= -1e-12).all()


@pytest.mark.parametrize(("before", "margin"), list(product(HISTORIES, MARGINS)))
def test_under_the_claim_no_pair_pays_more_than_one_on_average(before, margin):
    """Whatever function and model do: all laws of (U, V) on a grid whose means obey E[U] + margin <= c E[V]."""
    stake = coupled_stake(before, before, margin, C)
    tried = 0
    for less1, more1, less2, more2 in product(np.linspace(0, 1, 6), repeat=4):
        if less1 + more1 > 1 or less2 + more2 > 1:
            continue
        law1 = {1: more1, -1: less1, 0: 1 - more1 - less1}
        law2 = {1: more2, -1: less2, 0: 1 - more2 - less2}
        mean = sum(law1[u] * law2[v] * payoff(u, v, stake, margin, C) for u, v in product(law1, law2))
        allowed = more1 - less1 + margin <= C * (more2 - less2) + 1e-12
        assert (mean[allowed] <= 1 + 1e-12).all()
        tried += int(allowed.sum())
    assert tried > 100


def test_a_wrong_claim_pays_as_promised_if_nothing_differs():
    """ln(1 / alpha) c / margin pairs of runs, and a few for the first block, on which nothing is risked."""
    margin, c = np.array([0.02]), np.array([math.e])
    money, history = 0.0, NONE
    while money < math.log(1000):
        block = Differences(0, 0, 50)
        money += float(log_coupled(block, block, coupled_stake(history, history, margin, c), margin, c)[0])
        history = history.plus(block)

    assert history.runs < 1.2 * math.log(1000) * math.e / 0.02


def test_where_the_model_obeys_the_claim_nothing_is_risked():
    margin = np.array([0.0, -0.1, -1.0])
    stake = coupled_stake(Differences(0, 0, 1000), Differences(0, 0, 1000), margin, C)

    assert (stake.size == 0).all()
    assert (log_coupled(Differences(5, 0, 9), Differences(0, 5, 9), stake, margin, C) == 0).all()


def test_sides_of_unequal_numbers_of_runs_are_refused():
    stake = CoupledStake(np.array([0.1]), np.array([0.0]))
    with pytest.raises(ValueError, match="9 runs on D1 and 8 on D2"):
        log_coupled(Differences(0, 0, 9), Differences(0, 0, 8), stake, np.array([0.1]), np.array([2.0]))


@pytest.mark.parametrize("simulated", [Simulated(500_000, 180_000, 1_000_000), Simulated(3_000, 40, 10_000_000)])
def test_bounds_by_simulated_runs_fail_with_the_stated_probability(simulated):
    """By the binomial law at the bounds themselves; the other tail is symmetric."""
    assert binom.sf(simulated.count1 - 1, simulated.runs, simulated.low) == pytest.approx(MISS, rel=1e-3)
    assert binom.cdf(simulated.count2, simulated.runs, simulated.high) == pytest.approx(MISS, rel=1e-2)
    for epsilon in EPSILONS:
        expected = simulated.low - math.exp(epsilon) * simulated.high - 0.01
        assert simulated.margin(epsilon, 0.01) == pytest.approx(expected)


def test_bounds_at_the_ends():
    assert Simulated(0, 0, 1000).low == 0.0
    assert Simulated(1000, 1000, 1000).high == 1.0
    assert 0 < Simulated(0, 0, 1000).high < 0.04


def test_what_the_bounds_may_fail_by_is_paid_for():
    """At any time START E[money where they hold] + CAP P(they fail) is at most 1."""
    assert START + 2 * MISS * CAP <= 1 + 1e-15
    assert np.exp(capped(np.array([0.0, 5.0, 1e3]))) == pytest.approx([START, START * math.exp(5), CAP])


def test_limits_of_a_probability_hold_the_model_and_what_it_is_off():
    """Of 1,000 runs 20 are in the event by the function alone: about 0.32 instead of 0.3."""
    low, high = coupled_interval(300_000, 1_000_000, Differences(20, 0, 1_000), 0.01)
    exact_low, exact_high = coupled_interval(300_000, 1_000_000, Differences(0, 0, 1_000_000), 0.01)

    assert low < 0.3 < 0.32 < high < 0.35
    assert 0.298 < exact_low < 0.3 < exact_high < 0.302


@lru_cache(maxsize=100_000)
def staked(one, two, margin, c):
    return coupled_stake(one, two, np.array([margin]), np.array([c]))


def simulated_test(rng, law1, law2, margin, c, alpha=0.05, blocks=(50, 100, 200, 400)):
    """Whether a sequential test of a right claim rejects at the end of any block."""
    one = two = NONE
    money = 0.0
    for block in blocks:
        stake = staked(one, two, margin, c)
        made = [Differences(*rng.multinomial(block, law).tolist()[:2], block) for law in (law1, law2)]
        money += float(log_coupled(*made, stake, np.array([margin]), np.array([c]))[0])
        one, two = one.plus(made[0]), two.plus(made[1])
        if money >= -math.log(alpha):
            return True
    return False


WRONG_MODELS = {
    "seldom wrong on D1": ((0.0, 0.02), (0.0, 0.0), 0.02),
    "seldom wrong on D2": ((0.0, 0.0), (0.01, 0.0), 0.01 * math.e),
    "wrong on both": ((0.01, 0.06), (0.03, 0.01), 0.05 + 0.02 * math.e),
    "wrong half the time": ((0.1, 0.4), (0.0, 0.0), 0.3),
}
"""Probabilities of (function alone, model alone) on D1 and on D2, and the margin that makes the claim just right."""


def alarms(name, audits, seed):
    (law1, law2, margin) = WRONG_MODELS[name]
    assert law1[0] - law1[1] + margin == pytest.approx(math.e * (law2[0] - law2[1]))
    rng = np.random.default_rng(seed)
    laws = [(*law, 1 - sum(law)) for law in (law1, law2)]
    return sum(simulated_test(rng, *laws, margin, math.e) for _ in range(audits))


@pytest.mark.parametrize("name", WRONG_MODELS)
def test_a_wrong_model_alarms_no_more_often_than_alpha(name):
    """At 0.05 of 150 tests: 18 or more have probability 1e-4."""
    assert alarms(name, 150, 1) < 18


@pytest.mark.nightly
@pytest.mark.parametrize("name", WRONG_MODELS)
def test_nor_does_it_in_many_tests(name):
    """At 0.05 of 4,000: the standard error is 0.0034, five of them above are 270."""
    assert alarms(name, 4_000, 2) < 270
