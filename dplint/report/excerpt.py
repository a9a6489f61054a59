"""A line of source with a mark under the place that is meant."""

from __future__ import annotations

from rich.text import Text

from dplint.claims import Span
from dplint.report.style import Glyphs


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
