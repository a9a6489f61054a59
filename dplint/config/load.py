"""Puts the settings together: `[tool.dplint]` of a pyproject.toml, the environment, and the command line on top.

Which settings belong together: a setting that has no effect is a mistake, and is refused.

Settings in environment variables: `DPLINT_BUDGET=5s` is `budget = "5s"` of pyproject.toml, and wins over it.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from dplint.claims import Span
from dplint.config.document import SECTION, ConfigError, Document, find_pyproject, place, read_document
from dplint.config.settings import DEFAULT_METHOD, FROM_PROFILE, ClaimTable, Settings
from dplint.config.validate import CHECKS, NestedError, hint

METHOD_OF: Mapping[str, str] = {
    "budget": "anytime",
    "runs": "anytime",
    "keep_going": "anytime",
    "select_runs": "statdp",
    "test_runs": "statdp",
}
"""The settings that only one method looks at."""
EXCLUSIVE = ("budget", "runs")
"""Two ways to say when a pass ends."""


class Misfit(NamedTuple):
    """A setting that does not fit the others, and why; `name` is that of the field."""

    name: str
    message: str


def misfit(names: Collection[str], methods: Collection[str]) -> Misfit | None:
    """The first of the settings that none of the methods looks at, or that another one excludes; None if all fit."""
    for name in names:
        wanted = METHOD_OF.get(name)
        if wanted is not None and wanted not in methods:
            other = " and ".join(repr(method) for method in methods)
            message = (
                f"{_key(name)} is a setting of the method {wanted!r}, and has no effect with {other}. "
                f"Choose the method {wanted!r} as well, or leave it out."
            )
            return Misfit(name, message)
    if all(name in names for name in EXCLUSIVE):
        budget, runs = EXCLUSIVE
        message = f"{budget} and {runs} exclude each other: a pass ends after so many seconds or so many runs."
        return Misfit(runs, f"{message} Give one of them.")
    return None


def _key(name: str) -> str:
    return name.replace("_", "-")


COMMAND_LINE = "command line"
_QUALNAME = re.compile(r"[^\s:]+:[^\s:]+")


@dataclass(frozen=True, slots=True)
class Layer:
    """Values that were given elsewhere than in a file, by the name of their field; None means not given.

    source: where, as an error names it. sources: of single values, where they come from in more detail.
    """

    source: str
    values: Mapping[str, object]
    sources: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Loaded:
    """Settings, and where each of them comes from: "default", "profile ci", "pyproject.toml:3", "--budget", ...

    file: the pyproject.toml that was read, as it is shown; None if there is none.
    """

    settings: Settings
    origins: Mapping[str, str]
    file: str | None


def load_settings(start: Path, overrides: Mapping[str, object]) -> Settings:
    """The settings for files at or below `start`.

    overrides: values that were given elsewhere, by the name of their field; they win, and None means not given. A
    relative `interpreter` or `baseline` is taken from the folder of the pyproject.toml, in an override from the working
    directory.

    Raises:
        ConfigError: the pyproject.toml cannot be read, a key or value is wrong, or two of them do not fit.
    """
    return load(find_pyproject(start), [Layer(COMMAND_LINE, overrides)]).settings


def load(pyproject: Path | None, layers: Sequence[Layer]) -> Loaded:
    """The settings by this pyproject.toml and the layers above it, of which the last one wins.

    Raises:
        ConfigError: as `load_settings`.
    """
    document = read_document(pyproject) if pyproject is not None else None
    values: dict[str, Any] = {} if document is None else _from_document(document)
    origins = {} if document is None else _places(document, values)
    given: dict[str, object] = {}
    givers: dict[str, Layer] = {}
    for layer in layers:
        found = _from_layer(layer)
        _put_over(given, found)
        givers |= dict.fromkeys(found, layer)
        origins |= {name: layer.sources.get(name, layer.source) for name in found}
    _require_fitting(document, values, given, givers)
    _put_over(values, given)
    settings = Settings(**values, root=None if document is None else document.root)
    for name in (*CHECKS, "mechanisms"):
        if name not in values:
            is_effort = name in FROM_PROFILE and getattr(settings, name)
            origins[name] = f"profile {settings.profile}" if is_effort else "default"
    return Loaded(settings, origins, None if document is None else document.file)


def _put_over(values: dict[str, Any], given: Mapping[str, object]) -> None:
    """Replace values by those given above them; of two that exclude each other, the one above replaces either."""
    if any(name in given for name in EXCLUSIVE):
        for name in EXCLUSIVE:
            values.pop(name, None)
    values |= given


def _places(document: Document, values: Mapping[str, object]) -> dict[str, str]:
    lines = {name: document.line((name.replace("_", "-"),)) for name in values}
    return {name: document.file if line is None else f"{document.file}:{line}" for name, line in lines.items()}


def _require_fitting(
    document: Document | None, values: Mapping[str, object], given: Mapping[str, object], givers: Mapping[str, Layer]
) -> None:
    """Raise ConfigError for a setting without effect.

    What stands in the file must fit the method there or the one that is used: a file may well hold settings for a
    method that one command overrules.
    """
    usual = values.get("method", DEFAULT_METHOD)
    used = given.get("method", usual)
    if (wrong := misfit(given, [str(used)])) is not None:
        raise ConfigError(givers[wrong.name].source, None, wrong.message)
    wrong = misfit(values, list(dict.fromkeys([str(usual), str(used)])))
    if document is not None and wrong is not None:
        raise document.error((wrong.name.replace("_", "-"),), wrong.message)


def _from_document(document: Document) -> dict[str, object]:
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
        except NestedError as error:
            raise document.error((key, error.key), f"{key}.{error.key} {error}") from None
        except ValueError as error:
            raise document.error((key,), f"{key} {error}") from None
    return values


def _from_layer(layer: Layer) -> dict[str, object]:
    values: dict[str, object] = {}
    for given, value in layer.values.items():
        name = given.replace("-", "_")
        if value is None:
            continue
        if name not in CHECKS:
            message = f"unknown setting {given!r}. {hint(given, CHECKS, noun='known settings')}"
            raise ConfigError(layer.source, None, message)
        shown_name = layer.sources.get(name, name.replace("_", "-"))
        try:
            values[name] = _checked(name, value, Path.cwd())
        except NestedError as error:
            raise ConfigError(layer.source, None, f"{shown_name}: {error.key} {error}") from None
        except ValueError as error:
            raise ConfigError(layer.source, None, f"{shown_name} {error}") from None
    return values


def _checked(name: str, value: object, base: Path) -> object:
    checked = CHECKS[name](value)
    if name == "baseline":
        return str(base / Path(str(checked)).expanduser())
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


def _mechanisms(document: Document, tables: object) -> dict[str, ClaimTable]:
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
        spans = {key: span for key in values if (span := document.places.get((*SECTION, *path, key))) is not None}
        span = place(document.places, SECTION + path) or Span(1, 1, 1, 1)
        found[name] = ClaimTable(name, values, document.file, span, spans)
    return found


ENVIRONMENT = "environment"
_PREFIX = "DPLINT_"
_INTEGER = re.compile(r"[+-]?\d+")
_YES = ("1", "true", "yes", "on")
_NO = ("0", "false", "no", "off")
_FLAGS = ("keep_going", "all_functions", "static_only", "cache", "exact", "proofs", "repairs")
_LISTS = ("epsilons", "exclude", "allow", "select", "ignore", "extend_select", "known_noise")
_NUMBERS = (
    "alpha",
    "seed",
    "jobs",
    "runs",
    "select_runs",
    "test_runs",
    "time_limit",
    "deadline",
    "memory_mib",
    "spare_noise",
)


def variable(name: str) -> str:
    """The variable that holds a setting."""
    return _PREFIX + name.upper()


def environment_layer(environ: Mapping[str, str] = os.environ) -> Layer:
    """What the variables set. One that is empty sets nothing, as is usual; `DPLINT_NO_CACHE=1` is `cache = false`.

    Raises:
        ConfigError: a value is not even of the right kind. Other variables may be anybody's, and are not looked at.
    """
    values: dict[str, object] = {}
    sources: dict[str, str] = {}
    for name in CHECKS:
        text = environ.get(variable(name), "").strip()
        if text:
            values[name], sources[name] = _value(name, text), variable(name)
    no_cache = environ.get(f"{_PREFIX}NO_CACHE", "").strip()
    if no_cache and _flag(f"{_PREFIX}NO_CACHE", no_cache):
        values["cache"], sources["cache"] = False, f"{_PREFIX}NO_CACHE"
    return Layer(ENVIRONMENT, values, sources)


def _value(name: str, text: str) -> object:
    """The text as the value that TOML would hold; what cannot be one is left for the check of the setting."""
    if name in _FLAGS:
        return _flag(variable(name), text)
    if name == "severity":
        return dict(_level(part) for part in _parts(text))
    if name == "per_file_ignores":
        return by_pattern(_parts(text))
    if name in _LISTS:
        parts = _parts(text)
        return [_number(part) for part in parts] if name == "epsilons" else parts
    return _number(text) if name in _NUMBERS else text


def by_pattern(parts: Sequence[str]) -> dict[str, list[str]]:
    """The table that texts such as "tests/*:DP2" stand for.

    Raises:
        ConfigError: a text has no colon.
    """
    found: dict[str, list[str]] = {}
    for part in parts:
        pattern, colon, code = part.rpartition(":")
        if not colon or not pattern.strip() or not code.strip():
            message = f"{variable('per_file_ignores')} must be such as tests/*:DP2, not {part!r}"
            raise ConfigError(ENVIRONMENT, None, message)
        found.setdefault(pattern.strip(), []).append(code.strip().upper())
    return found


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _number(text: str) -> object:
    try:
        return int(text) if _INTEGER.fullmatch(text) else float(text)
    except ValueError:
        return text


def _flag(name: str, text: str) -> bool:
    word = text.lower()
    if word not in (*_YES, *_NO):
        raise ConfigError(ENVIRONMENT, None, f"{name} must be true or false, not {text!r}")
    return word in _YES


def _level(part: str) -> tuple[str, str]:
    code, equals, level = part.partition("=")
    if not equals:
        message = f"{variable('severity')} must be such as DP2=error,DP301=off, not {part!r}"
        raise ConfigError(ENVIRONMENT, None, message)
    return code.strip(), level.strip()
