"""The F distribution with dfnum and dfden degrees of freedom."""

from __future__ import annotations

import math
from typing import Any

from ..distribution import Distribution, Formulas, Outcomes
from ..law import Law
from ..numerics import np, special
from ..parameters import positive
from ..signatures import numpy, scipy, torch_class


def log_density(x: Any, dfnum: Any, dfden: Any) -> Any:
    """Of the central F distribution."""
    a, b = dfnum / 2.0, dfden / 2.0
    above = np.maximum(x, 0.0)
    log = a * np.log(dfnum) + b * np.log(dfden) + special.xlogy(a - 1.0, above)
    log = log - (a + b) * np.log(dfden + dfnum * above) - special.betaln(a, b)
    return np.where(x >= 0.0, log, -np.inf)


DISTRIBUTION = Distribution(
    name="f",
    parameters=(positive("dfnum"), positive("dfden")),
    draws=(
        *numpy("f", "dfnum", "dfden"),
        *scipy("f", "dfn=dfnum", "dfd=dfden"),
        *torch_class("FisherSnedecor", "df1=dfnum", "df2=dfden"),
    ),
    outcomes=Outcomes.REAL,
    formulas=Formulas(
        centre=lambda: 1.0,  # where numerator and denominator are alike
        support=lambda: (0.0, math.inf),
    ),
    law=Law(
        log_density=log_density,
        cdf=lambda x, dfnum, dfden: special.fdtr(dfnum, dfden, np.maximum(x, 0.0)),
        survival=lambda x, dfnum, dfden: special.fdtrc(dfnum, dfden, np.maximum(x, 0.0)),
    ),
)
