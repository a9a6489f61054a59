"""The modules of a project that are imported with one of its modules, read by their top levels."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import TypeAlias

from dplint.source.imports import followed
from dplint.source.module import ParsedModule
from dplint.source.top_level import TopLevel, top_level, top_level_of

ImportedAlong: TypeAlias = "dict[tuple[str, ...], tuple[tuple[TopLevel, ...], Mapping[str, str]]]"
"""What `imported_along` gives for a module, by the further ones: it is the same for all mechanisms of the module."""


def imported_along(
    home: ParsedModule, roots: Iterable[Path], others: Collection[str]
) -> tuple[tuple[TopLevel, ...], Mapping[str, str]]:
    """The top levels of the home module, which is the first, and of all that are imported with it or with the others.

    And the files of these, with their digests.
    """
    place, files = home.place, dict[str, str]()
    found = [top_level("\n".join(home.lines), place.package)]
    imported: dict[Path, tuple[str, ...]] = {}

    def imports(file: Path, name: str) -> tuple[str, ...]:
        if file not in imported:
            package = name if file.name == "__init__.py" else name.rpartition(".")[0]
            files[str(file)], top = top_level_of(file, package)
            found.append(top)
            imported[file] = top.imported
        return imported[file]

    for _ in followed([place.module.rpartition(".")[0], *found[0].imported, *others], roots, imports):
        pass
    return tuple(found), files
