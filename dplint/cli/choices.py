"""Arguments of `check` that mean one function of a file: FILE::FUNCTION and FILE:LINE."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import click

from dplint.check.choosing import Choice
from dplint.contents import content
from dplint.source.cell_names import is_notebook, split_cell
from dplint.source.notebooks import read_notebook
from dplint.source.text import DecodeError

_LINE = re.compile(r"(?P<file>.+):(?P<line>[1-9]\d*)")


def read_choices(paths: Sequence[Path]) -> tuple[tuple[Path, ...], tuple[Choice, ...]]:
    """The files and folders to read, and what is wanted of some of them. A file of such a name is what it is.

    Raises:
        click.UsageError: a file is to be checked as a whole and in part.
    """
    files: dict[Path, None] = {}
    choices: list[Choice] = []
    whole: set[Path] = set()
    for path in paths:
        choice = None if path.exists() else _choice(str(path))
        files[path if choice is None else choice.path] = None
        if choice is None:
            whole.add(path.resolve())
        else:
            choices.append(choice)
    for choice in choices:
        if choice.path.resolve() in whole:
            raise click.UsageError(f"'{choice.path}' is given as a whole and in part: give one of the two.")
        if choice.path.is_dir():
            raise click.UsageError(f"'{choice.path}' is a folder: name the file that holds {choice.words()}.")
    return tuple(files), tuple(choices)


def _choice(text: str) -> Choice | None:
    file, separator, function = text.rpartition("::")
    if separator and file and function:
        return Choice(Path(file), function)
    found = _LINE.fullmatch(text)
    if found is None:
        return None
    path, cell = split_cell(found["file"])
    line = int(found["line"])
    return Choice(Path(path), _in_notebook(Path(path), cell, line) if is_notebook(path) else line)


def _in_notebook(path: Path, cell: int | None, line: int) -> int:
    """The line of the module that the cells are read as."""
    if cell is None:
        raise click.UsageError(f"'{path}' is a notebook, in which lines count by cell: write '{path}:cell 3:{line}'.")
    try:
        return read_notebook(content(path)).module_line(cell, line)
    except (OSError, DecodeError):
        return line  # which the check tells
    except ValueError:
        raise click.UsageError(f"'{path}' has no code cell {cell}, of all cells counted from 1.") from None
