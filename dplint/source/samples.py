"""Domains of records from a sample: a CSV file of the project, or a table that a module writes out.

Numbers lie between the least and the largest of the sample, texts are those of the sample, and what is missing there
may be missing. Only the standard library is used, and no code of the project is run.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Mapping, Sequence

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
        raise DomainError(
            f"a text is the name of a CSV file with a sample, which {name!r} is not (other tables have to be saved as "
            'one); bounds are written (0, 10), categories ["red", "green"], columns {"age": (0, 120)}'
        )
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


def frame_domain(name: str, table: Literal) -> Domain:
    """The domain of the rows of a table. table: its columns by name, or its records.

    Raises:
        DomainError: it is neither, has no row, or a column does not say what it may hold.
    """
    columns = _columns(table)
    if not columns:
        raise DomainError(
            f"{name} must be a table whose columns or records are written out, or a CSV file that is read"
        )
    if len({len(cells) for cells in columns.values()}) > 1:
        raise DomainError(f"the columns of {name} must have as many entries each")
    return read_domain({column: _of_values(column, cells) for column, cells in columns.items()})


def _columns(table: Literal) -> Mapping[str, Sequence[Literal]]:
    """The columns of a table, which may be written as records; none if it is neither."""
    if isinstance(table, dict):
        found = {name: cells for name, cells in table.items() if isinstance(cells, list)}
        return found if len(found) == len(table) else {}
    records = [row for row in table if isinstance(row, dict)] if isinstance(table, list) else []
    if not isinstance(table, list) or len(records) < len(table) or len({tuple(row) for row in records}) != 1:
        return {}
    return {name: [row[name] for row in records] for name in records[0]}


def _of_values(name: str, cells: Sequence[Literal]) -> Literal:
    """What a column may hold, as a claim would write it."""
    there = [cell for cell in cells if cell is not None and not (isinstance(cell, float) and math.isnan(cell))]
    missing = len(there) < len(cells)
    truths = [cell for cell in there if isinstance(cell, bool)]
    numbers = [cell for cell in there if isinstance(cell, int | float) and not isinstance(cell, bool)]
    texts = [cell for cell in there if isinstance(cell, str)]
    if not there:
        raise DomainError(f"column {name!r}: the sample has no value")
    if len(truths) == len(there):
        return [*sorted(set(truths)), *([None] if missing else [])]
    if len(texts) == len(there):
        return _texts(name, texts, missing=missing)
    if len(numbers) < len(there) or not all(map(math.isfinite, numbers)):
        raise DomainError(f"column {name!r}: a sample has numbers, texts or bools in a column")
    whole = all(isinstance(number, int) for number in numbers) and not missing
    bounds = (min(numbers), max(numbers)) if whole else (float(min(numbers)), float(max(numbers)))
    return [bounds, math.nan] if missing else bounds


def _texts(name: str, there: Sequence[str], *, missing: bool) -> Literal:
    texts = sorted(set(there))
    if len(texts) > _MOST_TEXTS:
        raise DomainError(
            f"column {name!r}: {len(texts)} different texts are too many for categories; write the domain out"
        )
    return [*texts, *([None] if missing else [])]


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
    return _texts(name, there, missing=missing)


def _all(kind: Callable[[str], float], cells: Sequence[str]) -> list[float] | None:
    """All cells as numbers, None if one is no finite number."""
    try:
        numbers = [kind(cell) for cell in cells]
    except ValueError:
        return None
    return numbers if all(map(math.isfinite, numbers)) else None
