"""Time that was to be had: that of the wall, without that in which others had the processors. Part of the worker.

Budgets are counted in it, so that an audit does as much on a busy machine as on a quiet one. Linux tells how long a
thread was ready to run and had to wait; elsewhere it is the time of the wall.
"""

from __future__ import annotations

import time
from pathlib import Path


class _Waiting:
    """How long this process and its runners have waited, as far as was seen."""

    def __init__(self) -> None:
        self._of_ended = 0.0
        self._runners: dict[int, tuple[float, float]] = {}

    def follow(self, pid: int) -> None:
        """From now on this process waits for that one, which may have to wait for a processor."""
        before = seconds_waiting(pid)
        self._runners[pid] = before, before

    def leave(self, pid: int) -> None:
        """The process has ended, or is about to."""
        self.seconds()
        first, last = self._runners.pop(pid, (0.0, 0.0))
        self._of_ended += last - first

    def seconds(self) -> float:
        """Of all of them together: who waits for a runner does not wait for a processor. Never less than before."""
        for pid, (first, last) in list(self._runners.items()):
            self._runners[pid] = first, max(last, seconds_waiting(pid))
        return seconds_waiting() + self._of_ended + sum(last - first for first, last in self._runners.values())


LEAST = 1 / 2
"""Of the time of the wall so much counts in any case: several processes may wait at once."""


class _Clock:
    """Time that was to be had, told anew at each look."""

    def __init__(self, waiting: _Waiting) -> None:
        self._waiting = waiting
        self._had, self._wall, self._waited = 0.0, time.monotonic(), waiting.seconds()

    def now(self) -> float:
        """Seconds since some time."""
        wall, waited = time.monotonic(), self._waiting.seconds()
        passed = wall - self._wall
        self._had += max(passed - (waited - self._waited), LEAST * passed)
        self._wall, self._waited = wall, waited
        return self._had


def seconds_waiting(pid: int | str = "self") -> float:
    """How long the main thread of a process has waited for a processor in its life; 0 where that is not told."""
    try:
        # Nanoseconds on a processor, nanoseconds of waiting for one, time slices.
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


_WAITING = _Waiting()
_CLOCK = _Clock(_WAITING)
follow, leave = _WAITING.follow, _WAITING.leave


def now() -> float:
    """Seconds that were to be had since some time: of a stretch of time at least half."""
    return _CLOCK.now()
