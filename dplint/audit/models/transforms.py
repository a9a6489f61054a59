"""Noise that is made of uniform numbers: what a function may have made of them before it added them to anything."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

Floats = npt.NDArray[np.float64]
UNIFORM = ("random", "uniform")


def _laplace(u: Floats) -> Floats:
    found: Floats = -np.sign(u - 0.5) * np.log1p(-2 * np.abs(u - 0.5))
    return found


def _box_muller(u: Floats) -> Floats:
    radius = np.sqrt(-2 * np.log(1 - u[0::2]))
    return _interleaved(radius * np.cos(2 * np.pi * u[1::2]), radius * np.sin(2 * np.pi * u[1::2]))


def _four(u: Floats) -> Floats:
    """Laplace noise of four uniform numbers, after Holohan and Braghin (2021), and three numbers that are always 0."""
    first = np.log1p(-u[0::4]) * np.cos(np.pi * u[1::4])
    found = np.zeros_like(u)
    found[0::4] = -first - np.log1p(-u[2::4]) * np.cos(np.pi * u[3::4])
    return found


def _interleaved(one: Floats, two: Floats) -> Floats:
    return np.stack([one, two], axis=1).reshape(-1, *one.shape[1:])


TRANSFORMS: Mapping[str, tuple[int, Callable[[Floats], Floats]]] = {
    "": (1, lambda u: u),
    "laplace": (1, _laplace),
    "log": (1, np.log),
    "log of the rest": (1, lambda u: np.log1p(-u)),
    "normal": (1, ndtri),
    "logistic": (1, lambda u: np.log(u) - np.log1p(-u)),
    "gumbel": (1, lambda u: -np.log(-np.log(u))),
    "Box-Muller": (2, _box_muller),
    "laplace of four": (4, _four),
}
"""By name: how many uniform numbers belong together, and as many numbers that are made of them, shape (draws, runs)."""


def transformed(name: str, laws: Sequence[str], z: Floats) -> Floats:
    """Draws of shape (draws, runs) with all that are uniform transformed; as they are if their number does not fit."""
    together, function = TRANSFORMS[name]
    rows = [row for row, law in enumerate(laws) if law in UNIFORM]
    if not name or not rows or len(rows) % together:
        return z
    found = z.copy()
    with np.errstate(all="ignore"):
        found[rows] = function(z[rows])
    return found
