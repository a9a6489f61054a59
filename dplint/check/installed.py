"""Claims in pyproject.toml about installed packages: the functions they mean, wherever the environment has them.

A package hands on what its modules define: `diffprivlib.tools:mean` is defined in `diffprivlib.tools.utils`. Imports by
name are followed, stars and what is bound at run time are not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from dplint.check.mechanism_keys import package_folders
from dplint.config import Settings, choose_interpreter
from dplint.config.settings import ClaimTable
from dplint.source.places import ImportPlace, module_files
from dplint.source.text import DecodeError, decode

_MOST_STEPS = 8
"""Imports that only hand a name on."""


@dataclass(frozen=True, slots=True)
class InstalledFile:
    """A file of an installed package, and the claims about what it defines, by the name that it has there.

    place: the folder of packages is the import root; the project is the one that makes the claims.
    """

    path: Path
    place: ImportPlace
    tables: tuple[ClaimTable, ...]


def is_installed(table: ClaimTable, settings: Settings) -> bool:
    """Whether the environment of the project has the module that a claim names. The name is not looked for in it."""
    folders, root = _folders(settings)
    return next(_files(table.module, folders, root), None) is not None


def installed_files(tables: Sequence[ClaimTable], settings: Settings) -> list[InstalledFile]:
    """The files that the claims are about, as far as their modules are installed.

    settings: of the project, whose interpreter has the packages.
    """
    folders, root = _folders(settings)
    found: dict[Path, InstalledFile] = {}
    for table in tables:
        file = _defined(table, folders, root)
        if file is not None:
            known = found.get(file.path)
            found[file.path] = file if known is None else replace(known, tables=(*known.tables, *file.tables))
    return list(found.values())


def _folders(settings: Settings) -> tuple[list[Path], Path]:
    """Where the packages of a project are, and its folder."""
    root = settings.root or Path.cwd()
    return package_folders(choose_interpreter(settings, str(root))), root


def _defined(table: ClaimTable, folders: Sequence[Path], project: Path) -> InstalledFile | None:
    """Where the function or class of a claim is defined; the module that was named where that is not to be seen."""
    module, qualname = table.module, table.qualname
    named: InstalledFile | None = None
    for _ in range(_MOST_STEPS):
        file = next(_files(module, folders, project), None)
        if file is None:
            break
        path, place = file
        now = InstalledFile(path, place, (replace(table, name=f"{module}:{qualname}"),))
        named = named or now
        first, dot, rest = qualname.partition(".")
        full = _handed_on(path, place, first)
        if full is None:
            return now
        split = _split(full, folders, project)
        if split is None:
            break
        module, qualname = split[0], f"{split[1]}{dot}{rest}"
    return named


def _handed_on(path: Path, place: ImportPlace, name: str) -> str | None:
    """The full name that a module imports under this name; None if it defines it itself, or cannot be parsed."""
    # LibCST takes a fifth of a second to import, which checks without such claims must not cost.
    from dplint.source.module import ParseError, parse_module  # noqa: PLC0415

    try:
        text = decode(path.read_bytes()).removeprefix("\ufeff")
        return parse_module(text, place).aliases.get(name)
    except (OSError, DecodeError, ParseError):
        return None


def _split(full: str, folders: Sequence[Path], project: Path) -> tuple[str, str] | None:
    """Module and name of a full name: the longest beginning of it that is a module."""
    parts = full.split(".")
    for length in range(len(parts) - 1, 0, -1):
        module = ".".join(parts[:length])
        if next(_files(module, folders, project), None) is not None:
            return module, ".".join(parts[length:])
    return None


def _files(module: str, folders: Sequence[Path], project: Path) -> Iterator[tuple[Path, ImportPlace]]:
    for folder in folders:
        for file in module_files(module, folder):
            if file.is_file():
                yield file, ImportPlace(folder, project, module, file.name == "__init__.py")
