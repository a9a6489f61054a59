"""The negative binomial distribution: the number of failures before the n-th success; n may be any positive number."""

from __future__ import annotations

import math
from typing import Any

from ..distribution import Distribution, Formulas, Outcomes
from ..law import Law, ShiftCost
from ..numerics import np, special
from ..parameters import Parameter, positive
from ..signatures import numpy, scipy, torch_class


def _log_ways(k: Any, n: Any) -> Any:
    """The logarithm of k + n - 1 over k, of real n."""
    return np.where(k > 0.0, -np.log(np.maximum(k, 1.0)) - special.betaln(np.maximum(k, 1.0), n), 0.0)


def _log_density(k: Any, n: Any, p: Any) -> Any:
    above = np.maximum(k, 0.0)
    return np.where(k >= 0.0, _log_ways(above, n) + n * np.log(p) + special.xlog1py(above, -p), -np.inf)


def _shift_cost(shift: Any, n: Any, p: Any) -> Any:
    return -shift * np.log1p(-p) - np.where(n < 1.0, _log_ways(shift, n), 0.0)


DISTRIBUTION = Distribution(
    name="negative_binomial",
    parameters=(positive("n"), Parameter("p", low=0.0, above=True, high=1.0)),
    draws=(
        *numpy("negative_binomial", "n", "p"),
        *scipy("nbinom", "n", "p", discrete=True),
        # Its probs are those of what it counts.
        *torch_class("NegativeBinomial", "total_count=n", ("probs", None), ("logits", None)),
    ),
    outcomes=Outcomes.INTEGER,
    formulas=Formulas(
        centre=lambda n, p: math.floor(n * (1 - p) / p + 0.5),  # the whole number nearest to the mean
        support=lambda: (0, math.inf),
    ),
    law=Law(
        log_density=_log_density,
        cdf=lambda k, n, p: np.where(k < 0.0, 0.0, special.betainc(n, np.maximum(k, 0.0) + 1.0, p)),
        survival=lambda k, n, p: np.where(k < 0.0, 1.0, special.betaincc(n, np.maximum(k, 0.0) + 1.0, p)),
    ),
    # log f(k) - log f(k + s) = -s log(1 - p) + log of (k + n - 1 over k) / (k + s + n - 1 over k + s). For n >= 1 the
    # last term is negative and vanishes far up, for n < 1 it is largest at k = 0.
    shift=ShiftCost(cost=_shift_cost, whole=True, where=lambda p: p < 1.0),
)
