"""What canaries have shown of a training: lower bounds of its epsilon, after so many releases."""

from __future__ import annotations

from dataclasses import dataclass

from dplint.claims import Mechanism
from dplint.outcomes.effort import Effort


@dataclass(frozen=True, slots=True)
class BoundAt:
    """What is known after so many releases; bounds are 0 where nothing is.

    epsilon: holds whatever the training does. mu, normal_epsilon: of normal laws, mu standard deviations apart, which
    neighbours are not told apart worse than, and the epsilon of these with the delta of the claim. Where the function
    makes one step, mu is that of a step, and normal_epsilon that of all steps, if their noise is normal. made, right:
    guesses that epsilon rests on, and mu.
    """

    releases: int
    epsilon: float
    mu: float
    normal_epsilon: float
    made: tuple[int, int]
    right: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingBound:
    """Lower bounds of one training in which each canary was with probability 1/2, independently.

    All looks together are wrong with a probability of 1 - confidence at most, for epsilon, and as much for mu: one of
    the two alone is held against the claim. claimed: epsilon, with claimed_delta, or what follows for it from
    claimed_mu, which is None where no mu is claimed. assumes_normal: whether the user says that its noise is normal, so
    that the claim is held against normal_epsilon. left_out: canaries that move little, or what others move. learnt:
    whether what they move was learnt, to score by it; else the project scores. whole: whether it came to its end.
    """

    mechanism: Mechanism
    claimed: float
    claimed_delta: float
    claimed_mu: float | None
    assumes_normal: bool
    canaries: int
    left_out: int
    learnt: bool
    looks: tuple[BoundAt, ...]
    whole: bool
    confidence: float
    effort: Effort

    def bound(self, look: BoundAt) -> float:
        """What is held against the claim: epsilon, or mu where that is claimed."""
        if self.claimed_mu is not None:
            return look.mu
        return look.normal_epsilon if self.assumes_normal and self.claimed_delta else look.epsilon

    @property
    def held_against(self) -> float:
        """What is claimed: epsilon, or mu."""
        return self.claimed if self.claimed_mu is None else self.claimed_mu

    @property
    def refutes(self) -> bool:
        """Whether the claim is refuted."""
        return max(map(self.bound, self.looks)) > self.held_against

    @property
    def code(self) -> str:
        """That of a refuted claim."""
        return "DP916" if self.refutes else ""
