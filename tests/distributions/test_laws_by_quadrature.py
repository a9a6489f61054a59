"""Distribution functions against integrals and sums of the densities, which share no code with them; also far out."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import integrate

from tests.distributions.laws import SAMES, Same, with_law

CONTINUOUS = [one for one in SAMES if one.distribution.law is not None and not one.distribution.is_discrete]


def integral(same: Same, low: float, high: float) -> float:
    """The probability of an interval, which is cut at quantiles so that the integrator misses no peak."""
    cuts = same.law.ppf([1e-12, 1e-8, 1e-4, 0.02, 0.2, 0.5, 0.8, 0.98, 1 - 1e-4, 1 - 1e-8])
    places = sorted({low, high, *(float(cut) for cut in cuts if low < cut < high)})
    total = []
    for start, end in itertools.pairwise(places):
        value, _ = integrate.quad(
            lambda x: float(same.density(x)),
            start,
            end,
            epsabs=0,
            epsrel=1e-10,
            limit=400,
        )
        total.append(value)
    return math.fsum(total)


@pytest.mark.parametrize("same", CONTINUOUS, ids=str)
def test_the_integral_of_the_density_between_quantiles(same: Same) -> None:
    low, *middle = same.law.ppf([0.01, 0.2, 0.6, 0.97])
    for high in middle:
        expected = same.cdf(high) - same.cdf(low)

        assert integral(same, low, high) == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("same", CONTINUOUS, ids=str)
def test_the_density_has_mass_one(same: Same) -> None:
    low, high = same.law.ppf(1e-7), same.law.isf(1e-7)

    assert integral(same, low, high) == pytest.approx(1.0, abs=1e-6)


TAILS = [one for one in CONTINUOUS if math.isinf(one.distribution.support(one.parameters)[1])]


@pytest.mark.parametrize("same", TAILS, ids=str)
@pytest.mark.parametrize("share", [1e-3, 1e-12, 1e-60])
def test_far_up_the_survival_function_is_the_integral_of_the_density(same: Same, share: float) -> None:
    """Of f(x + t) / f(x), whose integral over t is survival(x) / f(x): no number in it is small.

    In units of that quotient, and over the logarithm of t, so that light and heavy tails look alike.
    """
    x = float(same.law.isf(share))
    at = same.log_density(x)
    unit = math.exp(math.log(same.survival(x)) - at)

    def integrand(v: float) -> float:
        return math.exp(same.log_density(x + unit * math.exp(v)) - at + v)

    cuts = [-40.0, -10.0, -3.0, 0.0, 1.0, 2.0, 4.0, 10.0, 40.0, 150.0]
    total = sum(integrate.quad(integrand, a, b, epsabs=1e-12, limit=300)[0] for a, b in itertools.pairwise(cuts))

    assert total == pytest.approx(1.0, rel=1e-7)


@with_law("survival")
def test_both_functions_sum_to_one(same: Same) -> None:
    points = np.concatenate([same.inner(), same.inner() + 0.5])
    total = same.cdf(points) + same.survival(points)

    assert total == pytest.approx(np.ones(len(points)), abs=1e-13)
