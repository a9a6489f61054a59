"""Reports for people: documents in the terminal, or in a file as it would show them.

The console of a stream: how wide it is, whether it has colours, and that nothing it prints is obeyed.

Names of files, functions and exceptions are other people's. Whatever a report prints goes through here, so none of them
steers a terminal, turns the direction of a line, or is a command to the system that keeps the log.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TextIO
from urllib.parse import quote

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.style import Style
from rich.text import Text

from dplint.claims import Span
from dplint.outcomes import CheckError, Failed, Finding, Underpowered, Unstable, Untestable, Violation
from dplint.report import document as doc
from dplint.report.documents import document, documents
from dplint.report.fingerprints import SourceLine
from dplint.report.format import Report
from dplint.report.gathered import Problem, shared_failures
from dplint.report.literals import columns, for_logs, one_line, printable
from dplint.report.style import KIND_COLOURS, Glyphs, bar, glyphs
from dplint.report.summary import remarks, summary

PLAIN_WIDTH = 100
"""Width of a report that does not go to a terminal."""


class SafeConsole(Console):
    """A console on which only styles are escape sequences: all else that would be one is shown as an escape."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """As rich has it, with every text made printable."""
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else printable(text), style, control)


class _Log:
    """A stream in which no line is a command to the system that keeps it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return self._stream.write(for_logs(text))

    def __getattr__(self, attribute: str) -> Any:
        return getattr(self._stream, attribute)


def console_of(stream: TextIO) -> Console:
    """Colours only on a terminal and not under NO_COLOR; FORCE_COLOR is for stdout, not for files."""
    is_file = stream is not sys.stdout
    wide = stream.isatty() or "COLUMNS" in os.environ
    log: Any = _Log(stream)
    return SafeConsole(
        file=log, width=None if wide else PLAIN_WIDTH, highlight=False, force_terminal=False if is_file else None
    )


WIDEST = 110
BAR = 24
MOST_LINES = 12
"""Of a problem: what is spare is left out where it would be longer. `--verbose` has it."""
_REFUTED = (Violation, Unstable)
DIFFERENT = "bold red"
_LABEL = 4
_SAID = {"cause": "bold", "cure": "italic", "again": "dim", "dim": "dim", "": ""}


def print_report(report: Report, console: Console) -> None:
    """Print the whole report; a quiet one without the lines of what nobody must look at, and without the summary."""
    gathered = report.gathered
    violations = [one for one in gathered.results if isinstance(one.outcome, _REFUTED)]
    problems: list[Problem] = [*violations, *gathered.findings, *shared_failures(gathered.results), *gathered.errors]
    room = min(console.width, WIDEST) - _LABEL
    for one in documents(problems, report.source, report.repeat, room):
        print_document(one, console, verbose=report.verbose)
        console.print()
    others = [one for one in gathered.results if not isinstance(one.outcome, _REFUTED)]
    shown = [one for one in others if not report.quiet or isinstance(one.outcome, Underpowered | Untestable | Failed)]
    for one in documents(shown, report.source):
        print_document(one, console, verbose=report.verbose)
    if report.quiet:
        return
    if shown:
        console.print()
    for remark in remarks(gathered):
        console.print(Text(remark, style="dim"))
    console.print(Text(summary(gathered, report.seconds), style="bold"))


def print_document(told: doc.Document, console: Console, *, verbose: bool = False) -> None:
    """Print the head, and below it what there is to say."""
    characters = glyphs(console.encoding)
    head = _head(told.head, characters)
    if told.notes and not told.body and not verbose:
        head.append(f" ({len(told.notes)} note{'s' * (len(told.notes) > 1)}: --verbose)", "dim")
    lines = _wrapped(head, console, indent=2, unbroken=len(one_line(told.head.place)))
    below = [(block, _shown(block, characters, console)) for block in told.blocks(verbose=verbose)]
    room = MOST_LINES - len(lines)
    if not verbose and sum(len(shown) for _, shown in below) > room:
        below = _shortened(below, room)
    for line in (*lines, *(line for _, shown in below for line in shown)):
        console.print(line, soft_wrap=line.overflow == "ignore")


