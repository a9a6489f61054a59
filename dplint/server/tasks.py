"""What a server does beside answering."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine

_LOG = logging.getLogger(__name__)


class Tasks:
    """Things that run beside each other; what goes wrong in one is logged. log: tells the person at the editor."""

    def __init__(self, log: Callable[[str], None]) -> None:
        self._log = log
        self._running: set[asyncio.Task[None]] = set()

    def begin(self, coroutine: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """Run something beside."""
        task = asyncio.get_running_loop().create_task(coroutine)
        self._running.add(task)
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _LOG.error("%s", error, exc_info=error)
            self._log(f"dplint itself failed ({type(error).__name__}: {error}); please report this")
