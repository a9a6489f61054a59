"""Running every input a little, to see which deserve more: one tally for each choice of arguments."""

from __future__ import annotations

from collections.abc import Sequence

from dplint.audit.choices import Choice
from dplint.audit.preparation import Prepared
from dplint.audit.session import AuditSession
from dplint.audit.statdp.selection import Candidate, best_event, ranked
from dplint.audit.tally import Tally
from dplint.events.counting import CellCounter
from dplint.events.discover import PILOT_RUNS, discover_grids
from dplint.events.grids import Grid
from dplint.runner.batch import Batch
from dplint.runner.client import DataValue


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
