"""Bets: what they pay, that the stake grows fastest, and the numbers at the edges."""

import math
import warnings

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.special import rel_entr

from dplint.statistics.betting import (
    Stake,
    epsilon_grid,
    growth,
    log_mean,
    log_wealth,
    lower_bound,
    optimal_stake,
    stake,
)

CLAIMED = 0.1
PUBLISHED = [
    ("NoisyHist2", 0.9963, 0.0030, 0.64),
    ("SVT5", 0.0488, 1e-15, 0.0314),
    ("PrefixSum", 0.4185, 0.3015, 0.0071),
    ("RNM4", 0.0181, 0.0131, 2.0e-4),
    ("SVT6", 0.0795, 0.0653, 1.8e-4),
    ("RNM3", 0.0397, 0.0313, 1.7e-4),
    ("TruncGeom", 0.5294, 0.4706, 7.9e-5),
    ("SVT4", 0.0332, 0.0284, 2.6e-5),
]
"""Events of known violations: both probabilities and the best growth of the payoff 1 + stake (X - c Y), all rounded."""


def divergence(q1, q2, t1, t2):
    """Kullback-Leibler divergence of two independent Bernoulli variables."""
    return rel_entr(q1, t1) + rel_entr(1 - q1, 1 - t1) + rel_entr(q2, t2) + rel_entr(1 - q2, 1 - t2)


def paired_growth(p1, p2, size, c, delta):
    """Expected ln of 1 + size (X - c Y - delta) for independent X and Y."""
    outcomes = [(x, y) for x in (0, 1) for y in (0, 1)]
    return sum(
        (p1 if x else 1 - p1) * (p2 if y else 1 - p2) * np.log1p(size * (x - c * y - delta)) for x, y in outcomes
    )


def test_a_block_pays_the_product_over_its_runs():
    """Whatever the order and the partners of the runs."""
    epsilon, delta, size, pivot = 0.5, 0.1, 0.6, 0.3
    generator = np.random.default_rng(2)
    x, y = generator.random(50) < 0.6, generator.random(50) < 0.2
    c = math.exp(epsilon)

    product = np.prod((1 + size * (x - c * pivot - delta)) * (1 - c * size * (y - pivot)))

    block = log_wealth(x.sum(), y.sum(), 50, Stake(np.array(size), np.array(pivot)), epsilon, delta)
    assert block == pytest.approx(math.log(product), rel=1e-12)


@pytest.mark.parametrize("delta", [0.0, 1e-6, 0.05, 0.4])
@pytest.mark.parametrize("epsilon", [0.0, 0.1, 1.0, 4.0])
@pytest.mark.parametrize(("q1", "q2"), [(0.6, 0.01), (0.95, 0.3), (0.5, 0.45), (0.9999, 1e-5), (0.02, 1e-4)])
def test_the_stake_grows_like_the_likelihood_ratio_to_the_closest_point_of_the_claim(q1, q2, epsilon, delta):
    """The divergence is minimised by another routine, over the edge of the claim."""
    c = math.exp(epsilon)
    rate = float(growth(q1, q2, optimal_stake(q1, q2, epsilon, delta), epsilon, delta))
    if q1 <= c * q2 + delta:
        assert rate == 0.0
        return
    closest = minimize_scalar(
        lambda t: divergence(q1, q2, c * t + delta, t),
        bounds=(q2, (q1 - delta) / c),
        method="bounded",
        options={"xatol": 1e-14},
    )

    assert 0.96 * closest.fun <= rate <= closest.fun * (1 + 1e-6)


@pytest.mark.parametrize(("name", "p1", "p2", "published"), PUBLISHED)
def test_it_grows_at_least_as_fast_as_the_payoff_that_pairs_runs(name, p1, p2, published):
    c = math.exp(CLAIMED)
    best = minimize_scalar(lambda size: -paired_growth(p1, p2, size, c, 0.0), bounds=(0, 1 / c), method="bounded")
    rate = float(growth(p1, p2, optimal_stake(p1, p2, CLAIMED, 0.0), CLAIMED, 0.0))

    # The published rate belongs to probabilities that are not rounded.
    assert -best.fun == pytest.approx(published, rel=0.06)
    assert rate >= -best.fun


