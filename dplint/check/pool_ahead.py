"""The pool of a check, begun while files are still read: it takes as long to load as small projects take to read."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Self

from dplint.check.cache_roots import cache_root
from dplint.config import Settings
from dplint.contents import content
from dplint.source.read import MARK
from dplint.store import NAME
from dplint.workers.pool import Pool


class PoolAhead:
    """A pool that begins when it is wanted, or before, once it is likely to be. A context manager, which ends it."""

    def __init__(self) -> None:
        self._pool: Pool | None = None

    def begin(self) -> Pool:
        """The pool; it loads from now on at the latest."""
        if self._pool is None:
            self._pool = Pool()
        return self._pool

    def expect(self, path: Path, settings: Settings) -> None:
        """A file will be read: the pool begins if it may hold a claim, of which no earlier check can know anything."""
        if self._pool is None and not settings.static_only and _is_new(path, settings) and may_claim(path):
            self.begin()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            self._pool.close()


def _is_new(path: Path, settings: Settings) -> bool:
    return not settings.cache or not (cache_root(path) / NAME).is_dir()


def may_claim(path: Path) -> bool:
    """Whether a file has the word without which there is no claim."""
    try:
        return MARK.encode() in content(path)
    except OSError:
        return False
