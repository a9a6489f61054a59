"""The cache folder: made on demand, marked as a cache, never larger than a bound."""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from pathlib import Path

NAME = ".dplint_cache"
MOST_FILES = 1_000
MOST_BYTES = 64 << 20
_SUFFIX = ".json"
_UNFINISHED = ".tmp"
_STALE_SECONDS = 3600.0
"""After this a file that was not finished is one of a process that died."""
_MARKS = {
    ".gitignore": "# Made by dplint. Nothing in here belongs into a repository.\n*\n",
    "CACHEDIR.TAG": (
        "Signature: 8a477f597d28d172789f06886806bc55\n"
        "# This file marks the folder as a cache that dplint has made. See https://bford.info/cachedir/\n"
    ),
}


def clean(root: Path) -> tuple[int, int]:
    """Remove the cache of a project; how many files and bytes it held. A folder that is not ours is left alone.

    Raises OSError if something cannot be removed.
    """
    folder = root / NAME
    if folder.is_symlink() or not (folder / "CACHEDIR.TAG").is_file():
        return 0, 0
    files, size = 0, 0
    # the mark goes last, so that what is left of an interrupted cleaning is still known as ours
    for path in sorted(folder.iterdir(), key=lambda path: path.name == "CACHEDIR.TAG"):
        if path.suffix not in (_SUFFIX, _UNFINISHED) and path.name not in _MARKS:
            continue
        if path.is_dir() and not path.is_symlink():
            continue
        with contextlib.suppress(FileNotFoundError):  # another process may clean up as well
            held = path.lstat().st_size
            path.unlink()
            files, size = files + (path.name not in _MARKS), size + held
    with contextlib.suppress(OSError):  # somebody has put something else there
        folder.rmdir()
    return files, size


class CacheFolder:
    """`.dplint_cache` in the folder of a project, or of the user's caches."""

    def __init__(self, root: Path) -> None:
        self.path = root / NAME

    def write(self, name: str, content: bytes) -> None:
        """Write a file so that a reader sees all of it or the one before, then drop the oldest beyond the bounds.

        Raises OSError if it cannot be written.
        """
        self.path.mkdir(parents=True, exist_ok=True)
        for mark, text in _MARKS.items():
            with contextlib.suppress(FileExistsError), (self.path / mark).open("x", encoding="utf-8") as stream:
                stream.write(text)
        handle, unfinished = tempfile.mkstemp(suffix=_UNFINISHED, dir=self.path)
        try:
            with os.fdopen(handle, "wb") as stream_of_bytes:
                stream_of_bytes.write(content)
            Path(unfinished).replace(self.path / name)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(unfinished).unlink()
            raise
        self._drop_old(name, len(content))

    def _drop_old(self, keep: str, size: int) -> None:
        """Keep the latest files within the bounds, first `keep` of that size. Another process may do so meanwhile."""
        found: list[tuple[float, int, Path]] = []
        for path in self.path.iterdir():
            with contextlib.suppress(OSError):
                status = path.stat()
                if path.suffix == _SUFFIX and path.name != keep:
                    found.append((status.st_mtime, status.st_size, path))
                elif path.suffix == _UNFINISHED and time.time() - status.st_mtime > _STALE_SECONDS:
                    path.unlink()
        files = 1
        for _, more, path in sorted(found, reverse=True):
            files, size = files + 1, size + more
            if files > MOST_FILES or size > MOST_BYTES:
                with contextlib.suppress(OSError):
                    path.unlink()
