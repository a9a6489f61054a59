"""The noncentral F distribution: F, with a numerator that is noncentral chi-square."""

from __future__ import annotations

import math
from typing import Any

from ..distribution import Distribution, Formulas, Outcomes
from ..law import Law
from ..numerics import np, special
from ..parameters import Parameter, positive
from ..signatures import numpy, scipy
from .f import log_density


def _log_density(x: Any, dfnum: Any, dfden: Any, nonc: Any) -> Any:
    above = np.maximum(x, 0.0)
    share = dfnum * above / (dfden + dfnum * above)
    series = special.hyp1f1((dfnum + dfden) / 2.0, dfnum / 2.0, nonc * share / 2.0)
    return log_density(x, dfnum, dfden) - nonc / 2.0 + np.log(series)


def _cdf(x: Any, dfnum: Any, dfden: Any, nonc: Any) -> Any:
    return special.ncfdtr(dfnum, dfden, nonc, np.maximum(x, 0.0))


DISTRIBUTION = Distribution(
    name="noncentral_f",
    parameters=(positive("dfnum"), positive("dfden"), Parameter("nonc", low=0.0)),
    draws=(
        *numpy("noncentral_f", "dfnum", "dfden", "nonc"),
        *scipy("ncf", "dfn=dfnum", "dfd=dfden", "nc=nonc"),
    ),
    outcomes=Outcomes.REAL,
    formulas=Formulas(
        centre=lambda: 1.0,  # as for F
        support=lambda: (0.0, math.inf),
    ),
    law=Law(log_density=_log_density, cdf=_cdf),
)
