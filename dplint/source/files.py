"""Which files are checked: those that are named, and the Python files of folders that are."""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from dplint.config import ConfigError, SettingsByFile, shown
from dplint.outcomes import CheckError
from dplint.source.cell_names import SUFFIX as NOTEBOOK

SUFFIXES = (".py", ".pyi", NOTEBOOK)
SKIPPED_FOLDERS = frozenset({"venv", "__pycache__", "node_modules", "build", "dist", "site-packages"})
"""Folders that are not entered, besides all whose name begins with a dot (.git, .venv, .tox, ...)."""

_SUPPORT = re.compile(
    r"(?:^|[/_ -])(?:tests?|testing|benchmarks?|plots?|plotting|figures?|simulations?|simulated|"
    r"experiments?|attacks?)(?:[_ -][^/]*)?/|"
    r"(?:^|/)(?:test_[^/]*|[^/]*_tests?|conftest|setup|bench[^/]*|[^/]*_benchmark|plot[^/]*|[^/]*_plots?|"
    r"simulat[^/]*|[^/]*_simulation|[^/]*(?:experiment|attack)s?)\.(?:py|ipynb)$"
)


@dataclass(frozen=True, slots=True)
class FileList:
    """The files to check, absolute and each once, and the errors for what could not be looked at."""

    files: tuple[Path, ...]
    errors: tuple[CheckError, ...]


class Exclusions:
    """Which files and folders are left out: by the patterns that hold for the folder that they are in.

    A pattern is for a name, or for a path from the folder of the pyproject.toml, from the working directory, or from
    the folder that was named to the command.
    """

    def __init__(self, settings: SettingsByFile) -> None:
        self._settings = settings

    def excluded(self, path: Path, top: Path) -> bool:
        """Whether a file or folder under the named folder `top` is left out."""
        try:
            settings = self._settings.of_folder(path.parent)
        except ConfigError:  # which is told when a file there is read
            return False
        if not settings.exclude:
            return False
        names = [path.name, path.relative_to(top).as_posix(), shown(path)]
        if settings.root is not None and path.is_relative_to(settings.root):
            names.append(path.relative_to(settings.root).as_posix())
        return any(fnmatch.fnmatch(name, pattern.rstrip("/")) for pattern in settings.exclude for name in names)


def find_files(paths: Sequence[Path], *, exclude: Exclusions) -> FileList:
    """The files of `paths`, in the order of `paths`, those of a folder sorted by their path.

    A file that is named is always taken, whatever it is called. A folder gives its files `*.py`, `*.pyi` and `*.ipynb`;
    environments, caches and hidden folders are not entered, nor what is excluded. Links to folders are not followed.
    A path that does not exist is an error in the list.
    """
    files: dict[Path, None] = {}
    errors: list[CheckError] = []
    for path in paths:
        absolute = Path(os.path.abspath(path))  # noqa: PTH100  # `resolve` would lose the names of links
        try:
            if absolute.is_dir():
                files |= dict.fromkeys(_walk(absolute, exclude, errors))
            elif absolute.is_file():
                files[absolute] = None
            elif absolute.exists():
                errors.append(CheckError(shown(absolute), None, "is neither a file nor a folder"))
            else:
                errors.append(CheckError(shown(absolute), None, "no such file or folder"))
        except (OSError, ValueError) as error:
            errors.append(CheckError(str(path), None, f"cannot be looked at: {error}"))
    return FileList(tuple(files), tuple(errors))


def _walk(top: Path, exclude: Exclusions, errors: list[CheckError]) -> list[Path]:
    def failed(error: OSError) -> None:
        place = shown(Path(error.filename)) if error.filename else shown(top)
        errors.append(CheckError(place, None, f"cannot be looked at: {error.strerror or error}"))

    found: list[Path] = []
    for folder, folders, names in os.walk(top, onerror=failed):
        here = Path(folder)
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".") and name not in SKIPPED_FOLDERS and not exclude.excluded(here / name, top)
        )
        found.extend(
            path
            for name in names
            if name.endswith(SUFFIXES) and not exclude.excluded(path := here / name, top) and path.is_file()
        )
    return sorted(found, key=lambda path: path.relative_to(top).parts)


def is_support_file(path: Path, named: Collection[Path]) -> bool:
    """Whether a file is a test, plot, simulation or benchmark, to judge by its name and folders.

    named: the paths that were asked for, absolute: one that is named itself is not, and only folders below count.
    """
    if path in named:
        return False
    top = next((one for one in path.parents if one in named), path.parent)
    return _SUPPORT.search(path.relative_to(top).as_posix()) is not None
