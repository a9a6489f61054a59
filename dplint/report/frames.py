"""D1 and D2 as tables: what both have, and below it the rows that only one of them has, with the cells that differ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dplint.claims import Literal, Mechanism
from dplint.inputs.forms import data_form
from dplint.report.difference import common_ends
from dplint.report.literals import columns, literal

_FORMS = ("frame", "polars frame", "matrix")
_LONGEST_CELL = 24
_MOST_ROWS = 24
_GAP = 2


@dataclass(frozen=True, slots=True)
class FrameRow:
    """One line of a table. label: which side has it; differs: for each cell, whether it does.

    times: how many equal rows the line stands for.
    """

    label: str
    cells: tuple[str, ...]
    differs: tuple[bool, ...] = ()
    times: int = 1


@dataclass(frozen=True, slots=True)
class Frames:
    """Both tables in one. widths: of the columns. more: rows that are left out."""

    rows: tuple[FrameRow, ...]
    widths: tuple[int, ...]
    more: int

    @property
    def width(self) -> int:
        """Of a line, without its label."""
        return sum(self.widths) + _GAP * (len(self.widths) - 1) + len("  x 1,000")

    def pieces(self, row: FrameRow) -> Iterator[tuple[str, bool]]:
        """The line of a row in pieces, and whether each differs."""
        for number, (text, width) in enumerate(zip(row.cells, self.widths, strict=True)):
            last = number == len(self.widths) - 1
            yield text, bool(row.differs) and row.differs[number]
            yield " " * (width - columns(text) + (0 if last else _GAP)), False
        if row.times > 1:
            yield f"  x {row.times:,}", False


def frames(mechanism: Mechanism, d1: Literal, d2: Literal, room: int) -> Frames | None:
    """The tables, where the function gets tables, and a line has room for all of their columns."""
    if data_form(mechanism) not in _FORMS:
        return None
    names = _columns(d1, d2)
    if names is None:
        return None
    assert isinstance(d1, list)
    assert isinstance(d2, list)
    body = list(_compared([_cells(one) for one in d1], [_cells(one) for one in d2]))
    more = max(0, len(body) - _MOST_ROWS)
    rows = (FrameRow("", names), *body[:_MOST_ROWS])
    widths = tuple(max(columns(row.cells[i]) for row in rows) for i in range(len(names)))
    found = Frames(rows, widths, more)
    return found if found.width <= room else None


def _columns(d1: Literal, d2: Literal) -> tuple[str, ...] | None:
    """The names that all records of both sides have, in one order."""
    if not (isinstance(d1, list) and isinstance(d2, list) and (d1 or d2)):
        return None
    names = {tuple(one) if isinstance(one, dict) else None for one in (*d1, *d2)}
    return names.pop() if len(names) == 1 else None


def _cells(record: Literal) -> tuple[str, ...]:
    assert isinstance(record, dict)
    return tuple(literal(value, _LONGEST_CELL) for value in record.values())


def _compared(one: list[tuple[str, ...]], two: list[tuple[str, ...]]) -> Iterator[FrameRow]:
    """The rows at the beginning that both have, those in which they differ, and those at the end."""
    head, tail = common_ends(one, two)
    first, second = one[head : len(one) - tail], two[head : len(two) - tail]
    yield from _run_lengths("both", one[:head])
    if len(first) == len(second):
        for a, b in zip(first, second, strict=True):
            if a == b:
                yield FrameRow("both", a)
            else:
                differs = tuple(x != y for x, y in zip(a, b, strict=True))
                yield from (FrameRow("D1", a, differs), FrameRow("D2", b, differs))
    else:
        yield from _run_lengths("D1", first)
        yield from _run_lengths("D2", second)
    yield from _run_lengths("both", one[len(one) - tail :])


def _run_lengths(label: str, rows: list[tuple[str, ...]]) -> Iterator[FrameRow]:
    start = 0
    for i in range(1, len(rows) + 1):
        if i == len(rows) or rows[i] != rows[start]:
            differs = (label != "both",) * len(rows[start])
            yield FrameRow(label, rows[start], differs, i - start)
            start = i
