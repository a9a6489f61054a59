"""Which files are checked: those that are named, and the Python files of folders that are."""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dplint.config import shown
from dplint.outcomes import CheckError

SKIPPED_FOLDERS = frozenset({"venv", "__pycache__", "node_modules", "build", "dist", "site-packages"})
"""Folders that are not entered, besides all whose name begins with a dot (.git, .venv, .tox, ...)."""


@dataclass(frozen=True, slots=True)
class FileList:
    """The files to check, absolute and each once, and the errors for what could not be looked at."""

    files: tuple[Path, ...]
    errors: tuple[CheckError, ...]


def find_files(paths: Sequence[Path], *, exclude: Sequence[str]) -> FileList:
    """The files of `paths`, in the order of `paths`, those of a folder sorted by their path.

    A file that is named is always taken, whatever it is called. A folder gives its files `*.py`; environments, caches
    and hidden folders are not entered, nor what matches a pattern of `exclude` (by its name, or by its path relative
    to the working directory or to the folder that was named). Links to folders are not followed. A path that does
    not exist is an error in the list.
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


def _walk(top: Path, exclude: Sequence[str], errors: list[CheckError]) -> list[Path]:
    def failed(error: OSError) -> None:
        place = shown(Path(error.filename)) if error.filename else shown(top)
        errors.append(CheckError(place, None, f"cannot be looked at: {error.strerror or error}"))

    found: list[Path] = []
    for folder, folders, names in os.walk(top, onerror=failed):
        here = Path(folder)
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".") and name not in SKIPPED_FOLDERS and not _excluded(here / name, top, exclude)
        )
        found.extend(
            path
            for name in names
            if name.endswith(".py") and not _excluded(path := here / name, top, exclude) and path.is_file()
        )
    return sorted(found, key=lambda path: path.relative_to(top).parts)


def _excluded(path: Path, top: Path, patterns: Sequence[str]) -> bool:
    names = (path.name, path.relative_to(top).as_posix(), shown(path))
    return any(fnmatch.fnmatch(name, pattern.rstrip("/")) for pattern in patterns for name in names)
