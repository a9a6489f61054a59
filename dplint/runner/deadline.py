"""How long a runner may go without a sign of life. Part of the worker.

A deadline is for user code, not for the machine: while other processes have the processors, the clock stands still, and
while the process is stopped or waits for a disk. Linux tells how long a thread was ready to run and had to wait, and
what it is doing; elsewhere the clock is that of the wall.
"""

from __future__ import annotations

import time

from dplint.runner import system
from dplint.runner.heartbeat import HeartbeatReader
from dplint.runner.time_had import turns

_MOST_WAITING = 5.0
"""However busy the machine is, a request gets at most so many times its deadline on top."""


class Deadline:
    """The deadline of one request: `seconds` for each part of it that shows a sign of life when it ends."""

    def __init__(self, pid: int, seconds: float, heartbeat: HeartbeatReader) -> None:
        self._pid, self._seconds, self._heartbeat = pid, seconds, heartbeat
        self._begun = self._looked = self._stood_still = 0.0
        self._restart(heartbeat.read()[0])

    def left(self) -> float:
        """Seconds that are left at most, zero or less if time is up. To be asked several times a second."""
        now = time.monotonic()
        if _stands_still(self._pid):
            self._stood_still += now - self._looked
        self._looked = now
        ended = self._heartbeat.read()[0]
        if ended != self._ended:
            self._restart(ended)
        return self._begun + self._seconds + self._waited() - now

    @property
    def quiet(self) -> float:
        """Seconds since the last sign of life, or since the request."""
        return time.monotonic() - self._begun

    @property
    def machine_was_busy(self) -> bool:
        """Whether as much waiting was forgiven as ever is: user code may have had no time to end."""
        return self._waited() >= _MOST_WAITING * self._seconds

    def _restart(self, ended: int) -> None:
        self._ended = ended
        self._begun = self._looked = time.monotonic()
        self._stood_still = 0.0
        self._waited_before = turns(self._pid).waited

    def _waited(self) -> float:
        ready = max(0.0, turns(self._pid).waited - self._waited_before)
        return min(_MOST_WAITING * self._seconds, ready + self._stood_still)


def _stands_still(pid: int) -> bool:
    """Whether a process is stopped, or waits for a disk; False where that is not told."""
    state = (system.told(f"{pid}/stat") or "").rpartition(")")[2].split()[:1]
    return state in (["T"], ["t"], ["D"])
