"""Which job comes next: of a module that is just being imported, one at a time, as long as there are others."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Sequence


class PendingJobs:
    """The jobs that were not begun, and what is known of those that were. Thread safe.

    paths: of each job, the module that it needs. crew: how many workers there are to be that do not wait for an import.
    """

    def __init__(self, paths: Sequence[str], crew: int) -> None:
        self._paths = paths
        self._lock = threading.Lock()
        self._todo = list(range(len(paths)))
        self._left = Counter(paths)
        self._imported: set[str] = set()
        self._running: set[int] = set()
        self._importing: dict[int, float] = {}
        self._size = self._wanted = crew

    def take(self) -> int | None:
        """The next job for a worker that is free; None if it is not needed any more."""
        with self._lock:
            if not self._todo or self._size - len(self._importing) > self._wanted:
                self._size -= 1
                return None
            trying = {self._paths[number] for number in self._running} - self._imported
            number = next((one for one in self._todo if self._paths[one] not in trying), self._todo[0])
            self._todo.remove(number)
            self._running.add(number)
            return number

    @property
    def begun(self) -> bool:
        """Whether all jobs have been taken."""
        with self._lock:
            return not self._todo

    def heard(self, number: int, *, importing: bool) -> None:
        """What a job says of itself: that it waits for the import of its module, or that it does something else."""
        with self._lock:
            if importing:
                self._importing.setdefault(number, time.monotonic())
            elif self._importing.pop(number, None) is not None:
                self._imported.add(self._paths[number])

    def done(self, number: int) -> str | None:
        """A job is done; its module, if it was the last one of it."""
        path = self._paths[number]
        with self._lock:
            self._running.discard(number)
            self._importing.pop(number, None)
            self._imported.add(path)
            self._left[path] -= 1
            return None if self._left[path] else path

    def take_on_another(self, patience: float) -> bool:
        """Whether to start one more worker: one has waited so long for an import, and there are jobs of other modules.

        To be followed by that, as this one is counted from now on.
        """
        with self._lock:
            blocked = {self._paths[number] for number in self._importing}
            waiting = sum(time.monotonic() - since > patience for since in self._importing.values())
            others = any(self._paths[number] not in blocked for number in self._todo)
            needed = others and self._size - waiting < self._wanted
            self._size += needed
            return needed

    def clear(self) -> list[int]:
        """The jobs that were not begun; from now on none is."""
        with self._lock:
            todo, self._todo = self._todo, []
            return todo
