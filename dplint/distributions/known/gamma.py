"""The gamma distribution: density z^(shape - 1) e^(-z) / Gamma(shape) of z = x / scale >= 0."""

from __future__ import annotations

import math
from typing import Any

from ..distribution import Distribution, Formulas, Outcomes
from ..law import Law, ShiftCost
from ..numerics import np, special
from ..parameters import positive
from ..signatures import numpy, python, scipy, standard, torch_class


def log_density(z: Any, shape: Any) -> Any:
    """Of the standard gamma distribution."""
    above = np.maximum(z, 0.0)
    return np.where(z >= 0.0, special.xlogy(shape - 1.0, above) - above - special.gammaln(shape), -np.inf)


DISTRIBUTION = Distribution(
    name="gamma",
    parameters=(positive("shape"), positive("scale", 1.0)),
    draws=(
        *numpy("gamma", "shape", ("scale", 1.0)),
        *standard("standard_gamma", "shape", fixed=(("scale", 1.0),)),
        *python("gammavariate", "alpha=shape", "beta=scale"),
        *scipy("gamma", "a=shape"),
        *torch_class("Gamma", "concentration=shape", "rate=1/scale"),
    ),
    outcomes=Outcomes.REAL,
    formulas=Formulas(
        centre=lambda: 0.0,  # nothing is added, as for exponential noise
        support=lambda: (0.0, math.inf),
        scale=lambda scale: scale,
    ),
    law=Law(
        log_density=log_density,
        cdf=lambda z, shape: special.gammainc(shape, np.maximum(z, 0.0)),
        survival=lambda z, shape: special.gammaincc(shape, np.maximum(z, 0.0)),
        standard=True,
    ),
    # log f(z) - log f(z + s) = s - (shape - 1) log(1 + s / z): below s for shape >= 1 and close to it far up.
    # For shape < 1 it is unbounded at 0, where the density is.
    shift=ShiftCost(per_unit=lambda scale: 1 / scale, where=lambda shape: shape >= 1.0),
)
