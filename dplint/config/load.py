"""Reads `[tool.dplint]` of the nearest pyproject.toml upwards, and puts the options of the command line on top."""

from __future__ import annotations

import re
import shutil
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dplint.claims import Span
from dplint.config.methods import EXCLUSIVE, misfit
from dplint.config.nearest import hint
from dplint.config.settings import DEFAULT_METHOD, ClaimTable, Settings
from dplint.config.toml_places import KeyPath, key_places, place
from dplint.config.validate import CHECKS

COMMAND_LINE = "command line"
_SECTION: KeyPath = ("tool", "dplint")
_QUALNAME = re.compile(r"[^\s:]+:[^\s:]+")
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
class _Document:
    """A pyproject.toml: as it is shown, its folder, its `[tool.dplint]`, and where the keys stand."""

    file: str
    root: Path
    section: Mapping[str, object]
    places: Mapping[KeyPath, Span]

    def error(self, path: KeyPath, message: str) -> ConfigError:
        span = place(self.places, _SECTION + path)
        return ConfigError(self.file, span.line if span else None, message)


def load_settings(start: Path, overrides: Mapping[str, object]) -> Settings:
    """The settings for files at or below `start`.

    overrides: values that were given elsewhere, by the name of their field; they win, and None means not given. A
    relative `interpreter` is taken from the folder of the pyproject.toml, in an override from the working directory.

    Raises:
        ConfigError: the pyproject.toml cannot be read, a key or value is wrong, or two of them do not fit.
    """
    pyproject = find_pyproject(start)
    document = _read(pyproject) if pyproject is not None else None
    values: dict[str, Any] = {}
    given = _from_overrides(overrides)
    if document is not None:
        values |= _from_document(document)
        values["root"] = document.root
    _require_fitting(document, values, given)
    if any(name in given for name in EXCLUSIVE):
        values = {name: value for name, value in values.items() if name not in EXCLUSIVE}
    return Settings(**(values | given))


def _require_fitting(document: _Document | None, values: Mapping[str, object], given: Mapping[str, object]) -> None:
    """Raise ConfigError for a setting without effect.

    What stands in the file must fit the method there or the one that is used: a file may well hold settings for a
    method that one command overrules.
    """
    usual = values.get("method", DEFAULT_METHOD)
    used = given.get("method", usual)
    if (wrong := misfit(given, [str(used)])) is not None:
        raise ConfigError(COMMAND_LINE, None, wrong.message)
    wrong = misfit(values, list(dict.fromkeys([str(usual), str(used)])))
    if document is not None and wrong is not None:
        raise document.error((wrong.name.replace("_", "-"),), wrong.message)


def find_pyproject(start: Path) -> Path | None:
    """The nearest pyproject.toml in `start` or a folder above it, None if there is none."""
    start = start.absolute()
    return next((file for folder in (start, *start.parents) if (file := folder / "pyproject.toml").is_file()), None)


def shown(path: Path) -> str:
    """The path as it is shown: relative to the working directory where it lies in it, with forward slashes."""
    path = path.absolute()
    try:
        return path.relative_to(Path.cwd()).as_posix()
    except (ValueError, OSError):
        return path.as_posix()


def _read(path: Path) -> _Document:
    file = shown(path)
    try:
        text = path.read_bytes().decode("utf-8").replace("\r\n", "\n")
        data = tomllib.loads(text)
    except OSError as error:
        raise ConfigError(file, None, f"cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ConfigError(file, line, "is not encoded in UTF-8, as TOML has to be") from None
    except tomllib.TOMLDecodeError as error:
        found = _LINE.search(str(error))
        line = int(found[1]) if found and found[1] else text.count("\n") + 1
        raise ConfigError(file, line, f"is not valid TOML: {_LINE.sub('', str(error)).strip()}") from None
    places = key_places(text)
    section: dict[str, object] = data
    for depth, key in enumerate(_SECTION, start=1):
        inner = section.get(key, {})
        if not isinstance(inner, dict):
            span = place(places, _SECTION[:depth])
            name = ".".join(_SECTION[:depth])
            raise ConfigError(file, span.line if span else None, f"{name} must be a table, not {inner!r}")
        section = inner
    return _Document(file, path.parent, section, places)


def _from_document(document: _Document) -> dict[str, object]:
    names = {name.replace("_", "-"): name for name in CHECKS}
    values: dict[str, object] = {}
    for key, value in document.section.items():
        if key == "mechanisms":
            values["mechanisms"] = _mechanisms(document, value)
            continue
        if key not in names:
            known = (*names, "mechanisms")
            message = f"unknown key {key!r} in [tool.dplint]. {hint(key, known, noun='known keys')}"
            raise document.error((key,), message)
        try:
            values[names[key]] = _checked(names[key], value, document.root)
        except ValueError as error:
            raise document.error((key,), f"{key} {error}") from None
    return values


def _from_overrides(overrides: Mapping[str, object]) -> dict[str, object]:
    values: dict[str, object] = {}
    for given, value in overrides.items():
        name = given.replace("-", "_")
        if value is None:
            continue
        if name not in CHECKS:
            message = f"unknown setting {given!r}. {hint(given, CHECKS, noun='known settings')}"
            raise ConfigError(COMMAND_LINE, None, message)
        try:
            values[name] = _checked(name, value, Path.cwd())
        except ValueError as error:
            raise ConfigError(COMMAND_LINE, None, f"{name.replace('_', '-')} {error}") from None
    return values


def _checked(name: str, value: object, base: Path) -> object:
    checked = CHECKS[name](value)
    return _interpreter(str(checked), base) if name == "interpreter" else checked


def _interpreter(value: str, base: Path) -> str:
    """A path as an absolute one; a bare name, such as python3.12, as PATH has it."""
    path = base / Path(value).expanduser()
    if path.is_file():
        return str(path)
    found = shutil.which(value) if Path(value).name == value else None
    if found is None:
        raise ValueError(f"names no file: {value!r} (looked for {path})")
    return found


def _mechanisms(document: _Document, tables: object) -> dict[str, ClaimTable]:
    if not isinstance(tables, dict):
        raise document.error(("mechanisms",), f"mechanisms must be a table of tables, not {tables!r}")
    found: dict[str, ClaimTable] = {}
    for name, values in tables.items():
        path = ("mechanisms", name)
        if not _QUALNAME.fullmatch(name):
            message = f'{name!r} is no mechanism: write [tool.dplint.mechanisms."package.module:function"]'
            raise document.error(path, message)
        if not isinstance(values, dict):
            message = f"the claim of {name!r} must be a table such as {{epsilon = 1.0}}, not {values!r}"
            raise document.error(path, message)
        spans = {key: span for key in values if (span := document.places.get((*_SECTION, *path, key))) is not None}
        span = place(document.places, _SECTION + path) or Span(1, 1, 1, 1)
        found[name] = ClaimTable(name, values, document.file, span, spans)
    return found
