"""What it costs to move a draw: the largest log ratio of densities on a fine grid stays below it and comes close."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dplint.distributions import NotDefinedError, distributions, of
from tests.distributions.laws import SAMES, Same

KNOWN = [same for same in SAMES if same.distribution.shift is not None]
SHIFTS = [-3.0, -1.0, -0.25, 0.25, 1.0, 2.0]


def largest_ratio(same: Same, shift: float, reach: float = 1e6) -> float:
    """The largest log f(x) - log f(x + shift) over many x: the middle, both tails far out, and both ends.

    reach: of a discrete law, the largest x.
    """
    distribution, parameters = same.distribution, same.parameters
    low, high = distribution.support(parameters)
    if distribution.is_discrete:
        far = np.unique(np.round(np.geomspace(1, reach, 4000)))
        points = np.concatenate([-far, [0.0], far])
        points = points[(points >= low) & (points <= high)]
    else:
        spread = float(same.law.ppf(0.75) - same.law.ppf(0.25))
        middle = float(same.law.median())
        far = spread * np.geomspace(1e-60, 1e7, 4000)
        ends = [end + side * far for end, side in ((low, 1), (high, -1)) if np.isfinite(end)]
        near = np.linspace(middle - 8 * spread, middle + 8 * spread, 80_001)
        # The two places where the ratio of Cauchy and t densities is largest.
        loc, unit = parameters.get("loc", 0.0), parameters.get("scale", 1.0) * math.sqrt(parameters.get("df", 1.0))
        peaks = loc + np.array([-1, 1]) * np.sqrt(shift**2 / 4 + unit**2) - shift / 2
        points = np.concatenate([middle - far, middle + far, near, peaks, [middle, loc], *ends])
    first = distribution.log_density(points, parameters)
    second = distribution.log_density(points + shift, parameters)
    possible = np.isfinite(first)
    with np.errstate(invalid="ignore"):
        return float(np.max((first - second)[possible]))


@pytest.mark.parametrize("same", KNOWN, ids=str)
@pytest.mark.parametrize("shift", SHIFTS)
def test_it_is_the_largest_log_ratio(same: Same, shift: float) -> None:
    cost = float(same.distribution.shift_cost(shift, same.parameters))
    found = largest_ratio(same, shift)

    if math.isfinite(cost):
        assert found <= cost + 1e-8
        assert found == pytest.approx(cost, rel=2e-3)
    else:
        # Something possible becomes impossible, or the ratio grows and grows: that of Poisson's law by a logarithm.
        assert found > 60.0 or found - largest_ratio(same, shift, reach=1e3) > 6.0


def test_no_shift_costs_nothing() -> None:
    for same in KNOWN:
        assert same.distribution.shift_cost(0.0, same.parameters) == 0.0


@pytest.mark.parametrize(
    ("name", "parameters", "shift", "cost"),
    [
        ("laplace", {"scale": 2.0}, -3.0, 1.5),
        ("logistic", {"scale": 2.0}, -3.0, 1.5),
        ("exponential", {"scale": 2.0}, 3.0, 1.5),
        ("exponential", {"scale": 2.0}, -3.0, math.inf),
        ("gumbel", {"scale": 2.0}, 3.0, 1.5),
        ("gumbel", {"scale": 2.0}, -3.0, math.inf),
        ("normal", {}, 1e-9, math.inf),
        ("uniform", {}, 1e-9, math.inf),
        ("geometric", {"p": 1 - math.exp(-0.5)}, 3.0, 1.5),
        ("geometric", {"p": 0.5}, -1.0, math.inf),
        ("geometric", {"p": 0.5}, 0.5, math.inf),
        ("geometric", {"p": 1.0}, 1.0, math.inf),
        ("discrete_laplace", {"a": 0.5}, -3.0, 1.5),
        ("discrete_laplace", {"a": 0.5}, 2.5, math.inf),
        ("cauchy", {"scale": 2.0}, 3.0, 2 * math.asinh(0.75)),
        ("gamma", {"shape": 3.0, "scale": 2.0}, 3.0, 1.5),
        ("gamma", {"shape": 0.5}, 1.0, math.inf),
        ("poisson", {"lam": 2.0}, 1.0, math.inf),
        ("binomial", {"n": 5, "p": 0.5}, 1.0, math.inf),
        ("integers", {"low": 0, "high": 5}, 1.0, math.inf),
    ],
)
def test_by_hand(name, parameters, shift, cost) -> None:
    assert of(name).shift_cost(shift, parameters) == pytest.approx(cost)


def test_arrays_of_shifts_and_scales() -> None:
    cost = of("laplace").shift_cost(np.array([1.0, -2.0]), {"scale": np.array([[1.0], [4.0], [-1.0]])})

    assert cost[:2].tolist() == [[1.0, 2.0], [0.25, 0.5]]
    assert np.isnan(cost[2]).all()


def test_what_is_linear_says_so_for_proofs() -> None:
    """A proof adds up |s| times these as coefficients."""
    linear = {name for name, one in distributions().items() if one.shift is not None and one.shift.per_unit is not None}

    assert linear == {
        *("laplace", "logistic", "exponential", "gumbel", "gamma", "chisquare", "weibull"),
        *("geometric", "discrete_laplace", "planck"),
    }
    assert {name for name in linear if of(name).shift.downward} == {"laplace", "logistic", "discrete_laplace"}
    assert {name for name in linear if of(name).shift.whole} == {"geometric", "discrete_laplace", "planck"}


def test_what_is_not_known_is_an_error_and_not_infinity() -> None:
    unknown = {name for name, one in distributions().items() if one.shift is None and one.law is not None}

    assert unknown == {"f", "lognormal", "noncentral_chisquare", "noncentral_f", "wald"}
    with pytest.raises(NotDefinedError, match="no closed form is known of what a shift of the wald distribution costs"):
        of("wald").shift_cost(1.0, {"mean": 1.0, "scale": 1.0})
