"""All distributions: found by their files, and looked up by their names."""

from __future__ import annotations

import difflib
import functools
import importlib
import pkgutil
from collections.abc import Mapping
from types import MappingProxyType

from . import known
from .distribution import Distribution
from .signatures import DrawSignature


class UnknownDistributionError(LookupError):
    """There is no distribution of that name."""


@functools.cache
def distributions() -> Mapping[str, Distribution]:
    """All distributions by their canonical names, in the order of the alphabet.

    Raises ValueError for a file without one of its own name, or several in `DISTRIBUTIONS`, and for two that claim one
    method.
    """
    found: dict[str, Distribution] = {}
    claimed: dict[tuple[str, str], str] = {}
    for module in sorted(pkgutil.iter_modules(known.__path__), key=lambda module: module.name):
        path = f"{known.__name__}.{module.name}"
        loaded = importlib.import_module(path)
        alone: Distribution | None = getattr(loaded, "DISTRIBUTION", None)
        several = [one for one in getattr(loaded, "DISTRIBUTIONS", (alone,)) if isinstance(one, Distribution)]
        if not several:
            raise ValueError(f"{path} has no distribution: assign one to DISTRIBUTION")
        if alone is not None and alone.name != module.name:
            raise ValueError(f"{path} is called {alone.name!r}: a distribution and its file have one name")
        for one in several:
            for draw in one.draws:
                other = claimed.setdefault((draw.family, draw.method), one.name)
                if other != one.name:
                    raise ValueError(f"{other} and {one.name} both claim {draw.method} of {draw.family}")
            found[one.name] = one
    return MappingProxyType(dict(sorted(found.items())))


def of(name: str) -> Distribution:
    """The distribution of a canonical name. Raises UnknownDistributionError."""
    try:
        return distributions()[name]
    except KeyError:
        near = difflib.get_close_matches(name, distributions(), 1)
        hint = f": did you mean {near[0]!r}?" if near else ""
        raise UnknownDistributionError(f"there is no distribution {name!r}{hint}") from None


@functools.cache
def draw_signatures(family: str) -> Mapping[str, DrawSignature]:
    """The methods or functions of a family that draw, those that no program contains too, by their names."""
    return MappingProxyType(
        {draw.method: draw for one in distributions().values() for draw in one.draws if draw.family == family}
    )


@functools.cache
def program_draws(family: str) -> Mapping[str, DrawSignature]:
    """The methods of a family that a program may contain, by their names."""
    return MappingProxyType({name: draw for name, draw in draw_signatures(family).items() if draw.in_programs})
