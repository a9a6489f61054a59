"""StatDP's test: its size by exact summation, and its agreement with Fisher's test and with random thinning."""

import math

import numpy as np
import pytest
from scipy.stats import binom, fisher_exact, hypergeom

from dplint_statdp.selection import scores
from dplint_statdp.testing import loss_p_value, two_sided
from dplint_statdp.thinning import thinned_lower_bound, thinned_p_value


@pytest.mark.parametrize(("count1", "count2"), [(0, 0), (5, 5), (12, 3), (40, 11), (3, 12)])
def test_without_thinning_it_is_twice_fishers_test(count1, count2):
    """At epsilon 0 nothing is thinned, and the tail is that of Fisher's exact test, which SciPy has on its own."""
    runs = 60
    table = [[count1, runs - count1], [count2, runs - count2]]

    expected = fisher_exact(table, alternative="greater").pvalue

    assert thinned_p_value(count1, count2, runs, 0.0) == pytest.approx(min(1.0, 2 * expected), rel=1e-9)


def test_the_mean_over_thinnings_is_what_random_thinning_converges_to():
    """A hundred thousand random thinnings, as the published code makes a few hundred of; six standard errors."""
    count1, count2, runs, epsilon = 300, 120, 2000, 0.7
    thinned = np.random.default_rng(1).binomial(count1, math.exp(-epsilon), size=100_000)
    tails = hypergeom.sf(thinned - 1, 2 * runs, runs, thinned + count2)

    assert abs(thinned_p_value(count1, count2, runs, epsilon) / 2 - tails.mean()) < 6 * tails.std() / math.sqrt(1e5)


@pytest.mark.parametrize(("epsilon", "share"), [(0.2, 0.5), (0.7, 0.3), (1.5, 0.1), (1.5, 0.02)])
def test_it_is_a_p_value_at_the_edge_of_the_claim(epsilon, share):
    """With P1 = e^epsilon P2, P(p <= a) <= a, summed exactly over all pairs of counts."""
    runs = 40
    law1 = binom.pmf(range(runs + 1), runs, math.exp(epsilon) * share)
    law2 = binom.pmf(range(runs + 1), runs, share)

    p_values = {(i, j): thinned_p_value(i, j, runs, epsilon) for i in range(runs + 1) for j in range(runs + 1)}

    for alpha in (0.2, 0.05, 0.01):
        assert sum(law1[i] * law2[j] for (i, j), p in p_values.items() if p <= alpha) <= alpha


@pytest.mark.parametrize(
    ("count1", "count2", "epsilon"),
    [(60_000, 28_000, 0.7), (3_000, 1_500, 0.6), (450_000, 101_000, 1.5), (100, 0, 0.2)],
)
def test_large_counts_are_summed_exactly(count1, count2, epsilon):
    """Against the full sum over all thinned counts, with SciPy's binomial and hypergeometric laws."""
    runs, keep = 500_000, math.exp(-epsilon)
    likely = np.arange(count1 + 1)
    likely = likely[binom.pmf(likely, count1, keep) > 1e-40]
    full = 2 * binom.pmf(likely, count1, keep) @ hypergeom.sf(likely - 1, 2 * runs, runs, likely + count2)

    assert thinned_p_value(count1, count2, runs, epsilon) == pytest.approx(min(1.0, full), rel=1e-7)


@pytest.mark.parametrize(("count1", "count2"), [(0, 0), (0, 60), (60, 60), (60, 0), (59, 60), (60, 59)])
@pytest.mark.parametrize("epsilon", [0.0, 1e-9, 0.4, 20.0])
def test_the_extremes_of_counts_and_epsilon(count1, count2, epsilon):
    """Where one of the laws has a single value, or nearly so."""
    runs, keep = 60, math.exp(-epsilon)
    counts = np.arange(count1 + 1)
    full = 2 * binom.pmf(counts, count1, keep) @ hypergeom.sf(counts - 1, 2 * runs, runs, counts + count2)

    assert thinned_p_value(count1, count2, runs, epsilon) == pytest.approx(min(1.0, full), rel=1e-9)


def test_large_counts_stay_finite_and_small():
    """A blatant difference over 500,000 runs gives the smallest p-value that is resolved, not zero and not NaN."""
    p_value = thinned_p_value(400_000, 100, 500_000, 1.5)

    assert 0 < p_value < 1e-59


def test_both_directions_cost_a_factor_of_two():
    """Bonferroni over the two directions, never above one."""
    assert two_sided(0.01, 0.9) == 0.02
    assert two_sided(0.8, 0.9) == 1.0


def test_scores_rank_what_the_test_would_reject_first():
    """The score orders events as their p-values do, and is negative where the claim holds with room."""
    counts1 = np.array([1000, 1000, 1000, 500])
    counts2 = np.array([990, 700, 400, 500])

    order = np.argsort(-scores(counts1, counts2, 10_000, 0.2, 0.0))
    p_values = [thinned_p_value(int(a), int(b), 10_000, 0.2) for a, b in zip(counts1, counts2, strict=True)]

    assert list(order[:2]) == [2, 1]
    assert np.argsort(p_values)[:2].tolist() == [2, 1]
    assert scores(counts1, counts2, 10_000, 0.2, 0.0)[3] < 0


@pytest.mark.parametrize(("loss", "share"), [(0.7, 0.3), (1.5, 0.1), (0.0, 0.4)])
def test_the_lower_bound_exceeds_the_true_loss_at_most_as_often_as_it_says(loss, share):
    """P(bound > true loss) <= alpha, summed exactly over all pairs of counts."""
    runs, alpha = 30, 0.1
    law1 = binom.pmf(range(runs + 1), runs, math.exp(loss) * share)
    law2 = binom.pmf(range(runs + 1), runs, share)

    wrong = sum(
        law1[i] * law2[j]
        for i in range(runs + 1)
        for j in range(runs + 1)
        if thinned_lower_bound(i, j, runs, alpha) > loss
    )

    assert wrong <= alpha


@pytest.mark.parametrize(("count1", "count2"), [(300, 100), (1000, 0), (500, 480)])
def test_the_lower_bound_agrees_with_the_test(count1, count2):
    """What is rejected lies below the bound, what lies above it is not rejected."""
    bound = thinned_lower_bound(count1, count2, 1000, 0.01)

    assert thinned_p_value(count1, count2, 1000, bound + 3e-6) >= 0.01
    assert bound == 0 or thinned_p_value(count1, count2, 1000, max(0.0, bound - 3e-6)) < 0.01


@pytest.mark.parametrize(("epsilon", "delta", "share"), [(0.2, 0.0, 0.3), (0.7, 0.1, 0.2), (1.5, 0.0, 0.05)])
def test_p_value_is_valid_at_the_edge_of_the_claim(epsilon, delta, share):
    """With P1 = e^epsilon P2 + delta exactly, P(p-value <= a) <= a, summed exactly over all pairs of counts."""
    runs = 40
    first = math.exp(epsilon) * share + delta
    law1 = binom.pmf(range(runs + 1), runs, first)
    law2 = binom.pmf(range(runs + 1), runs, share)

    p_values = {
        (i, j): loss_p_value(i, runs, j, runs, epsilon, delta) for i in range(runs + 1) for j in range(runs + 1)
    }

    for alpha in (0.2, 0.05, 0.01):
        size = sum(law1[i] * law2[j] for (i, j), p in p_values.items() if p <= alpha)
        assert size <= alpha


def test_the_p_value_is_one_where_delta_explains_the_hits():
    """A share of hits below delta is no evidence at all."""
    assert loss_p_value(40, 1000, 0, 1000, 0.5, 0.1) == 1.0
