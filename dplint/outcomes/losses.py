"""Losses that are known for certain: of one pair, and the largest of all pairs that were computed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dplint.claims import Literal
from dplint.outcomes.counterexample import Observation
from dplint.outcomes.effort import Argument
from dplint.outcomes.evidence import Bounds

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
