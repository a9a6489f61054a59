"""What each setting may be. A check returns the value as `Settings` holds it, or raises ValueError saying why not.

The hint that names what the user probably meant.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from dplint.claims import Numerics
from dplint.codes import CODES
from dplint.config.settings import PROFILES
from dplint.extras import entry_point
from dplint.jobs import ANYTIME, READ_PATH


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that is most like `word`, None if none is much like it.

    Of two that share as much with it, the one that has more of that in the same place, or else the first.
    """
    folded = {name.lower().replace("-", "_"): name for name in known}
    wanted = word.lower().replace("-", "_")
    found = difflib.get_close_matches(wanted, folded, n=8, cutoff=0.6)

    places = {name: place for place, name in enumerate(folded)}

    def likeness(name: str) -> tuple[float, int, int]:
        in_place = sum(map(str.__eq__, name, wanted))
        return difflib.SequenceMatcher(None, name, wanted).ratio(), in_place, -places[name]

    return folded[max(found, key=likeness)] if found else None


_MOST_NAMES = 60
"""More names in one sentence help nobody; there are fewer settings and rules of one kind."""


def hint(word: str, known: Iterable[str], *, noun: str) -> str:
    """A sentence that names the nearest known word, or, where none is near, all of them, or the first of many."""
    names = list(known)
    near = nearest(word, names)
    if near is not None:
        return f"Did you mean {near!r}?"
    more = f", and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    told = f"{noun[:1].upper()}{noun[1:]}: {', '.join(names[:_MOST_NAMES])}{more}."
    return told if names else f"There are no {noun}."


LEVELS = ("error", "warning", "info", "off")
_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*[.:][^\W\d]\w*(?:\.[^\W\d]\w*)*")
_CODE = re.compile(r"DP\d{0,3}")
SOLVERS = ("z3", "simple")
METHODS = (ANYTIME, "statdp")
PROVEN = ("no", "bounded", "full")
_DURATION = re.compile(r"(\d+\.?\d*|\.\d+)\s*(ms|s|m|h|)")
_UNITS = {"ms": 1e-3, "": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0}
PERMISSIONS = ("network", "write", "process", "read")


