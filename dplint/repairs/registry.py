"""All kinds of edits, found by themselves: every module of `kinds` holds one, as `KIND`, under its own name."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

from dplint.repairs import kinds
from dplint.repairs.kind import Candidate, Kind
from dplint.repairs.subject import Subject


class KindError(Exception):
    """A file among the kinds that holds none, or one of another name."""


def _kind_in(name: str) -> Kind:
    module = f"{kinds.__name__}.{name}"
    found = getattr(importlib.import_module(module), "KIND", None)
    if not isinstance(found, Kind) or found.name != name.replace("_", "-"):
        raise KindError(f'{module} has no kind of its name: it must have KIND = Kind("{name.replace("_", "-")}", ...)')
    return found


KINDS: tuple[Kind, ...] = tuple(
    sorted((_kind_in(one.name) for one in pkgutil.iter_modules(kinds.__path__)), key=lambda kind: kind.order)
)


def candidates(subject: Subject, *, second: bool = False) -> Iterator[tuple[Kind, Candidate]]:
    """What all kinds propose, each text once. second: only those that may follow another edit."""
    seen = set[object]()
    for kind in KINDS:
        if second and not kind.second:
            continue
        for candidate in kind.candidates(subject):
            if candidate.edits not in seen:
                seen.add(candidate.edits)
                yield kind, candidate
