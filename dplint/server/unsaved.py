"""What is typed in one document and not saved, as far as others import it: they are read with it at a pause in typing.

Mechanisms of those are not run before it is saved, as the interpreter takes what is on disk.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from dplint.source.file_digests import hold, is_unsaved

_PAUSE_SECONDS = 0.5


class Unsaved:
    """Texts that stand for their files in this process. changed: called some time after one has become another one."""

    def __init__(self, changed: Callable[[Path], None]) -> None:
        self._changed = changed
        self._timers: dict[Path, asyncio.TimerHandle] = {}

    def read(self, path: Path, text: str) -> None:
        """A document has this text."""
        before = is_unsaved(path)
        if hold(path, text.removeprefix("\ufeff")) or before:
            self._later(path)

    def forget(self, path: Path) -> None:
        """It was closed, and what was not saved is lost."""
        if is_unsaved(path):
            hold(path, None)
            self._later(path)

    def close(self) -> None:
        """Nothing is told any more."""
        for timer in self._timers.values():
            timer.cancel()

    def _later(self, path: Path) -> None:
        if (timer := self._timers.pop(path, None)) is not None:
            timer.cancel()
        self._timers[path] = asyncio.get_running_loop().call_later(_PAUSE_SECONDS, self._tell, path)

    def _tell(self, path: Path) -> None:
        del self._timers[path]
        self._changed(path)
