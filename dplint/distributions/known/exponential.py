"""The exponential distribution: density e^(-z) of z = x / scale >= 0."""

from __future__ import annotations

from fractions import Fraction

from ..distribution import Distribution, Formulas, Law, Piece, ShiftCost, above
from ..numerics import np
from ..parameters import positive
from ..sampling import scaled
from ..signatures import numpy, python, scipy, standard, torch_class

DISTRIBUTION = Distribution(
    name="exponential",
    parameters=(positive("scale", 1.0),),
    draws=(
        *numpy("exponential", ("scale", 1.0)),
        *standard("standard_exponential", fixed=(("scale", 1.0),), distinctive=True),
        *python("expovariate", ("lambd=1/scale", 1.0), distinctive=True),
        *scipy("expon", in_programs=True),
        *torch_class("Exponential", "rate=1/scale"),
    ),
    formulas=Formulas(
        centre=lambda: 0.0,  # nothing is added
        support=above(0.0),
        scale=lambda scale: scale,
        bulk=lambda: (0, 3),
    ),
    law=Law(
        cdf=lambda z: -np.expm1(-np.maximum(z, 0.0)),
        survival=lambda z: np.exp(-np.maximum(z, 0.0)),
    ),
    sampler=lambda generator, parameters, shape: scaled(generator.standard_exponential, parameters, shape),
    # log f(z) - log f(z + s) = s wherever both are possible; a draw below -s would be moved to what is not.
    shift=ShiftCost("in proportion"),
    pieces=(Piece(Fraction(0), None, Fraction(1), rate=-1),),
    noise=True,
)
