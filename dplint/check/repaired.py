"""The repairs of the results of a check, looked for once all verdicts are there.

The cache remembers them where all are proved. They are proved anew: who writes into the cache does not tell what is
proved.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from dplint.check.continuing import Resumed
from dplint.check.loading import Pending, Target
from dplint.check.reading_ahead import PoolAhead
from dplint.check.repairing import TOGETHER, Jobs, Lowerings, Search, search, seconds_for_repairs, wants_repairs
from dplint.claims import Mechanism
from dplint.config import Settings
from dplint.contents import content
from dplint.outcomes import Finding, Known, Progress, Repair, Repaired, Result
from dplint.source.notebooks import is_notebook
from dplint.source.text import DecodeError, decode
from dplint.store import StoreProblem, codec
from dplint.workers.messages import Done
from dplint.workers.pool import Pool, Stop, run_jobs

if TYPE_CHECKING:
    from dplint.check.buffers import BufferReader

_REPAIRS = tuple[Repair, ...]
PHASE = "looking for a repair"


def repaired(
    results: Sequence[Result],
    pending: Sequence[Pending],
    fixes: Sequence[Finding],
    resumed: Callable[[Pending], Resumed],
    workers: int,
    stop: Stop | None,
    pool: PoolAhead,
) -> Iterator[Progress | Repaired]:
    """Of each result that asks for some, as long as a check may look for them.

    Notebooks, and files that cannot be read any more, are left out.

    fixes: findings of rules that have one, which are candidates, too. resumed: the place of a mechanism in the cache.
    """
    by_name = {one.mechanism.name: one for one in pending}
    end = time.monotonic() + TOGETHER
    for result in results:
        one = by_name.get(result.mechanism.name)
        if one is None or not seconds_for_repairs(one.settings) or (stop is not None and stop.requested):
            continue
        if not wants_repairs(result.outcome, one.settings):
            continue
        text, target = _text(one), one.lower()
        if text is None or target is None:
            continue
        mechanism, entry, path = result.mechanism, resumed(one), Path(result.mechanism.path)
        known = _known(entry, text)
        if known == ():
            continue
        if known is None and one.settings.repairs is None and time.monotonic() > end:
            yield Repaired(mechanism, (), late=True)
            continue
        yield Progress(mechanism, PHASE, 0, 0)
        explaining = [each for each in fixes if (each.file, each.function) == (mechanism.file, mechanism.qualname)]
        looking = search(mechanism, target.program, text, result.outcome, one.settings, explaining, known=known or ())
        found = carry_out(looking, path, one.settings, workers, stop, pool.begin())
        proved = all(each.known is Known.PROVED for each in found)
        if known is None and proved and (stop is None or not stop.requested):
            _keep(entry, text, found)
        yield Repaired(mechanism, found)


def carry_out(
    found: Search, path: Path, settings: Settings, workers: int, stop: Stop | None, pool: Pool
) -> tuple[Repair, ...]:
    """The repairs of a search, with texts lowered in this process and jobs done by workers of the pool."""
    from dplint.check.buffers import BufferReader  # noqa: PLC0415 - LibCST

    reader = BufferReader()
    try:
        asked = next(found)
        while True:
            match asked:
                case Lowerings(texts, mechanism):
                    targets = [_lowered(reader, path, text, settings, mechanism) for text in texts]
                    asked = found.send(targets)
                case Jobs():
                    asked = found.send(_done(asked, workers, stop, pool))
    except StopIteration as end:
        repairs: tuple[Repair, ...] = end.value
        return repairs


def _lowered(reader: BufferReader, path: Path, text: str, settings: Settings, mechanism: Mechanism) -> Target | None:
    try:
        return reader.target(path, text, settings, mechanism.qualname, mechanism)
    except Exception:
        return None  # what a candidate has made of the text, which need be no code at all


def _done(asked: Jobs, workers: int, stop: Stop | None, pool: Pool) -> list[object]:
    """The answers, in the order of the jobs."""
    found, begun = list[object]([None] * len(asked.jobs)), time.monotonic()
    with closing(run_jobs(asked.jobs, workers, stop, pool)) as messages:
        for message in messages:
            if isinstance(message.body, Done):
                found[message.job] = message.body.result
                if asked.enough(found, time.monotonic() - begun):
                    break
    return found


def _known(resumed: Resumed, text: str) -> tuple[Repair, ...] | None:
    """What an earlier search in the same text has come to; None if there was none."""
    kept = None if resumed.entry is None else resumed.entry.repairs
    if kept is None or len(kept) != 2 or kept[0] != _digest(text):
        return None
    with suppress(ValueError, RecursionError):
        found: tuple[Repair, ...] = codec(_REPAIRS).read(kept[1])
        return found
    return None


def _keep(resumed: Resumed, text: str, repairs: tuple[Repair, ...]) -> None:
    if resumed.store is not None and resumed.entry is not None:
        with suppress(StoreProblem, ValueError):
            resumed.store.save(replace(resumed.entry, repairs=[_digest(text), codec(_REPAIRS).write(repairs)]))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _text(one: Pending) -> str | None:
    if is_notebook(one.mechanism.path):
        return None
    try:
        return one.text if one.text is not None else decode(content(Path(one.mechanism.path))).removeprefix("\ufeff")
    except (OSError, DecodeError):
        return None
