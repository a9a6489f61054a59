"""What was computed exactly of one pair of inputs: every output with both its probabilities."""

from __future__ import annotations

from dataclasses import dataclass

from dplint.claims import Literal
from dplint.outcomes.effort import Argument
from dplint.outcomes.evidence import Bounds, Impossible, Measure, UnequalVanishing
from dplint.outcomes.losses import exceeds

NOTHING_RUN = "nothing was run"
"""Why what was computed from the source was not compared with the function."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactOutput:
    """The outputs of one form, of which the one that loses most is shown.

    output: as Python text, or "raises ValueError"; empty if no single one is known. measure, p1, p2: the probabilities
    of this output on D1 and D2, or the densities there. loss: holds the supremum of log p1/p2 over the outputs of the
    form; its high end is inf where only a lower bound is known. infinite: what shows that it is infinite.
    """

    output: str
    measure: Measure
    p1: Bounds
    p2: Bounds
    loss: Bounds
    infinite: Impossible | UnequalVanishing | None = None


@dataclass(frozen=True, slots=True)
class ExactDelta:
    """The least delta that the pair keeps together with an epsilon, in the order that loses more."""

    epsilon: float
    delta: Bounds


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactTable:
    """One pair, in exact arithmetic: values of the mechanism are real numbers, and rounding is not modelled.

    forwards: outputs of D1, the largest loss first; backwards: those of D2, with p1 of D2. deltas: by epsilon.
    neighbours: whether the claim speaks of the pair. claimed, claimed_delta: what is claimed for these arguments.
    at_claim: the delta of the pair at the epsilon claimed, where a delta is claimed.
    certified_by: what shows all of this. refused: pairs that could not be computed, and why, of those that were tried.
    pairs: how many were computed to find this one, the worst. not_compared: why the reading of the source that this
    rests on was not compared with the function; empty if it was.
    """

    d1: Literal
    d2: Literal
    arguments: tuple[Argument, ...]
    claimed: float
    neighbours: bool
    forwards: tuple[ExactOutput, ...]
    backwards: tuple[ExactOutput, ...]
    deltas: tuple[ExactDelta, ...]
    pairs: int
    certified_by: str
    notes: tuple[str, ...] = ()
    claimed_delta: float = 0.0
    at_claim: ExactDelta | None = None
    not_compared: str = NOTHING_RUN

    @property
    def refutes(self) -> bool:
        """Whether the pair refutes the claim: by its loss, or by its delta at the epsilon that is claimed with one."""
        if self.claimed_delta == 0:
            return self.neighbours and exceeds(self.loss.low, self.claimed)
        if self.at_claim is None:
            return False
        # Deltas are small: what rounding does to a scale that was made for one is a part of it.
        return self.neighbours and self.at_claim.delta.low > self.claimed_delta * (1 + 1e-6)

    @property
    def loss(self) -> Bounds:
        """Holds the larger of the losses in both orders."""
        rows = (*self.forwards, *self.backwards)
        low = max((row.loss.low for row in rows), default=0.0)
        return Bounds(low, max((row.loss.high for row in rows), default=0.0))
