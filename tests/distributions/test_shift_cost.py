"""What it costs to move a draw: the largest log ratio of densities on a fine grid stays below it and comes close."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dplint.distributions import distributions
from tests.distributions.laws import LOG_DENSITIES, SAMES, Same

KNOWN = [same for same in SAMES if same.distribution.shift is not None]
SHIFTS = [-3.0, -1.0, -0.25, 0.25, 1.0, 2.0]


CLOSED = {
    "discrete_laplace": lambda a: (-math.inf, lambda k: math.log(math.tanh(a / 2)) - a * np.abs(k)),
    "discrete_gaussian": lambda sigma_squared: (-math.inf, lambda k: -k * k / (2 * sigma_squared)),
    "planck": lambda scale: (0, lambda k: math.log(-math.expm1(-1 / scale)) - k / scale),
    "geometric": lambda p: (1, lambda k: math.log(p) + (k - 1) * (np.log1p(-p) if p < 1 else -math.inf)),
}
"""The least number and the logarithm of the mass: SciPy's may be the logarithm of 0 far out, or of what is rounded."""


def closed(name, parameters):
    least, log_mass = CLOSED[name](**parameters)
    return lambda k: np.where((k < least) | (k != np.round(k)), -math.inf, log_mass(k))


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
    log_density = same.law.logpmf if distribution.is_discrete else same.law.logpdf
    if distribution.name in CLOSED and parameters != {"p": 1.0}:
        log_density = closed(distribution.name, parameters)
    if distribution.name in LOG_DENSITIES:
        log_density = same.log_density  # SciPy's may be the logarithm of 0 far out
    first, second = log_density(points), log_density(points + shift)
    there = points + shift
    possible = np.isfinite(first) & (
        np.isfinite(second)
        | (there < low)
        | (there > high)
        | (there != np.round(there) if distribution.is_discrete else False)
    )
    with np.errstate(invalid="ignore"):
        ratios = (first - second)[possible]
    return float(np.max(ratios)) if ratios.size else math.inf


@pytest.mark.parametrize("same", KNOWN, ids=str)
@pytest.mark.parametrize("shift", SHIFTS)
def test_where_a_shift_has_a_finite_cost(same: Same, shift: float) -> None:
    cost = same.distribution.shift
    whole = shift.is_integer() or not cost.whole
    possible = same.parameters != {"p": 1.0}  # what is always 1 cannot be moved
    found = largest_ratio(same, shift)

    assert (found < 60.0) is (cost.is_finite and whole and possible and (cost.downward or shift > 0))


@pytest.mark.parametrize("same", [one for one in KNOWN if one.distribution.shift.is_finite], ids=str)
def test_what_is_in_proportion_is_so(same: Same) -> None:
    if same.parameters == {"p": 1.0}:
        return
    one, two = largest_ratio(same, 1.0), largest_ratio(same, 2.0)

    if same.distribution.shift.kind == "in proportion":
        assert two == pytest.approx(2 * one, rel=2e-3)
    else:
        assert two < 1.9999 * one


def test_what_noise_says_of_shifts() -> None:
    """Rules and proofs go by it."""
    shifts = {name: one.shift for name, one in distributions().items() if one.shift is not None}
    linear = {name for name, shift in shifts.items() if shift.kind == "in proportion"}

    assert shifts.keys() <= {name for name, one in distributions().items() if one.noise}
    assert linear == {"laplace", "logistic", "exponential", "gumbel", "geometric", "discrete_laplace", "planck"}
    assert shifts.keys() - linear == {"normal", "discrete_gaussian", "cauchy", "student_t"}
    assert {name for name in linear if shifts[name].downward} == {"laplace", "logistic", "discrete_laplace"}
    assert {name for name in linear if shifts[name].whole} == {"geometric", "discrete_laplace", "planck"}
