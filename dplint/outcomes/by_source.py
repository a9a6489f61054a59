"""What is known of a mechanism by its source alone: computed from the program, and not confirmed by any run."""

from __future__ import annotations

from dataclasses import dataclass

from dplint.outcomes.counterexample import Broken, ExactEvidence, Witness
from dplint.outcomes.effort import Argument
from dplint.outcomes.losses import LargestLoss
from dplint.outcomes.verdicts import Proved


@dataclass(frozen=True, slots=True, kw_only=True)
class Unconfirmed:
    """A witness against a claim that nobody has run: the program may not do what the function does.

    lower: the loss that the evidence shows. epsilon, delta, parameters: the value of the claim that it is against.
    broken: as for `Violation`.
    """

    witness: Witness
    evidence: ExactEvidence
    lower: float
    epsilon: float
    delta: float
    parameters: tuple[Argument, ...]
    broken: Broken | None = None

    @property
    def code(self) -> str:
        """That of the violation which it would be if it were confirmed."""
        return "DP901"


@dataclass(frozen=True, slots=True, kw_only=True)
class BySource:
    """What was computed of a mechanism without a run, in exact arithmetic. No verdict, neither for nor against.

    against: what would refute the claim, None if nothing that was computed does. losses: the largest for each value of
    the claim. proved: a proof, None if none was looked for or found. refused: why nothing could be computed; empty
    where something was. errors: standard deviations of the program that it may stand for, and of its own.
    """

    against: Unconfirmed | None = None
    losses: tuple[LargestLoss, ...] = ()
    proved: Proved | None = None
    refused: str = ""
    errors: tuple[float | None, float | None] = (None, None)
