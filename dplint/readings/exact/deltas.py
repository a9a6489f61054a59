"""The least delta that goes with an epsilon: the hockey-stick divergence of single outputs, as a certified interval."""

from __future__ import annotations

from collections.abc import Sequence

from flint import arb, ctx

from dplint.outcomes import Bounds
from dplint.readings.exact.losses import OutputLoss
from dplint.readings.exact.rounding import probability_bounds

_PRECISION = 128


def hockey_stick(rows: Sequence[OutputLoss], epsilon: float) -> Bounds:
    """The sum of p1 - e**epsilon * p2 over the outputs where that is positive (Barthe and Olmedo, ICALP 2013).

    rows: all outputs of D1, each a single one with its probabilities.
    """
    with ctx.workprec(_PRECISION):
        factor = arb(epsilon).exp()
        low, high = arb(0), arb(0)
        for row in rows:
            least = arb(row.p1.low) - factor * arb(row.p2.high)
            most = arb(row.p1.high) - factor * arb(row.p2.low)
            low += least if least > 0 else arb(0)
            high += arb(0) if most < 0 else most.upper()
        return Bounds(probability_bounds(low).low, probability_bounds(high).high)
