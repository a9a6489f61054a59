"""How many more runs than the schedule says a round makes: looking at runs should take no longer than making them.

What is done once for each input and value of the claim (events, proposals, checks of the translation) takes the same
time for a thousand runs as for a million. Where lanes are fast, a round of the schedule would hardly use them.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from dplint.audit.lane_blocks import LaneBlocks

_FROM = 2
"""The first round that is made larger: what is blatant shows before."""
_OF_RUNS = 2 / 3
"""Share of the time that runs themselves should have had, once there is time for more of them."""
_SHARE = 0.4
"""Share of the time left for a round of one value of the claim that additional runs may take at once."""
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

    lanes: LaneBlocks
    started: float
    end: float
    _end_of_turn: float = 0.0
    _seconds_per_run: float = 0.0

    def begin(self, number: int, turns: int) -> None:
        """A round of one value of the claim begins. turns: how many values have yet to play this round."""
        now = time.monotonic()
        self._end_of_turn = now + (self.end - now) / turns if number >= _FROM else now

    def more(self, sides: int) -> int:
        """How many more runs of each of so many data values there is time for now."""
        now = time.monotonic()
        behind = (_OF_RUNS * (now - self.started) - self.lanes.seconds) / (1 - _OF_RUNS)
        seconds = min(behind, _SHARE * (self._end_of_turn - now))
        cost = self._seconds_per_run or _COUNTED * self.lanes.seconds_per_run
        if seconds <= 0:
            return 0
        return int(min(seconds / max(cost * max(sides, 1), _NO_TIME), _MOST))

    def took(self, runs: int, seconds: float) -> None:
        """So many runs took so long, with all that was done about them."""
        if runs > _ENOUGH:
            self._seconds_per_run = seconds / runs
