"""The input that loses most of those that a search has come to, and what the search has seen of the branches."""

from __future__ import annotations

from dataclasses import dataclass

from dplint.claims import Literal
from dplint.outcomes.branch_cover import BranchCover
from dplint.outcomes.effort import Argument
from dplint.outcomes.evidence import Bounds
from dplint.outcomes.exact_table import NOTHING_RUN
from dplint.outcomes.losses import exceeds


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
    program on each side have shown it, where nothing computes it; 0 if it is certain. not_compared: as for
    `ExactTable`.
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
    not_compared: str = NOTHING_RUN

    @property
    def refutes(self) -> bool:
        """Whether it loses more than is claimed, by the source."""
        return exceeds(self.loss.low, self.claimed)
