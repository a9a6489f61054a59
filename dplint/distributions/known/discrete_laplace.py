"""The discrete Laplace distribution: the probability of k is tanh(a / 2) e^(-a |k|).

It is the difference of two geometric draws, the noise of the geometric mechanism (Ghosh, Roughgarden and Sundararajan,
STOC 2009).
"""

from __future__ import annotations

import math
from typing import Any

from ..distribution import Distribution, Formulas, Outcomes
from ..law import Law, ShiftCost
from ..numerics import np
from ..parameters import positive
from ..signatures import scipy


def _sample(generator: Any, parameters: Any, shape: Any) -> Any:
    a = np.asarray(parameters["a"], np.float64)
    if not np.all(a > 0.0):
        raise ValueError("a <= 0")
    p = -np.expm1(-a)
    return generator.geometric(p, shape) - generator.geometric(p, shape)


def _log_tail(k: Any, a: Any) -> Any:
    """Log P(X <= k) for k < 0."""
    return a * k - np.log1p(np.exp(-a))


def _log_cdf(k: Any, a: Any) -> Any:
    return np.where(k < 0.0, _log_tail(k, a), np.log1p(-np.exp(_log_tail(-k - 1.0, a))))


DISTRIBUTION = Distribution(
    name="discrete_laplace",
    parameters=(positive("a"),),
    draws=scipy("dlaplace", "a", discrete=True, in_programs=True),
    outcomes=Outcomes.INTEGER,
    formulas=Formulas(
        centre=lambda: 0,
        support=lambda: (-math.inf, math.inf),
        bulk=lambda a: (-3 / a, 3 / a),
    ),
    law=Law(
        log_density=lambda k, a: np.log(np.tanh(a / 2.0)) - a * np.abs(k),
        cdf=lambda k, a: np.exp(_log_cdf(k, a)),
        survival=lambda k, a: np.exp(_log_cdf(-k - 1.0, a)),
    ),
    sampler=_sample,
    # log f(k) - log f(k + s) = a (|k + s| - |k|) <= a |s|, with equality at k = 0.
    shift=ShiftCost(per_unit=lambda a: a, downward=True, whole=True),
    noise=True,
)
