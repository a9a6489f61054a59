"""Finds and reads a pyproject.toml: its `[tool.dplint]`, and where the keys stand."""

from __future__ import annotations

import re
import stat
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from dplint.claims import Span
from dplint.config.toml_places import KeyPath, key_places, place
from dplint.contents import content

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
