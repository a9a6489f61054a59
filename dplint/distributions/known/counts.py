"""Distributions of whole numbers that are seldom noise."""

from __future__ import annotations

import math
from typing import Any

from ..distribution import Distribution, Formulas, Outcomes, ShiftCost, above
from ..numerics import np
from ..parameters import Parameter, positive, probability, whole
from ..signatures import jax, numpy, outside, scipy, torch, torch_class


def _planck_sample(generator: Any, parameters: Any, shape: Any) -> Any:
    return generator.geometric(-np.expm1(-np.divide(1.0, parameters["scale"])), shape) - 1


DISTRIBUTIONS = (
    # The binomial distribution: the number of successes in n attempts, each with probability p; Bernoulli's with n
    # = 1.
    Distribution(
        name="binomial",
        parameters=(whole("n"), probability("p")),
        draws=(
            *numpy("binomial", "n", "p"),
            *outside("python", "binomialvariate", ("n", 1), ("p", 0.5)),
            *scipy("binom", "n", "p", discrete=True, in_programs=True),
            *scipy("bernoulli", "p", discrete=True, in_programs=True, fixed=(("n", 1),)),
            *torch("bernoulli", "input=p", fixed=(("n", 1),)),
            *jax("bernoulli", ("p", 0.5), fixed=(("n", 1),)),
            *torch("binomial", "count=n", "prob=p"),
            *torch_class("Binomial", ("total_count=n", 1), ("probs=p", None), ("logits", None)),
            *torch_class("Bernoulli", ("probs=p", None), ("logits", None), fixed=(("n", 1),)),
        ),
        outcomes=Outcomes.INTEGER,
        formulas=Formulas(
            centre=lambda n, p: math.floor(n * p + 0.5),  # the whole number nearest to the mean
            support=lambda n: (0, n),
            bulk=lambda n: (0, n),
        ),
    ),
    # The hypergeometric distribution: how many are good among nsample drawn from ngood and nbad, none twice.
    Distribution(
        name="hypergeometric",
        parameters=(whole("ngood"), whole("nbad"), whole("nsample")),
        draws=(*numpy("hypergeometric", "ngood", "nbad", "nsample"), *scipy("hypergeom", "M", "n", "N", discrete=True)),
        outcomes=Outcomes.INTEGER,
        formulas=Formulas(
            # The whole number nearest to the mean.
            centre=lambda ngood, nbad, nsample: math.floor(nsample * ngood / (ngood + nbad) + 0.5),
            support=lambda ngood, nbad, nsample: (max(0, nsample - nbad), min(ngood, nsample)),
        ),
        condition=lambda ngood, nbad, nsample: nsample <= ngood + nbad,
    ),
    # The logarithmic series distribution: the probability of k >= 1 is proportional to p^k / k.
    Distribution(
        name="logseries",
        parameters=(Parameter("p", low=0.0, above=True, high=1.0, below=True),),
        draws=(*numpy("logseries", "p"), *scipy("logser", "p", discrete=True)),
        outcomes=Outcomes.INTEGER,
        formulas=Formulas(centre=lambda: 1, support=above(1)),  # the least and the likeliest
        # Its tail is 2F1(1, k + 1; k + 2; p), which SciPy does not have for large k and p near 1.
    ),
    # The negative binomial distribution: the number of failures before the n-th success; n may be any positive
    # number.
    Distribution(
        name="negative_binomial",
        parameters=(positive("n"), Parameter("p", low=0.0, above=True, high=1.0)),
        draws=(
            *numpy("negative_binomial", "n", "p"),
            *scipy("nbinom", "n", "p", discrete=True),
            # Its probs are those of what it counts.
            *torch_class("NegativeBinomial", "total_count=n", ("probs", None), ("logits", None)),
        ),
        outcomes=Outcomes.INTEGER,
        formulas=Formulas(
            centre=lambda n, p: math.floor(n * (1 - p) / p + 0.5),  # the whole number nearest to the mean
            support=above(0),
        ),
    ),
    # The Planck distribution: the probability of k >= 0 is proportional to e^(-k / scale), a geometric draw less 1.
    Distribution(
        name="planck",
        parameters=(positive("scale"),),
        draws=scipy("planck", "lambda_=1/scale", discrete=True),
        outcomes=Outcomes.INTEGER,
        formulas=Formulas(
            centre=lambda: 0,  # the least and the likeliest
            support=above(0),
            bulk=lambda scale: (0, 3 * scale),
        ),
        sampler=_planck_sample,
        # As for the geometric distribution.
        shift=ShiftCost("in proportion", whole=True),
        noise=True,
    ),
    # The Poisson distribution with mean lam.
    Distribution(
        name="poisson",
        parameters=(Parameter("lam", 1.0, low=0.0),),
        draws=(
            *numpy("poisson", ("lam", 1.0)),
            *scipy("poisson", "mu=lam", discrete=True, in_programs=True),
            *torch("poisson", "input=lam"),
            *torch_class("Poisson", "rate=lam"),
        ),
        outcomes=Outcomes.INTEGER,
        formulas=Formulas(
            centre=lambda lam: math.floor(lam + 0.5),  # the whole number nearest to the mean
            support=above(0),
            bulk=lambda lam: (0, 2 * lam + 3),
        ),
    ),
    # The Zipf (zeta) distribution: the probability of k >= 1 is proportional to k^(-a).
    Distribution(
        name="zipf",
        parameters=(Parameter("a", low=1.0, above=True),),
        draws=(*numpy("zipf", "a"), *scipy("zipf", "a", discrete=True)),
        outcomes=Outcomes.INTEGER,
        formulas=Formulas(centre=lambda: 1, support=above(1)),  # the least and the likeliest
    ),
)
