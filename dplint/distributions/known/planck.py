"""The Planck distribution: the probability of k >= 0 is proportional to e^(-k / scale), a geometric draw less 1."""

from __future__ import annotations

import math
from typing import Any

from ..distribution import Distribution, Formulas, Outcomes
from ..law import ShiftCost
from ..numerics import np
from ..parameters import positive
from ..signatures import scipy


def _sample(generator: Any, parameters: Any, shape: Any) -> Any:
    return generator.geometric(-np.expm1(-np.divide(1.0, parameters["scale"])), shape) - 1


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
    sampler=_sample,
    # As for the geometric distribution.
    shift=ShiftCost("in proportion", whole=True),
    noise=True,
)
