"""Means that are exceeded, by bets: seldom wrongly, and not too late."""

import math

import numpy as np
import pytest
from scipy.stats import binom

from dplint.statistics.least_mean import LeastMean

MEANS = np.linspace(0.5, 0.99, 99)


def seen(numbers, level=0.05, means=MEANS, last=None):
    bets = LeastMean(means, level, last or len(numbers))
    for number in numbers:
        bets.see(float(number))
    return bets


@pytest.mark.parametrize("size", [1, 50])
def test_a_mean_that_is_not_exceeded_is_seldom_said_to_be(size):
    """Shares of right guesses with just this mean, looked at after each: wrong in 1 of 20 at most."""
    wrong = 0
    for seed in range(200):
        numbers = np.random.default_rng(seed).binomial(size, 0.7, 60) / size
        wrong += seen(numbers, means=np.array([0.7])).exceeded
    assert wrong <= binom.ppf(0.999, 200, 0.05)


def test_numbers_that_hang_together_do_not_matter():
    """All guesses of a step right, or all wrong: the share is 0 or 1, with mean 0.7."""
    wrong = 0
    for seed in range(200):
        numbers = np.random.default_rng(seed).random(100) < 0.7
        wrong += seen(numbers, means=np.array([0.7])).exceeded
    assert wrong <= binom.ppf(0.999, 200, 0.05)


def test_a_mean_that_is_less_is_exceeded():
    numbers = np.random.default_rng(1).random(3000) < 0.8
    found = seen(numbers).exceeded
    assert 0.76 < MEANS[found - 1] < 0.8


def test_the_first_number_wins_no_more_than_it_may():
    """Of a mean of 0.5, one number pays 1 + 0.9 / 0.5 * 0.5 = 1.9 at most."""
    assert seen([1.0], level=1 / 1.9 - 1e-6, means=np.array([0.5])).exceeded == 0
    assert seen([1.0] * 40, level=1e-3, means=np.array([0.5])).exceeded == 1


def test_what_was_once_won_is_kept():
    bets = seen([1.0] * 60 + [0.0] * 200, last=60)
    assert bets.exceeded > 0


def test_none_is_skipped():
    """No mean is said to be exceeded if one below is not."""
    bets = seen(np.random.default_rng(3).random(200) < 0.75)
    won = bets._won
    assert won[: bets.exceeded].all()
    assert not won[bets.exceeded]


@pytest.mark.parametrize("number", [-0.01, 1.01, math.nan])
def test_numbers_outside_are_refused(number):
    with pytest.raises(ValueError, match="is not in"):
        LeastMean(MEANS, 0.05, 10).see(number)
