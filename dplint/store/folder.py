"""The cache folder: made on demand, marked as a cache, never larger than a bound, and of the user alone.

Nobody is believed. What is read was signed with the user's key: for this file, this version of dplint and this project.
A folder that git tracks, that is a link or that belongs to somebody else is neither read nor written. Only files with
names of our own are ever removed.

What was read in the files of a project, so that a file that has not changed need not be parsed again.

One file holds all of it: a check asks for hundreds of entries, and one read answers them. Nothing in it is trusted, as
in the other files of the folder. Of two processes that write at once, the last one wins, and the other's entries are
made again when they are wanted.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import os
import re
import stat
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from dplint import __version__
from dplint.claims import Mechanism
from dplint.outcomes import Finding
from dplint.relations import relation_of
from dplint.store.codec import codec
from dplint.store.key import StoreProblem, cache_key, is_of_others, is_tracked

NAME = ".dplint_cache"
INDEX = "index.json"
MOST_FILES = 1_000
MOST_BYTES = 64 << 20
_ENTRY = re.compile(r"[0-9a-f]{32}\.json")
_PREFIX, _SUFFIX = "dplint-", ".tmp"
_UNFINISHED = re.compile(rf"{_PREFIX}[0-9a-z_]{{8}}\{_SUFFIX}")
_STALE_SECONDS = 3600.0
"""After this a file that was not finished is one of a process that died."""
_TAG = "CACHEDIR.TAG"
_MARKS = {
    ".gitignore": "# Made by dplint. Nothing in here belongs into a repository.\n*\n",
    _TAG: (
        "Signature: 8a477f597d28d172789f06886806bc55\n"
        "# This file marks the folder as a cache that dplint has made. See https://bford.info/cachedir/\n"
    ),
}
_MARK = b"dplint-cache 1 "
_LINE = 128
"""Bytes at most of the first line of a file."""
_OPEN = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def refusal(root: Path) -> str | None:
    """Why the cache of a project is neither read, nor written, nor removed; None if it is as it should be."""
    folder = root / NAME
    try:
        status = folder.lstat()
    except OSError:
        return None  # there is none, and one that cannot be looked at cannot be read
    if stat.S_ISLNK(status.st_mode):
        why = "is a link"
    elif is_of_others(status):
        why = "belongs to another user"
    elif is_tracked(folder):
        why = f"is tracked by git (git rm -r --cached {NAME} ends that)"
    else:
        return None
    return f"{folder} {why}, and is left alone: nothing is taken from it, and nothing is kept there"


def clean(root: Path) -> tuple[int, int]:
    """Remove the cache of a project; how many files and bytes it held. A folder that is not ours is left alone.

    Raises OSError if something cannot be removed.
    """
    folder = root / NAME
    if not (folder / _TAG).is_file() or refusal(root) is not None:
        return 0, 0
    files, size = 0, 0
    # the mark goes last, so that what is left of an interrupted cleaning is still known as ours
    for path in sorted(folder.iterdir(), key=lambda path: path.name == _TAG):
        if not (_is_ours(path.name) or path.name in _MARKS) or (path.is_dir() and not path.is_symlink()):
            continue
        with contextlib.suppress(FileNotFoundError):  # another process may clean up as well
            held = path.lstat().st_size
            path.unlink()
            files, size = files + (path.name not in _MARKS), size + held
    with contextlib.suppress(OSError):  # somebody has put something else there
        folder.rmdir()
    return files, size


class CacheFolder:
    """`.dplint_cache` in the folder of a project, or of the user's caches."""

    def __init__(self, root: Path) -> None:
        self.path = root / NAME
        self._root = root
        self._whose = _whose(root, __version__)

    def read(self, name: str, most: int) -> bytes | None:
        """What was written under the name by this version for this project, None if nothing was.

        Raises:
            StoreProblem: it is larger than `most` bytes, cannot be read, or was not signed with the user's key.
        """
        path = self.path / name
        self._require_ours()
        try:
            with os.fdopen(os.open(path, _OPEN), "rb") as stream:
                status = os.fstat(stream.fileno())
                fits = stat.S_ISREG(status.st_mode) and status.st_size <= most + _LINE and not is_of_others(status)
                content = stream.read(most + _LINE) if fits else b""
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            if path.is_symlink() or path.is_dir():
                raise StoreProblem(f"{path} is no cache file of dplint, and is ignored") from None
            raise StoreProblem(f"{path} cannot be read ({error.strerror or error}), and is ignored") from None
        first, newline, body = content.partition(b"\n")
        whose, _, signature = first.removeprefix(_MARK).decode("ascii", "replace").partition(" ")
        if not first.startswith(_MARK) or not newline:
            raise StoreProblem(f"{path} is no cache file of this version of dplint, and is ignored")
        if whose != self._whose:
            return None
        if not hmac.compare_digest(signature.encode(), self._signature(name, body)):
            raise StoreProblem(f"{path} is damaged, or not signed with your key, and is ignored")
        return body

    def write(self, name: str, body: bytes) -> None:
        """Write a file so that a reader sees all of it or the one before, then drop the oldest beyond the bounds.

        Raises:
            OSError: it cannot be written.
            StoreProblem: the folder is not the user's own, or there is no key.
        """
        self._require_ours()
        content = _MARK + self._whose.encode() + b" " + self._signature(name, body) + b"\n" + body
        self.path.mkdir(parents=True, exist_ok=True)
        for mark, text in _MARKS.items():
            with contextlib.suppress(FileExistsError), (self.path / mark).open("x", encoding="utf-8") as stream:
                stream.write(text)
        handle, unfinished = tempfile.mkstemp(_SUFFIX, _PREFIX, self.path)
        try:
            with os.fdopen(handle, "wb") as stream_of_bytes:
                stream_of_bytes.write(content)
            Path(unfinished).replace(self.path / name)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(unfinished).unlink()
            raise
        self._drop_old(name, len(content))

    def _require_ours(self) -> None:
        why = refusal(self._root)
        if why is not None:
            raise StoreProblem(why)

    def _signature(self, name: str, body: bytes) -> bytes:
        told = f"dplint cache\0{self._whose}\0{name}\0".encode()
        return hmac.new(cache_key(), told + body, hashlib.sha256).hexdigest().encode()

    def _drop_old(self, keep: str, size: int) -> None:
        """Keep the latest files within the bounds, first `keep` of that size. Another process may do so meanwhile."""
        found: list[tuple[float, int, Path]] = []
        for path in self.path.iterdir():
            if not _is_ours(path.name) or path.name == keep:
                continue
            with contextlib.suppress(OSError):
                status = path.lstat()
                if not _UNFINISHED.fullmatch(path.name):
                    found.append((status.st_mtime, status.st_size, path))
                elif time.time() - status.st_mtime > _STALE_SECONDS:
                    path.unlink()
        files = 1
        for _, more, path in sorted(found, reverse=True):
            files, size = files + 1, size + more
            if files > MOST_FILES or size > MOST_BYTES:
                with contextlib.suppress(OSError):
                    path.unlink()


