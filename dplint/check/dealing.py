"""Which part of a check a shard does.

The same sources and settings are dealt in the same way on every machine: by what mechanisms cost in an earlier report
that all machines are given, else by budgets, which are the most that audits cost. What a shared cache knows costs next
to nothing; but it changes while shards begin. So there the shard that comes first notes how it has dealt, and the
others do as it says. A cache that machines do not share is not asked. Each mechanism, and each thing that was found or
could not be read, belongs to one shard.

From a job to its bundle: the files of the project that the mechanism can reach, and no path of this machine.
"""

from __future__ import annotations

import functools
import hashlib
import heapq
import json
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import assert_never

from dplint.check.loading import LoadedFile, Pending
from dplint.check.mechanism_keys import MechanismKeys
from dplint.config import Settings
from dplint.contents import content
from dplint.jobs import AuditJob
from dplint.outcomes import CheckError, CheckEvent, Dealt, Finding, Plan, Progress, Repaired, Result, Shard, Silenced
from dplint.store import SharedCache
from dplint.workers.messages import Bundle, BundleError

_KNOWN_SECONDS = 0.05
"""What a mechanism costs whose result is in the cache."""


class Deal:
    """A check dealt into shards, as one of them sees it."""

    def __init__(
        self,
        shard: Shard,
        pending: Sequence[Pending],
        files: Sequence[LoadedFile],
        costs: Mapping[str, float],
        cache: SharedCache | None = None,
        known: Callable[[], Collection[str]] = tuple,
    ) -> None:
        """files: all that were read. costs: seconds that mechanisms took, by name, as far as that is known.

        cache: what all shards share. known: the names of those whose results are there. Raises StoreProblem if the
        cache does not answer, for then nobody knows how the others were dealt.
        """
        self._shard = shard
        self._pending = pending
        self._seen = _digest_of_all(pending, files)
        expected = {one.mechanism.name: costs.get(one.mechanism.name, one.settings.budget) for one in pending}

        if cache is None:
            self._shards = _dealt(expected, shard.of)
            return

        @functools.cache
        def proposed() -> bytes:
            return json.dumps(_dealt(expected | dict.fromkeys(known(), _KNOWN_SECONDS), shard.of)).encode()

        name = f"deals/{self._whole(dict.fromkeys(expected, shard.of))}"
        agreed = cache.agreed(name, proposed, lambda body: self._read(body) is not None)
        self._shards = self._read(agreed) or {}

    def _read(self, body: bytes) -> dict[str, int] | None:
        """How another shard of the same check has dealt; None if it is no such thing."""
        try:
            found = json.loads(body)
        except (ValueError, RecursionError):
            return None
        names = {one.mechanism.name for one in self._pending}
        fits = isinstance(found, dict) and found.keys() == names
        fits = fits and all(type(one) is int and 1 <= one <= self._shard.of for one in found.values())
        return found if fits else None

    @property
    def own(self) -> list[Pending]:
        """The mechanisms of this shard, in their order."""
        return [one for one in self._pending if self._shards[one.mechanism.name] == self._shard.number]

    @property
    def dealt(self) -> Dealt:
        """What this shard is a part of."""
        return Dealt(self._shard, len(self._shards), self._whole(self._shards))

    def _whole(self, shards: Mapping[str, int]) -> str:
        """A digest of the whole check, and of how it is dealt."""
        dealt = "".join(f"{one.mechanism.name}\0{shards[one.mechanism.name]}\n" for one in self._pending)
        return hashlib.sha256(f"{self._seen}\n{dealt}".encode()).hexdigest()

    def has(self, event: CheckEvent) -> bool:
        """Whether it is for this shard to tell.

        What is said of a mechanism belongs to its shard, so that a report has what explains a violation. Anything else
        belongs to a shard by its file.
        """
        match event:
            case Silenced(item=item):
                return self.has(item)
            case Result(mechanism=mechanism) | Repaired(mechanism=mechanism):
                return self._is_own(mechanism.name, mechanism.file)
            case Finding(file=file, function=function):
                return self._is_own(f"{file}::{function}", file)
            case CheckError(file=file):
                return self._is_own("", file)
            case Plan() | Progress():
                return True
            case _:
                assert_never(event)

    def _is_own(self, name: str, file: str) -> bool:
        """name: of a mechanism, of a function within one, or of anything else that is in the file."""
        while name not in self._shards and "." in name:
            name = name.rpartition(".")[0]
        return self._shards.get(name, _shard_of_text(file, self._shard.of)) == self._shard.number


def _digest_of_all(pending: Sequence[Pending], files: Sequence[LoadedFile]) -> str:
    """Of all that the files and the mechanisms are made of, and of the settings; not of what is installed."""
    whole, keys = hashlib.sha256(), MechanismKeys(environment="")
    for file in files:
        text = hashlib.sha256(file.text.encode("utf-8", "replace")).hexdigest()
        whole.update(f"{file.file}\0{text}\0{_settings(file.settings)}\n".encode())
    for one in pending:
        try:
            made_of = keys.digest(one.mechanism, "", one.text)
        except OSError:  # it was there just now, and the audit will fail
            made_of = ""
        whole.update(f"{one.mechanism.name}\0{one.mechanism.digest}\0{made_of}\n".encode())
    return whole.hexdigest()


def _settings(settings: Settings) -> str:
    """The settings but for what may differ between machines that do the same."""
    plain = replace(settings, jobs=1, interpreter=None, cache=True, root=None, mechanisms={}, allow=frozenset())
    return f"{plain}\0{sorted(settings.allow)}"


def _dealt(costs: Mapping[str, float], shards: int) -> dict[str, int]:
    """The shard of each name, from 1 on: the most expensive first, each to the shard that has the least to do."""
    loads = [(0.0, number) for number in range(1, shards + 1)]
    dealt: dict[str, int] = {}
    for name in sorted(costs, key=lambda one: (-costs[one], one)):
        load, number = heapq.heappop(loads)
        dealt[name] = number
        heapq.heappush(loads, (load + costs[name], number))
    return dealt


def _shard_of_text(text: str, shards: int) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") % shards + 1


_INSTALLED = {"site-packages", "dist-packages"}


def bundle_of(job: AuditJob, keys: MechanismKeys) -> tuple[Bundle, str]:
    """The bundle of a job, and the folder that its paths are relative to.

    Raises:
        BundleError: the mechanism belongs to no project that could be sent.
    """
    mechanism = job.mechanism
    if _INSTALLED & set(Path(mechanism.path).parts):
        raise BundleError("its file is one of an installed package, which is not sent to a cluster")
    top = Path(os.path.commonpath([mechanism.import_root, mechanism.project_root, Path(mechanism.path).parent]))

    def relative(path: str | Path) -> str:
        return Path(path).relative_to(top).as_posix()

    try:
        files = sorted(keys.files(mechanism, job.source_text))
        contents = tuple((relative(file), content(file)) for file in files)
    except OSError as error:
        raise BundleError(f"{error.filename} cannot be read ({error.strerror or error})") from None
    placed = replace(
        mechanism,
        path=relative(mechanism.path),
        import_root=relative(mechanism.import_root),
        project_root=relative(mechanism.project_root),
    )
    sent = replace(job, mechanism=placed, settings=replace(job.settings, interpreter=""))
    return Bundle(sent, contents), str(top)
