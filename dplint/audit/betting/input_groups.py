"""Input groups: what runs can be spent on. One choice of arguments with the pairs of one size, screened together."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dplint.audit.inputs import Choice, Inputs
from dplint.audit.procedure import Coupling
from dplint.audit.session import AuditSession
from dplint.audit.tally import Tally, counted
from dplint.claims import Pair
from dplint.events.conditions import Event
from dplint.events.counting import CellCounter, EventCounter
from dplint.events.grids import Grid
from dplint.events.split_runs import grids_of, sample_of
from dplint.inputs.machine_pairs import scales_by_the_book
from dplint.runner.batch import Batch
from dplint.statistics.betting import growth, optimal_stake

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

_CLOSELY = 100
"""Events of a pair whose growth is computed, those with the highest scores."""
_PLAIN_PER_STEP = 0.02
"""How much of its promise an event may lack, for each step in simplicity, and still be preferred."""
_DEEPENED, _MOST_THRESHOLDS = 4, 8
"""Grids that are counted further where there is time for more runs, and thresholds of a number in them: each takes as
long as a draw of noise.
"""
_SCREENED_LANES = 50
"""Lanes of two data values that are replayed before an input group is screened."""
_REST = 1 << 19
"""The number of runs that share no block in the names of random streams; chunks count up from zero."""
_ROUNDED = (
    "some outputs differ in their last digits alone, which is nothing to a claim about real numbers; "
    "`--numerics machine` asks what these digits tell"
)


@dataclass(eq=False)
class Proposal:
    """An event on a pair that promises to make money, by the runs seen so far.

    growth: estimated ln of the factor that one pair of runs earns against the tested epsilon. count1, count2, runs:
    what the estimate comes from. coupling: models of the two sides,
    for a bet beside them.
    """

    group: InputGroup
    pair: Pair
    sides: tuple[int, int]
    event: Event
    growth: float
    count1: int
    count2: int
    runs: int
    coupling: Coupling | None = None


class InputGroup:
    """Runs and counts of one choice of arguments on the data values of some pairs.

    runs: of every data value, in which all events were looked at.
    """

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
        self._narrowed = False
        self._tally: Tally | None = None
        self._proposed: dict[tuple[float, float], list[Proposal]] = {}

    @property
    def events(self) -> int:
        """How many events are looked at."""
        return sum(grid.size for grid in self._grids)

    def screen(self, runs: int, phase: str, watched: Sequence[Event] = ()) -> Iterator[tuple[list[list[int]], int]]:
        """So many more runs of every data value.

        Yields, chunk by chunk, how often each watched event happened on each data value, and the runs.
        """
        lanes, first = self.session.lanes, self.inputs.data[:2]
        stream = (*self._stream, self._looks)
        name = repr((first, self.choice.arguments))
        if not self._looks and lanes is not None and name not in self.session.screened:
            self.session.screened.add(name)
            # What is bet on is checked in full; this is to learn early if a replay fails, at one value of the
            # claim.
            self.session.check_lanes(first, self.choice.values, _SCREENED_LANES, stream)
        self._looks += 1
        self._tally = None
        # Of very many lanes only the first, in which events are looked for, are of all data values at once; the others
        # are full blocks of one after the other, some of them perhaps of other processes.
        few, data = runs, self.inputs.data
        if lanes is not None and runs * len(data) > lanes.chunk:
            few = 0 if self._counter is not None else min(runs, max(1, lanes.chunk // len(data)))
        values = self.choice.values
        for chunk in self.session.sample(data, values, few, stream, phase, checked=0):
            if self._counter is None:
                self._counter = self._counter_of(chunk.batches)
            events = EventCounter(watched, len(data), self.session.texts)
            for side, batch in enumerate(chunk.batches):
                self._counter.add(side, batch)
                if watched:
                    events.add(side, batch)
            self._took(chunk.runs)
            yield events.hits() if watched else [], chunk.runs
        if runs > few:
            self._count(runs - few, (*stream, _REST), phase)
            yield [], runs - few

    def _counter_of(self, batches: Sequence[Batch]) -> CellCounter:
        """Look for events in these outputs; a counter of them."""
        session = self.session
        claimed = [one.epsilon for one in session.claimed] if session.machine else []
        sample = sample_of(
            batches,
            self._noise_free,
            session.texts,
            machine=session.machine,
            scales=scales_by_the_book(session.mechanism, claimed),
        )
        session.coverage.note(_ROUNDED if sample.some_rounded else None)
        session.coverage.left_out = max(session.coverage.left_out, sample.left_out)
        self._grids = grids_of(sample)
        self._narrowed = False
        return CellCounter(self._grids, len(self.inputs.data), session.texts)

    def _count(self, runs: int, stream: tuple[int, ...], phase: str, *, shared: bool = False) -> None:
        """Count so many more runs of every data value."""
        assert self._counter is not None
        counting, values, left = self._counter.counting, self.choice.values, runs
        for done, take in counted(
            self.session, self.inputs.data, values, runs, stream, phase, counting, checked=0, shared=shared
        ):
            left -= done
            if left == 0:
                self._counter.add_totals(take())
                self._took(runs)

    def _took(self, runs: int) -> None:
        self.runs += 0 if self._narrowed else runs
        self._counted += runs

    def deepen(self, runs: int, phase: str, epsilon: float, delta: float) -> None:
        """So many more runs of every data value, in which only the most promising events are counted.

        The others are left until events are looked for anew.
        """
        if self._counter is None or not self._counted or not self.events:
            return
        tally = self._tallied()
        shares = [share_of(counts, tally.runs) for counts in tally.totals]
        every = (excess(shares[one], shares[other], tally.runs, epsilon, delta) for one, other in self.inputs.sides)
        scores = tally.by_grid(reduce(np.maximum, every))
        kept = tally.leading(scores, _DEEPENED)
        self._counter = self._counter.of_grids(kept, [scores[number] for number in kept], _MOST_THRESHOLDS)
        self._grids, self._narrowed = self._counter.grids, True
        lanes = self.session.lanes
        if lanes is None or runs * len(self.inputs.data) <= lanes.chunk:
            for _ in self.screen(runs, phase):
                pass
        else:
            stream = (*self._stream, self._looks)
            self._looks += 1
            self._tally = None
            self._count(runs, stream, phase, shared=True)

    def renew(self) -> None:
        """Look for events anew at the next screening: with more runs, thresholds are better."""
        self._counter, self._counted, self._tally = None, 0, None

    def proposals(self, epsilon: float, delta: float) -> list[Proposal]:
        """The most promising event of every pair, best first."""
        if self._counter is None or not self._counted:
            return []
        tally = self._tallied()
        if (epsilon, delta) not in self._proposed:
            self._proposed[epsilon, delta] = self._proposals(tally, epsilon, delta) if tally.events else []
        return self._proposed[epsilon, delta]

    def growth(self, epsilon: float, delta: float) -> float:
        """The growth of its most promising event, 0 if none promises anything."""
        return max((proposal.growth for proposal in self.proposals(epsilon, delta)), default=0.0)

    def _proposals(self, tally: Tally, epsilon: float, delta: float) -> list[Proposal]:
        found = []
        worth = 1 - _PLAIN_PER_STEP * tally.complexities
        promised = promises(tally.totals, self.inputs.sides, tally.runs, epsilon, delta)
        for pair, sides, (events, gains) in zip(self.inputs.pairs, self.inputs.sides, promised, strict=True):
            values = gains * worth[events]
            if values.max(initial=0.0) > 0:
                place = int(np.argmax(values))
                best = int(events[place])
                found.append(
                    Proposal(
                        group=self,
                        pair=pair,
                        sides=sides,
                        event=tally.event(best),
                        growth=float(gains[place]),
                        count1=int(tally.totals[sides[0]][best]),
                        count2=int(tally.totals[sides[1]][best]),
                        runs=tally.runs,
                    )
                )
        return sorted(found, key=lambda proposal: -proposal.growth)

    def _tallied(self) -> Tally:
        assert self._counter is not None
        if self._tally is None:
            self._tally = Tally(self._grids, self._counter.counts(), self._counted)
            self._proposed.clear()
        return self._tally


def promise(count1: Counts, count2: Counts, runs: int, epsilon: float, delta: float) -> Floats:
    """Estimated growth of a bet on each event: ln of the factor that one pair of runs earns; 0 without hope.

    The growth of the best bet for the shares seen so far (`statistics.betting`), with caution: lowered as if the excess
    over the claim were one standard error smaller. Events far from promising are not worth the arithmetic: only the
    best along the last axis get it.
    """
    scores = excess(share_of(count1, runs), share_of(count2, runs), runs, epsilon, delta)
    chosen = scores > 1
    for row, score in zip(chosen.reshape(-1, chosen.shape[-1]), scores.reshape(-1, chosen.shape[-1]), strict=True):
        if np.count_nonzero(row) > _CLOSELY:
            row[:] = False
            row[_promising(score)] = True
    found = np.zeros(scores.shape)
    found[chosen] = _promise(scores[chosen], count1[chosen], count2[chosen], runs, epsilon, delta)
    return found


def promises(
    counts: Sequence[Counts], sides: Sequence[tuple[int, int]], runs: int, epsilon: float, delta: float
) -> list[tuple[Counts, Floats]]:
    """The promise of the events that have any, for each pair of data values: their numbers, ascending, and `promise`.

    counts: for each data value those of all events.
    """
    seen = [of_side / runs for of_side in counts]
    leading = []
    for first, second in sides:
        beyond = np.flatnonzero(seen[first] - math.exp(epsilon) * seen[second] > delta)
        leading.append(_leading(beyond, counts[first], counts[second], runs, epsilon, delta))
    chosen = [events for events, _ in leading]
    hits = [[counts[side][events] for side in pair] for pair, events in zip(sides, chosen, strict=True)]
    one, other = map(np.concatenate, zip(*hits, strict=True))
    found = _promise(np.concatenate([scores for _, scores in leading]), one, other, runs, epsilon, delta)
    return list(zip(chosen, np.split(found, np.cumsum([len(events) for events in chosen])[:-1]), strict=True))


class Share(NamedTuple):
    """How often events were seen, and the variance of a run, of shares that are neither 0 nor 1."""

    seen: Floats
    variance: Floats


def share_of(count: Counts, runs: int) -> Share:
    """The share of each event, on one data value."""
    inner = (count + 0.5) / (runs + 1)
    return Share(count / runs, inner * (1 - inner))


def excess(one: Share, other: Share, runs: int, epsilon: float, delta: float) -> Floats:
    """By how many standard errors each event exceeds the claim."""
    factor = math.exp(epsilon)
    above = one.seen - factor * other.seen
    above -= delta
    variance = one.variance + factor**2 * other.variance
    variance /= runs
    return np.asarray(above / np.sqrt(variance, out=variance))


def _leading(
    beyond: Counts, count1: Counts, count2: Counts, runs: int, epsilon: float, delta: float
) -> tuple[Counts, Floats]:
    """The numbers of the events that may promise something, and their scores. beyond: those that exceed the claim."""
    scores = excess(share_of(count1[beyond], runs), share_of(count2[beyond], runs), runs, epsilon, delta)
    best = _promising(scores)
    return beyond[best], scores[best]


def _promising(scores: Floats) -> Counts:
    """The numbers of the events that may promise something, ascending: of many, the best."""
    found = np.flatnonzero(scores > 1)
    if len(found) > _CLOSELY:
        found = np.sort(found[np.argpartition(scores[found], -_CLOSELY)[-_CLOSELY:]])
    return found


def _promise(scores: Floats, count1: Counts, count2: Counts, runs: int, epsilon: float, delta: float) -> Floats:
    """`promise` of events that have these scores."""
    if not len(scores):
        return scores
    q1, q2 = (count1 + 0.5) / (runs + 1), (count2 + 0.5) / (runs + 1)
    best = growth(q1, q2, optimal_stake(q1, q2, epsilon, delta), epsilon, delta)
    return np.asarray(np.maximum(best, 0.0) * (1 - 1 / scores) ** 2)
