"""The binomial distribution: the number of successes in n attempts, each with probability p; Bernoulli's with n = 1."""

from __future__ import annotations

import math
from typing import Any

from ..distribution import Distribution, Formulas, Outcomes
from ..law import INFINITE, Law
from ..numerics import np, special
from ..parameters import probability, whole
from ..signatures import jax, numpy, outside, scipy, torch, torch_class


def _log_density(k: Any, n: Any, p: Any) -> Any:
    inside = np.clip(k, 0.0, n)
    ways = -np.log1p(n) - special.betaln(n - inside + 1.0, inside + 1.0)
    return np.where(inside == k, ways + special.xlogy(inside, p) + special.xlog1py(n - inside, -p), -np.inf)


def _cdf(k: Any, n: Any, p: Any) -> Any:
    inside = np.clip(k, 0.0, np.maximum(n - 1.0, 0.0))
    return np.where(k < 0.0, 0.0, np.where(k >= n, 1.0, special.betaincc(inside + 1.0, n - inside, p)))


def _survival(k: Any, n: Any, p: Any) -> Any:
    inside = np.clip(k, 0.0, np.maximum(n - 1.0, 0.0))
    return np.where(k < 0.0, 1.0, np.where(k >= n, 0.0, special.betainc(inside + 1.0, n - inside, p)))


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
    law=Law(log_density=_log_density, cdf=_cdf, survival=_survival),
    # A shift moves some of what is possible to what is not.
    shift=INFINITE,
)
