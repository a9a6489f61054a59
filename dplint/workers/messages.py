"""What a worker sends while it works on a job."""

from __future__ import annotations

from dataclasses import dataclass

from dplint.outcomes import Curve, Outcome


@dataclass(frozen=True, slots=True)
class Tick:
    """How far a job is: the phase in words, runs done, runs planned."""

    phase: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Done:
    """The last message of a job."""

    result: Outcome | Curve


@dataclass(frozen=True, slots=True)
class Message:
    """A message and the number of the job that it belongs to."""

    job: int
    body: Tick | Done
