"""Random numbers for many lanes at once, each distribution by the fastest way that has its law.

What is promised is the law over real numbers, not the bits: `Generator.laplace` is the logarithm of a uniform number,
this is an exponential number from the ziggurat with a random sign (Marsaglia and Tsang, J. Stat. Software 5(8), 2000),
whose floating-point lattice is another one. So porous noise in the user's generator does not show in lanes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Parameters: TypeAlias = Mapping[str, Any]
"""Canonical names; each a number, or an array that broadcasts against the shape of the draws."""

_WORD = 64
_SHIFTS = np.arange(_WORD, dtype=np.uint64)
_SIGN = np.uint64(1 << 63)


class Sampler:
    """Draws of any shape from one generator. Shapes have the lanes on the last axis."""

    def __init__(self, generator: np.random.Generator) -> None:
        self.generator = generator
        self._standard: Mapping[str, Callable[[tuple[int, ...]], Floats]] = {
            "laplace": self._standard_laplace,
            "normal": generator.standard_normal,
            "exponential": generator.standard_exponential,
        }

    def numbers(self, distribution: str, parameters: Parameters, shape: tuple[int, ...]) -> NDArray[Any] | None:
        """Independent draws of a shape; None if the distribution or its parameters are not known here.

        What the generator would refuse is not known here either, so that the refusal is the generator's own.
        """
        if distribution in self._standard:
            return self._located(distribution, parameters, shape)
        if distribution == "random":
            return self.generator.random(shape)
        if distribution == "uniform":
            return self._uniform(parameters, shape)
        if distribution in _GENERIC:
            try:
                method = getattr(self.generator, distribution)
                return np.asarray(method(**parameters, size=shape))
            except (ValueError, TypeError, OverflowError):
                return None
        return None

    def _located(self, distribution: str, parameters: Parameters, shape: tuple[int, ...]) -> Floats | None:
        scale, loc = parameters["scale"], parameters.get("loc", 0.0)
        if not np.all(np.greater_equal(scale, 0.0)) or np.any(np.signbit(scale)):
            return None
        drawn = self._standard[distribution](shape)
        drawn *= scale
        if isinstance(loc, np.ndarray) or loc != 0.0:
            drawn += loc
        return drawn

    def _uniform(self, parameters: Parameters, shape: tuple[int, ...]) -> Floats | None:
        low, high = parameters["low"], parameters["high"]
        width = np.subtract(high, low)
        if not np.all(np.isfinite(width)) or np.any(np.less(width, 0.0)):
            return None
        drawn = self.generator.random(shape)
        drawn *= width
        if isinstance(low, np.ndarray) or low != 0.0:
            drawn += low
        return drawn

    def _standard_laplace(self, shape: tuple[int, ...]) -> Floats:
        drawn = self.generator.standard_exponential(shape)
        flat = drawn.reshape(-1).view(np.uint64)
        words = self.generator.bit_generator.random_raw(-(-flat.size // _WORD))
        # Each bit of a word in turn becomes the sign of a number.
        signs = (np.asarray(words, np.uint64)[:, np.newaxis] << _SHIFTS) & _SIGN
        flat |= signs.reshape(-1)[: flat.size]
        return drawn

    def indices(self, count: int, weights: Any, shape: tuple[int, ...]) -> NDArray[np.int64]:
        """Choices among `count` items, with replacement, by weights or evenly. Raises ValueError as NumPy does."""
        if weights is None:
            return self.generator.integers(0, count, size=shape)
        return np.asarray(self.generator.choice(count, size=shape, p=weights), np.int64)

    def permutations(self, count: int, lanes: int) -> NDArray[np.int64]:
        """A random order of `count` items for each lane, shape (count, lanes)."""
        table = np.repeat(np.arange(count)[:, np.newaxis], lanes, axis=1)
        return self.generator.permuted(table, axis=0)


_GENERIC = frozenset(
    [
        "gumbel",
        "logistic",
        "geometric",
        "binomial",
        "poisson",
        "integers",
        "lognormal",
        "gamma",
        "beta",
        "chisquare",
        "negative_binomial",
        "rayleigh",
        "standard_cauchy",
        "standard_t",
        "weibull",
        "triangular",
        "vonmises",
    ]
)
"""Distributions whose canonical name and parameters are a method of `numpy.random.Generator` and its arguments."""
