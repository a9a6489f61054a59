"""Runs of an audit of which only counts are wanted, on lanes or by calls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dplint.audit.lane_counts import Take
from dplint.audit.session import AuditSession, Stream, Values
from dplint.events.counting import Counting
from dplint.runner.client import DataValue


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
