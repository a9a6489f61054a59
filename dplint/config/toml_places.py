"""Where the keys of a TOML text stand. `tomllib` does not say, and an error without a place is half an error."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from dplint.claims import Span

KeyPath: TypeAlias = tuple[str, ...]

_PART = r"""(?:[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*')"""
_HEADER = re.compile(rf"\s*(\[\s*{_PART}(?:\s*\.\s*{_PART})*\s*\])\s*(?:#.*)?$")
_KEY = re.compile(rf"\s*({_PART}(?:\s*\.\s*{_PART})*)\s*=")


def key_places(text: str) -> dict[KeyPath, Span]:
    """The range of each table header, and of each `key = value` up to the end of its first line.

    A search of the lines, not a second TOML parser: keys of inline tables are not found, and a line of a multi-line
    string that looks like a key may be; ask for a path that the parsed document has.
    """
    places: dict[KeyPath, Span] = {}
    table: KeyPath = ()
    for number, line in enumerate(text.split("\n"), start=1):
        header = _HEADER.match(line)
        if header is not None:
            path = _path(header[1])
            if path is not None:
                table = path
                places.setdefault(path, Span(number, header.start(1) + 1, number, header.end(1) + 1))
            continue
        key = _KEY.match(line)
        path = _path(f"{key[1]} = 0") if key is not None else None
        if key is not None and path is not None:
            span = Span(number, key.start(1) + 1, number, len(line.rstrip()) + 1)
            for length in range(1, len(path) + 1):
                places.setdefault(table + path[:length], span)
    return places


def place(places: Mapping[KeyPath, Span], path: KeyPath) -> Span | None:
    """The place of the key, or of the nearest table around it that has one; None if there is none."""
    return next((places[prefix] for prefix in _prefixes(path) if prefix in places), None)


def _prefixes(path: KeyPath) -> Iterator[KeyPath]:
    for length in range(len(path), 0, -1):
        yield path[:length]


def _path(text: str) -> KeyPath | None:
    """The key path that a header or an assignment names."""
    try:
        level: object = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None
    parts: list[str] = []
    while isinstance(level, dict) and level:
        name, level = next(iter(level.items()))
        parts.append(name)
    return tuple(parts)
