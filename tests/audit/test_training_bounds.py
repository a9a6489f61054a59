"""Bounds of trainings whose truth is known: never above it, and not far below."""

import numpy as np
import pytest
from scipy.stats import binom

from benchmarks.one_run import bounded, truths
from dplint.contracts.composing import Dominated, composed_delta_of
from dplint.statistics.one_run import Guesses, epsilon_of, least_epsilon, least_mu

TRUTHS = {one.function: one for one in truths()}
FEW, SEEDS = 600, 6


def of_seeds(name, count, seeds):
    return [bounded(TRUTHS[name], count, seed) for seed in range(seeds)]


def test_the_truth_of_what_is_sampled_lies_between_two_accountants():
    """30 steps at rate 0.3 with noise of 1.35 clips: one of them is a lower bound, and the other one an upper bound."""
    truth, part = TRUTHS["sampled"].epsilon, Dominated(mu=1 / 1.35, rate=0.3, times=30)
    assert composed_delta_of([part], truth + 0.005) < 1e-5 < composed_delta_of([part], truth - 0.005)


@pytest.mark.process
@pytest.mark.parametrize("name", ["popularity", "best_step"])
def test_one_training_of_each_kind(name):
    truth = TRUTHS[name]
    (found,) = of_seeds(name, FEW, 1)
    assert 0 < max(look.normal_epsilon for look in found.looks) < truth.epsilon
    assert max(look.epsilon for look in found.looks) < truth.epsilon
    assert not (found.refutes and not truth.wrong)


@pytest.mark.process
@pytest.mark.nightly
@pytest.mark.parametrize("name", TRUTHS)
def test_bounds_are_not_above_the_truth(name):
    """One in twenty may be; with these seeds none is."""
    truth, count = TRUTHS[name], 4000 if TRUTHS[name].wrong else FEW
    for found in of_seeds(name, count, SEEDS):
        assert max(look.normal_epsilon for look in found.looks) < truth.epsilon
        assert max(look.epsilon for look in found.looks) < truth.epsilon
        assert found.refutes == truth.wrong


@pytest.mark.process
@pytest.mark.nightly
def test_seven_tenths_of_what_is_claimed_come_back_from_one_run():
    """White-box: canaries are scored by what they move."""
    found = of_seeds("many_items", 20_000, 3)
    ratios = [max(look.normal_epsilon for look in one.looks) / one.claimed for one in found]
    assert np.mean(ratios) > 0.7


@pytest.mark.nightly
@pytest.mark.parametrize(("canaries", "made"), [(100, 40), (1000, 100)])
def test_bounds_of_independent_scores_are_seldom_too_high(canaries, made):
    """Scores of normal laws mu = 1 apart: both bounds are above the truth in one of twenty at most."""
    wrong = np.zeros(2)
    for seed in range(600):
        chance = np.random.default_rng(seed)
        inside = chance.integers(2, size=canaries)
        order = np.argsort(inside + chance.standard_normal(canaries))
        right = int((1 - inside[order[: made // 2]]).sum() + inside[order[-(made // 2) :]].sum())
        guesses = Guesses(canaries, made, right)
        wrong += [least_mu(guesses, 0.05) > 1.0, least_epsilon(guesses, 1e-5, 0.05) > epsilon_of(1.0, 1e-5)]
    assert (wrong <= binom.ppf(0.999, 600, 0.05)).all()
