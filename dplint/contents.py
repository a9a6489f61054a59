"""What is in files of a project, which somebody else may have put there: a pipe, a device, a file without an end."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

MOST_BYTES = 128 << 20
"""Of one file: no source and no settings are as long."""
_MORE_BYTES = 1 << 20
_OPEN = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def content(path: Path) -> bytes:
    """The bytes of a file; never waits, and never takes more memory than `MOST_BYTES`.

    Raises:
        OSError: it cannot be read, is no regular file, or is longer than that.
    """
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
