"""Documents as lines of plain text, for the messages of other tools."""

from __future__ import annotations

from collections.abc import Iterator

from dplint.report.document import Block, Chart, Document, Facts, Items, Say, Sides, Source, Table, Verbatim, plain
from dplint.report.literals import printable


def plain_lines(told: Document) -> list[str]:
    """What stands below the head, without lines of source: such a message bears its place.

    Of what only some ask for, it has what a process wrote, and what belongs to a finding.
    """
    more = [one for one in told.more if isinstance(one, Verbatim) or told.head.kind in ("error", "warning", "info")]
    return [printable(line) for block in (*told.body, *more) for line in _lines(block)]


def _lines(block: Block) -> Iterator[str]:
    match block:
        case Source():
            return
        case Say():
            yield plain(block.located)
        case Sides(lines):
            for line in lines:
                text = "".join(piece for piece, _ in line.pieces)
                yield f"{line.label}: {text}" if line.label else text
        case Chart(measure, of, bars):
            numbers = (f"{one.number} on {one.label}{f' ({one.remark})' if one.remark else ''}" for one in bars)
            yield f"{measure}({plain(of)}): {', '.join(numbers)}"
        case Facts(pairs):
            yield from (f"{name}: {plain(said)}" for name, said in pairs)
        case Items(lines):
            yield from map(plain, lines)
        case Table(head, rows):
            yield from ("  ".join(row) for row in (head, *rows))
        case Verbatim(lines):
            yield from lines
