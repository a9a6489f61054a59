"""Numbers with gradients: a value for each of some samples, and its derivatives by all coordinates (forward mode)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Real:
    """value: a float, or float64 of shape (samples,). gradient: (1, coordinates) or (samples, coordinates), or None
    where it is 0.
    """

    value: Any
    gradient: Array | None = None

    @property
    def is_plain(self) -> bool:
        """Whether it is the same in all samples."""
        return np.ndim(self.value) == 0

    def __add__(self, other: Real) -> Real:
        return Real(self.value + other.value, _sum(self.gradient, other.gradient))

    def __sub__(self, other: Real) -> Real:
        return self + -other

    def __neg__(self) -> Real:
        return Real(-self.value, None if self.gradient is None else -self.gradient)

    def __mul__(self, other: Real) -> Real:
        one, two = scaled(self.gradient, other.value), scaled(other.gradient, self.value)
        return Real(self.value * other.value, _sum(one, two))

    def __truediv__(self, other: Real) -> Real:
        return self * other.mapped(lambda x: 1 / x, lambda x: -1 / (x * x))

    def mapped(self, function: Callable[[Any], Any], derivative: Callable[[Any], Any]) -> Real:
        """A function of it, by its derivative."""
        with np.errstate(all="ignore"):
            gradient = None if self.gradient is None else scaled(self.gradient, derivative(self.value))
            return Real(function(self.value), gradient)

    def where(self, mask: Any, other: Real) -> Real:
        """This one where the mask holds, the other elsewhere."""
        if np.ndim(mask) == 0:
            return self if mask else other
        gradient = None
        if self.gradient is not None or other.gradient is not None:
            gradient = np.where(mask[:, None], _or_zero(self.gradient), _or_zero(other.gradient))
        return Real(np.where(mask, self.value, other.value), gradient)


def scaled(gradient: Array | None, factor: Any) -> Array | None:
    """A gradient times a number for each sample."""
    if gradient is None:
        return None
    found: Array = gradient * (factor if np.ndim(factor) == 0 else np.asarray(factor)[:, None])
    return found


def difference(one: Array | None, other: Array | None) -> Array | None:
    """Of two gradients."""
    return _sum(one, None if other is None else -other)


def _sum(one: Array | None, other: Array | None) -> Array | None:
    if one is None or other is None:
        return other if one is None else one
    return one + other


def _or_zero(gradient: Array | None) -> Any:
    return 0.0 if gradient is None else gradient
