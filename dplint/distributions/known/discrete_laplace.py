"""The discrete Laplace distribution: the probability of k is proportional to e^(-|k| / scale).

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
    p = -np.expm1(-np.divide(1.0, parameters["scale"]))
    return generator.geometric(p, shape) - generator.geometric(p, shape)


def _log_tail(k: Any, scale: Any) -> Any:
    """Log P(X <= k) for k < 0."""
    return k / scale - np.log1p(np.exp(-1.0 / scale))


def _log_cdf(k: Any, scale: Any) -> Any:
    return np.where(k < 0.0, _log_tail(k, scale), np.log1p(-np.exp(_log_tail(-k - 1.0, scale))))


DISTRIBUTION = Distribution(
    name="discrete_laplace",
    parameters=(positive("scale"),),
    draws=scipy("dlaplace", "a=1/scale", discrete=True),
    outcomes=Outcomes.INTEGER,
    formulas=Formulas(
        centre=lambda: 0,
        support=lambda: (-math.inf, math.inf),
        bulk=lambda scale: (-3 * scale, 3 * scale),
    ),
    law=Law(
        log_density=lambda k, scale: np.log(np.tanh(0.5 / scale)) - np.abs(k) / scale,
        cdf=lambda k, scale: np.exp(_log_cdf(k, scale)),
        survival=lambda k, scale: np.exp(_log_cdf(-k - 1.0, scale)),
        log_cdf=_log_cdf,
        log_survival=lambda k, scale: _log_cdf(-k - 1.0, scale),
    ),
    sampler=_sample,
    # log f(k) - log f(k + s) = (|k + s| - |k|) / scale <= |s| / scale, with equality at k = 0.
    shift=ShiftCost(per_unit=lambda scale: 1 / scale, downward=True, whole=True),
    noise=True,
)
