"""The continuous uniform distributions: on an interval, and on [0, 1) as generators give it without being asked."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ..distribution import Distribution, Formulas, Law, Piece
from ..numerics import np
from ..parameters import real
from ..signatures import (
    JAX,
    LEGACY,
    DrawSignature,
    numpy,
    outside,
    python,
    scipy,
    sized,
    standard,
    tensorflow,
    torch,
    torch_class,
)


def _sample(generator: Any, parameters: Any, shape: Any) -> Any:
    low, high = parameters["low"], parameters["high"]
    width = np.subtract(high, low)
    if not np.all(np.isfinite(width)) or np.any(np.less(width, 0.0)):
        raise ValueError("high < low, or too far apart")
    drawn = generator.random(shape)
    drawn *= width
    if isinstance(low, np.ndarray) or low != 0.0:
        drawn += low
    return drawn


LAW = Law(
    cdf=lambda z: z,
    survival=lambda z: 1.0 - z,
)

DISTRIBUTIONS = (
    Distribution(
        name="uniform",
        parameters=(real("low", 0.0), real("high", 1.0)),
        draws=(
            *numpy("uniform", ("low", 0.0), ("high", 1.0)),
            *python("uniform", "a=low", "b=high"),
            *scipy("uniform", in_programs=True, fixed=(("low", 0.0), ("high", 1.0))),
            *torch_class("Uniform", "low", "high"),
            *outside(
                JAX, "uniform", "key", ("shape=size", None), ("dtype", None), ("minval=low", 0.0), ("maxval=high", 1.0)
            ),
            *tensorflow("uniform", ("minval=low", 0.0), ("maxval=high", 1.0)),
        ),
        formulas=Formulas(
            centre=lambda low, high: (low + high) / 2,
            support=lambda low, high: (low, high),
            location=lambda low: low,
            scale=lambda low, high: high - low,
            bulk=lambda: (0, 1),
        ),
        law=LAW,
        sampler=_sample,
        pieces=(Piece(Fraction(0), Fraction(1), Fraction(1)),),
        condition=lambda low, high: low < high,
    ),
    Distribution(
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
        formulas=Formulas(
            centre=lambda: 0.5,
            support=lambda: (0.0, 1.0),
            location=lambda: 0.0,
            bulk=lambda: (0, 1),
        ),
        law=LAW,
        sampler=lambda generator, _, shape: generator.random(shape),
        pieces=(Piece(Fraction(0), Fraction(1), Fraction(1)),),
    ),
)
