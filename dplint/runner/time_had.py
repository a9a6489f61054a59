"""Time that was to be had: that of the wall, without that in which others had the processors. Part of the worker.

Budgets are counted in it, so that an audit does as much on a busy machine as on a quiet one. Linux tells how long a
thread has run, and was ready to run and had to wait; elsewhere it is the time of the wall.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import NamedTuple


class Turns(NamedTuple):
    """Seconds in which the main thread of a process had a processor, and in which it waited for one."""

    ran: float
    waited: float


class _Followed:
    """What this process and its runners have had, as far as was seen."""

    def __init__(self) -> None:
        self._own = turns()
        self._runners: dict[int, Turns] = {}
        self._waited_by_ended = 0.0
        self._ran_by_ended = 0.0

    def follow(self, pid: int) -> None:
        """From now on this process waits for that one, which may have to wait for a processor."""
        self._runners[pid] = turns(pid)

    def leave(self, pid: int) -> None:
        """The process has ended, or is about to."""
        last = self._runners.pop(pid, None)
        if last is not None:
            had = _since(last, turns(pid))
            self._waited_by_ended += had.waited
            self._ran_by_ended = max(self._ran_by_ended, had.ran)

    def since_last(self) -> Turns:
        """Since the last call: the longest that any of them ran, and how long all of them waited.

        Who waits for a runner does not wait for a processor, so that the waiting of all is added up. Where several
        waited at once that is too much, but no less time was to be had than one of them has had.
        """
        last, self._own = self._own, turns()
        had = [_since(last, self._own)]
        for pid, before in list(self._runners.items()):
            self._runners[pid] = now = turns(pid)
            had.append(_since(before, now))
        ran = max(self._ran_by_ended, *(each.ran for each in had))
        waited = self._waited_by_ended + sum(each.waited for each in had)
        self._waited_by_ended = self._ran_by_ended = 0.0
        return Turns(ran, waited)


class _Clock:
    """Time that was to be had, told anew at each look."""

    def __init__(self, followed: _Followed) -> None:
        self._followed = followed
        self._had, self._wall = 0.0, time.monotonic()
        followed.since_last()

    def now(self) -> float:
        """Seconds since some time."""
        wall, had = time.monotonic(), self._followed.since_last()
        passed, self._wall = wall - self._wall, wall
        self._had += max(passed - had.waited, min(had.ran, passed))
        return self._had


def turns(pid: int | str = "self") -> Turns:
    """What the main thread of a process has had and waited for in its life; zeros where that is not told."""
    try:
        # Nanoseconds on a processor, nanoseconds of waiting for one, time slices.
        ran, waited, _ = Path(f"/proc/{pid}/schedstat").read_text().split()
        return Turns(int(ran) / 1e9, int(waited) / 1e9)
    except (OSError, ValueError):
        return Turns(0.0, 0.0)


def _since(before: Turns, now: Turns) -> Turns:
    """Never less than nothing: a number may be another process's by now, or not be told any more."""
    return Turns(max(0.0, now.ran - before.ran), max(0.0, now.waited - before.waited))


_FOLLOWED = _Followed()
_CLOCK = _Clock(_FOLLOWED)
follow, leave = _FOLLOWED.follow, _FOLLOWED.leave


def now() -> float:
    """Seconds that were to be had since some time."""
    return _CLOCK.now()
