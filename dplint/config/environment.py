"""Settings in environment variables: `DPLINT_BUDGET=5s` is `budget = "5s"` of pyproject.toml, and wins over it."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence

from dplint.config.document import ConfigError
from dplint.config.load import Layer
from dplint.config.validate import CHECKS

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
