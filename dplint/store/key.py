"""The key that entries are authenticated with. The user has it, and a repository has not.

It is made at first use in the user's state folder, readable by the user alone. On machines that begin anew each time,
as in a CI, `DPLINT_CACHE_KEY_FILE` names a file, or a descriptor such as `/dev/fd/3`. No setting of a project does, for
then a repository could name a file of its own. The key itself is never in the environment: `/proc` shows that to code
of the same user.

What git tracks: that came with a repository, or will go with it.

The index is looked at, and git is not run: a repository can make it run what it likes. Paths that an index of version 4
has cut may not be seen. Nothing rests on that: what was not signed is not believed in any case.

What goes wrong with a cache, in words for people.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
import tempfile
from functools import cache, lru_cache
from pathlib import Path

from dplint.contents import content
from dplint.runner.system import LINUX


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


class StoreProblem(Exception):
    """An entry cannot be used or kept; the message says why, for people."""


VARIABLE = "DPLINT_CACHE_KEY_FILE"
LEAST_BYTES, _MOST_BYTES = 16, 4096
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_BY_OTHERS, _BY_GROUP = 0o077, 0o027
"""Permissions that nobody but the user may have to the user's own key, and to one that was named."""


def cache_key() -> bytes:
    """The key of the user's caches: that of the file that is named, else the one in the state folder.

    Raises:
        StoreProblem: it cannot be read or made, or others than the user could have read it.
    """
    named = named_key()
    return _own_key(os.environ.get("XDG_STATE_HOME", "").strip()) if named is None else named


def named_key() -> bytes | None:
    """The key in the file that the environment names, None if it names none. Raises StoreProblem as `cache_key`."""
    file = os.environ.get(VARIABLE, "")
    return _key_of(file) if file else None


@cache
def _key_of(file: str) -> bytes:
    """Read once: a pipe says it only once."""
    try:
        with Path(file).open("rb") as stream:
            status, content = os.fstat(stream.fileno()), stream.read(_MOST_BYTES + 1).strip()
    except OSError as error:
        raise StoreProblem(f"{VARIABLE}: {file} cannot be read ({error.strerror or error})") from None
    if stat.S_ISREG(status.st_mode):
        if is_of_others(status, _BY_GROUP, also_root=True):
            raise StoreProblem(f"{VARIABLE}: others can read or change {file}; chmod 600 makes it yours alone")
        if is_tracked(Path(file)):
            raise StoreProblem(f"{VARIABLE}: git tracks {file}, so the repository has the key; take another one")
    if not LEAST_BYTES <= len(content) <= _MOST_BYTES:
        raise StoreProblem(f"{VARIABLE}: {file} must hold {LEAST_BYTES} to {_MOST_BYTES} bytes, such as of a password")
    return content


def is_of_others(status: os.stat_result, permissions: int = 0, *, also_root: bool = False) -> bool:
    """Whether somebody else owns it, or somebody else has one of these permissions. Nobody knows on Windows."""
    if not hasattr(os, "geteuid"):
        return False
    owners = {os.geteuid(), 0} if also_root else {os.geteuid()}
    return status.st_uid not in owners or bool(status.st_mode & permissions)


@cache
def _own_key(state_home: str) -> bytes:
    try:
        path = _state_folder(state_home) / "cache.key"
        if not os.path.lexists(path):
            _make(path)
        with os.fdopen(os.open(path, os.O_RDONLY | _NO_LINK), "rb") as stream:
            status, content = os.fstat(stream.fileno()), stream.read(_MOST_BYTES)
    except (OSError, RuntimeError) as error:  # there need not be a home
        raise StoreProblem(
            f"the key of the cache cannot be read or made ({error}), and nothing is kept; "
            f"{VARIABLE} can name another one"
        ) from None
    if not stat.S_ISREG(status.st_mode) or is_of_others(status, _BY_OTHERS) or len(content) < LEAST_BYTES:
        raise StoreProblem(f"{path} is no key that you alone can read, and nothing is kept; remove it for a new one")
    return content


def _make(path: Path) -> None:
    """Put a new key there, whole or not at all; of two processes that do so at once the first one wins."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, unfinished = tempfile.mkstemp(dir=path.parent)  # which nobody else may read
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(os.urandom(32).hex().encode())
        with contextlib.suppress(FileExistsError):
            os.link(unfinished, path)
    finally:
        Path(unfinished).unlink()


def _state_folder(state_home: str) -> Path:
    if LINUX:  # as platformdirs has it, which takes longer to import than a key to read
        return (Path(state_home) if state_home else Path.home() / ".local" / "state") / "dplint"
    import platformdirs  # noqa: PLC0415

    return platformdirs.user_state_path("dplint", appauthor=False)
