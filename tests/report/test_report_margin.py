"""The slack of a generated test: what keeps its claim passes, what breaks it fails; computed, not simulated."""

import math

import numpy as np
import pytest
from scipy.stats import binom

from dplint.report.margin import CHANCE, Odds, margin

BROKEN = [
    Odds(0.2, 0.0, 0.944, 0.0355),
    Odds(0.2, 0.0, 1.0, 0.0),
    Odds(0.7, 0.0, 0.303, 0.0895),
    Odds(0.7, 0.0, 0.0478, 0.0117),
    Odds(1.5, 0.0, 0.0175, 0.000936),
    Odds(1.5, 0.0, 0.05, 0.003),
    Odds(0.5, 0.1, 0.5, 0.1),
    Odds(0.7, 1e-5, 0.02, 0.003),
    Odds(4.0, 0.0, 0.5, 0.001),
]


def chance_of_failing(numbers, odds, p1, p2):
    """The probability that count1 exceeds what the test allows."""
    counts2 = np.arange(numbers.runs + 1)
    kappa = math.exp(odds.epsilon) + numbers.factor
    allowed = kappa * counts2 + odds.delta * numbers.runs + numbers.constant
    return float(binom.pmf(counts2, numbers.runs, p2) @ binom.sf(np.floor(allowed), numbers.runs, p1))


@pytest.mark.parametrize("odds", BROKEN, ids=str)
def test_a_claim_that_is_only_just_kept_fails_less_often_than_in_one_of_a_million_tests(odds):
    numbers = margin(odds, 200_000)
    most = (1 - odds.delta) / math.exp(odds.epsilon)
    worst = 0.0
    for p2 in [*np.geomspace(1e-6 * most, most, 60), *np.linspace(0, 1, 21)]:
        p1 = min(1.0, math.exp(odds.epsilon) * p2 + odds.delta)
        worst = max(worst, chance_of_failing(numbers, odds, p1, p2))
    assert worst < CHANCE
    assert worst > CHANCE**3, "a slack that is never nearly used would be a waste of runs"


@pytest.mark.parametrize("odds", BROKEN, ids=str)
def test_the_broken_claim_fails_nearly_always(odds):
    numbers = margin(odds, 200_000)
    assert numbers.deviations >= 5
    assert chance_of_failing(numbers, odds, odds.p1, odds.p2) > 1 - 1e-4


def test_few_runs_suffice_for_what_is_blatant_and_the_slack_is_a_plain_number():
    numbers = margin(Odds(0.2, 0.0, 0.944, 0.0355), 200_000)
    assert (numbers.runs, numbers.factor) == (1_000, 0.0)


@pytest.mark.parametrize("odds", [Odds(0.7, 0.0, 0.4, 0.2), Odds(0.7, 0.2, 0.39, 0.1), Odds(0.1, 0.0, 0.5, 0.4523)])
def test_what_keeps_its_claim_or_breaks_it_by_a_hair_has_no_test(odds):
    assert margin(odds, 200_000) is None


def test_the_runs_are_never_more_than_the_most():
    for most in range(9_000, 14_000, 250):
        numbers = margin(Odds(1.5, 0.0, 0.05175, 0.00275), most)
        assert numbers is None or numbers.runs <= most
