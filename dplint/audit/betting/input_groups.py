"""Input groups: what runs can be spent on. One choice of arguments with the pairs of one size, screened together."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dplint.audit.choices import Choice
from dplint.audit.inputs import Inputs
from dplint.audit.session import AuditSession
from dplint.audit.tally import Tally
from dplint.claims import Pair
from dplint.events.conditions import Event
from dplint.events.counting import CellCounter, EventCounter
from dplint.events.discover import discover_grids
from dplint.events.grids import Grid
from dplint.runner.batch import Batch
from dplint.statistics.betting import growth, optimal_stake

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

_CLOSELY = 100
"""Events of a pair whose growth is computed, those with the highest scores."""
_PLAIN_PER_STEP = 0.02
"""How much of its promise an event may lack, for each step in simplicity, and still be preferred."""
_SCREENED_LANES = 50
"""Lanes of two data values that are replayed before an input group is screened."""


@dataclass(frozen=True)
class Proposal:
    """An event on a pair that promises to make money, by the runs seen so far.

    growth: estimated ln of the factor that one pair of runs earns against the tested epsilon. count1, count2, runs:
    what the estimate comes from. complexity: how hard event and data are to take in.
    """

    group: InputGroup
    pair: Pair
    sides: tuple[int, int]
    event: Event
    growth: float
    count1: int
    count2: int
    runs: int
    complexity: int


class InputGroup:
    """Runs and counts of one choice of arguments on the data values of some pairs."""

    def __init__(
        self,
        session: AuditSession,
        inputs: Inputs,
        choice: Choice,
        noise_free: Sequence[Batch],
        stream: tuple[int, ...],
    ) -> None:
        self.session = session
        self.inputs = inputs
        self.choice = choice
        self.runs = 0
        self.size = min((pair.size for pair in inputs.pairs), default=0)
        self._noise_free = noise_free
        self._stream = stream
        self._looks = 0
        self._grids: tuple[Grid, ...] = ()
        self._counter: CellCounter | None = None
        self._counted = 0
        self._tally: Tally | None = None

    @property
    def events(self) -> int:
        """How many events are looked at."""
        return sum(grid.size for grid in self._grids)

    def screen(self, runs: int, phase: str, watched: Sequence[Event] = ()) -> Iterator[tuple[list[list[int]], int]]:
        """So many more runs of every data value.

        Yields, chunk by chunk, how often each watched event happened on each data value, and the runs.
        """
        stream = (*self._stream, self._looks)
        if not self._looks:
            # What is bet on is checked in full; this is to learn early if the translation is wrong.
            self.session.check_lanes(self.inputs.data[:2], self.choice.values, _SCREENED_LANES, stream)
        self._looks += 1
        self._tally = None
        chunks = self.session.sample(
            self.inputs.data, self.choice.values, runs, stream, phase, checked=0, together=True
        )
        for chunk in chunks:
            if self._counter is None:
                self._grids = discover_grids(chunk.batches, self._noise_free, self.session.texts)
                self._counter = CellCounter(self._grids, len(self.inputs.data), self.session.texts)
            events = EventCounter(watched, len(self.inputs.data), self.session.texts)
            for side, batch in enumerate(chunk.batches):
                self._counter.add(side, batch)
                if watched:
                    events.add(side, batch)
            self.runs += chunk.runs
            self._counted += chunk.runs
            yield events.hits() if watched else [], chunk.runs

    def renew(self) -> None:
        """Look for events anew at the next screening: with more runs, thresholds are better."""
        self._counter, self._counted, self._tally = None, 0, None

    def proposals(self, epsilon: float, delta: float) -> list[Proposal]:
        """The most promising event of every pair, best first."""
        if self._counter is None or not self._counted:
            return []
        if self._tally is None:
            self._tally = Tally(self._grids, self._counter.counts(), self._counted)
        tally = self._tally
        if not tally.events:
            return []
        found = []
        for pair, sides in zip(self.inputs.pairs, self.inputs.sides, strict=True):
            count1, count2 = tally.totals[sides[0]], tally.totals[sides[1]]
            gains = promise(count1, count2, self._counted, epsilon, delta)
            best = int(np.argmax(gains * (1 - _PLAIN_PER_STEP * tally.complexities)))
            if gains[best] > 0:
                found.append(
                    Proposal(
                        group=self,
                        pair=pair,
                        sides=sides,
                        event=tally.event(best),
                        growth=float(gains[best]),
                        count1=int(count1[best]),
                        count2=int(count2[best]),
                        runs=self._counted,
                        complexity=int(tally.complexities[best]) + pair.size,
                    )
                )
        return sorted(found, key=lambda proposal: -proposal.growth)


def promise(count1: Counts, count2: Counts, runs: int, epsilon: float, delta: float) -> Floats:
    """Estimated growth of a bet on each event: ln of the factor that one pair of runs earns; 0 without hope.

    The growth of the best bet for the shares seen so far (`statistics.betting`), with caution: lowered as if the excess
    over the claim were one standard error smaller. Events far from promising are not worth the arithmetic.
    """
    factor = math.exp(epsilon)
    share1, share2 = (count1 + 0.5) / (runs + 1), (count2 + 0.5) / (runs + 1)
    variance = share1 * (1 - share1) + factor**2 * share2 * (1 - share2)
    score = np.ravel((count1 / runs - factor * count2 / runs - delta) / np.sqrt(variance / runs))
    promising = np.flatnonzero(score > 1)
    if len(promising) > _CLOSELY:
        promising = promising[np.argpartition(score[promising], -_CLOSELY)[-_CLOSELY:]]
    q1, q2 = np.ravel(share1)[promising], np.ravel(share2)[promising]
    best = growth(q1, q2, optimal_stake(q1, q2, epsilon, delta), epsilon, delta)
    found = np.zeros(len(score))
    found[promising] = np.maximum(best, 0.0) * (1 - 1 / score[promising]) ** 2
    return found.reshape(np.shape(count1))
