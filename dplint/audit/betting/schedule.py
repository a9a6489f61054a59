"""How large the rounds of an anytime audit are, and in which of them it looks further."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Schedule:
    """Sizes of the first rounds, and what begins when.

    screen: runs of every data value; after these rounds half as many again each time, for the input groups that promise
    most. bet: runs on each side of the pairs that are bet on; after these rounds twice as many each time. widened,
    widened_again: the rounds that begin with more choices of arguments: found for one value of the claim, and for each.
    further: the round, and in it the number of values of the claim that have had their turn, before pairs beyond the
    patterns are looked for.
    """

    screen: tuple[int, ...]
    bet: tuple[int, ...]
    widened: int
    widened_again: int
    further: tuple[int, int]

    def screened(self, number: int) -> int:
        """Runs of every data value in a round."""
        return _grown(self.screen, number, 1.5)

    def paid(self, number: int) -> int:
        """Runs on each side of what is bet on in a round."""
        return _grown(self.bet, number, 2)


PLAIN = Schedule(
    screen=(1_000, 1_000, 2_000, 4_000),
    bet=(4_000, 10_000, 30_000, 100_000),
    widened=1,
    widened_again=3,
    further=(1, 0),
)
"""Where each run calls the function: runs are dear."""
ON_LANES = Schedule(
    screen=(1_000, 4_000, 4_000, 8_000, 8_000),
    bet=(4_000, 30_000, 30_000, 100_000),
    widened=2,
    widened_again=4,
    further=(1, 1),
)
"""A larger second round takes less time than the solver's first look for arguments, so it comes before it."""

RENEWED = frozenset([3, 5, 7, 9, 12, 15])
"""Rounds in which events are looked for anew."""
LEARNING = 5
"""The round from which on events are refined and learnt."""
EARLY = 2
"""The round in which small trees are looked for already, if no bet has won anything by then: they are quick to find."""
LEARNT_ROUNDS = frozenset([5, 8, 11, 14, 17])
"""Those in which they are, where the budget is counted in runs and nothing may depend on time."""


def _grown(first: Sequence[int], number: int, factor: float) -> int:
    return first[number] if number < len(first) else int(first[-1] * factor ** (number - len(first) + 1))
