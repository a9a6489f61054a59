"""How often every event of some grids happened, for every data value of an input.

Runs of an audit of which only counts are wanted, on lanes or by calls.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from dplint.audit.lane_counts import Take
from dplint.audit.session import AuditSession, Stream, Values
from dplint.events.conditions import Event
from dplint.events.counting import Counting
from dplint.events.grids import Counts, Grid
from dplint.runner.client import DataValue

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Tally:
    """Counts of the cells of every grid, for every data value: counts[data][grid]. runs is the same for all."""

    grids: tuple[Grid, ...]
    counts: tuple[tuple[Counts, ...], ...]
    runs: int

    @property
    def events(self) -> int:
        """How many events the grids contain."""
        return sum(grid.size for grid in self.grids)

    @cached_property
    def totals(self) -> tuple[Counts, ...]:
        """How often each event happened, those of all grids one after the other: totals[data][event]."""
        every = zip(self.grids, zip(*self.counts, strict=True), strict=True)
        by_grid = [grid.totals(np.stack(of_sides)) for grid, of_sides in every]
        return tuple(np.concatenate([np.zeros((len(self.counts), 0), np.int64), *by_grid], axis=1))

    @cached_property
    def complexities(self) -> Counts:
        """How hard each event is to take in, in the order of `totals`."""
        return np.concatenate([np.zeros(0, np.int64), *(grid.complexities for grid in self.grids)])

    def by_grid(self, scores: Floats) -> list[Floats]:
        """Scores of all events, grid by grid."""
        return np.split(scores, np.cumsum([grid.size for grid in self.grids])[:-1])

    @staticmethod
    def leading(scores: Sequence[Floats], most: int) -> list[int]:
        """The numbers of the grids whose events have the highest scores, ascending. scores: of each grid."""
        best = [part.max(initial=-np.inf) for part in scores]
        return sorted(np.argsort(-np.array(best), kind="stable")[:most].tolist())

    def event(self, index: int) -> Event:
        """The event at a position of `totals`."""
        for grid in self.grids:
            if index < grid.size:
                return grid.event(index)
            index -= grid.size
        raise IndexError("the grids have fewer events")


def counted(
    session: AuditSession,
    data: Sequence[DataValue],
    arguments: Values,
    runs: int,
    stream: Stream,
    phase: str,
    counting: Counting,
    *,
    checked: int,
    shared: bool = False,
) -> Iterator[tuple[int, Take]]:
    """What is counted in so many runs of each data value, block by block: the number of runs, and how to take the
    totals of those since they were last taken. The more seldom, the less counting costs where outputs have many shapes.

    On lanes these are full blocks of one data value after the other. checked, phase: as for `AuditSession.sample`.
    shared: as for `LaneCounts`. Raises what `sample` raises.
    """
    lanes, counts = session.lanes, session.lane_counts
    if lanes is None or counts is None:
        counter = counting.counter(len(data), session.texts)
        for chunk in session.sample(data, arguments, runs, stream, phase, checked=checked):
            for side, batch in enumerate(chunk.batches):
                counter.add(side, batch)
            yield chunk.runs, counter.take
        return
    session.check_lanes(data, arguments, checked, stream)

    def between() -> None:
        session.check_time()
        session.announce(phase)

    before = lanes.seconds
    for count, take in counts.blocks(
        data, arguments, runs, (session.seed, stream), counting, shared=shared, between=between
    ):
        if lanes.seconds > before:
            session.learn_speed((lanes.seconds - before) / (count * len(data)))
            before = lanes.seconds
        session.coverage.runs += count * len(data)
        yield count, take
