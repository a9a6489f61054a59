"""Which input and which event to test: StatDP's EventSelector, on cells that were counted once.

Ding et al., "Detecting Violations of Differential Privacy", CCS 2018, Algorithm 3. What is chosen here is only a
proposal: it is tested on runs that took no part in the choice.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dplint.audit.inputs import Choice
from dplint.audit.preparation import Prepared
from dplint.audit.session import AuditSession
from dplint.audit.tally import Tally
from dplint.claims import Pair
from dplint.events.conditions import Event
from dplint.events.counting import CellCounter
from dplint.events.grids import Grid
from dplint.events.split_runs import PILOT_RUNS, discover_grids
from dplint.runner.batch import Batch
from dplint.runner.client import DataValue

Counts = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

LEAST_SHARE = 0.001
"""Events with count1 + count2 below this share of n e^epsilon are skipped (Algorithm 3)."""
_PLAIN_PER_STEP = 0.02
"""How much of its score an event may lack, for each step in simplicity, and still be preferred."""


def tally_runs(
    session: AuditSession,
    data: Sequence[DataValue],
    choice: Choice,
    runs: int,
    stream: tuple[int, ...],
    phase: str,
    grids: tuple[Grid, ...] | None = None,
    noise_free: Sequence[Batch] = (),
) -> Tally:
    """Run every data value `runs` times and count cells. Without `grids` they are found in the first runs."""
    counter: CellCounter | None = None if grids is None else CellCounter(grids, len(data), session.texts)
    waiting: list[tuple[Batch, ...]] = []
    pilot = 0
    for chunk in session.sample(data, choice.values, runs, stream, phase):
        waiting.append(chunk.batches)
        pilot += chunk.runs
        if counter is None and pilot < min(runs, PILOT_RUNS):
            continue
        if counter is None:
            grids = discover_grids([batch for batches in waiting for batch in batches], noise_free, session.texts)
            counter = CellCounter(grids, len(data), session.texts)
        for batches in waiting:
            for side, batch in enumerate(batches):
                counter.add(side, batch)
        waiting.clear()
    assert grids is not None
    assert counter is not None
    return Tally(grids, counter.counts(), runs)


def candidates_of(prepared: Prepared, tallies: Sequence[Tally], epsilon: float, delta: float) -> list[Candidate]:
    """The best event of every pair under every choice of arguments that it may be used with, most promising first."""
    inputs = prepared.inputs
    return ranked(
        [
            best_event(tally, number, pair, sides, epsilon, delta)
            for number, tally in enumerate(tallies)
            for pair, sides in zip(inputs.pairs, inputs.sides, strict=True)
            if pair.size not in prepared.without[number]
        ]
    )


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


def scores(counts1: Counts, counts2: Counts, runs: int, epsilon: float, delta: float) -> Floats:
    """How promising events are: the approximate standard score of H0: P1(E) <= e^epsilon P2(E) + delta.

    Only for choosing among events on runs that are not used for the test: a large score is not evidence. The variance
    is that of the thinned comparison, so that the choice fits the test that follows.
    """
    keep = math.exp(-epsilon)
    share1 = np.maximum(counts1 / runs - delta, 0.0) * keep
    share2 = counts2 / runs
    pooled = (share1 + share2) / 2 + 1.0 / runs
    spread = np.sqrt(2 * pooled * np.maximum(1 - pooled, 1.0 / runs) / runs)
    return np.asarray((share1 - share2) / spread, dtype=np.float64)
