"""Domains of records from a sample: a CSV file of the project, whose columns say what they may hold.

Numbers lie between the least and the largest of the sample, texts are those of the sample, and what is missing there
may be missing. Only the standard library is used, and no code of the project is run.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Sequence

from dplint.claims import Domain, Literal
from dplint.source.domains import DomainError, read_domain

_MOST_TEXTS = 60
_MOST_BYTES = 20_000_000
_MISSING = frozenset({"", "NA", "N/A", "NaN", "nan", "null", "None"})
_TRUTH = {"True": True, "False": False, "true": True, "false": False}


def sample_domain(name: str, content: bytes | None) -> Domain:
    """The domain of the rows of a CSV file with a head. content: None where there is no such file.

    Raises:
        DomainError: there is no file, or no row, or a column does not say what it may hold.
    """
    if not name.endswith(".csv"):
        raise DomainError(f"{name!r} is no name of a CSV file")
    if content is None:
        raise DomainError(f"the project has no file {name!r}; its path begins at the folder of pyproject.toml")
    if len(content) > _MOST_BYTES:
        raise DomainError(f"{name!r} is longer than {_MOST_BYTES // 1_000_000} MB: take some of its rows")
    try:
        head, *rows = csv.reader(content.decode("utf-8-sig").splitlines(keepends=True), strict=True)
    except (UnicodeDecodeError, csv.Error, ValueError) as error:
        raise DomainError(f"{name!r} cannot be read: {error}") from None
    rows = [row for row in rows if row]
    if not rows or len(set(head)) != len(head) or any(len(row) != len(head) for row in rows):
        raise DomainError(f"{name!r} must have a head of different names, and rows with as many entries, at least one")
    return read_domain({column: _column(column, cells) for column, *cells in zip(head, *rows, strict=True)})


def _column(name: str, cells: Sequence[str]) -> Literal:
    """What a column may hold, as a claim would write it."""
    there = [cell for cell in cells if cell not in _MISSING]
    if not there:
        raise DomainError(f"column {name!r}: the sample has no value")
    missing = len(there) < len(cells)
    if all(cell in _TRUTH for cell in there):
        return [*sorted({_TRUTH[cell] for cell in there}), *([None] if missing else [])]
    for kind in (int, float):
        numbers = _all(kind, there)
        if numbers is not None:
            # A whole column with gaps is one of floats in a frame.
            bounds = (min(numbers), max(numbers)) if not missing else (float(min(numbers)), float(max(numbers)))
            return [bounds, math.nan] if missing else bounds
    texts = sorted(set(there))
    if len(texts) > _MOST_TEXTS:
        raise DomainError(
            f"column {name!r}: {len(texts)} different texts are too many for categories; write the domain out"
        )
    return [*texts, *([None] if missing else [])]


def _all(kind: Callable[[str], float], cells: Sequence[str]) -> list[float] | None:
    """All cells as numbers, None if one is no finite number."""
    try:
        numbers = [kind(cell) for cell in cells]
    except ValueError:
        return None
    return numbers if all(map(math.isfinite, numbers)) else None
