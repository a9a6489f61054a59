"""Names of places in notebooks: "analysis.ipynb:cell 3" stands where the name of a file does."""

from __future__ import annotations

import re

SUFFIX = ".ipynb"
_CELL = re.compile(rf"(?P<path>.*{re.escape(SUFFIX)}):cell (?P<number>\d+)\Z", re.DOTALL)


def is_notebook(file: str) -> bool:
    """Whether a file, by its name, is a notebook."""
    return file.endswith(SUFFIX)


def cell_name(file: str, number: int) -> str:
    """The cell of that number, counted from 1 over all cells of the notebook."""
    return f"{file}:cell {number}"


def split_cell(file: str) -> tuple[str, int | None]:
    """The path of a file and the cell; None for a file that is no cell."""
    found = _CELL.match(file)
    return (found["path"], int(found["number"])) if found else (file, None)
