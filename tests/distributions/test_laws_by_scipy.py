"""Densities and distribution functions against `scipy.stats`, from the middle to the far tails."""

from __future__ import annotations

import numpy as np

from dplint.distributions import Outcomes, distributions
from tests.distributions.laws import SAMES, Same, with_law

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


@with_law("survival")
def test_the_log_density(same: Same) -> None:
    points = np.unique(np.concatenate([same.inner(), same.far() if same.tails else []]))
    points = points[points != 0.0]  # where some of SciPy's densities have an end: that point has its own test

    # The logarithm of a density near 1 is near 0, and no better than the rounding of the density.
    agree(same.log_density(points), same.law.logpdf(points), points, absolute=1e-11)


@with_law("cdf")
def test_the_distribution_function(same: Same) -> None:
    points = np.unique(np.concatenate([same.inner(), same.inner() + 0.5, same.far() if same.tails else []]))

    agree(same.cdf(points), same.law.cdf(points), points, absolute=1e-300)


@with_law("survival")
def test_the_survival_function(same: Same) -> None:
    points = np.unique(np.concatenate([same.inner(), same.far() if same.tails else []]))
    theirs = np.where(same.law.sf(points) > 0.5, 1.0 - same.law.cdf(points), same.law.sf(points))

    agree(same.survival(points), theirs, points, 1e-300 if same.tails else 1e-15)


@with_law("survival")
def test_outside_of_the_support_there_is_nothing(same: Same) -> None:
    low, high = (float(end) for end in same.distribution.support(same.parameters))
    for end, beyond in ((low, low - 1.0), (high, high + 1.0)):
        if np.isfinite(end):
            assert same.log_density(beyond) == -np.inf
            assert same.cdf(beyond) == (0.0 if beyond < low else 1.0)
            assert same.survival(beyond) == (1.0 if beyond < low else 0.0)
    assert same.cdf(np.array([-np.inf, np.inf])).tolist() == [0.0, 1.0]
    assert same.survival(np.array([-np.inf, np.inf])).tolist() == [1.0, 0.0]


def test_at_the_end_of_the_support_the_density_is_its_limit_from_within() -> None:
    (same, *_) = [one for one in SAMES if one.distribution.name == "exponential"]

    assert same.log_density(0.0) == -np.log(same.parameters["scale"])
    assert same.log_density(-1e-9) == -np.inf


def test_common_noise_has_a_law() -> None:
    whole = {name for name, one in distributions().items() if one.law is not None and one.law.survival is not None}

    assert whole == {*("laplace", "normal", "gumbel", "logistic", "cauchy", "exponential", "uniform", "random")}
    assert {name for name, one in distributions().items() if one.law is not None} - whole == {
        "geometric",
        "discrete_laplace",
        "discrete_gaussian",
    }
