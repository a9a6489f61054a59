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
    Differences,
    Simulated,
    capped,
    coupled_interval,
    coupled_stake,
    least_given,
    log_coupled,
)

EPSILONS = np.array([0.1, 1.0, 3.0])
C = np.exp(EPSILONS)
HISTORIES = [NONE, Differences(0, 0, 50), Differences(0, 0, 5_000), Differences(3, 1, 400), Differences(40, 60, 300)]
MARGINS = [np.array([0.2, 0.02, -0.1]), np.array([0.7, 0.3, 1e-4]), np.array([0.9, 0.05, 0.01])]


RATIOS = [(1, 1), (1, 3), (3, 1), (4, 7)]
"""Runs on D1 and on D2."""


def factors(u, v, stake, margin, c):
    """What a run on D1 pays, and one on D2, by the definition."""
    return 1 + stake.size1 * (u - c * stake.pivot + margin), 1 - stake.size2 * (v - stake.pivot)


def counted(values):
    return Differences(sum(v > 0 for v in values), sum(v < 0 for v in values), len(values))


@pytest.mark.parametrize(("before", "margin"), list(product(HISTORIES, MARGINS)))
@pytest.mark.parametrize(("on_d1", "on_d2"), RATIOS)
def test_a_block_pays_the_product_of_its_runs_and_never_less_than_nothing(before, margin, on_d1, on_d2):
    stake = coupled_stake(before, before, margin, C, on_d1 / on_d2)
    us, vs = [0, 0, 1, -1, 0, 0, 1] * on_d1, [0, 1, 0, 0, 0, -1, -1] * on_d2
    paid = [factors(u, 0, stake, margin, C)[0] for u in us] + [factors(0, v, stake, margin, C)[1] for v in vs]

    got = np.exp(log_coupled(counted(us), counted(vs), stake, margin, C))
    assert got == pytest.approx(np.prod(paid, axis=0), rel=1e-9, abs=1e-300)
    for u, v in product((-1, 0, 1), repeat=2):
        assert all((one >= -1e-12).all() for one in factors(u, v, stake, margin, C))


def laws(most):
    """Laws of (U, V) on a grid, as means and laws of either: U is -most, 0 or, without given noise, 1."""
    shares = np.linspace(0, 1, 6)
    for less1, more1, less2, more2 in product(shares, shares if most == 1 else [0.0], shares, shares):
        if less1 + more1 <= 1 and less2 + more2 <= 1:
            law1 = {1: more1, -most: less1, 0: 1 - more1 - less1}
            yield more1 - most * less1, more2 - less2, law1, {1: more2, -1: less2, 0: 1 - more2 - less2}


@pytest.mark.parametrize("before", HISTORIES)
@pytest.mark.parametrize(("margin", "most"), [*((one, 1.0) for one in MARGINS), (np.array([0.2, 0.1, -0.1]), 0.21)])
@pytest.mark.parametrize(("on_d1", "on_d2"), RATIOS)
def test_under_the_claim_no_block_pays_more_than_one_on_average(before, margin, most, on_d1, on_d2):
    """Whatever function and model do: all laws of (U, V) on a grid whose means obey E[U] + margin <= c E[V]."""
    stake = coupled_stake(before, before, margin, C, on_d1 / on_d2, most)
    tried = 0
    for mean1, mean2, law1, law2 in laws(most):
        one = sum(law1[u] * factors(u, 0, stake, margin, C)[0] for u in law1)
        two = sum(law2[v] * factors(0, v, stake, margin, C)[1] for v in law2)
        allowed = mean1 + margin <= C * mean2 + 1e-12
        assert (one >= -1e-12).all()
        assert (two >= -1e-12).all()
        assert ((one**on_d1 * two**on_d2)[allowed] <= 1 + 1e-12).all()
        tried += int(allowed.sum())
    assert tried > 40


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

    assert (stake.size1 == 0).all()
    assert (log_coupled(Differences(5, 0, 9), Differences(0, 5, 9), stake, margin, C) == 0).all()


def test_a_stake_for_other_numbers_of_runs_is_refused():
    stake = coupled_stake(NONE, NONE, np.array([0.1]), np.array([2.0]))
    with pytest.raises(ValueError, match="not for 9 runs on D1 and 8 on D2"):
        log_coupled(Differences(0, 0, 9), Differences(0, 0, 8), stake, np.array([0.1]), np.array([2.0]))