@lru_cache(maxsize=64)
def _whose(root: Path, version: str) -> str:
    """A digest of the project and the version of dplint."""
    return hashlib.sha256(f"{version}\0{root.resolve()}".encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _is_ours(name: str) -> bool:
    return name == INDEX or any(one.fullmatch(name) for one in (_ENTRY, _UNFINISHED))


MOST_INDEXED = 5_000
_MOST_BYTES = 32 << 20
_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Summary:
    """What was found in a file: its mechanisms in their order, and what the source alone says against them.

    files: other files that the findings depend on, each with a digest, as `source.project.ProjectIndex.files`.
    """

    mechanisms: tuple[Mechanism, ...] = ()
    findings: tuple[Finding, ...] = ()
    files: tuple[tuple[str, str], ...] = ()


class Index:
    """The summaries of a project's files. They are read at the first question, and written by `save`."""

    def __init__(self, root: Path) -> None:
        """root: the folder of the project. Nothing is made there before something is saved."""
        self._folder = CacheFolder(root)
        self._files: dict[str, object] | None = None
        self._new: dict[str, object] = {}

    def get(self, file: str, cache_key: str) -> Summary | None:
        """The summary of a file, None if there is none with this cache key, or it is broken."""
        if self._files is None:
            self._files = self._read()
        match self._files.get(file):
            case [str(known), document] if known == cache_key:
                try:
                    found: Summary = codec(Summary).read(document)
                    _require_relations(found)
                except (ValueError, RecursionError):
                    return None
                return found
            case _:
                return None

    def put(self, file: str, cache_key: str, summary: Summary) -> None:
        """Take note of a summary; one that JSON cannot hold is not kept."""
        with contextlib.suppress(ValueError):
            self._new[file] = [cache_key, codec(Summary).write(summary)]

    def save(self) -> None:
        """Write what is new, if anything is. Where that fails, the next check reads the files again."""
        if not self._new:
            return
        files = self._read()
        for file, entry in self._new.items():
            files.pop(file, None)  # so that the latest stand last
            files[file] = entry
        kept = dict(list(files.items())[-MOST_INDEXED:])
        content = json.dumps({"dplint": _FORMAT, "files": kept}, separators=(",", ":")).encode()
        if len(content) <= _MOST_BYTES:
            with contextlib.suppress(OSError, StoreProblem):
                self._folder.write(INDEX, content)
        self._new.clear()

    def _read(self) -> dict[str, object]:
        try:
            content = self._folder.read(INDEX, _MOST_BYTES)
            document = None if content is None else json.loads(content)
        except (StoreProblem, ValueError, RecursionError):
            return {}
        match document:
            case {"dplint": version, "files": dict(files)} if version == _FORMAT and type(version) is int:
                return _named(files)
            case _:
                return {}


def _require_relations(summary: Summary) -> None:
    """Raise ValueError if a claim names a neighbour relation that there is not."""
    for mechanism in summary.mechanisms:
        relation_of(mechanism.claim)


def _named(files: Mapping[object, object]) -> dict[str, object]:
    return {name: entry for name, entry in files.items() if isinstance(name, str)}
