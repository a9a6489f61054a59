"""The Zipf (zeta) distribution: the probability of k >= 1 is proportional to k^(-a)."""

from __future__ import annotations

import math
from typing import Any

from ..distribution import Distribution, Formulas, Outcomes
from ..law import Law, ShiftCost
from ..numerics import np, special
from ..parameters import Parameter
from ..signatures import numpy, scipy


def _survival(k: Any, a: Any) -> Any:
    return special.zeta(a, np.maximum(k, 0.0) + 1.0) / special.zeta(a, 1.0)


DISTRIBUTION = Distribution(
    name="zipf",
    parameters=(Parameter("a", low=1.0, above=True),),
    draws=(*numpy("zipf", "a"), *scipy("zipf", "a", discrete=True)),
    outcomes=Outcomes.INTEGER,
    formulas=Formulas(
        centre=lambda: 1,  # the least and the likeliest
        support=lambda: (1, math.inf),
    ),
    law=Law(
        log_density=lambda k, a: np.where(
            k >= 1.0, -a * np.log(np.maximum(k, 1.0)) - np.log(special.zeta(a, 1.0)), -np.inf
        ),
        cdf=lambda k, a: 1.0 - _survival(k, a),
        survival=_survival,
    ),
    # a log((k + s) / k) is largest at k = 1; a draw below 1 - s would be moved to what is not possible.
    shift=ShiftCost(cost=lambda shift, a: a * np.log1p(shift), whole=True),
)
