"""Where the keys of a TOML text stand. `tomllib` does not say, and an error without a place is half an error.

The text is cut into its statements, each a table header or an assignment; which keys a statement names, `tomllib` says.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from dplint.claims import Span

KeyPath: TypeAlias = tuple[str, ...]

_TOKEN = re.compile(
    r'''"""(?:\\.|[^\\])*?"""(?!")|"(?:\\.|[^"\\])*"'''
    r"""|'''.*?'''(?!')|'[^']*'"""
    r"""|(?P<comment>\#[^\n]*)|(?P<open>[\[{])|(?P<close>[\]}])|(?P<newline>\n)""",
    re.DOTALL,
)
"""What decides where a statement ends: at a line break outside of strings, comments and brackets."""


def key_places(text: str) -> dict[KeyPath, Span]:
    """The range of each table header and each assignment, up to the end of its first line, without a comment.

    A key of an inline table has the range of the assignment that holds the table; of an array of tables, only the first
    one is told.

    Raises:
        tomllib.TOMLDecodeError: the text is no valid TOML.
    """
    places: dict[KeyPath, Span] = {}
    table: KeyPath = ()
    line = 1
    for statement, code in _statements(text):
        paths = list(_paths(tomllib.loads(statement)))
        first = code.split("\n", 1)[0].rstrip()
        begin = len(first) - len(first.lstrip())
        span = Span(line, begin + 1, line, len(first) + 1)
        if first.startswith("[", begin):
            table = paths[-1]
            places.setdefault(table, span)
        else:
            for path in paths:
                places.setdefault(table + path, span)
        line += statement.count("\n")
    return places


def place(places: Mapping[KeyPath, Span], path: KeyPath) -> Span | None:
    """The place of the key, or of the nearest table around it that has one; None if there is none."""
    prefixes = (path[:length] for length in range(len(path), 0, -1))
    return next((places[prefix] for prefix in prefixes if prefix in places), None)


def _statements(text: str) -> Iterator[tuple[str, str]]:
    """Each statement with its line break, and what of it stands before its first comment; also lines without any."""
    start, depth = 0, 0
    comments: list[int] = []
    for token in _TOKEN.finditer(text):
        match token.lastgroup:
            case "open":
                depth += 1
            case "close":
                depth -= 1
            case "comment":
                comments.append(token.start())
            case "newline" if depth == 0:
                yield text[start : token.end()], text[start : min([*comments, token.start()])]
                start, comments = token.end(), []
    yield text[start:], text[start : min([*comments, len(text)])]


def _paths(level: Mapping[str, object], path: KeyPath = ()) -> Iterator[KeyPath]:
    for name, inner in level.items():
        yield (*path, name)
        if isinstance(inner, dict):
            yield from _paths(inner, (*path, name))
