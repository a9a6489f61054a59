"""How large the rounds of an anytime audit are, and in which of them it looks further.

Looking at runs should take no longer than making them: what is done once for each input and value of the claim (events,
proposals, replays) takes the same time for a thousand runs as for a million. Where lanes are fast, a round of the
schedule would hardly use them, and is made larger.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dplint.audit.run_blocks import RunBlocks
from dplint.runner import time_had

_FROM = 2
"""The first round that is made larger: what is blatant shows before."""
_OF_RUNS = 2 / 3
"""Share of the time that runs themselves should have had, once there is time for more of them."""
_SHARE = 0.4
"""Share of the time left for a round of one value of the claim that additional runs may take at once."""
_LAST_SHARE = 0.8
"""The same at the end of a short turn, after which there is time for little else."""
_SHORT_FROM, _SHORT = 3, 2.0
"""The first round whose turns may be short: where less time is left for each than so many times what all but runs has
taken in a turn so far, so that looking for events anew would leave no time to bet on them."""
_COUNTED = 3.0
"""How many times as long as the fastest runs others take, with all that is done about them, as long as nobody knows."""

_MOST, _NO_TIME = 2**27, 1e-12
"""At most so many more runs at once, however fast they are: a function that is constant takes next to no time."""
_ENOUGH = 100_000
"""Runs from which on what they took tells what others will take."""


@dataclass
class Pace:
    """Additional runs of a pass whose budget is a time: enough for runs to have had two thirds of the time.

    lanes: what runs are made on. started, end: of the pass, by the monotonic clock.
    """

    lanes: RunBlocks
    started: float
    end: float
    _short: bool = False
    _turns: int = 0
    _end_of_turn: float = 0.0
    _seconds_per_run: float = 0.0

    def begin(self, number: int, turns: int) -> None:
        """A round of one value of the claim begins. turns: how many values have yet to play this round."""
        now = time_had.now()
        left = (self.end - now) / turns
        self._end_of_turn = now + left if number >= _FROM else now
        others = now - self.started - self.lanes.seconds
        self._short = number >= _SHORT_FROM and left * self._turns < _SHORT * others
        self._turns += 1

    @property
    def is_short(self) -> bool:
        """Whether the turn that began last has time for nothing but more runs on what is known."""
        return self._short and self.more(1) > 0

    def more(self, sides: int, *, last: bool = False) -> int:
        """How many more runs of each of so many data values there is time for now. last: by the end of the turn."""
        now = time_had.now()
        behind = (_OF_RUNS * (now - self.started) - self.lanes.seconds) / (1 - _OF_RUNS)
        share = _LAST_SHARE if last and self._short else _SHARE
        seconds = min(behind, share * (self._end_of_turn - now))
        cost = self._seconds_per_run or _COUNTED * self.lanes.seconds_per_run
        if seconds <= 0:
            return 0
        return int(min(seconds / max(cost * max(sides, 1), _NO_TIME), _MOST))

    def took(self, runs: int, seconds: float) -> None:
        """So many runs took so long, with all that was done about them."""
        if runs > _ENOUGH:
            self._seconds_per_run = seconds / runs


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
