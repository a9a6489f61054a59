"""The discrete Gaussian distribution: the probability of a whole number k is proportional to e^(-k^2 / (2 sigma^2)).

Canonne, Kamath and Steinke, The Discrete Gaussian for Differential Privacy, NeurIPS 2020. Its variance is slightly less
than sigma^2.
"""

from __future__ import annotations

import math
from typing import Any

from ..distribution import INFINITE, Distribution, Formulas, Law, Outcomes
from ..numerics import np
from ..parameters import positive
from ..signatures import packages

_FAR = 40.0
"""So many sigmas from 0 there is less than floats hold."""
_MOST_POINTS = 4e6


def _sample(generator: Any, parameters: Any, shape: Any) -> Any:
    """By rejection from discrete Laplace noise of scale t: algorithm 3 of the paper, with floats for its coins."""
    square = np.asarray(parameters["sigma_squared"], np.float64)
    if not np.all(square > 0.0):
        raise ValueError("sigma_squared <= 0")
    squares = np.broadcast_to(square, shape).reshape(-1)
    found = np.zeros(squares.shape, np.int64)
    left = np.arange(squares.size)
    while left.size:
        s = squares[left]
        t = np.floor(np.sqrt(s)) + 1.0
        p = -np.expm1(-1.0 / t)
        drawn = generator.geometric(p) - generator.geometric(p)
        kept = generator.random(left.size) < np.exp(-((np.abs(drawn) - s / t) ** 2) / (2.0 * s))
        found[left[kept]] = drawn[kept]
        left = left[~kept]
    return found.reshape(shape)


def _cdf(k: Any, sigma_squared: Any) -> Any:
    """By sums from the lower end, or from the upper one above 0. sigma_squared: one number, at most 10^10."""
    square = float(sigma_squared)
    reach = math.ceil(_FAR * math.sqrt(square)) + 1
    if reach > _MOST_POINTS:
        raise ValueError("a sigma_squared of more than 10^10")
    masses = np.exp(-(np.arange(-reach, reach + 1.0) ** 2) / (2.0 * square))
    up_to = np.cumsum(masses)
    whole = np.floor(k)
    mirrored = np.clip(np.where(whole < 0.0, whole, -whole - 1.0), -reach - 1.0, reach)
    below = np.where(mirrored < -reach, 0.0, up_to[(mirrored + reach).astype(np.int64)]) / up_to[-1]
    return np.where(whole < 0.0, below, 1.0 - below)


DISTRIBUTION = Distribution(
    name="discrete_gaussian",
    parameters=(positive("sigma_squared"),),
    draws=packages("tmlt.core.random.discrete_gaussian.sample_dgauss", "sigma_squared"),
    outcomes=Outcomes.INTEGER,
    formulas=Formulas(
        centre=lambda: 0,
        support=lambda: (-math.inf, math.inf),
        bulk=lambda sigma_squared: (-3 * sigma_squared**0.5, 3 * sigma_squared**0.5),
    ),
    law=Law(cdf=_cdf),
    sampler=_sample,
    # log f(k) - log f(k + s) = s (2 k + s) / (2 sigma^2) grows without bound, as for the normal distribution.
    shift=INFINITE,
    noise=True,
)
