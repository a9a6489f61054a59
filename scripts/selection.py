"""Which files of tests a change can reach, the nearest first: a pure function of the graph of imports."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import PurePosixPath

from scripts.import_graph import Graph


@dataclass(frozen=True)
class Reached:
    """A file of tests that a change reaches."""

    path: str
    distance: int
    """Steps of the import graph from the nearest changed file: 0 for a changed file of tests."""


def select(graph: Graph, changed: Collection[str]) -> list[Reached]:
    """The files of tests that use a changed file, directly or not.

    Sorted by distance; of two at the same distance first the one that uses fewer files, for it says more about each.
    """
    distances = _distances(graph, changed)
    found = [Reached(path, distance) for path, distance in distances.items() if is_test(path) and path in graph]
    return sorted(found, key=lambda one: (one.distance, len(used_by(graph, one.path)), one.path))


def unreached(graph: Graph, changed: Collection[str]) -> list[str]:
    """The changed files that no file of tests uses."""
    return [path for path in sorted(changed) if not any(is_test(one) for one in _distances(graph, [path]))]


def is_test(path: str) -> bool:
    """Whether pytest looks for tests in a file."""
    at = PurePosixPath(path)
    return at.parts[0] == "tests" and at.name.startswith("test_") and at.suffix == ".py"


def used_by(graph: Graph, path: str) -> set[str]:
    """All files that one uses, directly or not, and itself."""
    found, left = {path}, [path]
    while left:
        for one in graph.get(left.pop(), ()):
            if one not in found:
                found.add(one)
                left.append(one)
    return found


def _distances(graph: Graph, changed: Collection[str]) -> dict[str, int]:
    """How many steps each file is away from the nearest changed file that it uses."""
    users: dict[str, list[str]] = {}
    for path, used in graph.items():
        for one in used:
            users.setdefault(one, []).append(path)
    found = dict.fromkeys(sorted(changed), 0)
    layer = list(found)
    while layer:
        layer = [user for path in layer for user in users.get(path, ()) if user not in found]
        step = 1 + max(found.values())
        found |= dict.fromkeys(sorted(layer), step)
    return found
