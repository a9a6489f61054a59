"""What git tracks: that came with a repository, or will go with it.

The index is looked at, and git is not run: a repository can make it run what it likes. Paths that an index of version 4
has cut may not be seen. Nothing rests on that: what was not signed is not believed in any case.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache
from pathlib import Path

from dplint.contents import content


def is_tracked(path: Path) -> bool:
    """Whether git tracks the file, or something in the folder."""
    top, folder = _repository(path.parent)
    return top is not None and _is_in_index(top / ".git", os.fsencode((folder / path.name).as_posix()))


@lru_cache(maxsize=64)
def _repository(folder: Path) -> tuple[Path | None, Path]:
    """Where the repository of a folder begins, and the folder within it. Looked for once: there may be many files."""
    folder = folder.resolve()
    for top in (folder, *folder.parents):
        if os.path.lexists(top / ".git"):
            return top, folder.relative_to(top)
    return None, folder


def _is_in_index(git: Path, name: bytes) -> bool:
    try:
        if git.is_file():  # of a worktree or a submodule: it says where the folder is
            git = git.parent / content(git).decode().removeprefix("gitdir:").strip()
        status = (git / "index").stat()
        return _holds(git / "index", status.st_mtime_ns, status.st_size, name)
    except (OSError, ValueError):
        return False


@lru_cache(maxsize=64)
def _holds(index: Path, _changed: int, _size: int, name: bytes) -> bool:
    """The name stands behind two bytes of flags, and before a zero, or a slash if it is a folder."""
    return re.search(rb"(?<!/)" + re.escape(name) + rb"[/\0]", content(index), re.IGNORECASE) is not None
