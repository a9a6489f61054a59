"""What shards have found, written so that nothing is lost, and put together again.

The JSON report of a shard has the key "shard": `{"number", "of", "mechanisms", "digest", "version", "events"}`. Events
are what the check yielded, as the cache writes it (`dplint.store.codec`), for the same version of dplint to read.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from dplint import __version__
from dplint.outcomes import CheckError, Dealt, Finding, Plan, Result, Silenced
from dplint.report.gathered import Gathered, gather
from dplint.report.json_evidence import Json
from dplint.store.codec import codec

_EVENTS = tuple[Plan | Result | Finding | Silenced | CheckError, ...]


class PartError(ValueError):
    """What is wrong with a part, or with parts together, and how to mend it."""


@dataclass(frozen=True, slots=True)
class Part:
    """What one shard has found. name: that of its file. seconds: how long the shard took."""

    name: str
    dealt: Dealt
    gathered: Gathered
    seconds: float


def part_json(gathered: Gathered) -> Json:
    """The value of the key "shard"; None for what is no shard."""
    dealt = gathered.dealt
    if dealt is None:
        return None
    events = (
        Plan(gathered.mechanisms, dealt),
        *(replace(one, explained_by=(), same_causes=()) for one in gathered.results),
        *gathered.all_findings,
        *gathered.disproved,
        *gathered.silenced,
        *gathered.known,
        *gathered.errors,
    )
    return {
        "number": dealt.shard.number,
        "of": dealt.shard.of,
        "mechanisms": dealt.mechanisms,
        "digest": dealt.digest,
        "version": __version__,
        "events": codec(_EVENTS).write(events),
    }


def read_part(name: str, text: str) -> Part:
    """What a shard has written.

    Raises:
        PartError: the text is no JSON report of a shard, or one of another version of dplint.
    """
    try:
        document: Any = json.loads(text)
        shard, seconds = document.get("shard"), float(document["summary"]["seconds"])
        hidden = int(document["summary"]["hidden"])
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise PartError(f"'{name}' is no JSON report of `dplint check`") from None
    if not isinstance(shard, dict):
        raise PartError(f"'{name}' is the report of a whole check: write parts with --shard K/N --format json=FILE")
    if shard.get("version") != __version__:
        raise PartError(
            f"'{name}' was written by dplint {shard.get('version')}, and this is {__version__}: "
            "let all shards and `dplint merge` use the same version"
        )
    try:
        gathered = gather(codec(_EVENTS).read(shard.get("events")))
    except (ValueError, RecursionError):
        gathered = None
    if gathered is None or gathered.dealt is None:
        raise PartError(f"'{name}' is damaged: run its shard again")
    return Part(name, gathered.dealt, replace(gathered, hidden=hidden), seconds)


def merged(parts: Sequence[Part]) -> Gathered:
    """What all shards have found together, as the whole check would have.

    Raises:
        PartError: a shard is missing or there twice, or the parts are not of the same check.
    """
    first = parts[0]
    for part in parts[1:]:
        _require_same_check(first, part)
    of = first.dealt.shard.of
    names: dict[int, str] = {}
    for part in parts:
        number = part.dealt.shard.number
        if number in names:
            raise PartError(f"shard {number}/{of} is there twice, in '{names[number]}' and '{part.name}'")
        names[number] = part.name
    missing = [f"{number}/{of}" for number in range(1, of + 1) if number not in names]
    if missing:
        raise PartError(
            f"{'shards' if len(missing) > 1 else 'shard'} {', '.join(missing)} missing: a part of the "
            "mechanisms was not checked. Name the files of all shards"
        )
    planned = sum(len(part.gathered.mechanisms) for part in parts)
    if planned != first.dealt.mechanisms:
        raise PartError(f"the shards have {planned} mechanisms, and the check has {first.dealt.mechanisms}")
    return _together(parts)


def _require_same_check(first: Part, other: Part) -> None:
    if first.dealt.shard.of != other.dealt.shard.of:
        raise PartError(
            f"'{first.name}' is one of {first.dealt.shard.of} shards, and '{other.name}' one of "
            f"{other.dealt.shard.of}: they are not of the same check"
        )
    if first.dealt.digest != other.dealt.digest:
        raise PartError(
            f"'{first.name}' and '{other.name}' are not of the same check: let all shards see the same files, paths, "
            "settings and options"
        )


def _together(parts: Sequence[Part]) -> Gathered:
    everything: list[Plan | Result | Finding | Silenced | CheckError] = []
    for part in parts:
        one = part.gathered
        everything += [Plan(one.mechanisms), *one.results, *one.findings, *one.silenced, *one.known, *one.errors]
    return replace(gather(everything), hidden=sum(part.gathered.hidden for part in parts))
