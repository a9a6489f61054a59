"""What is in files of a project, which somebody else may have put there: a pipe, a device, a file without an end.

A text that was given to a command stands for a file, which need not exist.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

MOST_BYTES = 128 << 20
"""Of one file: no source and no settings are as long."""
_GIVEN: dict[Path, bytes] = {}
_MORE_BYTES = 1 << 20
_OPEN = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def content(path: Path) -> bytes:
    """The bytes of a file, or the text that stands for it; never waits, and never takes more memory than `MOST_BYTES`.

    Raises:
        OSError: it cannot be read, is no regular file, or is longer than that.
    """
    if (given := given_for(path)) is not None:
        return given
    with os.fdopen(os.open(path, _OPEN), "rb") as stream:
        status = os.fstat(stream.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "is no regular file", str(path))
        raw = stream.read(status.st_size + 1) if status.st_size <= MOST_BYTES else b""
        # Never more is set apart than there is: a process has its share of memory. A file may grow, or tell no size.
        while raw and len(raw) <= MOST_BYTES and (more := stream.read(_MORE_BYTES)):
            raw += more
        if max(status.st_size, len(raw)) > MOST_BYTES:
            raise OSError(errno.EFBIG, f"has more than {MOST_BYTES >> 20} MiB", str(path))
        return raw


def give(path: Path, raw: bytes | None) -> None:
    """From now on, in this process, these bytes stand for the file, whether it exists or not; None for no file."""
    _GIVEN.clear()
    if raw is not None:
        _GIVEN[path.absolute()] = raw


def given_for(path: Path) -> bytes | None:
    """The text that stands for a file, None where it is what is on disk."""
    return _GIVEN.get(path.absolute()) if _GIVEN else None
