"""Scratch folders: made for a process, and removed also where it had no time to do so. Part of the worker.

Whoever has one holds a lock on it, which the system takes back however the process ends. So the next process that makes
one can tell which are nobody's, also those of another container with a folder in common.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import time
from pathlib import Path

from . import system

try:
    import fcntl
except ImportError:  # not on every system
    fcntl = None  # type: ignore[assignment]

_PREFIX = "dplint-run-"
_NEW_SECONDS = 2.0
"""A folder that has just been made may have no lock yet."""


def make_scratch(kind: str = "", within: str | None = None) -> tuple[str, int]:
    """A new folder of this process, and a descriptor of it that holds the lock. within: that of a host.

    Code that was imported may do what it likes in the host's folder, so that no link in it is followed.
    """
    owner = f"{os.getpid()}-{kind}"
    path = tempfile.mkdtemp(prefix=f"{_PREFIX}{owner}" if within is None else owner, dir=within)
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    if fcntl is not None:
        with contextlib.suppress(OSError):  # not on every file system
            fcntl.flock(folder, fcntl.LOCK_SH)
    return path, folder


def sweep() -> None:
    """Remove the folders whose processes have ended, and did not: they were killed."""
    for path in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError, ValueError):
            if not system.is_alive(int(path.name.split("-")[2])) and _is_nobodys(path):
                shutil.rmtree(path, ignore_errors=True)


def _is_nobodys(path: Path) -> bool:
    """Whether no process holds the lock. Raises OSError where that cannot be told."""
    if fcntl is None or time.time() - path.stat().st_mtime < _NEW_SECONDS:
        return False
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    finally:
        os.close(folder)
    return True


def remove_scratch_of(owner: int) -> None:
    """Remove the scratch folders of a worker that was killed; those of its forked runners lie in those of hosts."""
    for pattern in (f"{_PREFIX}{owner}-*", f"{_PREFIX}*/{owner}-*", f"{_PREFIX}*/*/{owner}-*"):
        for folder in Path(tempfile.gettempdir()).glob(pattern):
            shutil.rmtree(folder, ignore_errors=True)
