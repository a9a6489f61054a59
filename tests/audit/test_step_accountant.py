"""What steps spend together: against closed forms, integrals, and an upper bound by Renyi divergences."""

import math

import numpy as np
import pytest
from scipy.stats import norm

from dplint.audit.steps.accountant import ROUGH, Composition, NormalPair
from dplint.audit.steps.search import equivalent

GRID = np.linspace(-40.0, 40.0, 400_001)


def hockey_stick(first, second, epsilon):
    """The delta of two densities on the grid."""
    return np.trapezoid(np.maximum(first - math.exp(epsilon) * second, 0.0), GRID)


def by_renyi(rate, sigma, steps, delta):
    """An epsilon that holds: Mironov, Talwar and Zhang, 2019, section 3.3, and Canonne, Kamath and Steinke, 2020."""
    found = []
    for order in range(2, 200):
        terms = [
            math.lgamma(order + 1) - math.lgamma(k + 1) - math.lgamma(order - k + 1)
            + k * math.log(rate) + (order - k) * math.log1p(-rate) + (k * k - k) / (2 * sigma**2)
            for k in range(order + 1)
        ]  # fmt: skip
        bound = steps * np.logaddexp.reduce(terms) / (order - 1)
        found.append(bound + math.log1p(-1 / order) - (math.log(delta) + math.log(order)) / (order - 1))
    return min(found)


@pytest.mark.parametrize(("rate", "mu", "epsilon"), [(1.0, 1.0, 1.0), (0.2, 0.7, 0.1), (0.01, 2.0, 0.05)])
def test_one_step_is_an_integral(rate, mu, epsilon):
    without = norm.pdf(GRID)
    mixed = rate * norm.pdf(GRID, mu) + (1 - rate) * without
    first, second = Composition(rate, 1).spent(NormalPair(mu))
    for found, delta in (
        (first, hockey_stick(mixed, without, epsilon)),
        (second, hockey_stick(without, mixed, epsilon)),
    ):
        assert delta * (1 - 1e-4) - 1e-9 <= found.delta(epsilon) <= delta + 1e-9


@pytest.mark.parametrize("ratio", [0.5, 0.9, 1.3])
def test_noise_of_two_widths_is_an_integral(ratio):
    first, second = norm.pdf(GRID, 0.7, ratio), norm.pdf(GRID)
    found = list(Composition(1.0, 1).spent(NormalPair(0.7, ratio)))
    expected = hockey_stick(first, second, 0.1), hockey_stick(second, first, 0.1)
    assert [one.delta(0.1) for one in found] == pytest.approx(expected, rel=1e-4)
    assert all(one.delta(0.1) <= delta + 1e-9 for one, delta in zip(found, expected, strict=True))


def test_steps_without_sampling_add_up_their_squares():
    """Dong, Roth and Su 2022, corollary 2: so many steps of mu are one of sqrt(steps) * mu, whose delta is known."""
    found = [one.delta(1.0) for one in Composition(1.0, 16).spent(NormalPair(0.5))]
    assert found == pytest.approx([norm.cdf(0.5) - math.e * norm.cdf(-1.5)] * 2, rel=1e-4)


def test_sums_of_losses_come_to_the_same_as_one_law_of_more_dimensions():
    """Four steps with noise of two widths are one step of four times the dimension."""
    epsilons = (0.0, 0.3, 1.0)
    four = list(Composition(1.0, 4).spent(NormalPair(0.5, 0.8, 3)))
    once = list(Composition(1.0, 1).spent(NormalPair(1.0, 0.8, 12)))
    for epsilon in epsilons:
        assert [one.delta(epsilon) for one in four] == pytest.approx([one.delta(epsilon) for one in once], rel=2e-3)


@pytest.mark.parametrize(
    ("rate", "sigma", "steps"), [(0.01, 1.1, 1000), (256 / 60_000, 1.1, 14_063), (0.05, 2.0, 400), (0.001, 0.6, 20_000)]
)
def test_it_stays_below_what_renyi_divergences_allow_and_comes_near(rate, sigma, steps):
    allowed = by_renyi(rate, sigma, steps, 1e-5)
    spent = max(one.epsilon(1e-5) for one in Composition(rate, steps).spent(NormalPair(1 / sigma)))
    assert 0.75 * allowed < spent < allowed


def test_what_nothing_hides_shows_when_it_is_sampled():
    (found,) = Composition(0.01, 100).spent(NormalPair(math.inf))
    assert found.delta(50.0) == pytest.approx(1 - 0.99**100)
    assert found.epsilon(1e-5) == math.inf


@pytest.mark.parametrize("mu", [0.25, 1.0, 3.0])
def test_the_most_that_is_allowed_is_what_the_claim_says(mu):
    """Of 9 steps within 3 mu each is within mu, and no more."""
    delta = norm.cdf(-1 / (3 * mu) + 3 * mu / 2) - math.e * norm.cdf(-1 / (3 * mu) - 3 * mu / 2)
    assert mu <= Composition(1.0, 9).most_apart(1.0, delta) <= mu * (1 + 2e-4)


def test_two_widths_are_told_apart_as_by_the_best_test():
    """The total variation of N(0, 1) and N(0, 4): they cross at sqrt(8 log(2) / 3)."""
    crossing = math.sqrt(8 * math.log(2) / 3)
    share = 2 * (norm.cdf(crossing) - norm.cdf(crossing / 2))
    assert equivalent(NormalPair(0.0, 2.0)) == pytest.approx(2 * norm.ppf((1 + share) / 2), rel=1e-4)


def test_far_tails_of_one_width_are_known():
    """Where a delta of 1e-12 lies: 16 steps of mu = 1 are N(0, 1) and N(4, 1)."""
    found = max(one.epsilon(1e-12) for one in Composition(1.0, 16).spent(NormalPair(1.0)))
    delta = norm.cdf(2 - found / 4) - math.exp(found) * norm.cdf(-2 - found / 4)
    assert delta == pytest.approx(1e-12, rel=0.05)
    assert delta >= 1e-12


@pytest.mark.parametrize("pair", [NormalPair(0.7, 1 + 1e-6, 1000), NormalPair(0.7, 1.0021, 1)])
def test_widths_that_hardly_differ_cost_little(pair):
    """At 1.0021 the squared distance from a far point is looked at, and below the direction alone: both are near."""
    one, two = (
        max(each.epsilon(1e-5) for each in Composition(0.01, 100).spent(law)) for law in (pair, NormalPair(0.7))
    )
    assert one == pytest.approx(two, rel=0.02)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("pair", [NormalPair(2000.0, 0.99, 30_000), NormalPair(3.0, 100.0, 30_000)])
def test_what_is_far_apart_ends_no_audit(pair):
    assert Composition(0.01, 1000).exceeds(pair, 8.0, 1e-5)


@pytest.mark.parametrize(
    ("rate", "steps", "epsilon", "delta"), [(0.01, 1000, 2.0, 1e-5), (0.02, 3, 3.0, 0.0), (1.0, 1, 0.0, 0.3)]
)
def test_the_most_apart_is_where_the_claim_begins_to_break(rate, steps, epsilon, delta):
    composition = Composition(rate, steps)
    most = composition.most_apart(epsilon, delta)
    assert composition.exceeds(NormalPair(most), epsilon, delta, ROUGH)
    assert not composition.exceeds(NormalPair(most * (1 - 3e-4)), epsilon, delta, ROUGH)
