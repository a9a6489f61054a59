"""The multinomial distribution: how often each of several outcomes comes in n attempts."""

from __future__ import annotations

import math

from ..distribution import Distribution, Formulas, Outcomes
from ..parameters import other, whole
from ..signatures import numpy, scipy, torch_class

DISTRIBUTION = Distribution(
    name="multinomial",
    parameters=(whole("n"), other("pvals")),
    draws=(
        *numpy("multinomial", "n", "pvals"),
        *scipy("multinomial", "n", "p=pvals", discrete=True),
        *torch_class("Multinomial", ("total_count=n", 1), ("probs=pvals", None), ("logits", None)),
    ),
    outcomes=Outcomes.VECTOR,
    # Of each count the whole number nearest to its mean; they need not sum to n.
    formulas=Formulas(centre=lambda n, pvals: [math.floor(n * p + 0.5) for p in pvals]),
)
