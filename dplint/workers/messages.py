"""What a worker sends while it works on a job, and what it is told meanwhile."""

from __future__ import annotations

from dataclasses import dataclass

from dplint.jobs import AuditState
from dplint.outcomes import BySource, Curve, Distributions, ExactTable, Outcome, Standing, WorstInput


@dataclass(frozen=True, slots=True)
class Tick:
    """How far a job is: the phase in words, runs done, runs planned, and what speaks against the claim so far."""

    phase: str
    done: int
    total: int
    standing: Standing | None = None


@dataclass(frozen=True, slots=True)
class Done:
    """The last message of a job. state: what a later pass of the same audit can go on from."""

    result: Outcome | Curve | Distributions | ExactTable | WorstInput | BySource
    state: AuditState | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """A message and the number of the job that it belongs to."""

    job: int
    body: Tick | Done


@dataclass(frozen=True, slots=True)
class SpareWorkers:
    """To a worker: so many others may draw blocks of runs for its job. worth: seconds of drawing worth a request."""

    count: int
    worth: float


@dataclass(frozen=True, slots=True)
class Draw:
    """From a worker: blocks of runs that others may draw. Older series that were not begun are not wanted any more."""

    number: int
    series: int
    asked: bytes


@dataclass(frozen=True, slots=True)
class Drawn:
    """To a worker, and from who has drawn: the blocks that were asked for under a number, None if nobody could."""

    number: int
    blocks: bytes | None


@dataclass(frozen=True, slots=True)
class DrawOrder:
    """To a worker: draw blocks for the audit of another one. job: pickled, the same bytes for all blocks of a job."""

    job: bytes
    draw: Draw


@dataclass(frozen=True, slots=True)
class End:
    """To a worker: end the job in hand with what is known, and begin no other."""
