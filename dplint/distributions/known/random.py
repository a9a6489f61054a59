"""The uniform distribution on [0, 1), as generators give it without being asked for more."""

from __future__ import annotations

from fractions import Fraction

from ..distribution import Distribution, Formulas, Outcomes
from ..law import Law, Piece
from ..numerics import np
from ..signatures import LEGACY, DrawSignature, python, sized, standard, torch

LAW = Law(
    log_density=lambda z: np.where((z >= 0.0) & (z <= 1.0), 0.0, -np.inf),
    cdf=lambda z: z,
    survival=lambda z: 1.0 - z,
    quantile=lambda p: p,
    upper_quantile=lambda q: 1.0 - q,
)

DISTRIBUTION = Distribution(
    name="random",
    parameters=(),
    draws=(
        *standard("random"),
        sized(LEGACY, "random_sample"),
        DrawSignature(LEGACY, "rand", dimensions=True),
        *python("random"),
        *torch("rand", dimensions=True),
        *torch("rand_like", "input=like"),
    ),
    outcomes=Outcomes.REAL,
    formulas=Formulas(
        centre=lambda: 0.5,
        support=lambda: (0.0, 1.0),
        location=lambda: 0.0,
        bulk=lambda: (0, 1),
    ),
    law=LAW,
    sampler=lambda generator, _, shape: generator.random(shape),
    pieces=(Piece(Fraction(0), Fraction(1), Fraction(1)),),
)
