"""The Cauchy distribution: density 1 / (pi (1 + z^2)) of z = (x - loc) / scale."""

from __future__ import annotations

from ..distribution import Distribution, Law, ShiftCost, of_location_and_scale
from ..numerics import np
from ..parameters import positive, real
from ..sampling import scaled
from ..signatures import numpy, scipy, torch_class

DISTRIBUTION = Distribution(
    name="cauchy",
    parameters=(real("loc", 0.0), positive("scale", 1.0)),
    draws=(
        *numpy("standard_cauchy", fixed=(("loc", 0.0), ("scale", 1.0)), distinctive=True),
        *scipy("cauchy", in_programs=True),
        *torch_class("Cauchy", "loc", "scale"),
    ),
    formulas=of_location_and_scale(-6, 6),
    law=Law(
        cdf=lambda z: np.arctan2(1.0, -z) / np.pi,
        survival=lambda z: np.arctan2(1.0, z) / np.pi,
    ),
    sampler=lambda generator, parameters, shape: scaled(generator.standard_cauchy, parameters, shape),
    # (1 + (z + s)^2) / (1 + z^2) is largest where z^2 + s z = 1, and there the square of (s + sqrt(s^2 + 4)) / 2.
    shift=ShiftCost("bounded", downward=True),
    noise=True,
)
