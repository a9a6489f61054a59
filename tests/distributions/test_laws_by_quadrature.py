"""Distribution functions against integrals and sums of the densities, which share no code with them; also far out."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import integrate

from dplint.distributions import of
from tests.distributions.laws import SAMES, Same, each_law, with_law

CONTINUOUS = [one for one in SAMES if not one.distribution.is_discrete]
DISCRETE = [one for one in SAMES if one.distribution.is_discrete]


def integral(same: Same, low: float, high: float) -> float:
    """The probability of an interval, which is cut at quantiles so that the integrator misses no peak."""
    cuts = same.law.ppf([1e-12, 1e-8, 1e-4, 0.02, 0.2, 0.5, 0.8, 0.98, 1 - 1e-4, 1 - 1e-8])
    places = sorted({low, high, *(float(cut) for cut in cuts if low < cut < high)})
    total = []
    for start, end in itertools.pairwise(places):
        value, _ = integrate.quad(
            lambda x: float(same.distribution.density(x, same.parameters)),
            start,
            end,
            epsabs=0,
            epsrel=1e-10,
            limit=400,
        )
        total.append(value)
    return math.fsum(total)


@pytest.mark.parametrize("same", [one for one in CONTINUOUS if one.distribution.law.cdf], ids=str)
def test_the_integral_of_the_density_between_quantiles(same: Same) -> None:
    low, *middle = same.law.ppf([0.01, 0.2, 0.6, 0.97])
    for high in middle:
        expected = same.distribution.cdf(high, same.parameters) - same.distribution.cdf(low, same.parameters)

        assert integral(same, low, high) == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("same", CONTINUOUS, ids=str)
def test_the_density_has_mass_one(same: Same) -> None:
    low, high = same.law.ppf(1e-7), same.law.isf(1e-7)

    assert integral(same, low, high) == pytest.approx(1.0, abs=1e-6)


TAILS = [
    one
    for one in CONTINUOUS
    if one.distribution.law.survival and math.isinf(one.distribution.support(one.parameters)[1])
]


@pytest.mark.parametrize("same", TAILS, ids=str)
@pytest.mark.parametrize("share", [1e-3, 1e-12, 1e-60])
def test_far_up_the_survival_function_is_the_integral_of_the_density(same: Same, share: float) -> None:
    """Of f(x + t) / f(x), whose integral over t is survival(x) / f(x): no number in it is small.

    In units of that quotient, and over the logarithm of t, so that light and heavy tails look alike.
    """
    distribution, parameters = same.distribution, same.parameters
    step = 1.0
    while distribution.survival(same.law.median() + step, parameters) > share:
        step *= 1.25
    x = float(same.law.median() + step)
    at = distribution.log_density(x, parameters)
    unit = math.exp(math.log(distribution.survival(x, parameters)) - at)

    def integrand(v: float) -> float:
        return math.exp(distribution.log_density(x + unit * math.exp(v), parameters) - at + v)

    cuts = [-40.0, -10.0, -3.0, 0.0, 1.0, 2.0, 4.0, 10.0, 40.0, 150.0]
    total = sum(integrate.quad(integrand, a, b, epsabs=1e-12, limit=300)[0] for a, b in itertools.pairwise(cuts))

    assert total == pytest.approx(1.0, rel=1e-7)


@with_law("survival")
def test_both_functions_sum_to_one(same: Same) -> None:
    points = np.concatenate([same.inner(), same.inner() + 0.5])
    total = same.distribution.cdf(points, same.parameters) + same.distribution.survival(points, same.parameters)

    assert total == pytest.approx(np.ones(len(points)), abs=1e-13)


@pytest.mark.parametrize("same", DISCRETE, ids=str)
def test_the_distribution_function_is_the_sum_of_the_probabilities(same: Same) -> None:
    distribution, parameters = same.distribution, same.parameters
    low, high = distribution.support(parameters)
    if distribution.law.cdf is None or distribution.name == "zipf":  # whose sums have no end in sight
        return
    start = max(low, -20_000)
    points = np.arange(start, min(high, start + 40_000) + 1)
    chances = distribution.density(points, parameters)

    assert math.fsum(chances) == pytest.approx(1.0, abs=1e-12)
    for place in np.unique(np.linspace(0, min(len(points) - 1, 2.2 * np.argmax(chances) + 60), 25).astype(int)):
        below, above = math.fsum(chances[: place + 1]), math.fsum(chances[place + 1 :])
        assert distribution.cdf(points[place], parameters) == pytest.approx(below, rel=1e-11, abs=1e-280)
        if above > 1e-270:
            assert distribution.survival(points[place], parameters) == pytest.approx(above, rel=1e-11, abs=1e-290)


@pytest.mark.parametrize("a", [2.0, 5.0])
def test_zipf_by_its_series(a: float) -> None:
    """The tail of the sum of k^-a lies between the integrals from K + 1 and from K."""
    zeta = math.fsum(k**-a for k in range(1, 100_001)) + 100_000.5 ** (1 - a) / (a - 1)
    for k in (1, 2, 10, 200):
        above = math.fsum(j**-a for j in range(k + 1, 100_001)) + 100_000.5 ** (1 - a) / (a - 1)
        assert of("zipf").survival(k, {"a": a}) == pytest.approx(above / zeta, rel=1e-10)
        assert of("zipf").density(k, {"a": a}) == pytest.approx(k**-a / zeta, rel=1e-10)


@pytest.mark.parametrize("same", DISCRETE, ids=str)
def test_between_whole_numbers_there_is_nothing(same: Same) -> None:
    distribution, parameters = same.distribution, same.parameters
    points = same.inner() + 0.25

    assert (distribution.log_density(points, parameters) == -np.inf).all()
    if distribution.law.cdf is not None:
        assert np.array_equal(distribution.cdf(points, parameters), distribution.cdf(np.floor(points), parameters))


@each_law
def test_outside_of_the_support_there_is_nothing(same: Same) -> None:
    distribution, parameters = same.distribution, same.parameters
    low, high = (float(end) for end in distribution.support(parameters))
    for end, beyond in ((low, low - 1.0), (high, high + 1.0)):
        if np.isfinite(end):
            assert distribution.log_density(beyond, parameters) == -np.inf
            assert distribution.density(beyond, parameters) == 0.0
            if distribution.law.cdf is not None:
                assert distribution.cdf(beyond, parameters) == (0.0 if beyond < low else 1.0)
            if distribution.law.survival is not None:
                assert distribution.survival(beyond, parameters) == (1.0 if beyond < low else 0.0)
    if distribution.law.cdf is not None:
        assert distribution.cdf(np.array([-np.inf, np.inf]), parameters).tolist() == [0.0, 1.0]
    if distribution.law.survival is not None:
        assert distribution.survival(np.array([-np.inf, np.inf]), parameters).tolist() == [1.0, 0.0]
