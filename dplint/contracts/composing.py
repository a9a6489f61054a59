"""The best composition of parts of which only epsilon and delta are known, and what sampling records gains.

A function that keeps (epsilon, delta) is no worse than one that reveals everything with probability delta, and else
tells one bit by randomised response with epsilon; so the composition of these is the best bound that follows from the
claims alone, also where each call is chosen in view of earlier answers, as long as all epsilons and deltas are fixed
before (Kairouz, Oh, Viswanath: The composition theorem for differential privacy, ICML 2015, theorem 3.3).

Of records that a coin of each lets in with probability q, a claim of epsilon about adding or removing one becomes
ln(1 + q (e^epsilon - 1)), and delta becomes q delta (Li, Qardaji, Su: On sampling, anonymization, and differential
privacy, ASIACCS 2012, theorem 1; Balle, Barthe, Gaboardi: Privacy amplification by subsampling, NeurIPS 2018).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

_MOST_LOSSES = 20_000
_MOST_CALLS = 2_000
_LARGEST = 50
"""Larger epsilons are no budget, and their exponentials are left alone."""
_ROUNDING = 1e-9
"""Relative; the sums below are of positive numbers, and err by far less."""


def composed_delta(parts: Sequence[tuple[Fraction, Fraction, int]], epsilon: Fraction) -> float | None:
    """An upper bound of the delta that all parts keep together at an epsilon; None if there are too many of them.

    parts: epsilon, delta, and how often each is called.
    """
    if any(one < 0 or not 0 <= delta <= 1 or one > _LARGEST for one, delta, _ in parts):
        return None
    if sum(times for _, _, times in parts) > _MOST_CALLS:
        return None
    losses: dict[Fraction, float] = {Fraction(0): 1.0}
    kept = 1.0
    for one, delta, times in parts:
        kept *= (1 - float(delta)) ** times
        up = 1 / (1 + math.exp(-one))
        for _ in range(times):
            after: dict[Fraction, float] = {}
            for loss, chance in losses.items():
                after[loss + one] = after.get(loss + one, 0.0) + chance * up
                after[loss - one] = after.get(loss - one, 0.0) + chance * (1 - up)
            losses = after
            if len(losses) > _MOST_LOSSES:
                return None
    above = sum(chance * -math.expm1(float(epsilon - loss)) for loss, chance in losses.items() if loss > epsilon)
    # Where all deltas are tiny, 1 - kept would lose its digits.
    revealed = min(-math.expm1(sum(times * math.log1p(-float(d)) for _, d, times in parts if d < 1)), 1.0)
    revealed = 1.0 if any(d == 1 for _, d, _ in parts) else revealed
    return (revealed + kept * above) * (1 + _ROUNDING)


def sampled_epsilon(epsilon: Fraction, rate: Fraction) -> Fraction | None:
    """An upper bound of the epsilon of a function on sampled records; None where it is of no use."""
    if not 0 <= rate <= 1 or not 0 <= epsilon <= _LARGEST:
        return None
    return min(epsilon, Fraction(math.log1p(float(rate) * math.expm1(float(epsilon))) * (1 + _ROUNDING)))
