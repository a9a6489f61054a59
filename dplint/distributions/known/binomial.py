"""The binomial distribution: the number of successes in n attempts, each with probability p; Bernoulli's with n = 1."""

from __future__ import annotations

import math

from ..distribution import Distribution, Formulas, Outcomes
from ..parameters import probability, whole
from ..signatures import jax, numpy, outside, scipy, torch, torch_class

DISTRIBUTION = Distribution(
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
)
