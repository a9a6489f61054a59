"""Entries in the cache folder of a project: one JSON file for each mechanism.

Nothing in the folder is trusted: a file that is cut short or that a stranger has put there is a StoreProblem and not a
crash, and one that another version has written is not there. Any number of processes may read and write at once; the
last one wins.

A cache that many machines share: a folder on a network disk, or a store such as S3 through fsspec.

Entries are named by their stamps, digests of all that they depend on: whoever asks for one asks for these very sources
and settings, and nothing is ever out of date. Nothing found there is trusted. Each entry begins with a digest of the
rest; with a key that is an HMAC, and then only what was signed by the key is taken: nobody else can plant a verdict.
Any number of machines may write at once, and what a machine has found out does not take the place of more.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import math
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeAlias, TypeVar

from dplint.store.folder import CacheFolder
from dplint.store.key import StoreProblem

Plain: TypeAlias = str | int | float | bool | list[float] | None
"""What slots and cache keys hold."""

_FORMAT = 4
MOST_BYTES = 16 << 20
"""A larger entry is neither written nor read."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known of a mechanism.

    verdict: the name of the one that stands. runs: the single executions that it took: for a violation those of the
    pass that found it, else of all passes together. state: a document of JSON that the audit goes on from, None if it
    begins anew. outcome: the outcome behind the verdict, as `outcome_document` writes it; None if none could be kept.
    spent: seconds of auditing in all passes together. places: on which lines all stood that the outcome speaks of.
    repairs: a digest of the text that they are edits of, and these; None if nobody has looked for some.
    """

    verdict: str
    runs: int
    state: dict[str, object] | None
    outcome: list[object] | None = None
    spent: float = 0.0
    places: dict[str, object] | None = None
    repairs: list[object] | None = None


class Store:
    """The place of one mechanism in the cache of its project.

    The slot says whose place it is. The cache key says what the entry depends on: one with another cache key is out of
    date, and the next one replaces it.
    """

    def __init__(self, root: Path, slot: Mapping[str, Plain], cache_key: Mapping[str, Plain]) -> None:
        """root: the folder of the project. Nothing is made there before an entry is saved."""
        self._folder = CacheFolder(root)
        self._slot = dict(slot)
        self._cache_key = dict(cache_key)
        self._name = _name(self._slot)

    def load(self) -> Entry | None:
        """The entry, None if there is none with this cache key.

        Raises:
            StoreProblem: there is a file, but it cannot be read, or the user's key has not signed it for this store.
        """
        content = self._folder.read(self._name, MOST_BYTES)
        return None if content is None else self.read(content, str(self._folder.path / self._name))

    def read(self, content: bytes, place: str) -> Entry | None:
        """The entry of these bytes, which lie at that place; None if it has another cache key. Raises StoreProblem."""
        try:
            document = json.loads(content)
        except (ValueError, RecursionError):
            raise StoreProblem(f"{place} is broken, and is ignored") from None
        match document:
            case {
                "dplint": int(version),
                "slot": dict(slot),
                "cache_key": dict(cache_key),
                "verdict": str(verdict),
                "runs": int(runs),
                "state": dict() | None as state,
                "outcome": list() | None as outcome,
                "spent": float(spent),
            } if version == _FORMAT and slot == self._slot and runs >= 0 and 0 <= spent < math.inf:
                if cache_key != self._cache_key:
                    return None
                places, repairs = _places(document.get("places")), document.get("repairs")
                found = repairs if isinstance(repairs, list) else None
                return Entry(verdict, runs, state, outcome, spent, places, found)
            case _:
                raise StoreProblem(f"{place} is no cache file of this version of dplint, and is ignored")

    def save(self, entry: Entry) -> None:
        """Keep the entry in place of the one before.

        Raises:
            StoreProblem: the folder cannot be written, or the entry is too large.
        """
        content = self.written(entry)
        try:
            self._folder.write(self._name, content)
        except OSError as error:
            path = self._folder.path
            raise StoreProblem(f"{path} cannot be written ({error.strerror or error}), and nothing is kept") from None

    def written(self, entry: Entry) -> bytes:
        """The entry as bytes. Raises StoreProblem if it is too large."""
        document = {
            "dplint": _FORMAT,
            "slot": self._slot,
            "cache_key": self._cache_key,
            "verdict": entry.verdict,
            "runs": entry.runs,
            "state": entry.state,
            "outcome": entry.outcome,
            "spent": float(entry.spent),
            "places": entry.places,
            "repairs": entry.repairs,
        }
        content = json.dumps(document, separators=(",", ":")).encode()
        if len(content) > MOST_BYTES:
            raise StoreProblem(f"what this audit has learnt takes {len(content) >> 20} MiB, and is not kept")
        return content

    @property
    def stamp(self) -> str:
        """A digest of the slot and the cache key: of all that the entry depends on."""
        return hashlib.sha256(json.dumps([self._slot, self._cache_key], sort_keys=True).encode()).hexdigest()


def _places(document: object) -> dict[str, object] | None:
    """None for what is no document of places."""
    match document:
        case {"text": str(text), "lines": list(lines)} if all(map(_is_place, lines)):
            return {"text": text, "lines": lines}
    return None


def _is_place(one: object) -> bool:
    return isinstance(one, list) and len(one) == 2 and all(type(number) is int and number >= 0 for number in one)


def _name(slot: Mapping[str, Plain]) -> str:
    canonical = json.dumps(dict(slot), sort_keys=True)
    return f"{hashlib.sha256(canonical.encode()).hexdigest()[:32]}.json"


_MARK = b"dplint-entry 2 "
_PLAIN, _SIGNED = "sha256", "hmac-sha256"
_LINE = 200
"""Bytes at most of the first line."""
_VIOLATION = "violation"
_PATIENCE, _PAUSE = 30.0, 300.0
"""Seconds that may be lost in a row to a place that does not answer, and for how long it is not asked any more then."""
_T = TypeVar("_T")


class NotOurs(StoreProblem):
    """What lies under a name is damaged, or was put there by somebody else."""


class EntryStore(Protocol):
    """Where an entry is kept: in the cache of its project, or in a shared one."""

    def load(self) -> Entry | None:
        """The entry, None if there is none. Raises StoreProblem if what is there cannot be used."""

    def save(self, entry: Entry) -> None:
        """Keep the entry. Raises StoreProblem if it cannot be kept."""


class SharedCache:
    """A place for entries. key: what they are signed with, None for a digest alone."""

    def __init__(self, location: str, key: bytes | None = None) -> None:
        """location: a folder, or a URL that fsspec knows. Raises StoreProblem for any other."""
        self.location, self._key = location.rstrip("/"), key
        self._place: _Folder | _Url = _Url(self.location) if "://" in location else _Folder(Path(location))
        self._lost, self._again = 0.0, 0.0

    def store(self, store: Store) -> EntryStore:
        """The place of the entry that a store is for, in this cache."""
        return _SharedStore(self, store)

    def read(self, name: str) -> bytes | None:
        """What lies under the name, None if nothing does.

        Raises NotOurs if it is not as it was written, StoreProblem if nobody knows.
        """
        content = self._asked(lambda: self._place.read(name), f"{self._shown(name)} cannot be read", "is ignored")
        return None if content is None else self._verified(content, name)

    def write(self, name: str, body: bytes, *, new: bool = False) -> None:
        """Put something under the name. new: only if nothing lies there. Raises StoreProblem if that fails."""
        method = _PLAIN if self._key is None else _SIGNED
        content = _MARK + f"{method} {self._digest(name, body)}\n".encode() + body
        failed = f"{self._shown(name)} cannot be written"
        self._asked(lambda: self._place.write(name, content, new=new), failed, "is not kept")

    def agreed(self, name: str, proposed: Callable[[], bytes], usable: Callable[[bytes], bool]) -> bytes:
        """What lies under the name, the same for all that ask at any time: what the first of them has proposed.

        usable: what is not is replaced, as is what is not ours. Of two that ask in the same moment, one may get
        another answer where the store cannot tell who was first. Raises StoreProblem if the store does not answer.
        """
        with contextlib.suppress(NotOurs):
            there = self.read(name)
            if there is None:
                with contextlib.suppress(StoreProblem):  # most likely somebody else was first
                    self.write(name, proposed(), new=True)
                there = self.read(name)
            if there is not None and usable(there):
                return there
        self.write(name, proposed())
        there = self.read(name)
        if there is None or not usable(there):
            raise StoreProblem(f"{self._shown(name)} is not there as it was written")
        return there

    def _asked(self, ask: Callable[[], _T], failed: str, so: str) -> _T:
        """What the place says. Raises StoreProblem with these words if it fails, or has lately cost too much time."""
        before = time.monotonic()
        if before < self._again:
            raise StoreProblem(f"{self.location} did not answer, and is not asked for {_PAUSE / 60:g} minutes")
        try:
            found = ask()
        except Exception as error:  # each store has errors of its own
            self._lost += time.monotonic() - before
            if self._lost > _PATIENCE:
                self._lost, self._again = 0.0, time.monotonic() + _PAUSE
            raise StoreProblem(f"{failed} ({_words(error)}), and {so}") from None
        self._lost = 0.0
        return found

    def _verified(self, content: bytes, name: str) -> bytes:
        place = self._shown(name)
        first, _, body = content[:_LINE].partition(b"\n")
        body = content[len(first) + 1 :]
        method, _, digest = first.removeprefix(_MARK).decode("ascii", "replace").partition(" ")
        if not first.startswith(_MARK) or method not in (_PLAIN, _SIGNED):
            raise NotOurs(f"{place} is no entry of dplint, and is ignored")
        if (method == _SIGNED) != (self._key is not None):
            why = "is signed, and there is no key to verify it" if method == _SIGNED else "is not signed"
            raise NotOurs(f"{place} {why}, and is ignored")
        if not hmac.compare_digest(digest.encode(), self._digest(name, body).encode()):
            why = "is damaged" if method == _PLAIN else "is damaged, or signed with another key"
            raise NotOurs(f"{place} {why}, and is ignored")
        return body

    def _digest(self, name: str, body: bytes) -> str:
        """Of what lies under this name: nobody can put it under another one."""
        told = f"dplint shared cache\0{name}\0".encode() + body
        if self._key is None:
            return hashlib.sha256(told).hexdigest()
        return hmac.new(self._key, told, hashlib.sha256).hexdigest()

    def _shown(self, name: str) -> str:
        return f"{self.location}/{name}"


class _SharedStore:
    def __init__(self, cache: SharedCache, store: Store) -> None:
        self._cache, self._store = cache, store
        # a folder with all entries of a company would be slow on many disks
        self._name = f"{store.stamp[:2]}/{store.stamp}"

    def load(self) -> Entry | None:
        body = self._cache.read(self._name)
        return None if body is None else self._store.read(body, f"{self._cache.location}/{self._name}")

    def save(self, entry: Entry) -> None:
        with contextlib.suppress(StoreProblem):
            there = self.load()
            if there is not None and _knows_more(there, entry):
                return
        self._cache.write(self._name, self._store.written(entry))


def _knows_more(one: Entry, other: Entry) -> bool:
    """A violation that was found once stays known; else the longer search counts."""
    violations = one.verdict == _VIOLATION, other.verdict == _VIOLATION
    return violations[0] if violations[0] != violations[1] else one.spent > other.spent


class _Folder:
    def __init__(self, root: Path) -> None:
        self._root = root

    def read(self, name: str) -> bytes | None:
        try:
            with (self._root / name).open("rb") as stream:
                return _bounded(stream.read(MOST_BYTES + _LINE + 1))
        except (FileNotFoundError, NotADirectoryError):
            return None

    def write(self, name: str, content: bytes, *, new: bool) -> None:
        path = self._root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(f"{uuid.uuid4().hex}.tmp")
        try:
            unfinished.write_bytes(content)  # with the permissions of any new file: others are to read it
            if new:
                path.hardlink_to(unfinished)
            else:
                unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)


class _Url:
    def __init__(self, location: str) -> None:
        try:
            from fsspec.core import url_to_fs  # noqa: PLC0415 - only where it is asked for
        except ModuleNotFoundError:
            raise StoreProblem(
                f"{location} takes fsspec, which is not installed: install dplint with its extra cluster"
            ) from None
        try:
            found: tuple[Any, str] = url_to_fs(location)
        except (ImportError, ValueError, OSError) as error:
            raise StoreProblem(f"{location} is no place for a cache: {error}") from None
        self._system, self._root = found

    def read(self, name: str) -> bytes | None:
        try:
            return _bounded(bytes(self._system.cat_file(f"{self._root}/{name}", end=MOST_BYTES + _LINE + 1)))
        except FileNotFoundError:
            return None

    def write(self, name: str, content: bytes, *, new: bool) -> None:
        path = f"{self._root}/{name}"
        try:
            self._put(path, content, new=new)
        except (FileNotFoundError, NotADirectoryError):
            # Where there are folders. A bucket is not made: who has mistyped one wants to be told.
            with contextlib.suppress(OSError):
                self._system.mkdir(path.rpartition("/")[0], create_parents="local" in self._system.protocol)
            self._put(path, content, new=new)

    def _put(self, path: str, content: bytes, *, new: bool) -> None:
        try:
            self._system.pipe_file(path, content, **({"mode": "create"} if new else {}))
        except (TypeError, ValueError, NotImplementedError):
            if not new:
                raise
            self._system.pipe_file(path, content)  # a store that cannot tell what is new


def _bounded(content: bytes) -> bytes:
    if len(content) > MOST_BYTES + _LINE:
        raise ValueError("it is too large")
    return content


def _words(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
