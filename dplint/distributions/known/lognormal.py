"""The lognormal distribution: its logarithm is normal, with that mean and standard deviation."""

from __future__ import annotations

import math
from typing import Any

from ..distribution import Distribution, Formulas, Outcomes
from ..law import Law
from ..numerics import np, special
from ..parameters import positive, real
from ..signatures import numpy, python, scipy, torch_class

_HALF_LOG_2_PI = 0.9189385332046727


def _z(x: Any, mean: Any, sigma: Any) -> Any:
    return (np.log(np.maximum(x, 0.0)) - mean) / sigma


def _log_density(x: Any, mean: Any, sigma: Any) -> Any:
    log = -(_z(x, mean, sigma) ** 2) / 2.0 - np.log(np.maximum(x, 0.0)) - np.log(sigma) - _HALF_LOG_2_PI
    return np.where(x > 0.0, log, -np.inf)


DISTRIBUTION = Distribution(
    name="lognormal",
    parameters=(real("mean", 0.0), positive("sigma", 1.0)),
    draws=(
        *numpy("lognormal", ("mean", 0.0), ("sigma", 1.0)),
        *python("lognormvariate", "mu=mean", "sigma"),
        *scipy("lognorm", "s=sigma"),
        *torch_class("LogNormal", "loc=mean", "scale=sigma"),
    ),
    outcomes=Outcomes.REAL,
    formulas=Formulas(
        centre=lambda mean: math.exp(mean),  # the median
        support=lambda: (0.0, math.inf),
    ),
    law=Law(
        log_density=_log_density,
        cdf=lambda x, mean, sigma: special.ndtr(_z(x, mean, sigma)),
        survival=lambda x, mean, sigma: special.ndtr(-_z(x, mean, sigma)),
    ),
    noise=True,
)
