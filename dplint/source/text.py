"""Source text: decoding as Python does it, lines as Python counts them, and ranges.

How the lines of a text belong together, by its tokens: statements, functions, comments, and joined lines.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from dplint.claims import Span
from dplint.syntax import parse_expression, parse_text

_BREAK = re.compile(r"\r\n|\r|\n")


class DecodeError(Exception):
    """Bytes that are no Python source in the encoding they declare."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(line, message)
        self.line = line
        self.message = message


def decode(raw: bytes) -> str:
    """The text of a source file: byte order mark and coding cookie are obeyed, line ends are kept.

    Raises:
        DecodeError: the encoding is unknown, or the bytes do not fit it.
    """
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(raw).readline)
    except SyntaxError as error:
        # It also raises, and with no place, where the first two lines are not UTF-8; the decoder then says more.
        _decode(raw, "utf-8")
        raise DecodeError(1, f"cannot be decoded: {error.msg or error}") from None
    return _decode(raw, encoding)


def _decode(raw: bytes, encoding: str) -> str:
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        line = len(_BREAK.findall(raw[: error.start].decode("latin-1"))) + 1
        raise DecodeError(line, f"cannot be decoded as {encoding}: {error.reason}") from None
    except (LookupError, UnicodeError, ValueError) as error:
        raise DecodeError(1, f"cannot be decoded as {encoding}: {error}") from None


def without_tabs(text: str) -> str | None:
    """The text with a space for each tab in indentations; None where CPython refuses the text, or nothing changes.

    CPython compares indentations twice, with tabs to columns of eight and with tabs as one, and both have to agree. So
    blocks are the same if a tab is one space, and no column moves.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parse_text(text)
        inside = _inside_of_texts(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError, tokenize.TokenError):
        return None
    lines = text.split("\n")
    for number, line in enumerate(lines, start=1):
        indent = line[: len(line) - len(line.lstrip(" \t\f"))]
        if "\t" in indent and number not in inside:
            lines[number - 1] = indent.replace("\t", " ") + line[len(indent) :]
    changed = "\n".join(lines)
    return None if changed == text else changed


def _inside_of_texts(text: str) -> set[int]:
    """The lines that begin inside of a text that has several."""
    found: set[int] = set()
    opened = 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        name = tokenize.tok_name[token.type]
        if name == "FSTRING_START":
            opened = token.start[0]
        if name in ("STRING", "FSTRING_END"):
            first = token.start[0] if name == "STRING" else opened
            found.update(range(first + 1, token.end[0] + 1))
    return found


def split_lines(text: str) -> tuple[str, ...]:
    """The lines without their ends. Not `str.splitlines`, which also breaks at form feeds and other separators."""
    return tuple(_BREAK.split(text))


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of source text, parsed by itself with `ast`, and where it begins: lines and columns count from 1."""

    text: str
    line: int
    column: int

    def span(self, line: int, byte: int, end_line: int, end_byte: int) -> Span:
        """The range in the file, from the lines and byte offsets that `ast` gives for this segment."""
        first_line, first_column = self._position(line, byte)
        last_line, last_column = self._position(end_line, end_byte)
        return Span(first_line, first_column, last_line, last_column)

    def whole(self) -> Span:
        """The range of all of it."""
        lines = split_lines(self.text)
        column = len(lines[-1]) + (self.column if len(lines) == 1 else 1)
        return Span(self.line, self.column, self.line + len(lines) - 1, column)

    def names(self, name: str) -> tuple[Span, ...]:
        """The places of a name, where it is not called, in the expression in the segment; none if that is none."""
        text = self.text.lstrip()
        try:
            tree = parse_expression(text.rstrip())
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return ()
        before = split_lines(self.text[: len(self.text) - len(text)])
        column = len(before[-1]) + (self.column if len(before) == 1 else 1)
        inner = Segment(text, self.line + len(before) - 1, column)
        called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
        found = (node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == name)
        return tuple(
            inner.span(node.lineno, node.col_offset, node.lineno, node.end_col_offset or node.col_offset)
            for node in found
            if id(node) not in called
        )

    def _position(self, line: int, byte: int) -> tuple[int, int]:
        lines = split_lines(self.text)
        text = lines[line - 1] if line <= len(lines) else ""
        column = len(text.encode("utf-8", "surrogatepass")[:byte].decode("utf-8", "replace"))
        return self.line + line - 1, column + (self.column if line == 1 else 1)


def cut(lines: tuple[str, ...], span: Span) -> str:
    """The text of a range, its lines joined by newlines."""
    if span.line == span.end_line:
        return lines[span.line - 1][span.column - 1 : span.end_column - 1]
    first = lines[span.line - 1][span.column - 1 :]
    last = lines[span.end_line - 1][: span.end_column - 1]
    return "\n".join((first, *lines[span.line : span.end_line - 1], last))


