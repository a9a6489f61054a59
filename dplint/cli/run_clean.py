"""`dplint clean`: remove the caches of projects."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import click

from dplint.check.cache_roots import cache_root
from dplint.cli.run_check import require_path
from dplint.config import shown
from dplint.report import numerals
from dplint.source.files import SKIPPED_FOLDERS
from dplint.store import NAME, clean


def run_clean(path: Path) -> int:
    """Remove the cache of the project that the path is part of, and those of projects below it.

    For a path of no project it is the cache that all such files share.

    Raises:
        click.ClickException: there is no such path, or a cache cannot be removed.
    """
    require_path(path)
    removed = False
    for root in dict.fromkeys(_roots(path)):
        if not (root / NAME).is_dir():
            continue
        try:
            files, size = clean(root)
        except OSError as error:
            raise click.FileError(str(error.filename or root / NAME), error.strerror) from None
        if (root / NAME).exists():
            click.echo(f"{shown(root / NAME)} holds what dplint has not made, and is kept.", err=True)
        else:
            removed = True
            click.echo(f"Removed {shown(root / NAME)}: {numerals.count(files, 'file')}, {size / 1e6:.1f} MB.")
    if not removed:
        click.echo("There is no cache to remove.")
    return 0


def _roots(path: Path) -> Iterator[Path]:
    folder = (path if path.is_dir() else path.parent).absolute()
    yield cache_root(folder / "any.py")
    if path.is_dir():
        for inner, folders, _ in os.walk(folder):
            if NAME in folders:
                yield Path(inner)
            folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in SKIPPED_FOLDERS)
