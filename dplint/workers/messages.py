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
class End:
    """To a worker: end the job in hand with what is known, and begin no other."""
