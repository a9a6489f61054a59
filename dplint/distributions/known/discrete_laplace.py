"""The discrete Laplace distribution: the probability of k is tanh(a / 2) e^(-a |k|).

It is the difference of two geometric draws, the noise of the geometric mechanism (Ghosh, Roughgarden and Sundararajan,
STOC 2009).
"""

from __future__ import annotations

import math
from typing import Any

from ..distribution import Distribution, Formulas, Law, Outcomes, ShiftCost
from ..numerics import np
from ..parameters import positive
from ..signatures import scipy


def _sample(generator: Any, parameters: Any, shape: Any) -> Any:
    a = np.asarray(parameters["a"], np.float64)
    if not np.all(a > 0.0):
        raise ValueError("a <= 0")
    p = -np.expm1(-a)
    return generator.geometric(p, shape) - generator.geometric(p, shape)


def _cdf(k: Any, a: Any) -> Any:
    """By the tail e^(a j) / (1 + e^-a) up to j < 0, and from the other side."""
    whole = np.floor(k)
    tail = np.exp(a * np.where(whole < 0.0, whole, -whole - 1.0)) / (1.0 + np.exp(-a))
    return np.where(whole < 0.0, tail, 1.0 - tail)


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
    law=Law(cdf=_cdf),
    sampler=_sample,
    # log f(k) - log f(k + s) = a (|k + s| - |k|) <= a |s|, with equality at k = 0.
    shift=ShiftCost("in proportion", downward=True, whole=True),
    noise=True,
)
