"""Running every input a little, to see which deserve more: one tally for each choice of arguments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dplint.audit.selection import Candidate, Tally, best_event, ranked
from dplint.audit.session import Session
from dplint.claims import Literal, Pair
from dplint.events.counting import CellCounter
from dplint.events.discover import PILOT_RUNS, discover_grids
from dplint.events.grids import Grid
from dplint.outcomes import Argument
from dplint.runner.batch import Batch
from dplint.runner.client import DataValue


@dataclass(frozen=True)
class Inputs:
    """The pairs of an audit, and their distinct data values, each of which is run only once for all its pairs."""

    pairs: tuple[Pair, ...]
    sides: tuple[tuple[int, int], ...]
    """For each pair, the numbers of its two data values."""
    data: tuple[DataValue, ...]


def gather_inputs(session: Session, pairs: Sequence[Pair]) -> Inputs:
    """Number the data values of the pairs; equal ones share a number."""
    numbers: dict[str, int] = {}
    data: list[DataValue] = []
    sides: list[tuple[int, int]] = []
    for pair in pairs:
        both = []
        for side in (1, 2):
            value = session.data_value(pair, side)
            key = repr(value)
            if key not in numbers:
                numbers[key] = len(data)
                data.append(value)
            both.append(numbers[key])
        sides.append((both[0], both[1]))
    return Inputs(tuple(pairs), tuple(sides), tuple(data))


@dataclass(frozen=True)
class Choice:
    """Values for the parameters other than data, generator and claim. `fixed` are those that the claim depends on."""

    arguments: tuple[Argument, ...]
    fixed: tuple[Argument, ...]

    @property
    def values(self) -> dict[str, Literal]:
        """What the function is called with."""
        return {a.name: a.value for a in (*self.fixed, *self.arguments)}


def tally_runs(
    session: Session,
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
    for chunk in session.sample(data, choice.values, runs, stream, phase, together=len(data) > 2):
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


def candidates_of(inputs: Inputs, tallies: Sequence[Tally], epsilon: float, delta: float) -> list[Candidate]:
    """The best event of every pair under every choice of arguments, most promising first."""
    return ranked(
        [
            best_event(tally, number, pair, sides, epsilon, delta)
            for number, tally in enumerate(tallies)
            for pair, sides in zip(inputs.pairs, inputs.sides, strict=True)
        ]
    )
