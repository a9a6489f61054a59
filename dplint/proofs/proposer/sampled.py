"""Proposes what a mechanism on a sample of the records may claim, so that the claim of the whole follows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from dplint.claims import Claim

_LESS = 1e-9
_LARGEST = 50.0


def claims_of_samples(claim: Claim, rate: Fraction) -> Iterator[Claim]:
    """Of numbers, the largest ones; the same claim."""
    if (
        rate > 0
        and not isinstance(claim.epsilon, str)
        and not isinstance(claim.delta, str)
        and claim.epsilon < _LARGEST
    ):
        epsilon, delta = math.log1p(math.expm1(claim.epsilon) / float(rate)), claim.delta / float(rate)
        # A program may have worked it out in floats, which are not larger than what follows, or are.
        for share in (1.0, 1 - _LESS):
            yield replace(claim, epsilon=epsilon * share, delta=delta * share)
    yield claim
