"""Finds and reads a pyproject.toml: its `[tool.dplint]`, and where the keys stand.

Where the keys of a TOML text stand. `tomllib` does not say, and an error without a place is half an error.

The text is cut into its statements, each a table header or an assignment; which keys a statement names, `tomllib` says.
"""

from __future__ import annotations

import json
import re
import stat
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

from dplint.claims import Span
from dplint.contents import content

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


NAME = "pyproject.toml"
SECTION: KeyPath = ("tool", "dplint")
_LINE = re.compile(r"\(at line (\d+), column \d+\)|\(at end of document\)")


class ConfigError(Exception):
    """A setting that is wrong. line is None where there is none; `message` says what is wrong and how to mend it."""

    def __init__(self, file: str, line: int | None, message: str) -> None:
        super().__init__(file, line, message)
        self.file = file
        self.line = line
        self.message = message

    def __str__(self) -> str:
        where = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{where}: {self.message}"


@dataclass(frozen=True, slots=True)
class Document:
    """A pyproject.toml: as it is shown, its folder, its `[tool.dplint]`, and where the keys stand."""

    file: str
    root: Path
    section: Mapping[str, object]
    places: Mapping[KeyPath, Span]

    def line(self, path: KeyPath) -> int | None:
        """The line of a key of the section, or of the nearest table around it."""
        span = place(self.places, SECTION + path)
        return span.line if span else None

    def error(self, path: KeyPath, message: str) -> ConfigError:
        """What is wrong with a key of the section."""
        return ConfigError(self.file, self.line(path), message)


def find_pyproject(start: Path) -> Path | None:
    """The pyproject.toml that holds for `start`, a folder; None if there is none.

    It is the nearest one upwards that has a table `[tool.dplint]`, so that a package of a larger project need not
    repeat what holds for all of it; where none has one, the nearest.
    """
    start = start.absolute()
    first: Path | None = None
    for folder in (start, *start.parents):
        file = folder / NAME
        try:
            status = file.stat()
        except OSError:
            continue
        first = first or (None if stat.S_ISDIR(status.st_mode) else file)
        if _has_section(file, status.st_mtime_ns, status.st_size):
            return file
    return first


@lru_cache(maxsize=1024)
def _has_section(file: Path, _time: int, _size: int) -> bool:
    """Whether the file has our table. One that means to, and is no TOML, has: the error must be seen."""
    try:
        raw = content(file)
    except OSError:
        return False
    if b"dplint" not in raw:
        return False
    try:
        tool = tomllib.loads(raw.decode("utf-8")).get("tool")
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError):
        return True
    return not isinstance(tool, dict) or "dplint" in tool


def shown(path: Path) -> str:
    """The path as it is shown: relative to the working directory where it lies in it, with forward slashes."""
    path = path.absolute()
    try:
        return path.relative_to(Path.cwd()).as_posix()
    except (ValueError, OSError):
        return path.as_posix()


def read_document(path: Path) -> Document:
    """Read a pyproject.toml; what is in the section is not looked at.

    Raises:
        ConfigError: it cannot be read, is no TOML, or `tool.dplint` is no table.
    """
    file = shown(path)
    try:
        text = content(path).decode("utf-8").replace("\r\n", "\n")
        data = tomllib.loads(text)
    except OSError as error:
        raise ConfigError(file, None, f"cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ConfigError(file, line, "is not encoded in UTF-8, as TOML has to be") from None
    except RecursionError:
        raise ConfigError(file, None, "is nested too deeply to be read") from None
    except tomllib.TOMLDecodeError as error:
        found = _LINE.search(str(error))
        line = int(found[1]) if found and found[1] else text.count("\n") + 1
        raise ConfigError(file, line, f"is not valid TOML: {_LINE.sub('', str(error)).strip()}") from None
    places = key_places(text)
    section: dict[str, object] = data
    for depth, key in enumerate(SECTION, start=1):
        inner = section.get(key, {})
        if not isinstance(inner, dict):
            span = place(places, SECTION[:depth])
            name = ".".join(SECTION[:depth])
            raise ConfigError(file, span.line if span else None, f"{name} must be a table, not {inner!r}")
        section = inner
    return Document(file, path.parent, section, places)


_HEADER = re.compile(r"^\[tool\.dplint\][ \t]*(?:#[^\n]*)?(?:\n|\Z)", re.MULTILINE)
_KNOWN_NOISE = re.compile(r"^known-noise[ \t]*=[ \t]*\[", re.MULTILINE)
_TABLE = re.compile(r"^\[", re.MULTILINE)


def with_known_noise(text: str, name: str) -> tuple[int, str] | None:
    """What to insert into a pyproject.toml, and where, so that `known-noise` has the name, too.

    None where it has it already, or where that is not the only thing that would differ then.
    """
    header = _HEADER.search(text)
    if header is None:
        gap = "" if not text or text.endswith("\n\n") else "\n" if text.endswith("\n") else "\n\n"
        place, inserted = len(text), f"{gap}[tool.dplint]\nknown-noise = [{json.dumps(name)}]\n"
    else:
        following = _TABLE.search(text, header.end())
        key = _KNOWN_NOISE.search(text, header.end(), following.start() if following else len(text))
        place = header.end() if key is None else key.end()
        more = "" if text[place:].lstrip().startswith("]") else ", "
        inserted = f"known-noise = [{json.dumps(name)}]\n" if key is None else f"{json.dumps(name)}{more}"
    try:
        before, after = (tomllib.loads(one) for one in (text, text[:place] + inserted + text[place:]))
        known = before.setdefault("tool", {}).setdefault("dplint", {}).setdefault("known-noise", [])
        fits = isinstance(known, list) and name not in known
        return (place, inserted) if fits and _prepended(before, name) == after else None
    except (tomllib.TOMLDecodeError, AttributeError, RecursionError):
        return None


def _prepended(document: dict[str, Any], name: str) -> dict[str, Any]:
    section = document["tool"]["dplint"]
    section["known-noise"] = [name, *section["known-noise"]]
    return document
