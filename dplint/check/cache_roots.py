"""Where the cache of a project lies."""

from __future__ import annotations

from pathlib import Path

from dplint.config import find_pyproject
from dplint.source.places import import_place, is_project


def cache_root(path: Path) -> Path | None:
    """The folder that holds the cache for a file: that of its pyproject.toml, else of setup.cfg, setup.py or .git.

    None for a file that is part of no project: nothing is kept of it.
    """
    pyproject = find_pyproject(path.parent)
    if pyproject is not None:
        return pyproject.parent
    root = import_place(path.absolute()).project_root
    return root if is_project(root) else None
