"""The continuous uniform distribution on an interval."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ..distribution import Distribution, Formulas, Outcomes
from ..law import Piece
from ..numerics import np
from ..parameters import real
from ..signatures import JAX, numpy, outside, python, scipy, tensorflow, torch_class
from .random import LAW


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


DISTRIBUTION = Distribution(
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
    outcomes=Outcomes.REAL,
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
)
