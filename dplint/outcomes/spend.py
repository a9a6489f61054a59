"""How much of its claim a mechanism spends, as an interval."""

from __future__ import annotations

from dataclasses import dataclass

from dplint.outcomes.losses import LargestLoss
from dplint.outcomes.verdicts import NoViolation, Outcome, Proved, Underpowered, Violation

_MEETS = 1e-4
"""Relative: shares of proofs are rounded up to numbers that can be read."""


@dataclass(frozen=True, slots=True)
class Spend:
    """What is spent, as multiples of the claimed epsilon.

    low: the largest loss that is known, over what is claimed there; 0 where none is. In a violation that is counted, it
    holds at its confidence, as a bound by bets does. high: a proof shows that no more is, within its scope; None
    without one. delta: below the claimed one, and proved together with all of epsilon; None if there is none.
    """

    low: float
    high: float | None = None
    delta: float | None = None

    @property
    def tight(self) -> bool:
        """Whether both are the same, but for rounding."""
        return self.high is not None and self.low >= self.high * (1 - _MEETS)


def spend_of(outcome: Outcome) -> Spend | None:
    """What is known of it; None for an outcome that says nothing of losses, or of a claim by another definition."""
    promised = isinstance(outcome, Proved) and outcome.scope.promised != ""
    if promised or (isinstance(outcome, Violation) and outcome.broken is not None):
        return None
    match outcome:
        case Violation():
            return Spend(_share(outcome.epsilon_lower, outcome.epsilon_tested))
        case Proved() if outcome.tried is None:
            return Spend(min(largest_share(outcome.losses), outcome.share), outcome.share, outcome.delta_upper)
        case NoViolation() | Underpowered():
            bets = (_share(one.lower, one.epsilon) for one in outcome.tested)
            return Spend(max([largest_share(outcome.losses), *bets], default=0.0))
        case _:
            return None


def largest_share(losses: tuple[LargestLoss, ...]) -> float:
    """The largest share of its claim that a computed pair loses for certain; 0 if nothing was computed."""
    return max((_share(one.pair.loss.low, one.pair.claimed) for one in losses), default=0.0)


def _share(loss: float, claimed: float) -> float:
    return max(0.0, loss / claimed) if claimed > 0 else 0.0
