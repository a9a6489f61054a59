"""Bounds from guesses of canaries, against what can be computed otherwise."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.stats import binom, norm

from dplint.statistics.one_run import (
    Guesses,
    chance,
    epsilon_of,
    guesses_planned,
    least_epsilon,
    least_mu,
    mu_of,
    refutes_mu,
)


def tail(made, right, accuracy):
    """That so many or more of independent guesses are right, term by term in rational numbers."""
    share = Fraction(accuracy)
    terms = (math.comb(made, i) * share**i * (1 - share) ** (made - i) for i in range(right, made + 1))
    return float(sum(terms))


@pytest.mark.parametrize(("made", "right"), [(20, 20), (20, 17), (60, 41), (7, 0)])
def test_without_a_delta_it_is_the_tail_of_a_binomial_law(made, right):
    """Randomised response of epsilon = log 3 is right three times in four, and no mechanism more often."""
    found = chance(Guesses(made, made, right), math.log(3.0), 0.0)
    assert found == pytest.approx(tail(made, right, 0.75), rel=1e-9)


@pytest.mark.parametrize("right", [1, 40, 70, 99, 100])
@pytest.mark.parametrize(("epsilon", "delta"), [(0.5, 0.01), (2.0, 1e-3), (0.0, 0.02)])
def test_what_reveals_all_now_and_then_is_allowed_for(right, epsilon, delta):
    """It keeps epsilon and delta, and has all guesses right together with probability delta, else like a coin each."""
    accuracy = 1 / (1 + math.exp(-epsilon))
    happens = delta + (1 - delta) * float(binom.sf(right - 1, 100, accuracy))
    assert chance(Guesses(100, 100, right), epsilon, delta) >= happens


@pytest.mark.parametrize(("epsilon", "delta"), [(0.5, 0.01), (1.5, 1e-3)])
def test_one_guess_is_right_no_more_often_than_a_delta_allows(epsilon, delta):
    """The most is (e**epsilon + delta) / (1 + e**epsilon); the theorem gives twice of what is due to delta."""
    extra = delta / (1 + math.exp(epsilon))
    found = chance(Guesses(1, 1, 1), epsilon, delta) - 1 / (1 + math.exp(-epsilon))
    assert found == pytest.approx(2 * extra, rel=1e-9)


def test_a_delta_counts_for_each_canary_that_nothing_is_guessed_of():
    few, many = (chance(Guesses(canaries, 50, 45), 1.0, 1e-4) for canaries in (50, 5000))
    without = chance(Guesses(50, 50, 45), 1.0, 0.0)
    assert many - without == pytest.approx(100 * (few - without), rel=1e-6)


@pytest.mark.parametrize(("made", "level"), [(20, 0.05), (100, 0.05), (100, 0.001)])
def test_the_bound_where_all_are_right(made, level):
    """The accuracy whose power is the level: (1 / (1 + e**-epsilon))**made = level."""
    accuracy = level ** (1 / made)
    expected = math.log(accuracy / (1 - accuracy))
    assert least_epsilon(Guesses(1000, made, made), 0.0, level) == pytest.approx(expected, abs=1e-4)


def test_nothing_is_known_of_guesses_as_good_as_coins():
    assert least_epsilon(Guesses(100, 100, 52), 0.0, 0.05) == 0.0
    assert least_mu(Guesses(100, 100, 52), 0.05) == 0.0
    assert least_mu(Guesses(100, 100, 0), 0.05) == 0.0


@pytest.mark.parametrize(("made", "right"), [(-1, -1), (3, 4), (11, 5)])
def test_guesses_that_cannot_be(made, right):
    with pytest.raises(ValueError, match="guesses right, of 10 canaries"):
        Guesses(10, made, right)


def most_likely(canaries, made, right, mu):
    """The largest probability of so many right guesses or more that the inequalities of the paper leave open.

    A linear program over the law of the number of right guesses; the curve, which is concave, stands in it by tangents
    in many points, so that it is never less than the truth, and by little more.
    """
    rows, bounds = [], []
    steps = np.concatenate([np.geomspace(1e-9, 0.5, 160), np.linspace(0.5, 0.999, 40)])
    values = norm.cdf(norm.ppf(steps) + mu)
    slopes = np.exp(-norm.ppf(steps) * mu - mu**2 / 2)
    number = np.arange(made + 1)
    for least in range(1, made + 1):
        above = np.where(number >= least, number, 0) / canaries
        below = np.where(number >= least - 1, made - number, 0) / canaries
        for at, value, slope in zip(steps, values, slopes, strict=True):
            rows.append(above - slope * below)
            bounds.append(value - slope * at)
    found = linprog(
        -(number >= right).astype(float), A_ub=rows, b_ub=bounds, A_eq=[np.ones(made + 1)], b_eq=[1.0], bounds=(0, 1)
    )
    assert found.success
    return -found.fun


@pytest.mark.parametrize(
    ("canaries", "made", "right", "mu"), [(12, 12, 11, 0.8), (12, 12, 9, 0.5), (30, 10, 10, 1.2), (30, 10, 9, 0.7)]
)
def test_the_recursion_for_normal_laws_is_the_best_that_the_inequalities_give(canaries, made, right, mu):
    most = most_likely(canaries, made, right, mu)
    guesses = Guesses(canaries, made, right)
    assert most < 1
    assert refutes_mu(guesses, mu, most * 1.01)
    assert not refutes_mu(guesses, mu, most * 0.97)


@pytest.mark.parametrize("mu", [0.3, 1.0, 2.5])
@pytest.mark.parametrize("made", [10, 40])
def test_independent_canaries_of_normal_laws_are_within_what_is_allowed(mu, made):
    """Each guess is right with probability Phi(mu / 2), so the tail is that of a binomial law."""
    accuracy = norm.cdf(mu / 2)
    for right in range(made + 1):
        happens = float(binom.sf(right - 1, made, accuracy))
        assert not refutes_mu(Guesses(made, made, right), mu, happens * 0.999)


def test_bounds_grow_with_what_is_right_and_shrink_with_the_level():
    bounds = [least_mu(Guesses(500, 100, right), 0.05) for right in (60, 80, 90, 99)]
    assert bounds == sorted(bounds)
    assert bounds[0] < bounds[-1]
    assert least_mu(Guesses(500, 100, 90), 0.001) < bounds[2]


@pytest.mark.parametrize(("mu", "delta"), [(1.0, 1e-5), (2.0, 1e-6)])
def test_epsilon_of_normal_laws(mu, delta):
    """Phi(mu / 2 - epsilon / mu) - e**epsilon * Phi(-mu / 2 - epsilon / mu) = delta there."""
    epsilon = epsilon_of(mu, delta)
    kept = norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * norm.cdf(-mu / 2 - epsilon / mu)
    assert kept == pytest.approx(delta, rel=1e-3)
    assert mu_of(epsilon, delta) == pytest.approx(mu, abs=1e-4)


def test_a_plan_guesses_of_the_surest_alone_and_in_pairs():
    made = guesses_planned(1000, 1.6, None, 0.05)
    assert made % 2 == 0
    assert 40 <= made <= 400
    assert guesses_planned(8, 1.6, 1e-5, 0.05) == 8


def test_seven_tenths_of_epsilon_come_back_from_twenty_thousand_canaries():
    """Scores of normal laws with what epsilon = 8 allows, which the guesses are made by."""
    mu, canaries, found = mu_of(8.0, 1e-5), 20_000, []
    made = guesses_planned(canaries, mu, None, 0.05)
    for seed in range(6):
        chance_of = np.random.default_rng(seed)
        inside = chance_of.integers(2, size=canaries)
        order = np.argsort(mu * inside + chance_of.standard_normal(canaries))
        right = int((1 - inside[order[: made // 2]]).sum() + inside[order[-(made // 2) :]].sum())
        found.append(epsilon_of(least_mu(Guesses(canaries, made, right), 0.05), 1e-5))
    assert max(found) < 8.0
    assert np.mean(found) > 0.7 * 8.0
