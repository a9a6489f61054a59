"""The logistic distribution: distribution function 1 / (1 + e^(-z)) of z = (x - loc) / scale."""

from __future__ import annotations

from ..distribution import Distribution, Law, ShiftCost, of_location_and_scale
from ..numerics import special
from ..parameters import positive, real
from ..signatures import numpy, scipy

DISTRIBUTION = Distribution(
    name="logistic",
    parameters=(real("loc", 0.0), positive("scale", 1.0)),
    draws=(
        *numpy("logistic", ("loc", 0.0), ("scale", 1.0), distinctive=True),
        *scipy("logistic", in_programs=True),
    ),
    formulas=of_location_and_scale(-3, 3),
    law=Law(
        cdf=lambda z: special.expit(z),
        survival=lambda z: special.expit(-z),
    ),
    # The slope of log f is -tanh(z / 2), between -1 and 1 and close to them far out.
    shift=ShiftCost("in proportion", downward=True),
    noise=True,
)
