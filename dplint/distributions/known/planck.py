"""The Planck distribution: the probability of k >= 0 is proportional to e^(-k / scale), a geometric draw less 1."""

from __future__ import annotations

import math
from typing import Any

from ..distribution import Distribution, Formulas, Outcomes
from ..law import Law, ShiftCost
from ..numerics import np
from ..parameters import positive
from ..signatures import scipy


def _sample(generator: Any, parameters: Any, shape: Any) -> Any:
    return generator.geometric(-np.expm1(-np.divide(1.0, parameters["scale"])), shape) - 1


def _log_survival(k: Any, scale: Any) -> Any:
    return -(np.maximum(k, -1.0) + 1.0) / scale


DISTRIBUTION = Distribution(
    name="planck",
    parameters=(positive("scale"),),
    draws=scipy("planck", "lambda_=1/scale", discrete=True),
    outcomes=Outcomes.INTEGER,
    formulas=Formulas(
        centre=lambda: 0,  # the least and the likeliest
        support=lambda: (0, math.inf),
        bulk=lambda scale: (0, 3 * scale),
    ),
    law=Law(
        log_density=lambda k, scale: np.where(k >= 0.0, np.log(-np.expm1(-1.0 / scale)) - k / scale, -np.inf),
        cdf=lambda k, scale: -np.expm1(_log_survival(k, scale)),
        survival=lambda k, scale: np.exp(_log_survival(k, scale)),
    ),
    sampler=_sample,
    # As for the geometric distribution.
    shift=ShiftCost(per_unit=lambda scale: 1 / scale, whole=True),
    noise=True,
)
