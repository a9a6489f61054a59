"""The normal distribution of vectors, with a mean and a covariance."""

from __future__ import annotations

from ..distribution import Distribution, Formulas, Outcomes
from ..parameters import other
from ..signatures import GENERATOR, LEGACY, SIZE, Argument, outside, torch_class

_ARGUMENTS = (
    "mean",
    "cov",
    Argument("size", SIZE, None),
    Argument("check_valid", None, "warn"),
    Argument("tol", None, 1e-8),
)

DISTRIBUTION = Distribution(
    name="multivariate_normal",
    parameters=(other("mean"), other("cov")),
    draws=(
        *outside(GENERATOR, "multivariate_normal", *_ARGUMENTS, Argument("method", None, "svd")),
        *outside(LEGACY, "multivariate_normal", *_ARGUMENTS),
        *outside("scipy", "multivariate_normal", ("mean", None), ("cov", 1), ("size", 1), ("random_state", None)),
        *torch_class("MultivariateNormal", "loc=mean", ("covariance_matrix=cov", None)),
    ),
    outcomes=Outcomes.VECTOR,
    formulas=Formulas(centre=lambda mean: list(mean)),
    noise=True,
)
