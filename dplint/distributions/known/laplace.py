"""The Laplace distribution: density e^(-|z|) / 2 of z = (x - loc) / scale."""

from __future__ import annotations

import functools
from fractions import Fraction
from typing import Any

from ..distribution import Distribution, Law, Piece, ShiftCost, of_location_and_scale
from ..numerics import np
from ..parameters import positive, real
from ..sampling import scaled
from ..signatures import jax, numpy, scipy, torch_class


def _sample(generator: Any, parameters: Any, shape: Any) -> Any:
    """Exponential numbers from the ziggurat with random signs (Marsaglia and Tsang, J. Stat. Software 5(8), 2000).

    NumPy's own is the logarithm of a uniform number: slower, and on another lattice of floats.
    """

    def standard(shape: Any) -> Any:
        drawn = generator.standard_exponential(shape)
        flat = drawn.reshape(-1)
        # Each byte tells the signs of eight numbers.
        words = generator.integers(1 << 32, size=-(-flat.size // 32), dtype=np.uint32)
        eights = words.astype("<u4", copy=False).view(np.uint8)[: -(-flat.size // 8)]
        flat *= _signs().take(eights, axis=0).reshape(-1)[: flat.size]
        return drawn

    return scaled(standard, parameters, shape)


@functools.cache
def _signs() -> Any:
    """For each byte eight signs, one for each bit."""
    return np.where(np.unpackbits(np.arange(256, dtype=np.uint8)[:, np.newaxis], axis=1), -1.0, 1.0)


def _cdf(z: Any) -> Any:
    half = np.exp(-np.abs(z)) / 2.0
    return np.where(z < 0.0, half, 1.0 - half)


DISTRIBUTION = Distribution(
    name="laplace",
    parameters=(real("loc", 0.0), positive("scale", 1.0)),
    draws=(
        *numpy("laplace", ("loc", 0.0), ("scale", 1.0), distinctive=True),
        *scipy("laplace", in_programs=True),
        *torch_class("Laplace", "loc", "scale"),
        *jax("laplace", fixed=(("loc", 0.0), ("scale", 1.0))),
    ),
    formulas=of_location_and_scale(-3, 3),
    law=Law(
        cdf=_cdf,
        survival=lambda z: _cdf(-z),
    ),
    sampler=_sample,
    # log f(x) - log f(x + s) = (|x + s| - |x|) / scale <= |s| / scale, with equality at x = 0.
    shift=ShiftCost("in proportion", downward=True),
    pieces=(
        Piece(None, Fraction(0), Fraction(1, 2), rate=1),
        Piece(Fraction(0), None, Fraction(1, 2), rate=-1),
    ),
    noise=True,
)
