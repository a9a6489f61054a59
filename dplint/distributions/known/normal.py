"""The normal (Gaussian) distribution: density e^(-z^2 / 2) / sqrt(2 pi) of z = (x - loc) / scale."""

from __future__ import annotations

from ..distribution import INFINITE, Distribution, Law, of_location_and_scale
from ..numerics import special
from ..parameters import positive, real
from ..sampling import scaled
from ..signatures import LEGACY, DrawSignature, jax, numpy, python, scipy, standard, tensorflow, torch, torch_class

_STANDARD = (("loc", 0.0), ("scale", 1.0))

DISTRIBUTION = Distribution(
    name="normal",
    parameters=(real("loc", 0.0), positive("scale", 1.0)),
    draws=(
        *numpy("normal", ("loc", 0.0), ("scale", 1.0)),
        *standard("standard_normal", fixed=_STANDARD, distinctive=True),
        DrawSignature(LEGACY, "randn", fixed=_STANDARD, dimensions=True, distinctive=True),
        *python("gauss", ("mu=loc", 0.0), ("sigma=scale", 1.0), distinctive=True),
        *python("normalvariate", ("mu=loc", 0.0), ("sigma=scale", 1.0), distinctive=True),
        *scipy("norm", in_programs=True),
        *torch("normal", ("mean=loc", 0.0), ("std=scale", 1.0), ("size", None)),
        *torch("randn", fixed=_STANDARD, dimensions=True),
        *torch("randn_like", "input=like", fixed=_STANDARD),
        *torch_class("Normal", "loc", "scale"),
        *jax("normal", fixed=_STANDARD),
        *tensorflow("normal", ("mean=loc", 0.0), ("stddev=scale", 1.0)),
    ),
    formulas=of_location_and_scale(-3, 3),
    law=Law(
        cdf=lambda z: special.ndtr(z),
        survival=lambda z: special.ndtr(-z),
    ),
    sampler=lambda generator, parameters, shape: scaled(generator.standard_normal, parameters, shape),
    # log f(z) - log f(z + s) = s z + s^2 / 2 grows without bound: pure privacy has no price for it.
    shift=INFINITE,
    noise=True,
)
