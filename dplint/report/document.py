"""The document of a report: what is said of one mechanism, finding or error, as blocks that every medium renders.

Texts in it may be anybody's. Each renderer makes them harmless for its medium.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from dplint.claims import Span

_TICKS = re.compile(r"`([^`]*)`")


class Code(str):
    """A piece of a sentence that is Python, a command, or a name."""

    __slots__ = ()


class Strong(str):
    """A piece of a sentence that must not be overlooked."""

    __slots__ = ()


Inline: TypeAlias = tuple[str, ...]
"""A sentence in pieces."""


def ticked(sentence: str) -> Inline:
    """The sentence, with what stands between ticks as code."""
    parts = _TICKS.split(sentence)
    return tuple(Code(part) if i % 2 else part for i, part in enumerate(parts) if part)


def plain(words: Inline) -> str:
    """The sentence as text, with ticks around code."""
    return "".join(f"`{piece}`" if isinstance(piece, Code) else piece for piece in words)


@dataclass(frozen=True, slots=True)
class Head:
    """The first line. code: empty for what is no problem. kind: as JSON names verdicts, or the severity of a finding.

    column: None where only the line is known; line: None where not even that is. sign: the name of a glyph.
    """

    file: str
    line: int | None
    column: int | None
    code: str
    said: Inline
    kind: str
    sign: str = ""
    path: str = ""

    @classmethod
    def at(cls, file: str, span: Span, code: str, said: Inline, kind: str, sign: str = "", path: str = "") -> Head:
        """The head of what has a range in a file."""
        return cls(file, span.line, span.column, code, said, kind, sign, path)

    @property
    def place(self) -> str:
        """`file:line:column`, as far as it is known."""
        return ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)


@dataclass(frozen=True, slots=True)
class Source:
    """A line of source with the place that is meant. text: None where the file cannot be read."""

    text: str | None
    span: Span


@dataclass(frozen=True, slots=True)
class Say:
    """A sentence. kind: "cause", "cure", "again", "dim" or empty. line: what it is about, where the source shows it.

    spare: left out of a report that would be too long with it.
    """

    words: Inline
    kind: str = ""
    line: int | None = None
    spare: bool = False

    @property
    def located(self) -> Inline:
        """The sentence for media that show no source."""
        return self.words if self.line is None else (f"line {self.line}: ", *self.words)


@dataclass(frozen=True, slots=True)
class SideLine:
    """A line of D1, of D2, or of both, in pieces, each with whether it differs. marks: a line to be put below it."""

    label: str
    pieces: tuple[tuple[str, bool], ...]
    marks: str = ""


@dataclass(frozen=True, slots=True)
class Sides:
    """The two inputs, aligned."""

    lines: tuple[SideLine, ...]


@dataclass(frozen=True, slots=True)
class Bar:
    """A number with its bar. ends: of the interval that holds it, None where it is exact. remark: where it is from."""

    label: str
    number: str
    size: float
    remark: str = ""
    ends: tuple[float, float] | None = None

    @property
    def told(self) -> str:
        """The number, on which side, and where it is from, in a line."""
        return f"{self.number} on {self.label}{f' ({self.remark})' * bool(self.remark)}"


@dataclass(frozen=True, slots=True)
class Chart:
    """Bars of one scale. measure: "P" or "density"; of: the event. allowed: the largest first bar that is allowed."""

    measure: str
    of: Inline
    bars: tuple[Bar, ...]
    allowed: float | None = None


@dataclass(frozen=True, slots=True)
class Facts:
    """Names, each with what there is to say."""

    pairs: tuple[tuple[str, Inline], ...]


@dataclass(frozen=True, slots=True)
class Items:
    """A list of sentences."""

    lines: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of texts below titles. bars: a share of one for each row, to be drawn behind it, or none at all."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    bars: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Verbatim:
    """What a process wrote, or lines of a diff. spare: as in a `Say`."""

    lines: tuple[str, ...]
    spare: bool = False


Block: TypeAlias = Source | Say | Sides | Chart | Facts | Items | Table | Verbatim


@dataclass(frozen=True, slots=True)
class Document:
    """What is said of one thing. body: what everybody reads. more: reasons and numbers, for those who ask for them.

    notes: what the reader of a verdict must know besides, a sentence each.
    """

    head: Head
    body: tuple[Block, ...] = ()
    more: tuple[Block, ...] = ()
    notes: tuple[str, ...] = field(default=())

    def blocks(self, *, verbose: bool) -> Iterator[Block]:
        """The blocks below the head."""
        yield from self.body
        if verbose:
            yield from self.more
            if self.notes:
                yield Items(tuple(ticked(f"note: {note}") for note in self.notes))
