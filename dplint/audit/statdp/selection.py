"""Which input and which event to test: StatDP's EventSelector, on cells that were counted once.

Ding et al., "Detecting Violations of Differential Privacy", CCS 2018, Algorithm 3. What is chosen here is only a
proposal: it is tested on runs that took no part in the choice.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dplint.audit.tally import Tally
from dplint.claims import Pair
from dplint.events.conditions import Event
from dplint.statistics.thinning import scores

LEAST_SHARE = 0.001
"""Events with count1 + count2 below this share of n e^epsilon are skipped (Algorithm 3)."""
_PLAIN_PER_STEP = 0.02
"""How much of its score an event may lack, for each step in simplicity, and still be preferred."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An event on a pair, with the score that it had on the runs it was chosen on. Higher is more promising."""

    choice: int
    """Number of the choice of arguments."""
    pair: Pair
    sides: tuple[int, int]
    """Numbers of the pair's data values in the tally."""
    event: Event
    score: float
    worth: float
    """The score, lowered for events and data that are hard to take in; candidates are ranked by it."""


def best_event(
    tally: Tally, choice: int, pair: Pair, sides: tuple[int, int], epsilon: float, delta: float
) -> Candidate | None:
    """The most promising event for P1(E) > e^epsilon P2(E) + delta; None if all are too rare."""
    if not tally.events:
        return None
    count1, count2 = tally.totals[sides[0]], tally.totals[sides[1]]
    score = scores(count1, count2, tally.runs, epsilon, delta)
    # Above epsilon ~ 7 the published rule would skip everything; an event that fills its side is never too rare.
    score[(count1 + count2) < min(LEAST_SHARE * tally.runs * math.exp(epsilon), tally.runs / 2)] = -np.inf
    worth = np.where(score > 0, score * (1 - _PLAIN_PER_STEP * tally.complexities), score)
    index = int(np.argmax(worth))
    if not np.isfinite(score[index]):
        return None
    return Candidate(choice, pair, sides, tally.event(index), float(score[index]), float(worth[index]))


def ranked(candidates: Sequence[Candidate | None]) -> list[Candidate]:
    """The candidates, most promising first; shorter data wins where the difference is within 5 %."""
    present = [c for c in candidates if c is not None]
    if not present:
        return []
    smallest = min(c.pair.size for c in present)

    def key(candidate: Candidate) -> float:
        return candidate.worth * (1.05 if candidate.pair.size == smallest and candidate.worth > 0 else 1.0)

    return sorted(present, key=key, reverse=True)
