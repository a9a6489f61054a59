"""The geometric distribution: the number of attempts up to the first success, 1 or more, each with probability p."""

from __future__ import annotations

from ..distribution import Distribution, Formulas, Law, Outcomes, ShiftCost, above
from ..numerics import np, special
from ..parameters import Parameter
from ..signatures import numpy, scipy, torch_class

DISTRIBUTION = Distribution(
    name="geometric",
    parameters=(Parameter("p", low=0.0, above=True, high=1.0),),
    draws=(
        *numpy("geometric", "p"),
        *scipy("geom", "p", discrete=True, in_programs=True),
        *torch_class("Geometric", ("probs=p", None), ("logits", None)),
    ),
    outcomes=Outcomes.INTEGER,
    formulas=Formulas(centre=lambda: 1, support=above(1), bulk=lambda: (1, 5)),  # the least and the likeliest
    law=Law(cdf=lambda k, p: -np.expm1(special.xlog1py(np.maximum(np.floor(k), 0.0), -p))),
    # log f(k) - log f(k + s) = -s log(1 - p) wherever both are possible; a draw below 1 - s would be moved to what is
    # not.
    shift=ShiftCost("in proportion", whole=True),
    noise=True,
)
