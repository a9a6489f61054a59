"""Claims in pyproject.toml that no module of the project answers to: about installed packages, or about nothing.

Without a word, nobody would know that a claim about nothing is never tested.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from dplint.check.installed import InstalledFile, installed_files, is_installed
from dplint.config import Settings, shown
from dplint.config.settings import ClaimTable
from dplint.outcomes import CheckError
from dplint.source.places import import_place


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
