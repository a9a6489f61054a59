"""Bets against true claims: the mean of small blocks, summed exactly, and the false alarms of long audits, counted."""

import math
from itertools import product

import numpy as np
import pytest
from scipy.stats import binom

from dplint.statistics.betting import Stake, log_mean, log_wealth, lower_bound, stake

ALPHA = 0.05
EDGES = [(0.0, 0.0), (0.0, 0.2), (0.1, 0.0), (0.7, 0.01), (1.5, 0.0), (1.5, 0.3), (6.0, 0.0), (20.0, 1e-9)]
"""Values of epsilon and delta."""


def edge(epsilon, delta):
    """Probabilities on D2 and, on D1, the largest that the claim allows."""
    highest = (1 - delta) * math.exp(-epsilon)
    p2 = highest * np.array([0.0, 1e-3, 0.05, 0.3, 0.5, 0.8, 0.99, 1.0])
    return np.minimum(math.exp(epsilon) * p2 + delta, 1.0), p2


def mean_of_block(placed, runs, p1, p2, epsilon, delta):
    """The expected factor of a block, summed over all counts."""
    counts = np.arange(runs + 1)
    factors = np.exp(log_wealth(counts[:, None], counts, runs, placed, epsilon, delta))
    return binom.pmf(counts, runs, p1) @ factors @ binom.pmf(counts, runs, p2)


@pytest.mark.parametrize("runs", [1, 2, 7, 30])
@pytest.mark.parametrize(("epsilon", "delta"), EDGES)
def test_the_mean_of_a_block_is_at_most_one_under_the_claim(epsilon, delta, runs):
    """For stakes from all kinds of earlier counts, and on all of the edge; inside the claim it is smaller still."""
    for seen in (20, 10**6):
        for share1, share2 in product([0.02, 0.5, 0.97, 1.0], [0.0, 1e-4, 0.1, 0.6]):
            placed = stake(round(share1 * seen), round(share2 * seen), seen, epsilon, delta)
            for p1, p2 in zip(*edge(epsilon, delta), strict=True):
                mean = mean_of_block(placed, runs, p1, p2, epsilon, delta)
                assert mean <= 1 + 1e-12
                assert mean_of_block(placed, runs, 0.7 * p1, p2, epsilon, delta) <= mean + 1e-12


@pytest.mark.parametrize("runs", [1, 3, 12])
@pytest.mark.parametrize(("epsilon", "delta"), EDGES)
def test_the_mean_of_a_block_is_what_the_proof_says(epsilon, delta, runs):
    """(1 - x^2)^runs with x = c size (P2(E) - pivot), for any stake that leaves both factors nonnegative."""
    c = math.exp(epsilon)
    generator = np.random.default_rng(5)
    for _ in range(5):
        pivot = generator.random() * (1 - delta) / c
        size = generator.random() * min(1 / (c * pivot + delta), 1 / (c * (1 - pivot)))
        placed = Stake(np.array(size), np.array(pivot))
        for p1, p2 in zip(*edge(epsilon, delta), strict=True):
            x = c * size * (p2 - pivot)
            assert mean_of_block(placed, runs, p1, p2, epsilon, delta) == pytest.approx((1 - x * x) ** runs, rel=1e-9)


def test_the_mean_exceeds_one_where_the_claim_is_broken():
    """So that the sums above could fail."""
    placed = stake(60, 20, 100, 0.5, 0.0)

    assert mean_of_block(placed, 10, 0.6, 0.2, 0.5, 0.0) > 1.5


@pytest.mark.parametrize(("epsilon", "delta"), EDGES)
def test_money_is_a_supermartingale_over_two_blocks(epsilon, delta):
    """All counts of a screening and two blocks are enumerated; stakes come from all runs before."""
    screened, first, second = 3, 4, 5
    for p1, p2 in zip(*edge(epsilon, delta), strict=True):
        total = 0.0
        for a1, a2, b1, b2 in product(range(screened + 1), range(screened + 1), range(first + 1), range(first + 1)):
            chance = math.prod(
                binom.pmf([a1, a2, b1, b2], [screened, screened, first, first], [p1, p2, p1, p2]).tolist()
            )
            if chance == 0.0:
                continue
            one = stake(a1, a2, screened, epsilon, delta)
            two = stake(a1 + b1, a2 + b2, screened + first, epsilon, delta)
            money = math.exp(log_wealth(b1, b2, first, one, epsilon, delta))
            total += chance * money * mean_of_block(two, second, p1, p2, epsilon, delta)
        assert total <= 1 + 1e-12


def test_a_stake_that_looks_at_its_own_block_is_no_bet():
    """The same enumeration notices it: the mean is well above one although the claim holds."""
    runs, epsilon, (p1, p2) = 20, 0.0, (0.5, 0.5)
    counts = np.arange(runs + 1)
    placed = stake(counts[:, None], counts, runs, epsilon, 0.0)
    factors = np.exp(log_wealth(counts[:, None], counts, runs, placed, epsilon, 0.0))

    assert binom.pmf(counts, runs, p1) @ factors @ binom.pmf(counts, runs, p2) > 1.1


