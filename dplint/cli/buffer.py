"""`dplint check -`: the text of a buffer from the standard input, checked as if it stood in a file.

Lines of source that reports quote.
"""

from __future__ import annotations

import sys
import tokenize
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import click

from dplint.config import shown
from dplint.contents import content
from dplint.report.fingerprints import SourceLine
from dplint.source.notebooks import Notebook, is_notebook, read_notebook, split_cell
from dplint.source.text import DecodeError

STDIN = Path("-")
UNNAMED = Path("stdin.py")
"""The name of a text that is given none: messages need one, and so does the module that it becomes."""


@dataclass(frozen=True, slots=True)
class Buffer:
    """A text and the file that it stands for, which need not exist."""

    path: Path
    raw: bytes

    def notebooks(self) -> dict[str, Notebook]:
        """The text as a notebook, by the name of its file; empty where it is none."""
        try:
            return {shown(self.path): read_notebook(self.raw)} if is_notebook(self.path.name) else {}
        except DecodeError:  # which the check tells
            return {}

    def source(self, otherwise: SourceLine) -> SourceLine:
        """Lines of the text where its file is asked for, and of files on disk for all others."""
        lines = self.raw.decode("utf-8", "replace").splitlines(keepends=True)
        file = shown(self.path)
        notebook = self.notebooks().get(file)

        def line(name: str, number: int) -> str | None:
            path, cell = split_cell(name)
            if path != file:
                return otherwise(name, number)
            if notebook is not None and cell is not None:
                return notebook.line(cell, number)
            return lines[number - 1] if 1 <= number <= len(lines) else None

        return line


def read_buffer(paths: Sequence[Path], filename: Path | None) -> Buffer | None:
    """The text on the standard input if the one path is "-", None if files are meant.

    Raises:
        click.UsageError: "-" stands beside other paths, or a name is given where no text is read.
    """
    if STDIN not in paths:
        if filename is not None:
            raise click.UsageError('--stdin-filename is for a text on the standard input; give "-" as the path.')
        return None
    if len(paths) > 1:
        raise click.UsageError('"-" stands for the standard input and cannot be checked together with other paths.')
    return Buffer(UNNAMED if filename is None else filename, sys.stdin.buffer.read())


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
