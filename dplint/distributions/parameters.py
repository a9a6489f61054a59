"""What a parameter of a distribution may be."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from .numerics import np

REQUIRED = ...
"""In place of a default: the parameter has to be given."""


@dataclass(frozen=True)
class Parameter:
    """A parameter by its canonical name.

    default: what it is if it is not given, `REQUIRED` if it must be. low, high: the range for which there is a law;
    closed at both ends unless `above` (low itself is outside) or `below` (high itself is outside). whole: only whole
    numbers. numeric: False for what is no number, such as the items of a choice, of which no range is known.

    NumPy also draws with some values outside of the range where the law is a single point (a scale of 0).
    """

    name: str
    default: Any = REQUIRED
    low: float = -math.inf
    high: float = math.inf
    above: bool = False
    below: bool = False
    whole: bool = False
    numeric: bool = True

    def holds(self, value: Any) -> Any:
        """Whether each value is in the range: bool, or a bool array. NaN and infinities are not."""
        inside = np.isfinite(value)
        inside &= np.greater(value, self.low) if self.above else np.greater_equal(value, self.low)
        inside &= np.less(value, self.high) if self.below else np.less_equal(value, self.high)
        return inside & (np.floor(value) == value) if self.whole else inside

    @property
    def range(self) -> str:
        """The range as text: "scale > 0", "0 < p <= 1", "n >= 0 (whole)"."""
        low = f"{self.low:g} {'<' if self.above else '<='} " if self.low > -math.inf else ""
        high = f" {'<' if self.below else '<='} {self.high:g}" if self.high < math.inf else ""
        text = f"{low}{self.name}{high}"
        if low and not high:
            text = f"{self.name} {'>' if self.above else '>='} {self.low:g}"
        return f"{text} (whole)" if self.whole else text


def real(name: str, default: Any = REQUIRED) -> Parameter:
    """A parameter that may be any number."""
    return Parameter(name, default)


def positive(name: str, default: Any = REQUIRED) -> Parameter:
    """A parameter above 0, such as a scale."""
    return Parameter(name, default, low=0.0, above=True)


def probability(name: str) -> Parameter:
    """A parameter of [0, 1]."""
    return Parameter(name, low=0.0, high=1.0)


def whole(name: str, low: float = 0.0) -> Parameter:
    """A whole number from `low` on."""
    return Parameter(name, low=low, whole=True)


def other(name: str, default: Any = REQUIRED) -> Parameter:
    """A parameter that is no number: items, weights, a matrix, a flag."""
    return Parameter(name, default, numeric=False)
