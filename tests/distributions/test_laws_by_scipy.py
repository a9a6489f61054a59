"""Densities, distribution functions and quantiles against `scipy.stats`, from the middle to the far tails."""

from __future__ import annotations

import numpy as np
import pytest

from dplint.distributions import Outcomes, distributions
from tests.distributions.laws import SAMES, Same, each_law, with_law

TOLERANCE = 1e-10


def agree(
    ours: np.ndarray, theirs: np.ndarray, points: np.ndarray, absolute: float = 0.0, relative: float = TOLERANCE
) -> None:
    """Equal up to a relative error; infinities where SciPy has them."""
    with np.errstate(invalid="ignore"):
        right = (ours == theirs) | (np.abs(ours - theirs) <= relative * np.abs(theirs) + absolute)
    assert right.all(), [one for *one, ok in zip(points, ours, theirs, right, strict=True) if not ok][:4]


def test_every_distribution_of_numbers_is_held_against_scipy() -> None:
    numbers = {name for name, one in distributions().items() if one.outcomes in (Outcomes.REAL, Outcomes.INTEGER)}

    assert {same.distribution.name for same in SAMES} == numbers


@each_law
def test_the_log_density(same: Same) -> None:
    points = np.unique(np.concatenate([same.inner(), same.far() if same.tails else []]))
    law = same.law.logpmf if same.distribution.is_discrete else same.law.logpdf
    # Some of SciPy's densities are zero or infinite at 0 itself where ours are the limit: that point has its own test.
    points = points[points != 0.0] if not same.distribution.is_discrete else points

    # The logarithm of a density near 1 is near 0, and no better than the rounding of the density.
    agree(same.distribution.log_density(points, same.parameters), law(points), points, absolute=1e-11)


@with_law("cdf")
def test_the_distribution_function(same: Same) -> None:
    points = np.unique(np.concatenate([same.inner(), same.far() if same.tails else []]))

    agree(same.distribution.cdf(points, same.parameters), same.law.cdf(points), points, absolute=1e-300)


@with_law("survival")
def test_the_survival_function(same: Same) -> None:
    points = np.unique(np.concatenate([same.inner(), same.far() if same.tails else []]))
    absolute = 1e-300 if same.tails else 1e-15

    theirs = np.where(same.law.sf(points) > 0.5, 1.0 - same.law.cdf(points), same.law.sf(points))

    # SciPy's beta has 1 - 1e-12 or so where it is 1 - 1e-10.
    agree(same.distribution.survival(points, same.parameters), theirs, points, absolute)


LIMITS = [
    ("gamma", {"shape": 0.5}, np.inf),
    ("gamma", {"shape": 1.0, "scale": 2.0}, -np.log(2.0)),
    ("gamma", {"shape": 3.0}, -np.inf),
    ("chisquare", {"df": 1.0}, np.inf),
    ("chisquare", {"df": 2.0}, -np.log(2.0)),
    ("exponential", {"scale": 4.0}, -np.log(4.0)),
    ("weibull", {"a": 0.5}, np.inf),
    ("weibull", {"a": 1.0}, 0.0),
    ("rayleigh", {}, -np.inf),
    ("power", {"a": 0.5}, np.inf),
    ("power", {"a": 1.0}, 0.0),
    ("beta", {"a": 0.5, "b": 2.0}, np.inf),
    ("beta", {"a": 1.0, "b": 2.0}, np.log(2.0)),
    ("f", {"dfnum": 2.0, "dfden": 3.0}, 0.0),
    ("lognormal", {}, -np.inf),
    ("wald", {"mean": 1.0, "scale": 1.0}, -np.inf),
    ("pareto", {"a": 3.0}, np.log(3.0)),
    ("noncentral_chisquare", {"df": 1.0, "nonc": 2.0}, np.inf),
    ("noncentral_chisquare", {"df": 2.0, "nonc": 2.0}, -1.0 - np.log(2.0)),
    ("noncentral_chisquare", {"df": 5.0, "nonc": 2.0}, -np.inf),
    ("noncentral_f", {"dfnum": 2.0, "dfden": 3.0, "nonc": 1.0}, -0.5),
    ("triangular", {"left": 0.0, "mode": 0.0, "right": 4.0}, -np.log(2.0)),
    ("triangular", {"left": 0.0, "mode": 1.0, "right": 4.0}, -np.inf),
]


@pytest.mark.parametrize(("name", "parameters", "limit"), LIMITS)
def test_at_the_end_of_the_support_the_density_is_its_limit_from_within(name, parameters, limit) -> None:
    distribution = distributions()[name]

    assert distribution.log_density(0.0, parameters) == pytest.approx(limit, abs=1e-14)
    assert distribution.log_density(-1e-9, parameters) == -np.inf