def test_given_noise_takes_few_runs_on_d1():
    """An event of probability 0.1: ln(1 / alpha) c / margin runs on D2, and 0.1 / c times as many on D1."""
    margin, c, most = np.array([0.02]), np.array([math.e]), 0.1
    ratio = most / math.e
    money, one, two = 0.0, NONE, NONE
    while money < math.log(1000):
        runs = 100
        blocks = Differences(0, 0, math.ceil(ratio * runs)), Differences(0, 0, runs)
        stake = coupled_stake(one, two, margin, c, blocks[0].runs / runs, most)
        money += float(log_coupled(*blocks, stake, margin, c)[0])
        one, two = one.plus(blocks[0]), two.plus(blocks[1])

    assert two.runs < 1.3 * math.log(1000) * math.e / 0.02
    assert one.runs < 0.05 * two.runs


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
    low, high = coupled_interval(Simulated(300_000, 0, 1_000_000), 0, Differences(20, 0, 1_000), 0.01)
    exact_low, exact_high = coupled_interval(Simulated(300_000, 0, 1_000_000), 0, Differences(0, 0, 1_000_000), 0.01)

    assert low < 0.3 < 0.32 < high < 0.35
    assert 0.298 < exact_low < 0.3 < exact_high < 0.302


def test_a_limit_from_given_noise_is_below_what_the_function_has():
    """0.3 of the model, of which the function misses 20 in 1,000."""
    low = least_given(Simulated(300_000, 0, 1_000_000), Differences(0, 20, 1_000), 0.01)
    exact = least_given(Simulated(300_000, 0, 1_000_000), Differences(0, 0, 1_000_000), 0.01)

    assert 0.28 < low < 0.3 * 0.98
    assert 0.298 < exact < 0.3


def test_computed_probabilities_take_the_place_of_counts():
    known = Simulated(30, 11, 100, computed=((0.3, 0.31), (0.1, 0.12)))

    assert (known.low, known.high) == (0.3, 0.12)
    assert known.shares == pytest.approx((0.305, 0.11))
    assert known.margin(1.0, 0.05) == pytest.approx(0.3 - math.e * 0.12 - 0.05)
    assert coupled_interval(known, 1, Differences(0, 0, 1_000_000), 0.01) == pytest.approx((0.1, 0.12), abs=2e-5)
    assert least_given(known, Differences(0, 0, 1_000_000), 0.01) == pytest.approx(0.3, abs=2e-5)


@pytest.mark.parametrize(
    ("count1", "count2", "likely"),
    [(300_000, 100_000, True), (301_000, 99_000, True), (304_000, 100_000, False), (300_000, 97_000, False)],
)
def test_counts_that_computed_probabilities_do_not_expect_are_seen(count1, count2, likely):
    """Standard errors of a million runs: 458 and 300."""
    assert Simulated(count1, count2, 1_000_000, computed=((0.3, 0.3), (0.1, 0.1))).is_likely is likely


@lru_cache(maxsize=100_000)
def staked(one, two, margin, c, ratio=1.0, most=1.0):
    return coupled_stake(one, two, np.array([margin]), np.array([c]), ratio, most)


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


def given_noise_alarms(audits, seed, *, most=0.3, missed=0.2, blocks=((10, 50), (20, 100), (40, 200), (80, 400))):
    """Tests that reject a claim that is just right: the function is not in the event in a share of the model's runs."""
    rng = np.random.default_rng(seed)
    margin, found = most * missed, 0
    for _ in range(audits):
        one = two = NONE
        money = 0.0
        for on_d1, on_d2 in blocks:
            stake = staked(one, two, margin, math.e, on_d1 / on_d2, most)
            made = Differences(0, int(rng.binomial(on_d1, missed)), on_d1), Differences(0, 0, on_d2)
            money += float(log_coupled(*made, stake, np.array([margin]), np.array([math.e]))[0])
            one, two = one.plus(made[0]), two.plus(made[1])
            if money >= -math.log(0.05):
                found += 1
                break
    return found


def test_given_noise_alarms_no_more_often_than_alpha():
    """At 0.05 of 300 tests: 30 or more have probability 3e-4."""
    assert given_noise_alarms(300, 3) < 30
