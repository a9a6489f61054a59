"""The Gumbel distribution (of maxima): distribution function e^(-e^(-z)) of z = (x - loc) / scale."""

from __future__ import annotations

from typing import Any

from ..distribution import Distribution, Law, ShiftCost, of_location_and_scale
from ..numerics import np
from ..parameters import positive, real
from ..sampling import scaled
from ..signatures import jax, numpy, scipy, torch_class


def _sample(generator: Any, parameters: Any, shape: Any) -> Any:
    """Minus the logarithm of exponential numbers, which the ziggurat draws: NumPy's own takes two logarithms."""

    def standard(shape: Any) -> Any:
        drawn = generator.standard_exponential(shape)
        np.maximum(drawn, np.finfo(np.float64).tiny, out=drawn)  # zero comes once in 2^53 draws
        return np.negative(np.log(drawn, out=drawn), out=drawn)

    return scaled(standard, parameters, shape)


DISTRIBUTION = Distribution(
    name="gumbel",
    parameters=(real("loc", 0.0), positive("scale", 1.0)),
    draws=(
        *numpy("gumbel", ("loc", 0.0), ("scale", 1.0), distinctive=True),
        *scipy("gumbel_r", in_programs=True),
        *torch_class("Gumbel", "loc", "scale"),
        *jax("gumbel", fixed=(("loc", 0.0), ("scale", 1.0))),
    ),
    formulas=of_location_and_scale(-3, 3),
    law=Law(
        cdf=lambda z: np.exp(-np.exp(-z)),
        survival=lambda z: -np.expm1(-np.exp(-z)),
    ),
    # log f(z) - log f(z + s) = s - e^(-z) (1 - e^(-s)): below s for s > 0 and close to it far up; unbounded for s < 0.
    shift=ShiftCost("in proportion"),
    noise=True,
    sampler=_sample,
)
