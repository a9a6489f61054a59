"""The power distribution: distribution function x^a on [0, 1]."""

from __future__ import annotations

from typing import Any

from ..distribution import Distribution, Formulas, Outcomes
from ..law import INFINITE, Law
from ..numerics import np, special
from ..parameters import positive
from ..signatures import numpy, scipy


def _log_density(x: Any, a: Any) -> Any:
    return np.where((x >= 0.0) & (x <= 1.0), np.log(a) + special.xlogy(a - 1.0, x), -np.inf)


def _log(x: Any) -> Any:
    return np.log(np.clip(x, 0.0, 1.0))


DISTRIBUTION = Distribution(
    name="power",
    parameters=(positive("a"),),
    draws=(*numpy("power", "a"), *scipy("powerlaw", "a")),
    outcomes=Outcomes.REAL,
    formulas=Formulas(
        centre=lambda a: a / (a + 1),  # the mean
        support=lambda: (0.0, 1.0),
    ),
    law=Law(
        log_density=_log_density,
        cdf=lambda x, a: np.exp(a * _log(x)),
        survival=lambda x, a: -np.expm1(a * _log(x)),
    ),
    # A shift moves some of what is possible to what is not.
    shift=INFINITE,
)
