"""The Wald (inverse Gaussian) distribution with a mean, and a scale that is its usual parameter lambda."""

from __future__ import annotations

import math
from typing import Any

from ..distribution import Distribution, Formulas, Outcomes
from ..law import Law
from ..numerics import np, special
from ..parameters import positive
from ..signatures import numpy, scipy

_HALF_LOG_2_PI = 0.9189385332046727


def _log_density(x: Any, mean: Any, scale: Any) -> Any:
    square = scale * ((x - mean) / mean) ** 2 / (2.0 * x)
    log = (np.log(scale) - 3.0 * np.log(x)) / 2.0 - _HALF_LOG_2_PI - square
    return np.where(x > 0.0, log, -np.inf)


def _ends(x: Any, mean: Any, scale: Any) -> Any:
    root = np.sqrt(scale / np.maximum(x, 0.0))
    return root * (x / mean - 1.0), root * (x / mean + 1.0)


def _cdf(x: Any, mean: Any, scale: Any) -> Any:
    first, second = _ends(x, mean, scale)
    sum_of_both = special.ndtr(first) + np.exp(2.0 * scale / mean + special.log_ndtr(-second))
    return np.where(x > 0.0, np.where(np.isposinf(x), 1.0, sum_of_both), 0.0)


def _survival(x: Any, mean: Any, scale: Any) -> Any:
    return np.where(x > mean, np.exp(_log_tail(x, mean, scale)), 1.0 - _cdf(x, mean, scale))


def _log_tail(x: Any, mean: Any, scale: Any) -> Any:
    """The logarithm of the survival function for x > mean.

    Both terms have the factor e^(-first^2 / 2); what is left are scaled complementary error functions.
    """
    first, second = _ends(np.maximum(x, mean), mean, scale)
    rest = special.erfcx(first / np.sqrt(2.0)) - special.erfcx(second / np.sqrt(2.0))
    return np.where(np.isposinf(x), -np.inf, np.log(rest / 2.0) - first * first / 2.0)


DISTRIBUTION = Distribution(
    name="wald",
    parameters=(positive("mean"), positive("scale")),
    draws=(*numpy("wald", "mean", "scale"), *scipy("invgauss", "mu=mean")),
    outcomes=Outcomes.REAL,
    formulas=Formulas(
        centre=lambda mean: mean,
        support=lambda: (0.0, math.inf),
    ),
    law=Law(log_density=_log_density, cdf=_cdf, survival=_survival),
)
