"""Source text: decoding as Python does it, lines as Python counts them, and ranges."""

from __future__ import annotations

import ast
import io
import re
import tokenize
import warnings
from dataclasses import dataclass

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
