"""Entries in the cache folder of a project: one JSON file for each mechanism.

Nothing in the folder is trusted: a file that is cut short or that a stranger has put there is a StoreProblem and not a
crash, and one that another version has written is not there. Any number of processes may read and write at once; the
last one wins.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from dplint.store.folder import CacheFolder
from dplint.store.problem import StoreProblem

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
