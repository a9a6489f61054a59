"""The beta distribution: density x^(a - 1) (1 - x)^(b - 1) / B(a, b) on [0, 1]."""

from __future__ import annotations

from typing import Any

from ..distribution import Distribution, Formulas, Outcomes
from ..law import INFINITE, Law
from ..numerics import np, special
from ..parameters import positive
from ..signatures import numpy, python, scipy, torch_class


def _log_density(x: Any, a: Any, b: Any) -> Any:
    log = special.xlogy(a - 1.0, x) + special.xlog1py(b - 1.0, -x) - special.betaln(a, b)
    return np.where((x >= 0.0) & (x <= 1.0), log, -np.inf)


DISTRIBUTION = Distribution(
    name="beta",
    parameters=(positive("a"), positive("b")),
    draws=(
        *numpy("beta", "a", "b"),
        *python("betavariate", "alpha=a", "beta=b"),
        *scipy("beta", "a", "b"),
        *torch_class("Beta", "concentration1=a", "concentration0=b"),
    ),
    outcomes=Outcomes.REAL,
    formulas=Formulas(
        centre=lambda a, b: a / (a + b),  # the mean
        support=lambda: (0.0, 1.0),
    ),
    law=Law(
        log_density=_log_density,
        cdf=lambda x, a, b: special.betainc(a, b, np.clip(x, 0.0, 1.0)),
        survival=lambda x, a, b: special.betaincc(a, b, np.clip(x, 0.0, 1.0)),
    ),
    # A shift moves some of what is possible to what is not.
    shift=INFINITE,
)