def mechanism(epsilon, delta, cells=6):
    """Two laws on cells whose loss is exactly (epsilon, delta): on all prefixes up to half of the cells."""
    half = cells // 2
    law2 = np.full(cells, (1 - delta) / (half * (1 + math.exp(epsilon))))
    law1 = np.full(cells, 0.0)
    law1[:half] = math.exp(epsilon) * law2[:half]
    law1[0] += delta
    law2[half:] = (1 - law2[:half].sum()) / half
    law1[half:] = (1 - law1[:half].sum()) / half
    return law1, law2


def events(cells):
    """Every cell and every prefix, as rows of zeros and ones."""
    return np.vstack([np.eye(cells), np.tri(cells)[:-1]]).astype(np.int64)


def audit(epsilon, delta, tested, audits, seed, blocks=30):
    """Simulated audits of `mechanism(epsilon, delta)`: ln of the money after each block, (blocks, audits, tested).

    All events in both directions are bet on, with 3/4 of the money. Six times the event that has looked best so far
    enters with a part of the rest. So bets depend on each other, and are chosen by what has been seen.
    """
    laws, masks = mechanism(epsilon, delta), events(6)
    generator = np.random.default_rng(seed)
    n = 2 * len(masks)
    hits = np.zeros((2, audits, n, 1), np.int64)
    money = np.zeros((audits, n + 6, len(tested)))
    chosen = np.zeros((audits, 6), np.int64)
    weights = np.full((n + 6, 1), 0.25 / 6)
    weights[:n] = 0.75 / n
    runs, entered, looks = 0, 0, []
    for number in range(blocks):
        block = 20 + runs // 4
        sides = [generator.multinomial(block, law, audits) @ masks.T for law in laws]
        new = np.stack([np.hstack(sides), np.hstack(sides[::-1])])[..., None]
        for bets, slots in (
            (np.broadcast_to(np.arange(n), (audits, n)), slice(0, n)),
            (chosen[:, :entered], slice(n, n + entered)),
        ):
            seen1, seen2, new1, new2 = (np.take_along_axis(c, bets[..., None], 1) for c in (*hits, *new))
            placed = stake(seen1, seen2, runs, tested, delta)
            money[:, slots] += log_wealth(new1, new2, block, placed, tested, delta)
        hits += new
        runs += block
        if number % 4 == 3 and entered < 6:
            excess = hits[0] - math.exp(tested[0]) * hits[1] - delta * runs
            chosen[:, entered] = (excess / np.sqrt(hits.sum(axis=0) + 1))[..., 0].argmax(axis=1)
            entered += 1
        looks.append(log_mean(np.log(weights), money, 1))
    return np.array(looks)


TRUTHS = [(0.0, 0.0), (0.2, 0.0), (0.7, 0.0), (2.0, 0.0), (0.5, 0.1), (1.0, 1e-3)]


@pytest.mark.parametrize(("epsilon", "delta"), TRUTHS)
def test_false_alarms_of_long_audits_stay_within_alpha(epsilon, delta):
    """The highest money over thirty looks; five standard errors above alpha."""
    audits = 2000
    looks = audit(epsilon, delta, np.array([epsilon]), audits, seed=7)

    alarms = np.mean(looks.max(axis=0) >= -math.log(ALPHA))

    assert alarms <= ALPHA + 5 * math.sqrt(ALPHA * (1 - ALPHA) / audits)


@pytest.mark.parametrize(("epsilon", "delta"), TRUTHS[1:])
def test_the_same_audits_find_a_claim_that_is_too_small(epsilon, delta):
    looks = audit(epsilon, delta, np.array([epsilon / 2]), 100, seed=8)

    assert np.mean(looks.max(axis=0) >= -math.log(ALPHA)) > 0.9


@pytest.mark.parametrize(("epsilon", "delta"), [(0.2, 0.0), (0.7, 0.0), (0.5, 0.1)])
def test_the_lower_bound_exceeds_the_truth_at_most_as_often_as_alpha(epsilon, delta):
    """At any of thirty looks, on a grid around the truth; and it comes close to it."""
    audits, grid = 500, epsilon * np.append(np.linspace(0.3, 0.98, 12), [1.0, 1.01, 1.02, 1.05])
    looks = audit(epsilon, delta, grid, audits, seed=9)
    bounds = np.array([[lower_bound(grid, money, ALPHA) for money in look] for look in looks])

    above = np.mean((bounds >= epsilon).any(axis=0))

    assert above <= ALPHA + 5 * math.sqrt(ALPHA * (1 - ALPHA) / audits)
    assert np.median(bounds[-1]) >= 0.7 * epsilon
