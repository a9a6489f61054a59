"""From the runner's columns to batches, trusting nothing: user code shares the runner's process."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from dplint.runner.batch import (
    Batch,
    Group,
    Leaf,
    LeafKind,
    Mapping,
    Raised,
    Record,
    Sequence,
    Skeleton,
    Viewed,
    leaves_of,
)
from dplint.runner.draw_events import Reader
from dplint.runner.frames import BrokenFrame
from dplint.runner.literals import decode as decode_literal
from dplint.runner.views import VIEWS

_INDEXED = np.zeros(max(LeafKind) + 1, np.bool_)
_INDEXED[[LeafKind.STRING, LeafKind.BIGINT, LeafKind.OTHER]] = True
"""Which kinds of leaves point to a string."""


def decode_batches(header: dict[str, Any], body: bytes | bytearray) -> list[Batch]:
    """The batches of an answer. Raises BrokenFrame for bytes that the runner does not send."""
    try:
        reader = Reader(body)
        batches = [_batch(batch, reader) for batch in header["batches"]]
    except (KeyError, IndexError, TypeError, ValueError, RecursionError) as error:
        raise BrokenFrame(f"not an answer with batches: {error!r}") from error
    if reader.offset != len(body):
        raise BrokenFrame(f"{len(body) - reader.offset} bytes too many")
    return batches


def _batch(header: dict[str, Any], reader: Reader) -> Batch:
    strings = tuple(header["strings"])
    runs = header["runs"]
    groups = []
    for item in header["groups"]:
        count, leaves = item["rows"], item["leaves"]
        rows, kinds, values = (
            reader.take("<i4", count),
            reader.take("u1", count, leaves),
            reader.take("<f8", count, leaves),
        )
        skeleton = skeleton_of(item["signature"])
        if leaves_of(skeleton) != leaves:
            raise ValueError(f"{leaves} leaves for {skeleton!r}")
        if kinds.size and kinds.max() > LeafKind.OTHER:
            raise ValueError("unknown kind of leaf")
        indices = values[_INDEXED[kinds]]
        if indices.size and not (indices.min() >= 0 and indices.max() < len(strings)):
            raise ValueError("a leaf points outside the strings")
        groups.append(Group(skeleton, rows, kinds, values))
    every = np.concatenate([group.rows for group in groups]) if groups else np.empty(0, np.int32)
    if len(every) != runs or not np.array_equal(np.sort(every), np.arange(runs)):
        raise ValueError("the groups do not cover the runs")
    return Batch(runs, tuple(groups), strings)


def skeleton_of(item: Any) -> Skeleton:
    """The skeleton that a signature of `runner.flatten` says. Raises ValueError, TypeError for what is none."""
    if item == 0:
        return Leaf()
    match item:
        case ["s", str(kind), [*shape], int(count)]:
            return Sequence(kind, tuple(shape), count)
        case ["s", str(kind), [*shape], [*children]]:
            return Sequence(kind, tuple(shape), tuple(map(skeleton_of, children)))
        case ["m", [*keys], [*children], int(length)]:
            return Mapping(
                tuple(decode_literal(json.loads(key)) for key in keys), tuple(map(skeleton_of, children)), length
            )
        case ["r", str(name), [*fields], [*children]]:
            return Record(name, tuple(fields), tuple(map(skeleton_of, children)))
        case ["e", str(name)]:
            return Raised(name)
        case ["v", str(name), None | int() as length, [*views], [*children]] if VIEWS.issuperset(views):
            return Viewed(name, length, tuple(views), tuple(map(skeleton_of, children)))
    raise ValueError(f"not a signature: {item!r}")