def test_without_overlap_it_grows_twice_as_fast_as_the_payoff_that_pairs_runs():
    """Epsilon 0, an event nearly certain on D1 and impossible on D2: ln 4 against ln 2 a pair of runs."""
    rate = float(growth(1 - 1e-9, 1e-9, optimal_stake(1 - 1e-9, 1e-9, 0.0, 0.0), 0.0, 0.0))

    assert rate == pytest.approx(2 * math.log(2), rel=1e-6)


def test_no_other_stake_grows_faster():
    q1, q2, epsilon, delta = 0.5, 0.2, 0.3, 0.02
    best = optimal_stake(q1, q2, epsilon, delta)
    rate = float(growth(q1, q2, best, epsilon, delta))
    for size in best.size * np.linspace(0.5, 1.5, 11):
        for pivot in best.pivot * np.linspace(0.7, 1.3, 11):
            assert growth(q1, q2, Stake(size, pivot), epsilon, delta) <= rate + 1e-9


def test_growth_and_blocks_agree():
    """A block with the expected counts pays its expected growth, also for ten thousand million runs."""
    placed = optimal_stake(0.3, 0.1, 0.5, 1e-3)
    for runs in (10, 10_000, 10**10):
        won = log_wealth(3 * runs // 10, runs // 10, runs, placed, 0.5, 1e-3)
        assert won == pytest.approx(runs * float(growth(0.3, 0.1, placed, 0.5, 1e-3)), rel=1e-12)


def test_stakes_are_bold_where_the_matter_is_clear_and_nothing_without_evidence():
    clear, best = stake(600_000, 200_000, 10**6, 0.5, 0.0), optimal_stake(0.6, 0.2, 0.5, 0.0)
    assert 0.99 * best.size < clear.size < best.size

    assert stake(0, 0, 0, 0.5, 0.0).size == 0
    assert stake(20, 20, 100, 0.0, 0.0).size == 0
    assert stake(20, 15, 100, 0.5, 0.0).size == 0
    assert 0 < stake(40, 20, 100, 0.5, 0.0).size < 0.7 * optimal_stake(0.4, 0.2, 0.5, 0.0).size


@pytest.mark.parametrize(
    ("epsilon", "delta", "share2"), [(0.0, 0.0, 0.5), (0.7, 0.0, 0.1), (0.7, 0.2, 0.3), (3.0, 0.1, 0.02)]
)
def test_at_two_standard_errors_half_is_staked(epsilon, delta, share2):
    """Close to the edge of the claim the score is X - c Y - delta on average, over the standard error of that."""
    runs, c = 10**8, math.exp(epsilon)
    share1 = c * share2 + delta
    error = math.sqrt((share1 * (1 - share1) + c * c * share2 * (1 - share2)) / runs)
    count1, count2 = round(runs * (share1 + 2 * error)), round(runs * share2)

    ratio = (
        stake(count1, count2, runs, epsilon, delta).size
        / optimal_stake(count1 / runs, count2 / runs, epsilon, delta).size
    )

    assert ratio == pytest.approx(0.5, rel=1e-3)


@pytest.mark.parametrize("delta", [0.0, 1e-12, 1e-5, 0.1, 0.5])
def test_numbers_stay_finite_at_the_edges(delta):
    """Counts of zero, of all runs, up to 10^10; epsilon from 0 to beyond what a double can hold. No warnings."""
    runs = np.array([1, 7, 1000, 10**6, 10**10])[:, None, None]
    shares = np.array([0.0, 1e-9, 0.01, 0.5, 0.99, 1.0])
    count1, count2 = (np.round(runs * share).astype(np.int64) for share in np.meshgrid(shares, shares))
    count1, count2 = count1[..., None], count2[..., None]
    runs = runs[..., None]
    epsilons = np.array([0.0, 0.005, 0.7, 5.0, 20.0, 300.0, 750.0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        placed = stake(count1, count2, runs, epsilons, delta)
        won = log_wealth(count1, count2, runs, placed, epsilons, delta)
        lost = log_wealth(count2, count1, runs, placed, epsilons, delta)

    assert placed.size.shape == won.shape == (5, 6, 6, 7)
    assert np.isfinite(placed.size).all()
    assert np.isfinite(won).all()
    assert np.isfinite(lost).all()
    # What was seen before comes again: nobody who stakes on it loses, but for rounding.
    assert (won >= -1e-6).all()


def test_both_factors_are_nonnegative_for_every_stake():
    generator = np.random.default_rng(3)
    runs = 10 ** generator.integers(0, 10, 20_000)
    count1, count2 = generator.integers(0, runs + 1), generator.integers(0, runs + 1)
    epsilon = generator.uniform(0, 20, 20_000)
    for delta in (0.0, 1e-6, 0.3):
        size, pivot = stake(count1, count2, runs, epsilon, delta)
        c = np.exp(epsilon)
        pivot1 = c * pivot + delta

        # The factors are smallest at X = 0 and at Y = 1.
        assert (size * pivot1 <= 1).all()
        assert (c * size * (1 - pivot) <= 1).all()
        assert ((pivot1 <= 1) | (size == 0)).all()


def test_bets_and_epsilons_broadcast():
    grid = epsilon_grid([0.7])
    count1, count2 = np.array([[400], [30]]), np.array([[100], [10]])

    placed = stake(count1, count2, 1000, grid, 0.0)
    money = log_wealth(count1, count2, 1000, placed, grid, 0.0)

    assert money.shape == (2, len(grid))
    alone = log_wealth(30, 10, 1000, stake(30, 10, 1000, grid[7], 0.0), grid[7], 0.0)
    assert money[1, 7] == pytest.approx(float(alone), rel=1e-12)


def test_the_mean_of_a_portfolio():
    weights, money = np.log([0.5, 0.25, 0.25]), np.log([[1.0, 4.0], [2.0, 8.0], [10.0, 1e300]])

    assert np.exp(log_mean(weights[:, None], money, 0)[0]) == pytest.approx(0.5 + 0.5 + 2.5)
    assert log_mean(weights, np.full(3, -np.inf)) == -np.inf
    assert log_mean(weights, np.array([5000.0, -np.inf, 0.0])) == pytest.approx(5000 + math.log(0.5))


def test_the_lower_bound_is_the_end_of_an_unbroken_range():
    grid, alpha = np.array([0.1, 0.2, 0.3, 0.4]), 0.01
    rich, poor = math.log(100.0), math.log(99.0)

    assert lower_bound(grid, np.array([rich, rich, poor, poor]), alpha) == 0.2
    assert lower_bound(grid, np.array([rich, rich, poor, rich]), alpha) == 0.2
    assert lower_bound(grid, np.array([poor, rich, rich, rich]), alpha) == 0.0
    assert lower_bound(grid, np.full(4, rich), alpha) == 0.4


def test_the_grid_has_every_claimed_value_and_small_steps():
    claimed = [0.7, 0.2, 1.0 / 3, 0.001, 25.0]
    grid = epsilon_grid(claimed)

    assert set(claimed) <= set(grid.tolist())
    assert (np.diff(grid) > 0).all()
    steps = np.diff(np.log(epsilon_grid([0.7])))
    assert steps.max() < 0.01
    near = grid[(grid >= 0.63) & (grid <= 0.7)]
    assert np.diff(np.log(near)).max() < 0.0021
    assert epsilon_grid([0.7])[0] == pytest.approx(0.005)
    assert epsilon_grid([0.7])[-1] == pytest.approx(20.0)


@pytest.mark.parametrize("claimed", [0.0, -1.0, math.inf, math.nan])
def test_a_claim_outside_the_positive_numbers_has_no_grid(claimed):
    with pytest.raises(ValueError, match="positive and finite"):
        epsilon_grid([0.7, claimed])
