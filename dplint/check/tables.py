"""Claims in pyproject.toml that no module of the project answers to: about installed packages, or about nothing.

Without a word, nobody would know that a claim about nothing is never tested.

Claims in pyproject.toml about installed packages: the functions they mean, wherever the environment has them.

A package hands on what its modules define: `diffprivlib.tools:mean` is defined in `diffprivlib.tools.utils`. Imports by
name are followed, and for methods base classes; stars and what is bound at run time are not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from dplint.check.mechanism_keys import package_folders
from dplint.config import Settings, choose_interpreter, shown
from dplint.config.settings import ClaimTable
from dplint.contents import content
from dplint.outcomes import CheckError
from dplint.source.files import ImportPlace, import_place, module_files
from dplint.source.text import DecodeError, decode

if TYPE_CHECKING:
    from dplint.source.module import ParsedModule


_MOST_STEPS = 8
"""Imports that only hand a name on, and base classes."""


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
    named = _named(table, folders, project)
    return _defining(table, folders, project, _MOST_STEPS) or named


def _named(table: ClaimTable, folders: Sequence[Path], project: Path) -> InstalledFile | None:
    """The module that a claim names."""
    file = next(_files(table.module, folders, project), None)
    return None if file is None else InstalledFile(*file, (table,))


def _defining(table: ClaimTable, folders: Sequence[Path], project: Path, steps: int) -> InstalledFile | None:
    """The file that defines what a claim names, found by imports and, for methods, by base classes."""
    named = _named(table, folders, project)
    if named is None or not steps:
        return None
    first, dot, rest = table.qualname.partition(".")
    module = _parsed(named)
    if module is None:
        return named
    imported = module.aliases.get(first)
    if imported is None:
        bases = _bases(module, table.module, first, rest)
        if bases is None:
            return named
        wanted = [f"{base}.{rest}" for base in bases]
    else:
        wanted = [f"{imported}{dot}{rest}"]
    for full in wanted:
        split = _split(full, folders, project)
        if split is not None:
            found = _defining(replace(table, name=":".join(split)), folders, project, steps - 1)
            if found is not None:
                return found
    return None


def _parsed(file: InstalledFile) -> ParsedModule | None:
    """A module, None where it cannot be parsed."""
    # LibCST takes a fifth of a second to import, which checks without such claims must not cost.
    from dplint.source.module import ParseError, parse_module  # noqa: PLC0415

    try:
        return parse_module(decode(content(file.path)).removeprefix("\ufeff"), file.place)
    except (OSError, DecodeError, ParseError):
        return None


def _bases(module: ParsedModule, name: str, kind: str, method: str) -> list[str] | None:
    """The full names of the base classes of a class that has not the method itself; None for anything else.

    name: of the module.
    """
    import libcst as cst  # noqa: PLC0415

    from dplint.source.bindings import dotted_name  # noqa: PLC0415

    for node in module.tree.body:
        if not isinstance(node, cst.ClassDef) or node.name.value != kind or not method:
            continue
        if any(isinstance(one, cst.FunctionDef) and one.name.value == method for one in node.body.body):
            return None
        dotted = [found for found in (dotted_name(base.value) for base in node.bases) if found]
        known = module.aliases
        return [module.names.full_name(one) if one.partition(".")[0] in known else f"{name}.{one}" for one in dotted]
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


class Tables:
    """The claims in pyproject.toml that hold for the files of a check, and the modules that were met in it."""

    def __init__(self) -> None:
        self._tables: dict[tuple[str, str], tuple[ClaimTable, Settings]] = {}
        self._modules: set[str] = set()
        self._roots: set[Path] = set()

    def met(self, path: Path, settings: Settings) -> None:
        """Take note of a file, and of the claims that its settings hold."""
        if not settings.mechanisms:
            return
        place = import_place(path.absolute())
        self._modules.add(place.module)
        self._roots.add(place.import_root)
        self.hold(settings)

    def hold(self, settings: Settings) -> None:
        """Take note of the claims of a pyproject.toml."""
        for table in settings.mechanisms.values():
            self._tables[table.file, table.name] = table, settings

    def lost(self) -> Iterator[CheckError]:
        """The claims whose module is not there, or has another name. One that was just not asked for is no error."""
        for table, settings, problem in self._absent():
            if not is_installed(table, settings):
                yield CheckError(table.file, table.span.line, f"the claim of {table.name!r} is not tested: {problem}")

    def installed(self) -> Iterator[tuple[InstalledFile, Settings]]:
        """The files of installed packages that claims are about, with the settings of the project that makes them."""
        by_file: dict[str, tuple[list[ClaimTable], Settings]] = {}
        for table, settings, _ in self._absent():
            by_file.setdefault(table.file, ([], settings))[0].append(table)
        for tables, settings in by_file.values():
            yield from ((file, settings) for file in installed_files(tables, settings))

    def _absent(self) -> Iterator[tuple[ClaimTable, Settings, str]]:
        """The claims whose module is not in the project, and why not."""
        for table, settings in self._tables.values():
            if table.module in self._modules:
                continue
            root = settings.root
            folders = self._roots if root is None else {*self._roots, root, root / "src"}
            problem = _problem(table.module, sorted(folders))
            if problem is not None:
                yield table, settings, problem


def _problem(module: str, folders: list[Path]) -> str | None:
    paths = [folder.joinpath(*module.split(".")) for folder in folders]
    files = [file for path in paths for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()]
    names = [import_place(file).module for file in files]
    if module in names:
        return None
    if names:
        return f"{shown(files[0])} is imported as {names[0]!r}, for want of an __init__.py: write that, or add one"
    return f"there is no module {module!r} in {' or '.join(shown(folder) for folder in folders if folder.is_dir())}"
