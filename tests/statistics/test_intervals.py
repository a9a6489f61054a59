"""Clopper-Pearson bounds and the loss of an event, against closed forms and by summing the binomial law."""

import math

import pytest
from scipy.stats import binom

from dplint.statistics.intervals import interval, loss_lower_bound, lower_bound, upper_bound


@pytest.mark.parametrize("runs", [1, 7, 500_000])
@pytest.mark.parametrize("alpha", [0.5, 0.05, 1e-6])
def test_extreme_counts_have_closed_forms(runs, alpha):
    """With every run a hit the lower bound solves p^n = alpha; with none the upper one solves (1-p)^n = alpha."""
    assert lower_bound(runs, runs, alpha) == pytest.approx(alpha ** (1 / runs), rel=1e-9)
    assert upper_bound(0, runs, alpha) == pytest.approx(1 - alpha ** (1 / runs), rel=1e-9)
    assert lower_bound(0, runs, alpha) == 0
    assert upper_bound(runs, runs, alpha) == 1


@pytest.mark.parametrize("truth", [0.003, 0.2, 0.5, 0.97])
def test_interval_covers_the_truth_as_often_as_it_says(truth):
    """Coverage, summed exactly over all counts, is at least the confidence."""
    runs, alpha = 80, 0.05

    covered = sum(
        binom.pmf(count, runs, truth)
        for count in range(runs + 1)
        if interval(count, runs, alpha)[0] <= truth <= interval(count, runs, alpha)[1]
    )

    assert covered >= 1 - alpha


def test_no_hit_on_the_second_side_is_never_an_infinite_loss():
    """With no hit in n runs, p2 may still be about -ln(alpha/2)/n (FIELD.md: the rule of three)."""
    bound = loss_lower_bound(1000, 1000, 0, 1000, 0.0, 0.1)

    assert bound == pytest.approx(math.log(0.05 ** (1 / 1000)) - math.log(1 - 0.05 ** (1 / 1000)), rel=1e-9)


def test_nothing_can_be_said_when_delta_explains_the_hits():
    """A share of hits below delta is no evidence at all."""
    assert loss_lower_bound(40, 1000, 0, 1000, 0.1, 0.05) == -math.inf


@pytest.mark.parametrize(("count", "runs"), [(-1, 5), (6, 5), (0, 0)])
def test_impossible_counts_are_refused(count, runs):
    """The message shows the value."""
    with pytest.raises(ValueError, match=f"{count} of {runs}"):
        lower_bound(count, runs, 0.05)
