"""Signs of life between runs, in a file that runner and worker both map: how many parts of a request have ended, and
which data value is being run. The runner's half runs in the user's interpreter; both need the standard library only.
"""

from __future__ import annotations

import mmap
import os
import struct
import time
from typing import Callable, Optional, Tuple

_FORMAT = struct.Struct("<qq")
_NOWHERE = -1
_PART_SECONDS = 0.25
"""Runs between two signs of life should take no longer."""
_GROWTH = 8
"""A part is at most so many times as long as the one before: the first runs need not be typical."""
_RENEW_SECONDS = 1.0


class HeartbeatReader:
    """The worker's half. Makes the file, in a folder that is a descriptor, as both sides expect it."""

    def __init__(self, folder: int, name: str) -> None:
        file = os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600, dir_fd=folder)
        try:
            os.write(file, _FORMAT.pack(0, _NOWHERE))
            self._memory = mmap.mmap(file, _FORMAT.size, access=mmap.ACCESS_READ)
        finally:
            os.close(file)

    def read(self) -> Tuple[int, Optional[int]]:
        """How many parts have ended so far, and the number of the data value in hand, None if it is none."""
        ended, number = _FORMAT.unpack(self._memory[:])
        return ended, None if number == _NOWHERE else number


class Heartbeat:
    """The runner's half: it also says how many runs to make before the next sign of life.

    renew: called now and then while runs go on, for what is limited by request and not by run.
    """

    def __init__(self, path: str, renew: Callable[[], None]) -> None:
        with open(path, "r+b") as file:
            self._memory = mmap.mmap(file.fileno(), _FORMAT.size)
        self._renew = renew
        # Bound here: user code may replace what the module `time` holds.
        self._clock = time.monotonic
        self._ended = 0
        self._most = 1
        self._begun = self._renewed = self._clock()

    def forget_speed(self) -> None:
        """Another function may be slower."""
        self._most = 1

    def at(self, number: Optional[int]) -> None:
        """Runs of this data value begin; None if the request is done."""
        _FORMAT.pack_into(self._memory, 0, self._ended, _NOWHERE if number is None else number)

    def part(self, count: int) -> int:
        """How many of these runs to make now. To be followed by `ended`."""
        self._begun = self._clock()
        return min(count, self._most)

    def ended(self, runs: int) -> None:
        """So many runs have ended."""
        now = self._clock()
        fitting = int(runs * _PART_SECONDS / max(now - self._begun, 1e-9))
        self._most = max(1, min(fitting, _GROWTH * max(runs, self._most)))
        self._ended += 1
        struct.pack_into("<q", self._memory, 0, self._ended)
        if now - self._renewed > _RENEW_SECONDS:
            self._renewed = now
            self._renew()
