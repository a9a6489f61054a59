"""Clopper-Pearson bounds, and what they say of the privacy loss of one event."""

from __future__ import annotations

import math

from scipy.special import betaincinv

_OVERLAP_LEVEL = 1e-9


def lower_bound(count: int, runs: int, alpha: float) -> float:
    """One-sided lower confidence bound for a probability: it exceeds the truth with probability at most alpha.

    Clopper and Pearson, Biometrika 26 (1934): the exact binomial interval.
    """
    _require_count(count, runs)
    return 0.0 if count == 0 else float(betaincinv(count, runs - count + 1, alpha))


def upper_bound(count: int, runs: int, alpha: float) -> float:
    """One-sided upper confidence bound for a probability: below the truth with probability at most alpha."""
    _require_count(count, runs)
    return 1.0 if count == runs else float(betaincinv(count + 1, runs - count, 1.0 - alpha))


def interval(count: int, runs: int, alpha: float) -> tuple[float, float]:
    """Two-sided Clopper-Pearson interval at confidence 1 - alpha."""
    return lower_bound(count, runs, alpha / 2), upper_bound(count, runs, alpha / 2)


def agree(count1: int, runs1: int, count2: int, runs2: int) -> bool:
    """Whether two counts may well come from one probability: their intervals overlap, at a level of one in 1e9."""
    low1, high1 = interval(count1, runs1, _OVERLAP_LEVEL)
    low2, high2 = interval(count2, runs2, _OVERLAP_LEVEL)
    return low1 <= high2 and low2 <= high1


def loss_lower_bound(count1: int, runs1: int, count2: int, runs2: int, delta: float, alpha: float) -> float:
    """Lower confidence bound for the loss ln((P1(E) - delta) / P2(E)) of an event fixed before these runs.

    Both probabilities are bounded at level alpha / 2 (union bound), so the result exceeds the true loss with
    probability at most alpha. Never infinite: with no hit among the runs of D2 its probability may still be about
    -ln(alpha / 2) / runs2. Returns -inf if nothing can be said, i.e. if P1(E) may be as small as delta.
    """
    above = lower_bound(count1, runs1, alpha / 2) - delta
    if above <= 0.0:
        return -math.inf
    return math.log(above) - math.log(upper_bound(count2, runs2, alpha / 2))


def _require_count(count: int, runs: int) -> None:
    if not 0 <= count <= runs or runs == 0:
        raise ValueError(f"count {count} of {runs} runs: it must lie between 0 and the runs, and runs be positive")
