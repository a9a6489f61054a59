"""The input that loses most of those that a search has come to, and what the search has seen of the branches."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from dplint.claims import Literal
from dplint.outcomes.effort import Argument
from dplint.outcomes.evidence import Bounds
from dplint.outcomes.losses import exceeds


class Taken(StrEnum):
    """Which ways data went at a branch."""

    BOTH = "both ways"
    ONLY_TRUE = "only where it is true"
    ONLY_FALSE = "only where it is false"
    NEVER = "never reached"


@dataclass(frozen=True, slots=True)
class BranchCover:
    """What is known of a branch that hangs on the data and on no noise.

    line, file: its place, as in `Span`. taken: by the inputs that were computed, in runs without noise. told_apart:
    whether the two sides of some pair went different ways. impossible: ways that no data of the claim goes, says z3.
    """

    line: int
    file: str
    taken: Taken
    told_apart: bool
    impossible: tuple[bool, ...] = ()


@dataclass(frozen=True, slots=True)
class ClimbStep:
    """An input that lost more than all before. inputs: how many had been computed. seconds: of CPU time."""

    inputs: int
    seconds: float
    loss: float
    pattern: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WorstInput:
    """The worst input of a search. loss: holds its loss, in both orders, or the least epsilon that it keeps with
    claimed_delta. inputs: how many were computed. steps: how the search came to it. by_runs: how many runs of the
    program on each side have shown it, where nothing computes it; 0 if it is certain.
    """

    d1: Literal
    d2: Literal
    arguments: tuple[Argument, ...]
    loss: Bounds
    claimed: float
    claimed_delta: float
    inputs: int
    seconds: float
    steps: tuple[ClimbStep, ...]
    branches: tuple[BranchCover, ...]
    certified_by: str
    notes: tuple[str, ...] = ()
    by_runs: int = 0

    @property
    def refutes(self) -> bool:
        """Whether it loses more than is claimed, by the source."""
        return exceeds(self.loss.low, self.claimed)