_NO_CODE = (tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment: its text from the `#` on, its place, and whether it has the line for itself."""

    text: str
    line: int
    column: int
    alone: bool


@dataclass(frozen=True, slots=True)
class Statement:
    """The lines of a simple statement, or of the head of a compound one. words: the first two; depth: of its block."""

    first: int
    last: int
    depth: int
    words: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Block:
    """The lines of a function: from its first decorator, its `def`, the end of its head, and its end."""

    first: int
    head: int
    head_end: int
    last: int


@dataclass(slots=True)
class Layout:
    """What the tokens of a text say. Lines count from 1; columns too, and a byte order mark is no character.

    joined: lines after which no comment can stand, because a string or a backslash goes on in the next one.
    """

    lines: tuple[str, ...]
    comments: dict[int, Comment] = field(default_factory=dict)
    statements: list[Statement] = field(default_factory=list)
    functions: list[Block] = field(default_factory=list)
    joined: set[int] = field(default_factory=set)

    def group(self, line: int) -> tuple[int, int]:
        """The first and the last of the lines that are joined with this one; a comment can stand after the last."""
        first = last = line
        while first - 1 in self.joined:
            first -= 1
        while last in self.joined:
            last += 1
        return first, last

    def statement(self, line: int) -> Statement | None:
        """The statement that the line is part of."""
        return next((one for one in self.statements if one.first <= line <= one.last), None)

    def function(self, line: int) -> Block | None:
        """The innermost function that the line is part of."""
        around = (one for one in self.functions if one.first <= line <= one.last)
        return max(around, key=lambda one: one.first, default=None)

    def is_comment(self, line: int) -> bool:
        """Whether there is a comment in the line and nothing else."""
        return line in self.comments and self.comments[line].alone

    def below(self, line: int) -> int | None:
        """The line of code directly below a comment, other comments aside; None if there is none."""
        while self.is_comment(line):
            line += 1
        return line if line <= len(self.lines) and self.lines[line - 1].strip() else None

    def above(self, line: int) -> int:
        """The first of the comments directly above a line of code; the line itself if there are none."""
        while self.is_comment(line - 1):
            line -= 1
        return line


@lru_cache(maxsize=2)
def read_layout(text: str) -> Layout:
    """The layout of a text. Of one that is no Python it is that of the part before the first error.

    Remembered: editors ask about one text several times in a row.
    """
    layout = Layout(split_lines(text.removeprefix("\ufeff")))
    code: list[tokenize.TokenInfo] = []
    depth, last, strings = 0, 1, list[int]()
    for token in _tokens(layout.lines):
        (row, column), end = token.start, token.end[0]
        kind = tokenize.tok_name[token.type]
        if last < row:  # neither NL nor NEWLINE ended the lines before: a backslash did
            layout.joined.update(range(last, row))
        if kind.endswith("STRING_START"):  # an f-string, from Python 3.12 on
            strings.append(row)
        elif kind.endswith("STRING_END") and strings:
            layout.joined.update(range(strings.pop(), end))
        else:
            layout.joined.update(range(row, end))
        last = end + 1 if kind in ("NL", "NEWLINE") else end
        if kind == "COMMENT":
            before = layout.lines[row - 1][:column]
            layout.comments[row] = Comment(token.string, row, column + 1, not before.strip())
        depth += (kind == "INDENT") - (kind == "DEDENT")
        if kind == "NEWLINE" and code:
            words = (code[0].string, code[1].string if len(code) > 1 else "")
            layout.statements.append(Statement(code[0].start[0], row, depth, words))
            code = []
        elif token.type not in _NO_CODE:
            code.append(token)
    layout.functions.extend(_functions(layout.statements))
    return layout


def _tokens(lines: tuple[str, ...]) -> Iterator[tokenize.TokenInfo]:
    whole = "".join(f"{line}\n" for line in (lines if lines[-1] else lines[:-1]))
    try:
        yield from tokenize.generate_tokens(io.StringIO(whole).readline)
    except (tokenize.TokenError, SyntaxError):
        return


def _functions(statements: list[Statement]) -> Iterator[Block]:
    first: int | None = None
    for number, one in enumerate(statements):
        if one.words[0] == "@":
            first = one.first if first is None else first
            continue
        if one.words[0] == "def" or one.words == ("async", "def"):
            last = one.last
            for later in statements[number + 1 :]:
                if later.depth <= one.depth:
                    break
                last = later.last
            yield Block(one.first if first is None else first, one.first, one.last, last)
        first = None
