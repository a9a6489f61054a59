"""NumPy and `scipy.special`, imported when something is first computed, and what several distributions compute.

To know the names, parameters and centres of distributions takes neither library: front ends stay light, and the runner
works in environments without SciPy.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from scipy import special
else:

    class _Lazy:
        """A module that is imported when one of its attributes is first asked for."""

        def __init__(self, name: str) -> None:
            self._name = name

        def __getattr__(self, attribute: str) -> Any:
            value = getattr(importlib.import_module(self._name), attribute)
            setattr(self, attribute, value)  # found without this method from now on
            return value

    np = _Lazy("numpy")
    special = _Lazy("scipy.special")

__all__ = ["LOG_2", "np", "smallest_float", "smallest_integer", "special"]

LOG_2 = 0.6931471805599453
_FARTHEST = 1 << 62


def smallest_integer(reached: Callable[[Any], Any], low: Any, high: Any) -> Any:
    """The smallest whole number k in [low, high] with reached(k), by bisection.

    reached: takes and gives arrays; once true it stays true for larger numbers. low, high: float64 arrays of one shape,
    which may be infinite; numbers beyond 2**62 are not looked for. `high` where none is reached.
    """
    bottom = np.maximum(np.where(np.isnan(low), 0.0, low), -_FARTHEST).astype(np.int64)
    top = np.minimum(np.where(np.isnan(high), 0.0, high), _FARTHEST).astype(np.int64)
    while np.any(bottom < top):
        middle = _between(bottom, top)
        here = reached(middle.astype(np.float64))
        top = np.where(here, middle, top)
        bottom = np.where(here, bottom, np.minimum(middle + 1, top))
    return np.where(top >= _FARTHEST, np.inf, top.astype(np.float64))


def smallest_float(reached: Callable[[Any], Any], low: Any, high: Any) -> Any:
    """The smallest float x in [low, high] with reached(x), by bisection over all floats in their order.

    As `smallest_integer`; at most 64 steps, whatever the range.
    """
    bottom, top = _ranks(low), _ranks(high)
    while np.any(bottom < top):
        middle = _between(bottom, top)
        here = reached(_floats(middle))
        top = np.where(here, middle, top)
        bottom = np.where(here, bottom, np.minimum(middle + 1, top))
    return _floats(top)


def _between(bottom: Any, top: Any) -> Any:
    """The middle of two 64-bit integers, rounded down, without overflow."""
    return (bottom >> 1) + (top >> 1) + (bottom & top & 1)


def _ranks(values: Any) -> Any:
    """The place of each float among all floats, as an integer; -0.0 and 0.0 have the same."""
    bits = np.asarray(np.where(np.isnan(values), 0.0, values), np.float64).view(np.int64)
    return np.where(bits >= 0, bits, -(bits & np.int64(0x7FFF_FFFF_FFFF_FFFF)))


def _floats(ranks: Any) -> Any:
    magnitudes = np.abs(ranks).astype(np.int64).view(np.float64)
    return np.where(ranks < 0, -magnitudes, magnitudes)
