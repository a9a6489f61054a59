"""Room on Python's stack for following helpers into helpers."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator

_STACK = 4000


@contextlib.contextmanager
def deep_stack() -> Iterator[None]:
    """Helpers are followed into helpers, each of which may be nested as deeply as a file can be that is read."""
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(max(usual, _STACK))
    try:
        yield
    finally:
        sys.setrecursionlimit(usual)