def print_finding(finding: Finding | CheckError, console: Console, source: SourceLine) -> None:
    """A finding, or an error, and an empty line."""
    print_document(document(finding, source), console)
    console.print()


def _shortened(below: Sequence[tuple[doc.Block, list[Text]]], room: int) -> list[tuple[doc.Block, list[Text]]]:
    """Without what is spare until it fits, the last first: repairs, marks below the inputs, and then further causes."""
    kept = list(below)

    def is_too_long() -> bool:
        return sum(len(shown) for _, shown in kept) > room

    spare = [one for one in reversed(below) if isinstance(one[0], doc.Say | doc.Verbatim) and one[0].spare]
    causes = [one for one in spare if isinstance(one[0], doc.Say) and one[0].kind]
    for one in spare:
        if one not in causes and is_too_long():
            kept.remove(one)
    if is_too_long():
        kept = [(block, [line for line in shown if line.plain.strip(" ^")]) for block, shown in kept]
    for one in causes:
        if is_too_long():
            kept.remove(one)
    return kept


def _shown(block: doc.Block, characters: Glyphs, console: Console) -> list[Text]:
    """The lines of a block, as broken as they will be."""
    lines = _lines(block, characters, min(console.width, WIDEST))
    kind = block.kind if isinstance(block, doc.Say) else ""
    if kind == "again":
        return [_unbroken(line) for line in lines]  # it can be copied, however narrow the terminal
    return [part for line in lines for part in _wrapped(line, console, indent=2 if kind == "cure" else 0)]


def _wrapped(line: Text, console: Console, indent: int = 0, unbroken: int = 0) -> list[Text]:
    """A line in as many as it needs; those that follow are indented. unbroken: so many characters stay together."""
    if line.no_wrap:
        return [line]
    width = max(20, console.width - indent)
    first = []
    if unbroken > width:
        # A place can be clicked on, however narrow the terminal.
        first = [_unbroken(line[:unbroken])]
        line = Text(" " * indent) + line[unbroken + 1 :]
    return [*first, *(Text(" " * indent * bool(i)) + part for i, part in enumerate(line.wrap(console, width) or [""]))]


def _unbroken(line: Text) -> Text:
    line.overflow = "ignore"
    return line


def _head(head: doc.Head, characters: Glyphs) -> Text:
    place = Text(one_line(head.place), Style(bold=True, link=f"file://{quote(head.path)}" if head.path else None))
    colour = KIND_COLOURS[head.kind]
    mark = head.code or getattr(characters, head.sign, "")
    said = _inline(head.said)
    if head.kind in ("violation", "not-checked"):
        said.stylize("bold")
    return Text.assemble(place, " ", (f"{mark} " if mark else "", colour), said, overflow="fold")


def _inline(words: doc.Inline, style: str = "") -> Text:
    text = Text(style=style)
    for piece in words:
        own = "cyan" if isinstance(piece, doc.Code) else "bold" if isinstance(piece, doc.Strong) else ""
        text.append(printable(piece), own)
    return text


def _lines(block: doc.Block, characters: Glyphs, width: int) -> Iterator[Text]:
    match block:
        case doc.Source():
            yield from excerpt(block.text, block.span, characters, DIFFERENT, width)
        case doc.Say():
            yield Text("  " * (block.kind == "cure")) + _inline(block.words, _SAID[block.kind])
        case doc.Sides():
            yield from _sides(block)
        case doc.Chart():
            yield from _chart(block, characters, width)
        case doc.Facts(pairs):
            yield from (_inline((f"{name}: ", *said), "dim") for name, said in pairs)
        case doc.Items(lines):
            yield from (_inline((f"  {characters.dot} ", *line), "dim") for line in lines)
        case doc.Table():
            yield from table_lines(block, characters, width)
        case doc.Verbatim(lines):
            yield from (Text(f"  {printable(line)}", style="dim", overflow="fold") for line in lines)


