"""Time that was to be had: that of the wall, without that in which others had the processors. Part of the worker.

Budgets are counted in it, so that an audit does as much on a busy machine as on a quiet one. Linux tells how long a
thread has run, and was ready to run and had to wait; elsewhere it is the time of the wall.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import NamedTuple

from .system import PROC


class Turns(NamedTuple):
    """Seconds in which the main thread of a process had a processor, and in which it waited for one."""

    ran: float
    waited: float


class _Meter:
    """What Linux tells of one process, from a file that stays open, as it is asked for hundreds of times a second."""

    def __init__(self, pid: int | None = None) -> None:
        """pid: None for whichever process asks, as it may have been forked since."""
        self.pid = pid
        self._file, self._opened_by = -1, 0
        self.last = self.read()

    def read(self) -> Turns:
        """What it has had in its life; zeros where that is not told."""
        if self.pid is None and self._opened_by != os.getpid():
            return self._read_anew()
        try:
            return _told(os.pread(self._file, _LONGEST, 0))
        except (OSError, ValueError):
            return self._read_anew()

    def _read_anew(self) -> Turns:
        """The file was not opened yet, or is another process's. Of one that has ended nothing is told any more."""
        if self.pid is not None and self._file >= 0:
            return Turns(0.0, 0.0)
        self._opened_by = os.getpid()
        try:
            self._file = os.open(f"{PROC}/{self.pid or 'self'}/schedstat", os.O_RDONLY)
            return _told(os.pread(self._file, _LONGEST, 0))
        except (OSError, ValueError):
            return Turns(0.0, 0.0)

    def since_last(self) -> Turns:
        """What it has had since this was asked before."""
        before, self.last = self.last, self.read()
        return _since(before, self.last)

    def close(self) -> None:
        """It is asked no more."""
        if self._file >= 0:
            os.close(self._file)


class _Followed:
    """What this process and its runners have had, as far as was seen."""

    def __init__(self) -> None:
        self._own = _Meter()
        self._runners: dict[int, _Meter] = {}
        self._waited_by_ended = 0.0
        self._ran_by_ended = 0.0

    def follow(self, pid: int) -> None:
        """From now on this process waits for that one, which may have to wait for a processor."""
        self._runners[pid] = _Meter(pid)

    def leave(self, pid: int) -> None:
        """The process has ended, or is about to."""
        meter = self._runners.pop(pid, None)
        if meter is not None:
            had = meter.since_last()
            meter.close()
            self._waited_by_ended += had.waited
            self._ran_by_ended = max(self._ran_by_ended, had.ran)

    def since_last(self) -> Turns:
        """Since the last call: the longest that any of them ran, and how long all of them waited.

        Who waits for a runner does not wait for a processor, so that the waiting of all is added up. Where several
        waited at once that is too much, but no less time was to be had than one of them has had.
        """
        had = [meter.since_last() for meter in (self._own, *self._runners.values())]
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


_LONGEST = 128
"""Bytes of three numbers, and more."""


def turns(pid: int) -> Turns:
    """What a process has had in its life; zeros where that is not told. See `_Meter` for who asks often."""
    try:
        return _told(Path(f"{PROC}/{pid}/schedstat").read_bytes())
    except (OSError, ValueError):
        return Turns(0.0, 0.0)


def _told(text: bytes) -> Turns:
    """Nanoseconds on a processor, nanoseconds of waiting for one, time slices. Raises ValueError."""
    ran, waited, _ = text.split()
    return Turns(int(ran) / 1e9, int(waited) / 1e9)


def _since(before: Turns, now: Turns) -> Turns:
    """Never less than nothing: a number may be another process's by now, or not be told any more."""
    return Turns(max(0.0, now.ran - before.ran), max(0.0, now.waited - before.waited))


_FOLLOWED = _Followed()
_CLOCK = _Clock(_FOLLOWED)
follow, leave = _FOLLOWED.follow, _FOLLOWED.leave


def now() -> float:
    """Seconds that were to be had since some time."""
    return _CLOCK.now()
