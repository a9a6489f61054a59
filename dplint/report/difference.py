"""D1 and D2 side by side: cut into cells, the differing ones marked, long stretches of equal ones left out.

D1 and D2 as tables: what both have, and below it the rows that only one of them has, with the cells that differ.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from dplint.claims import Literal, Mechanism
from dplint.inputs.forms import data_form
from dplint.report.literals import LONGEST, around, columns, common_ends, literal

CONTEXT = 2
"""Equal cells that stay on each side of a difference when the rest is left out."""
MOST_DIFFERENT = 24
"""A longer stretch of differing cells is shortened too."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One entry of D1 and its counterpart in D2; None where one of them has no counterpart.

    before, after: brackets, keys and commas around the entry, the same on both sides. record: whether it is a whole
    record. last1, last2: whether nothing follows it on that side, so that it has no comma there.
    """

    text1: str | None
    text2: str | None
    differs: bool
    before: str = ""
    after: str = ""
    record: bool = False
    last1: bool = False
    last2: bool = False

    @property
    def inner(self) -> int:
        """The width of the wider text."""
        return max(columns(self.text1 or ""), columns(self.text2 or ""))

    @property
    def width(self) -> int:
        """The width with what stands around it."""
        return columns(self.before) + self.inner + len(self.after)


@dataclass(frozen=True, slots=True)
class Row:
    """Cells that fit beside one another."""

    cells: tuple[Cell, ...]

    def marks(self, mark: str = "^") -> str:
        """The line of marks under the differing entries; empty if none differs."""
        line = [
            " " * columns(cell.before) + (mark if cell.differs else " ") * cell.inner + " " * len(cell.after)
            for cell in self.cells
        ]
        return " ".join(line).rstrip()

    def side(self, *, first: bool) -> list[tuple[str, bool]]:
        """The line of D1, or of D2: pieces of text, aligned with the other line, and whether they differ."""
        pieces: list[tuple[str, bool]] = []
        for cell in self.cells:
            text = cell.text1 if first else cell.text2
            # a record that is missing here takes its comma with it, and that of the last one before it
            ends = text is None or (cell.last1 if first else cell.last2)
            after = cell.after.replace(",", " ") if ends else cell.after
            space = " " * (cell.inner - columns(text or "")) + " "
            pieces += [(cell.before, False), (text or "", cell.differs), (after + space, False)]
        return pieces


def compare(d1: Literal, d2: Literal, longest: int = LONGEST) -> list[Cell]:
    """The cells of two data, in order: entries of sequences, columns of records, or the one value.

    Sequences of different length are aligned at their common beginning and end, so that an added record stands alone.
    longest: the most characters of one entry.
    """
    return _shorten(_cells(d1, d2, longest))


def records(data: Literal) -> int | None:
    """How many records the data has; None if it is not made of records.

    A dict whose values are lists of one length is a table, by its columns.
    """
    if isinstance(data, list | tuple):
        return len(data)
    if isinstance(data, dict) and data and all(isinstance(column, list) for column in data.values()):
        lengths = {len(column) for column in data.values() if isinstance(column, list)}
        return lengths.pop() if len(lengths) == 1 else None
    return None


def rows(cells: list[Cell], width: int) -> list[Row]:
    """The cells broken into rows of at most that width; a wider cell stands in a row of its own."""
    result: list[Row] = []
    row: list[Cell] = []
    used = 0
    for cell in cells:
        if row and used + cell.width + 1 > width:
            result.append(Row(tuple(row)))
            row, used = [], 0
        row.append(cell)
        used += cell.width + 1
    return [*result, Row(tuple(row))] if row else result


def _cells(d1: Literal, d2: Literal, longest: int) -> list[Cell]:
    if isinstance(d1, list) and isinstance(d2, list):
        return _brackets("[", "]", _sequence(d1, d2, longest))
    if isinstance(d1, tuple) and isinstance(d2, tuple):
        return _brackets("(", ")", _sequence(list(d1), list(d2), longest))
    if isinstance(d1, dict) and isinstance(d2, dict):
        return _brackets("{", "}", _record(d1, d2, longest))
    text1, text2 = repr(d1), repr(d2)
    if text1 == text2:
        return [Cell(literal(d1, longest), literal(d2, longest), differs=False)]
    return [Cell(*around(text1, text2, longest), differs=True)]


def _sequence(d1: list[Literal], d2: list[Literal], longest: int) -> list[list[Cell]]:
    if len(d1) == len(d2):
        return [_entry(a, b, longest) for a, b in zip(d1, d2, strict=True)]
    head, tail = common_ends([repr(value) for value in d1], [repr(value) for value in d2])
    parts = [_entry(value, value, longest) for value in d1[:head]]
    middle1, middle2 = d1[head : len(d1) - tail], d2[head : len(d2) - tail]
    for i in range(max(len(middle1), len(middle2))):
        if i < len(middle1) and i < len(middle2):
            parts.append(_entry(middle1[i], middle2[i], longest))
        elif i < len(middle1):
            parts.append([Cell(literal(middle1[i], longest), None, differs=True)])
        else:
            parts.append([Cell(None, literal(middle2[i], longest), differs=True)])
    return parts + [_entry(value, value, longest) for value in d1[len(d1) - tail :]]


def _entry(d1: Literal, d2: Literal, longest: int) -> list[Cell]:
    """The cells of an entry of a sequence: one for a record that is the same on both sides, if it is not too long."""
    text = repr(d1)
    if isinstance(d1, dict | list | tuple) and text == repr(d2) and columns(text) <= longest:
        return [Cell(text, text, differs=False, record=True)]
    return _cells(d1, d2, longest)


def _record(d1: dict[str, Literal], d2: dict[str, Literal], longest: int) -> list[list[Cell]]:
    parts: list[list[Cell]] = []
    for key in [*d1, *(key for key in d2 if key not in d1)]:
        if key in d1 and key in d2:
            first, *rest = _cells(d1[key], d2[key], longest)
            parts.append([_wrap(first, f"{key!r}: ", ""), *rest])
        elif key in d1:
            parts.append([Cell(f"{key!r}: {literal(d1[key], longest)}", None, differs=True)])
        else:
            parts.append([Cell(None, f"{key!r}: {literal(d2[key], longest)}", differs=True)])
    return parts


def _brackets(opening: str, closing: str, parts: list[list[Cell]]) -> list[Cell]:
    """Join the cells of the entries, with commas, inside brackets."""
    if not parts:
        return [Cell(opening + closing, opening + closing, differs=False)]
    cells: list[Cell] = []
    last1 = max((i for i, part in enumerate(parts) if part[-1].text1 is not None), default=-1)
    last2 = max((i for i, part in enumerate(parts) if part[-1].text2 is not None), default=-1)
    for i, part in enumerate(parts):
        *before, last = part
        ending = _wrap(last, "", "," if i < len(parts) - 1 else closing)
        cells += [*before, replace(ending, last1=i == last1, last2=i == last2)]
    return [_wrap(cells[0], opening, ""), *cells[1:]]


def _wrap(cell: Cell, before: str, after: str) -> Cell:
    return replace(cell, before=before + cell.before, after=cell.after + after)


def _shorten(cells: list[Cell]) -> list[Cell]:
    """Leave out the middle of long stretches: of equal cells, and of very many differing ones."""
    result: list[Cell] = []
    start = 0
    while start < len(cells):
        end = start
        while end < len(cells) and cells[end].differs == cells[start].differs:
            end += 1
        stretch = cells[start:end]
        if stretch[0].differs:
            result += _leave_out(stretch, MOST_DIFFERENT // 2, MOST_DIFFERENT // 2, "differing")
        elif all(cell.record for cell in stretch):
            result += _leave_out(stretch, 1, 1, "equal records", least=2)
        else:
            result += _leave_out(stretch, CONTEXT, CONTEXT, "equal")
        start = end
    return result


def _leave_out(stretch: list[Cell], first: int, last: int, word: str, least: int = 4) -> list[Cell]:
    left_out = len(stretch) - first - last
    if left_out < least:
        return stretch
    text = f"... {left_out} {word} ..."
    return [*stretch[:first], Cell(text, text, differs=False), *stretch[-last:]]


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
    body = list(_compared([_cells_of_record(one) for one in d1], [_cells_of_record(one) for one in d2]))
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


def _cells_of_record(record: Literal) -> tuple[str, ...]:
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
