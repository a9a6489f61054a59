"""What the star imports of a module bind, as far as they are of modules of its project."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from dplint.source.top_level import StarNames, text_of, top_level

_MARK = re.compile(r"\bimport[ \t]*\*")
_DEEPEST = 4
"""Star imports of star imports."""
_STANDARD = frozenset({"collections", "itertools", "math", "random", "typing"})
_HARMLESS = frozenset({"dplint", "numpy.random"})
"""Libraries whose names are known, and those that bind nothing that modules of a project call so."""


@dataclass(frozen=True, slots=True)
class Stars:
    """names: each name that stars bind, with the full name of what it stands for; of several stars the last has a say.

    sources: the module of the star, by name. through: all modules that stars lead to. unknown: one whose star may bind
    any name, None if all names are known.
    """

    names: StarNames = ()
    sources: tuple[tuple[str, str], ...] = ()
    through: tuple[str, ...] = ()
    unknown: str | None = None

    @property
    def certain(self) -> StarNames | None:
        """The names, if there are no others."""
        return self.names if self.unknown is None else None


def stars_in(
    text: str, package: str, source: Callable[[str], tuple[Path, Path, bytes] | None], depth: int = 0
) -> Stars:
    """The names that star imports in a text bind; none where what comes after may bind them to something else.

    package: that relative imports of the module start from. source: finds modules, as `ProjectIndex.source` does.
    Nothing is raised: what cannot be read is unknown.
    """
    if _MARK.search(text) is None:
        return Stars()
    names: dict[str, str] = {}
    sources: dict[str, str] = {}
    through: list[str] = []
    unknown: str | None = None
    for star in top_level(text, package).stars:
        through.append(star)
        found = source(star) if depth < _DEEPEST else None
        inner = None if found is None else text_of(found[2])
        if star in _STANDARD and found is None:
            for name in dir(importlib.import_module(star)):
                names.pop(name, None)
        elif found is None or inner is None:
            if star not in _HARMLESS:
                names, unknown = {}, unknown or star
        else:
            within = star if found[1].name == "__init__.py" else star.rpartition(".")[0]
            below = stars_in(inner, within, source, depth + 1)
            through += below.through
            top = top_level(inner, within, below.certain)
            if top.public is None or top.anything or below.unknown is not None:
                unknown = unknown or star
            listed = top.public or frozenset()
            given = {name: (top.imports or {}).get(name, f"{star}.{name}") for name in top.bound & listed}
            names |= {name: full for name, full in below.names if name in listed and name not in top.bound} | given
            sources |= dict.fromkeys(names.keys() - sources.keys(), star)
    return Stars(tuple(names.items()), tuple(sources.items()), tuple(through), unknown)
