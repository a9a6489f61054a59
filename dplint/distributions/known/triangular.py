"""The triangular distribution: the density rises from `left` to `mode` and falls to `right`."""

from __future__ import annotations

from typing import Any

from ..distribution import Distribution, Formulas, Outcomes
from ..law import INFINITE, Law
from ..numerics import np
from ..parameters import real
from ..signatures import numpy, outside, scipy


def _log_density(x: Any, left: Any, mode: Any, right: Any) -> Any:
    rising = np.where(mode > left, (x - left) / (mode - left), 1.0)
    falling = np.where(right > mode, (right - x) / (right - mode), 1.0)
    height = 2.0 * np.where(x < mode, rising, falling) / (right - left)
    return np.where((left <= x) & (x <= right), np.log(height), -np.inf)


def _cdf(x: Any, left: Any, mode: Any, right: Any) -> Any:
    """Sums of areas, none of which is a difference of larger ones."""
    inside, width = np.clip(x, left, right), right - left
    below = (inside - left) ** 2 / (width * (mode - left))
    between = (inside - mode) * (2.0 * right - mode - inside) / (width * (right - mode))
    return np.where(inside < mode, below, np.where(mode < right, (mode - left) / width + between, 1.0))


def _survival(x: Any, left: Any, mode: Any, right: Any) -> Any:
    return _cdf(-x, -right, -mode, -left)


DISTRIBUTION = Distribution(
    name="triangular",
    parameters=(real("left"), real("mode"), real("right")),
    draws=(
        *numpy("triangular", "left", "mode", "right"),
        # Its mode may be left out, and is then the middle.
        *outside("python", "triangular", ("low=left", 0.0), ("high=right", 1.0), ("mode", None)),
        *scipy("triang", "c=mode"),
    ),
    outcomes=Outcomes.REAL,
    formulas=Formulas(
        centre=lambda left, mode, right: (left + right) / 2 if mode is None else mode,
        support=lambda left, right: (left, right),
    ),
    law=Law(
        log_density=_log_density,
        cdf=_cdf,
        survival=_survival,
    ),
    # A shift moves some of what is possible to what is not.
    shift=INFINITE,
    condition=lambda left, mode, right: (left <= mode) & (mode <= right) & (left < right),
)
