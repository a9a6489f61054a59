"""Losses that are known for certain: of one pair, and the largest of all pairs that were computed.

What was computed exactly of one pair of inputs: every output with both its probabilities.

The input that loses most of those that a search has come to, and what the search has seen of the branches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dplint.claims import Literal
from dplint.outcomes.counterexample import Bounds, Impossible, Measure, Observation, UnequalVanishing
from dplint.outcomes.effort import Argument, BranchCover

_ROUNDING = 1e-9


def exceeds(loss: float, claimed: float) -> bool:
    """Whether a loss that was computed in exact arithmetic is more than is claimed.

    A scale such as 2 / epsilon is a rounded float, and the loss that it has in exact arithmetic may be above epsilon in
    the last digit: that is what rounding does, which is not modelled, and refutes nothing.
    """
    return loss > claimed + _ROUNDING * max(1.0, abs(claimed))


@dataclass(frozen=True, slots=True, kw_only=True)
class PairLoss:
    """The privacy loss of one pair with these arguments, as an interval that certainly holds it. In exact arithmetic.

    d1, d2: in the order that loses more. loss: in units of epsilon; with delta > 0, the least epsilon that the pair
    keeps together with that delta. Its high end is infinite where only a lower bound is known, as for outputs that
    share noise; both ends are where the loss is infinite. claimed, delta: what the claim allows here. where: an output
    or event that shows a loss of `loss.low`; None where it has no short form.
    """

    d1: Literal
    d2: Literal
    arguments: tuple[Argument, ...]
    loss: Bounds
    claimed: float
    delta: float = 0.0
    where: Observation | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LargestLoss:
    """The largest loss among the pairs that were computed for one value of the claim.

    pair: the one whose loss has the largest low end. pairs: how many were computed; of others nothing is said. high: no
    computed pair loses more than this; infinite where one of them has a lower bound only.
    """

    pair: PairLoss
    pairs: int
    high: float


def largest_losses(losses: Sequence[PairLoss]) -> tuple[LargestLoss, ...]:
    """The largest loss for each value of the claim that some were computed for, in their order."""
    by_claim: dict[tuple[float, float], list[PairLoss]] = {}
    for one in losses:
        by_claim.setdefault((one.claimed, one.delta), []).append(one)
    return tuple(
        LargestLoss(
            pair=max(computed, key=lambda one: one.loss.low),
            pairs=len(computed),
            high=max(one.loss.high for one in computed),
        )
        for computed in by_claim.values()
    )


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
