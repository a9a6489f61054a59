"""Calls that come too often, made one after another at a distance; the last one is never lost."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Throttle:
    """Calls `action` at once, and then at most every so many seconds."""

    def __init__(self, seconds: float, action: Callable[[], object]) -> None:
        self._seconds = seconds
        self._action = action
        self._next = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def __call__(self) -> None:
        """Have the action done soon."""
        if self._timer is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(max(0.0, self._next - loop.time()), self._do)

    def _do(self) -> None:
        self._timer = None
        self._next = asyncio.get_running_loop().time() + self._seconds
        self._action()
