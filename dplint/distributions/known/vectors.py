"""Distributions of several numbers."""

from __future__ import annotations

import math

from ..distribution import Distribution, Formulas, Outcomes
from ..parameters import other, whole
from ..signatures import GENERATOR, LEGACY, SIZE, Argument, numpy, outside, scipy, torch_class

_DIRICHLET_SIZE = Argument("size", SIZE, None)


_NORMAL = (
    "mean",
    "cov",
    Argument("size", SIZE, None),
    Argument("check_valid", None, "warn"),
    Argument("tol", None, 1e-8),
)


DISTRIBUTIONS = (
    # The Dirichlet distribution: shares that sum to 1.
    Distribution(
        name="dirichlet",
        parameters=(other("alpha"),),
        draws=(
            *outside(GENERATOR, "dirichlet", "alpha", _DIRICHLET_SIZE),
            *outside(LEGACY, "dirichlet", "alpha", _DIRICHLET_SIZE),
            *scipy("dirichlet", "alpha", discrete=True),
            *torch_class("Dirichlet", "concentration=alpha"),
        ),
        outcomes=Outcomes.VECTOR,
        formulas=Formulas(centre=lambda alpha: [one / sum(alpha) for one in alpha]),  # the mean
    ),
    # The multinomial distribution: how often each of several outcomes comes in n attempts.
    Distribution(
        name="multinomial",
        parameters=(whole("n"), other("pvals")),
        draws=(
            *numpy("multinomial", "n", "pvals"),
            *scipy("multinomial", "n", "p=pvals", discrete=True),
            *torch_class("Multinomial", ("total_count=n", 1), ("probs=pvals", None), ("logits", None)),
        ),
        outcomes=Outcomes.VECTOR,
        # Of each count the whole number nearest to its mean; they need not sum to n.
        formulas=Formulas(centre=lambda n, pvals: [math.floor(n * p + 0.5) for p in pvals]),
    ),
    # The multivariate hypergeometric distribution: how many of each colour are drawn, none twice.
    Distribution(
        name="multivariate_hypergeometric",
        parameters=(other("colors"), whole("nsample")),
        draws=(
            *outside(
                GENERATOR,
                "multivariate_hypergeometric",
                "colors",
                "nsample",
                Argument("size", SIZE, None),
                Argument("method", None, "marginals"),
            ),
            *scipy("multivariate_hypergeom", "m=colors", "n=nsample", discrete=True),
        ),
        outcomes=Outcomes.VECTOR,
        # Of each count the whole number nearest to its mean; they need not sum to nsample.
        formulas=Formulas(centre=lambda colors, nsample: [math.floor(nsample * n / sum(colors) + 0.5) for n in colors]),
    ),
    # The normal distribution of vectors, with a mean and a covariance.
    Distribution(
        name="multivariate_normal",
        parameters=(other("mean"), other("cov")),
        draws=(
            *outside(GENERATOR, "multivariate_normal", *_NORMAL, Argument("method", None, "svd")),
            *outside(LEGACY, "multivariate_normal", *_NORMAL),
            *outside("scipy", "multivariate_normal", ("mean", None), ("cov", 1), ("size", 1), ("random_state", None)),
            *torch_class("MultivariateNormal", "loc=mean", ("covariance_matrix=cov", None)),
        ),
        outcomes=Outcomes.VECTOR,
        formulas=Formulas(centre=lambda mean: list(mean)),
        noise=True,
    ),
)
