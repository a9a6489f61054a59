"""Lines of source that reports quote."""

from __future__ import annotations

import tokenize
from functools import lru_cache


def source_line(file: str, line: int) -> str | None:
    """A line of a file, counted from 1; None if the file cannot be read or is shorter."""
    lines = _lines(file)
    return lines[line - 1] if 1 <= line <= len(lines) else None


def forget_lines() -> None:
    """Read files anew from now on, because they may have changed."""
    _lines.cache_clear()


@lru_cache(maxsize=64)
def _lines(file: str) -> tuple[str, ...]:
    try:
        with tokenize.open(file) as stream:
            return tuple(stream)
    except (OSError, SyntaxError, UnicodeDecodeError):
        return ()
