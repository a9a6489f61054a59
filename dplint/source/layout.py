"""How the lines of a text belong together, by its tokens: statements, functions, comments, and joined lines."""

from __future__ import annotations

import io
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from dplint.source.text import split_lines

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
