"""What the anytime test would have found: its power, by simulation of the bets that an audit places."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from dplint.statistics.betting import log_wealth, stake

Floats = npt.NDArray[np.float64]

_SIMULATIONS = 1000
_SEED = 4
"""Fixed: the same question has the same answer. All losses are tried on the same stream."""
_MARGIN = 2.0
"""Standard errors of the simulation by which a probability has to exceed what is promised."""
_MOST_ABOVE = 20.0
"""A loss that exceeds the claimed epsilon by more is treated as infinite: P2(E) is then below 1e-8."""
_HALVINGS = 14


def detection_probability(
    p1: float,
    p2: float,
    blocks: Sequence[int],
    weight: float,
    alpha: float,
    epsilon: float,
    delta: float,
    screened: int = 0,
    simulations: int = _SIMULATIONS,
) -> float:
    """Probability that a bet alone refutes the claim (epsilon, delta), if P1(E) = p1 and P2(E) = p2.

    The bet holds the share `weight` of a portfolio that is tested at level alpha. Its first stake comes from `screened`
    runs on each side, the next ones also from the blocks before; blocks: their sizes, in runs on each side. It refutes
    if its money reaches 1 / (alpha weight) at the end of a block: the other bets can only add to that.

    A simulation under a fixed seed, with standard error sqrt(p (1 - p) / simulations). It takes for granted that the
    event is among the bets.
    """
    generator = np.random.default_rng(_SEED)
    goal = -math.log(alpha) - math.log(weight)
    runs = screened
    count1, count2 = (generator.binomial(screened, p, simulations) for p in (p1, p2))
    log_money, most = np.zeros(simulations), np.full(simulations, -np.inf)
    for block in blocks:
        placed = stake(count1, count2, runs, epsilon, delta)
        hits1, hits2 = (generator.binomial(block, p, simulations) for p in (p1, p2))
        log_money = log_money + log_wealth(hits1, hits2, block, placed, epsilon, delta)
        most = np.maximum(most, log_money)
        count1, count2, runs = count1 + hits1, count2 + hits2, runs + block
    return float(np.mean(most >= goal))


def detectable_epsilon(
    p1: float,
    blocks: Sequence[int],
    weight: float,
    alpha: float,
    epsilon_claimed: float,
    delta: float,
    probability: float = 0.95,
    screened: int = 0,
) -> float:
    """The smallest loss ln((p1 - delta) / P2(E)) that a bet would have turned into a violation, if P1(E) = p1.

    That is, with at least the given probability, within these blocks; inf if not even an event that is impossible on D2
    would have been found. Arguments as in `detection_probability`. For delta = 0 it falls as p1 grows: thinning a more
    likely event at random down to p1 keeps its loss, and only throws evidence away.

    By simulation: at the result, the simulated probability exceeds the required one by two standard errors. It is found
    to 1 % of what it exceeds the claimed epsilon by, where that is at least 0.01. Raises ValueError for numbers outside
    their range.
    """
    _require(p1, weight, alpha, delta, probability, screened, blocks)
    needed = min(1.0, probability + _MARGIN * math.sqrt(probability * (1 - probability) / _SIMULATIONS))

    def found(above: float) -> bool:
        p2 = (p1 - delta) * math.exp(-epsilon_claimed - above)
        return detection_probability(p1, p2, blocks, weight, alpha, epsilon_claimed, delta, screened) >= needed

    if p1 <= delta or not found(math.inf):
        return math.inf
    low, high = 0.0, _MOST_ABOVE
    if not found(high):
        return math.inf
    for _ in range(_HALVINGS):
        # Small losses need a fine division, large ones do not: halve their square roots.
        middle = ((math.sqrt(low) + math.sqrt(high)) / 2) ** 2
        low, high = (low, middle) if found(middle) else (middle, high)
    return epsilon_claimed + high


def _require(
    p1: float, weight: float, alpha: float, delta: float, probability: float, screened: int, blocks: Sequence[int]
) -> None:
    if not 0 <= p1 <= 1:
        raise ValueError(f"P1(E) = {p1}: it must lie between 0 and 1")
    if not (0 < weight <= 1 and 0 < alpha < 1 and 0 < probability < 1):
        raise ValueError(
            f"weight {weight}, alpha {alpha}, probability {probability}: all must lie between 0 and 1, and not be 0"
        )
    if not 0 <= delta < 1:
        raise ValueError(f"delta {delta}: it must be at least 0 and below 1")
    if screened < 0 or any(block <= 0 for block in blocks):
        raise ValueError(f"{screened} runs of screening, blocks {list(blocks)}: the former may be 0, no other")
