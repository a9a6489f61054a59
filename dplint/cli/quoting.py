"""Lines of source that reports quote."""

from __future__ import annotations

import tokenize
from functools import lru_cache
from pathlib import Path

from dplint.contents import content
from dplint.source.cell_names import split_cell
from dplint.source.notebooks import Notebook, read_notebook
from dplint.source.text import DecodeError


def source_line(file: str, line: int) -> str | None:
    """A line of a file or of a cell of a notebook, counted from 1; None if the file cannot be read or is shorter."""
    path, cell = split_cell(file)
    if cell is not None:
        notebook = _notebook(path)
        return None if notebook is None else notebook.line(cell, line)
    lines = _lines(file)
    return lines[line - 1] if 1 <= line <= len(lines) else None


def forget_lines() -> None:
    """Read files anew from now on, because they may have changed."""
    _lines.cache_clear()
    _notebook.cache_clear()


@lru_cache(maxsize=64)
def _lines(file: str) -> tuple[str, ...]:
    try:
        with tokenize.open(file) as stream:
            return tuple(stream)
    except (OSError, SyntaxError, UnicodeDecodeError):
        return ()


@lru_cache(maxsize=16)
def _notebook(file: str) -> Notebook | None:
    try:
        return read_notebook(content(Path(file)))
    except (OSError, DecodeError):
        return None
