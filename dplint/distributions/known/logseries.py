"""The logarithmic series distribution: the probability of k >= 1 is proportional to p^k / k."""

from __future__ import annotations

import math
from typing import Any

from ..distribution import Distribution, Formulas, Outcomes
from ..law import Law, ShiftCost
from ..numerics import np, special
from ..parameters import Parameter
from ..signatures import numpy, scipy


def _log_density(k: Any, p: Any) -> Any:
    above = np.maximum(k, 1.0)
    return np.where(k >= 1.0, special.xlogy(above, p) - np.log(above) - np.log(-np.log1p(-p)), -np.inf)


DISTRIBUTION = Distribution(
    name="logseries",
    parameters=(Parameter("p", low=0.0, above=True, high=1.0, below=True),),
    draws=(*numpy("logseries", "p"), *scipy("logser", "p", discrete=True)),
    outcomes=Outcomes.INTEGER,
    formulas=Formulas(
        centre=lambda: 1,  # the least and the likeliest
        support=lambda: (1, math.inf),
    ),
    # Its tail is 2F1(1, k + 1; k + 2; p), which SciPy does not have for large k and p near 1.
    law=Law(log_density=_log_density),
    # log((k + s) / k) - s log p is largest at k = 1; a draw below 1 - s would be moved to what is not possible.
    shift=ShiftCost(cost=lambda shift, p: np.log1p(shift) - shift * np.log(p), whole=True),
)
