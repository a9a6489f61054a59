"""What was read in the files of a project, so that a file that has not changed need not be parsed again.

One file holds all of it: a check asks for hundreds of entries, and one read answers them. Nothing in it is trusted, as
in the other files of the folder. Of two processes that write at once, the last one wins, and the other's entries are
made again when they are wanted.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from dplint.claims import Mechanism
from dplint.outcomes import Finding
from dplint.relations import relation_of
from dplint.store.codec import codec
from dplint.store.folder import INDEX, CacheFolder
from dplint.store.problem import StoreProblem

MOST_FILES = 5_000
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
        kept = dict(list(files.items())[-MOST_FILES:])
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
