"""Searching for garbage less often while much is built that stays."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_OBJECTS = 200_000
"""So many new ones call for a search: more than the tree of a file has, some tens of MiB."""


@contextmanager
def rarely_collected() -> Iterator[None]:
    """Search for cycles of garbage after so many new objects: a tree has none, and is gone through at each search.

    What has no cycles is freed at once, as ever; a long computation that leaves cycles does not keep them for long.
    """
    was = gc.get_threshold()
    gc.set_threshold(max(_OBJECTS, was[0]) if was[0] else 0, *was[1:])
    try:
        yield
    finally:
        gc.set_threshold(*was)
