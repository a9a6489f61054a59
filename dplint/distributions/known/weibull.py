"""The Weibull distribution: survival function e^(-z^a) of z = x / scale >= 0."""

from __future__ import annotations

import math
from typing import Any

from ..distribution import Distribution, Formulas, Outcomes
from ..law import Law, ShiftCost
from ..numerics import np, special
from ..parameters import positive
from ..sampling import scaled
from ..signatures import numpy, python, scipy, torch_class


def _sample(generator: Any, parameters: Any, shape: Any) -> Any:
    return scaled(lambda shape: generator.weibull(parameters["a"], shape), parameters, shape)


def _power(z: Any, a: Any) -> Any:
    return np.maximum(z, 0.0) ** a


def _log_density(z: Any, a: Any) -> Any:
    log = np.log(a) + special.xlogy(a - 1.0, np.maximum(z, 0.0)) - _power(z, a)
    return np.where(z >= 0.0, log, -np.inf)


DISTRIBUTION = Distribution(
    name="weibull",
    parameters=(positive("a"), positive("scale", 1.0)),
    draws=(
        *numpy("weibull", "a", fixed=(("scale", 1.0),)),
        *python("weibullvariate", "alpha=scale", "beta=a"),
        *scipy("weibull_min", "c=a"),
        *torch_class("Weibull", "scale", "concentration=a"),
    ),
    outcomes=Outcomes.REAL,
    formulas=Formulas(
        centre=lambda: 0.0,  # nothing is added
        support=lambda: (0.0, math.inf),
        scale=lambda scale: scale,
    ),
    law=Law(
        log_density=_log_density,
        cdf=lambda z, a: -np.expm1(-_power(z, a)),
        survival=lambda z, a: np.exp(-_power(z, a)),
        standard=True,
    ),
    sampler=_sample,
    # For a = 1 it is exponential. For a < 1 the density is unbounded at 0, for a > 1 its slope is far up.
    shift=ShiftCost(per_unit=lambda scale: 1 / scale, where=lambda a: a == 1.0),
)
