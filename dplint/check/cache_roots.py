"""Where the cache of a project lies, and that of files that are part of none."""

from __future__ import annotations

from pathlib import Path

from dplint.config import find_pyproject
from dplint.source.places import import_place, is_project


def cache_root(path: Path) -> Path:
    """The folder that holds the cache for a file: that of its pyproject.toml, else of setup.cfg, setup.py or .git.

    All files that are part of no project share one in the user's folder for caches.
    """
    pyproject = find_pyproject(path.parent)
    if pyproject is not None:
        return pyproject.parent
    root = import_place(path.absolute()).project_root
    return root if is_project(root) else _of_user()


def is_in_project(path: Path) -> bool:
    """Whether a file has a project of its own, which holds its cache."""
    return find_pyproject(path.parent) is not None or is_project(import_place(path.absolute()).project_root)


def _of_user() -> Path:
    import platformdirs  # noqa: PLC0415 - files of no project are seldom checked

    return platformdirs.user_cache_path("dplint", appauthor=False)
