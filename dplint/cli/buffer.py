"""`dplint check -`: the text of a buffer from the standard input, checked as if it stood in a file.

Lines of source that reports quote.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import click

from dplint.contents import content, give
from dplint.source.notebooks import Notebook, read_notebook, split_cell
from dplint.source.text import DecodeError, decode

STDIN = Path("-")
SEPARATOR = "::"
"""Between a file and a function of it."""
UNNAMED = Path("stdin.py")
"""The name of a text that is given none: messages need one, and so does the module that it becomes."""


@dataclass(frozen=True, slots=True)
class Buffer:
    """A text and the file that it stands for, which need not exist. function: the one that is wanted alone."""

    path: Path
    raw: bytes
    function: str | None = None


def read_buffer(paths: Sequence[Path], filename: Path | None) -> Buffer | None:
    """The text on the standard input if the one path is "-" or the file of that name, None if files are meant.

    The path may name a function, too. From then on the text stands for its file in this process.

    Raises:
        click.UsageError: the text stands beside other paths, or a name is given where no text is read.
    """
    give(UNNAMED, None)
    named = [str(path).partition(SEPARATOR) for path in paths]
    texts = [function for file, _, function in named if Path(file) in (STDIN, filename)]
    if not texts:
        if filename is not None:
            raise click.UsageError(
                f"--stdin-filename is for a text on the standard input; give \"-\" or '{filename}' as the path."
            )
        return None
    if len(paths) > 1:
        raise click.UsageError("the text on the standard input cannot be checked together with other paths.")
    found = Buffer(UNNAMED if filename is None else filename, sys.stdin.buffer.read(), texts[0] or None)
    give(found.path, found.raw)
    return found


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


def read_paths(paths: Sequence[Path], filename: Path | None) -> tuple[Path, ...]:
    """The paths, with the file that a text on the standard input stands for in its place.

    Raises:
        click.UsageError: as for `read_buffer`; or a function of the text is named.
    """
    buffer = read_buffer(paths, filename)
    if buffer is not None and buffer.function is not None:
        raise click.UsageError(f"'{paths[0]}' names a function, and this is for whole texts: give \"-\".")
    return tuple(paths) if buffer is None else (buffer.path,)


@lru_cache(maxsize=64)
def _lines(file: str) -> tuple[str, ...]:
    try:
        return tuple(io.StringIO(decode(content(Path(file))), newline=None))
    except (OSError, DecodeError):
        return ()


@lru_cache(maxsize=16)
def _notebook(file: str) -> Notebook | None:
    try:
        return read_notebook(content(Path(file)))
    except (OSError, DecodeError):
        return None