def table_lines(block: doc.Table, characters: Glyphs, width: int) -> Iterator[Text]:
    """Numbers to the right, texts to the left; a bar behind each row for which there is room."""
    widths = [max(columns(row[i]) for row in (block.head, *block.rows)) for i in range(len(block.head))]
    numbers = [all(not row[i] or row[i][:1] in "<0123456789" for row in block.rows) for i in range(len(block.head))]
    for row, share in zip((block.head, *block.rows), (None, *(block.bars or [None] * len(block.rows))), strict=True):
        cells = []
        for text, wide, number in zip(row, widths, numbers, strict=True):
            space = " " * (wide - columns(text))
            cells.append(space + text if number else text + space)
        line = Text("  " + printable("  ".join(cells)), "dim" if row is block.head else "", overflow="fold")
        if share is not None and line.cell_len + BAR + 2 <= width:
            line.append("  " + characters.bar * round(BAR * share), "blue")
        line.rstrip()
        yield line


def _sides(block: doc.Sides) -> Iterator[Text]:
    width = max(_LABEL, *(len(line.label) + 2 for line in block.lines))
    for line in block.lines:
        text = Text.assemble((f"{line.label:<{width}}", "bold"), no_wrap=True, overflow="crop")
        for piece, differs in line.pieces:
            text.append(printable(piece), DIFFERENT if differs else "" if line.label else "dim")
        text.rstrip()
        yield text
        if line.marks:
            yield Text(" " * width + line.marks, style=DIFFERENT, no_wrap=True, overflow="crop")


def _chart(block: doc.Chart, characters: Glyphs, width: int) -> Iterator[Text]:
    """The event, and beside it a line for each number with its bar; below it, where there is not room for both."""
    title = Text.assemble(f"{block.measure}(", _inline(block.of), ")")
    number = max(len(bar.number) for bar in block.bars)
    remark = max(len(bar.remark) for bar in block.bars)
    free = width - number - remark - 10
    beside = title.cell_len + 2 if title.cell_len + 2 <= free - 10 else 0
    if not beside:
        yield title
    room = max(0, min(BAR, free - beside))
    top = max(1e-300, *(bar.size for bar in block.bars))
    for i, (one, colour) in enumerate(zip(block.bars, ("red", "blue"), strict=True)):
        lead = title + Text("  ") if beside and i == 0 else Text(" " * beside)
        line = Text.assemble(lead, (one.label, "bold"), f"  {one.number:<{number}}  ", no_wrap=True, overflow="crop")
        filled = bar(one.size / top, room, characters) if room >= 6 else ""
        line.append(filled, colour)
        if one.remark:
            line.append(" " * (room - columns(filled) + 2) + one.remark, "dim")
        line.rstrip()
        yield line


def excerpt(line: str | None, span: Span, characters: Glyphs, colour: str, width: int) -> list[Text]:
    """The line and a row of carets under the span; nothing if the line is not known.

    Only the first line of a longer span is shown. A line wider than `width` is cut around the span.
    """
    if line is None:
        return []
    source = "".join(c if c.isprintable() else " " for c in line.rstrip())
    start = min(span.column - 1, len(source))
    end = span.end_column - 1 if span.end_line == span.line else len(source)
    length = max(1, min(end, len(source)) - start)
    number = str(span.line)
    room = max(20, width - len(number) - 4)
    cut = max(0, min(start - 8, start + length + 8 - room)) if len(source) > room else 0
    shown, start = source[cut : cut + room], start - cut
    length = max(1, min(length, room - start))
    gutter = f" {characters.gutter} "
    blue = "bold blue"
    return [
        Text.assemble((number + gutter, blue), shown, no_wrap=True, overflow="crop"),
        Text.assemble((" " * len(number) + gutter, blue), (" " * start + "^" * length, colour), no_wrap=True),
    ]