class NestedError(ValueError):
    """What is wrong with one key of a table."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(message)
        self.key = key


def _integer(least: int, most: int) -> Callable[[object], object]:
    def check(value: object) -> object:
        if isinstance(value, bool) or not isinstance(value, int):
            raise ValueError(f"must be an integer, not {value!r}")
        if not least <= value <= most:
            raise ValueError(f"must lie between {least} and {most}, not {value}")
        return value

    return check


def _real(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"must be a number, not {value!r}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ValueError(f"must be finite, not {number}")
    return number


def _positive(value: object) -> float:
    number = _real(value)
    if number <= 0:
        raise ValueError(f"must be positive, not {value}")
    return number


def _duration(value: object) -> float:
    """Seconds: a number, or a text such as "5s", "500ms", "2m" or "5"."""
    if not isinstance(value, str):
        return _positive(value)
    found = _DURATION.fullmatch(value.strip())
    if found is None:
        raise ValueError(f"must be a duration, such as 5s, 500ms or 2m, or a number of seconds, not {value!r}")
    return _positive(float(found[1]) * _UNITS[found[2]])


def _level(value: object) -> float:
    number = _real(value)
    if not 0 < number < 1:
        raise ValueError(f"must lie between 0 and 1, both excluded, not {value}")
    return number


def _positives(value: object) -> tuple[float, ...]:
    if not isinstance(value, list | tuple) or not value:
        raise ValueError(f"must be a list of at least one positive number, such as [0.2, 0.7, 1.5], not {value!r}")
    return tuple(_positive(item) for item in value)


def flag(value: object) -> bool:
    """The value, if it is true or false. Raises ValueError."""
    if not isinstance(value, bool):
        raise ValueError(f"must be true or false, not {value!r}")
    return value


def _word(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"must be a non-empty string, not {value!r}")
    return value


def _words(value: object) -> tuple[str, ...]:
    if isinstance(value, str) or not isinstance(value, Sequence | frozenset | set):
        raise ValueError(f"must be a list of strings, not {value!r}")
    return tuple(_word(item) for item in value)


def _one_of(value: str, known: Sequence[str]) -> str:
    if value not in known:
        near = nearest(value, known)
        cure = "" if near is None else f". Did you mean {near!r}?"
        raise ValueError(f"must be one of {', '.join(known)}, not {value!r}{cure}")
    return value


def _profile(value: object) -> str:
    return _one_of(_word(value), tuple(PROFILES))


def _solver(value: object) -> str:
    return _one_of(_word(value), SOLVERS)


def _numerics(value: object) -> Numerics:
    return Numerics(_one_of(_word(value), tuple(Numerics)))


def _proven(value: object) -> str:
    return _one_of(_word(value), PROVEN)


def _method(value: object) -> str:
    method = _one_of(_word(value), METHODS)
    if method != ANYTIME:
        entry_point(method)
    return method


def _permissions(value: object) -> frozenset[str]:
    """Names of effects, and `read:` with the path of what may be read."""
    return frozenset(
        item if item.startswith(READ_PATH) and item != READ_PATH else _one_of(item, PERMISSIONS)
        for item in _words(value)
    )


def _codes(value: object) -> tuple[str, ...]:
    codes = _words(value)
    for code in codes:
        if not _CODE.fullmatch(code):
            raise ValueError(f"holds {code!r}, which is no code and no beginning of one, such as DP101, DP1 or DP")
    return codes


def _severity(value: object) -> dict[str, str]:
    """Levels by code or beginning of codes. A code that no page tells of is a misspelt one."""
    if not isinstance(value, Mapping):
        raise ValueError(f'must be a table such as {{DP2 = "error", DP301 = "off"}}, not {value!r}')
    levels: dict[str, str] = {}
    for key, level in value.items():
        if not isinstance(key, str) or not _CODE.fullmatch(key):
            raise NestedError(str(key), "is no code and no beginning of one, such as DP101, DP1 or DP")
        if not any(code.startswith(key) for code in CODES):
            raise NestedError(key, f"is no code of dplint. {hint(key, CODES, noun='codes')}")
        try:
            levels[key] = _one_of(_word(level), LEVELS)
        except ValueError as error:
            raise NestedError(key, str(error)) from None
    return levels


def _codes_by_pattern(value: object) -> dict[str, tuple[str, ...]]:
    """Codes, or beginnings of codes, by pattern of files."""
    if not isinstance(value, Mapping):
        raise ValueError(f'must be a table such as {{"tests/*" = ["DP2"]}}, not {value!r}')
    found: dict[str, tuple[str, ...]] = {}
    for pattern, codes in value.items():
        try:
            found[_word(pattern)] = _codes(codes)
        except ValueError as error:
            raise NestedError(str(pattern), str(error)) from None
    return found


def _names(value: object) -> tuple[str, ...]:
    """Full names with dots; a colon, as the claims of pyproject.toml have it, is one too."""
    names = _words(value)
    for name in names:
        if not _NAME.fullmatch(name):
            raise ValueError(f"holds {name!r}, which is no full name of a function, such as package.module.function")
    return tuple(name.replace(":", ".") for name in names)


CHECKS: Mapping[str, Callable[[object], object]] = {
    "alpha": _level,
    "seed": _integer(0, 2**128 - 1),
    "jobs": _integer(1, 1024),
    "epsilons": _positives,
    "profile": _profile,
    "method": _method,
    "budget": _duration,
    "runs": _integer(1, 10**12),
    "keep_going": flag,
    "select_runs": _integer(1, 10**12),
    "test_runs": _integer(1, 10**12),
    "time_limit": _positive,
    "deadline": _positive,
    "memory_mib": _integer(128, 2**30),
    "interpreter": _word,
    "exclude": _words,
    "allow": _permissions,
    "select": _codes,
    "ignore": _codes,
    "extend_select": _codes,
    "per_file_ignores": _codes_by_pattern,
    "severity": _severity,
    "known_noise": _names,
    "exact": flag,
    "proofs": flag,
    "repairs": flag,
    "spare_noise": _level,
    "require_proof": _proven,
    "solver": _solver,
    "numerics": _numerics,
    "all_functions": flag,
    "static_only": flag,
    "baseline": _word,
    "cache": flag,
}
"""The check of each field of Settings that is one value; `mechanisms` and `root` are made by the loader."""
