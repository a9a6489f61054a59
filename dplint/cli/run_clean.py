"""`dplint clean`: remove the caches of projects."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from dplint.check.cache_roots import cache_root, is_in_project
from dplint.cli.output import say
from dplint.cli.run_check import require_path
from dplint.config import shown
from dplint.report import numerals
from dplint.source.files import SKIPPED_FOLDERS
from dplint.store import NAME, clean, refusal


def run_clean(path: Path, *, yes: bool) -> int:
    """Remove the cache of the project that the path is part of, and those of projects below it.

    For a path of no project it is the cache that all such files share. Then all that would go is named, and asked for.
    yes: whether that is answered already.

    Raises:
        click.ClickException: there is no such path, a cache cannot be removed, or nobody can be asked.
    """
    require_path(path)
    removed = False
    roots = [root for root in dict.fromkeys(_roots(path)) if (root / NAME).is_dir()]
    if roots and not yes and not is_in_project(_folder(path) / "any.py"):
        _ask(path, roots)
    for root in roots:
        why = refusal(root)
        if why is not None:
            say(f"{why}.")
            continue
        try:
            files, size = clean(root)
        except OSError as error:
            raise click.FileError(str(error.filename or root / NAME), error.strerror) from None
        if (root / NAME).exists():
            say(f"{shown(root / NAME)} holds what dplint has not made, and is kept.")
        else:
            removed = True
            say(f"Removed {shown(root / NAME)}: {numerals.count(files, 'file')}, {size / 1e6:.1f} MB.", err=False)
    if not removed:
        click.echo("There is no cache to remove.")
    return 0


def _ask(path: Path, roots: Sequence[Path]) -> None:
    """Whether caches may go that are those of many projects, or of none."""
    say(f"{shown(path)} is part of no project. These caches would be removed:")
    for root in roots:
        say(f"  {shown(root / NAME)}")
    if not sys.stdin.isatty():
        raise click.UsageError("clean outside of a project wants --yes, or a terminal to ask on.")
    click.confirm("Remove them?", abort=True, err=True)


def _folder(path: Path) -> Path:
    return (path if path.is_dir() else path.parent).absolute()


def _roots(path: Path) -> Iterator[Path]:
    folder = _folder(path)
    yield cache_root(folder / "any.py")
    if path.is_dir():
        for inner, folders, _ in os.walk(folder):
            if NAME in folders:
                yield Path(inner)
            folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in SKIPPED_FOLDERS)
