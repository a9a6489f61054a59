"""Looking into texts: the numbers in them, the words around these, and what a text says in JSON.

A noisy number in a text makes every text another one, so that none of them is worth an event. Seen through views, such
as `json.loads(output)`, its numbers are leaves like any others. Batches that hold no more than a few different texts
are left alone: each of these is a value of its own, and what an event says of them is asked of each text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from dplint.program.vocabulary import NUMBER
from dplint.runner.batch import Batch, Group, Leaf, LeafKind, Raised, Record, Skeleton, Viewed
from dplint.runner.batch import Mapping as MappingSkeleton
from dplint.runner.batch import Sequence as SequenceSkeleton
from dplint.runner.decode import skeleton_of
from dplint.runner.flatten import Flattener, Strings

_FEW = 24
"""Different texts with numbers in them that a batch may hold without anybody looking into them."""
_MANY = 1 << 20
"""Codes of ways to look that are sorted rather than counted."""
_LONGEST = 1000
"""Characters of the longest text that is known in full; see `runner.flatten`."""
_NUMBER = re.compile(f"({NUMBER})")
_TEXTUAL = (LeafKind.STRING, LeafKind.BIGINT, LeafKind.OTHER)
Rows = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class _Reading:
    """What is in a text: its skeleton, and the kinds and values of its leaves, but for the text itself."""

    skeleton: Viewed
    kinds: tuple[int, ...]
    values: tuple[float | str, ...]


def read_texts(batch: Batch, few: int = _FEW) -> Batch:
    """The batch with a look into its texts; the same batch where there is nothing to see in them, or only a few."""
    if len(batch.strings) <= few:
        return batch
    used = [group.values[group.kinds == LeafKind.STRING] for group in batch.groups]
    found = {}
    # Batches that were made together share their texts.
    for number in _different(np.concatenate([np.zeros(0), *used]).astype(np.intp)).tolist():
        reading = _reading(batch.strings[number])
        if reading is not None:
            found[number] = reading
    if len(found) <= few:
        return batch
    texts = {text: number for number, text in enumerate(batch.strings)}
    groups = [part for group in batch.groups for part in _looked_into(group, found, texts)]
    return Batch(batch.runs, tuple(groups), tuple(texts))


def _different(numbers: Rows) -> Rows:
    """The different ones of small numbers from 0 on, ascending: much faster than sorting them."""
    return np.flatnonzero(np.bincount(numbers))


@lru_cache(maxsize=1 << 15)
def _reading(text: str) -> _Reading | None:
    """What is in a text; None if nothing is, or if the text is not known in full."""
    if len(text) > _LONGEST:
        return None
    words = _NUMBER.split(text)
    if len(words) == 1:
        return None
    if text[0] in "{[" and (found := _json(text)) is not None:
        return found
    return _Reading(*_of_numbers(len(words) // 2), ("#".join(words[::2]), *map(float, words[1::2])))


@lru_cache(maxsize=256)
def _of_numbers(count: int) -> tuple[Viewed, tuple[int, ...]]:
    """The skeleton of a text with so many numbers in it, and the kinds of its leaves."""
    listed = SequenceSkeleton("list", (count,), count)
    skeleton = Viewed("str", None, ("words", "numbers"), (Leaf(), listed), is_text=True)
    return skeleton, (int(LeafKind.STRING), *[int(LeafKind.FLOAT)] * count)


def _json(text: str) -> _Reading | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    strings = Strings()
    flattener = Flattener(strings)
    inner = skeleton_of(flattener.take(value))
    known = strings.all()
    kinds = tuple(flattener.kinds)
    values = tuple(
        known[int(value)] if kind in _TEXTUAL else float(value)
        for kind, value in zip(kinds, flattener.values, strict=True)
    )
    return _Reading(Viewed("str", None, ("json",), (inner,), is_text=True), kinds, values)


def _looked_into(group: Group, readings: Mapping[int, _Reading], texts: dict[str, int]) -> Iterator[Group]:
    """The group in parts, by what its texts look like inside. texts: of the batch, with their numbers; it grows."""
    shapes: dict[Viewed, int] = {}
    # Most are the same object, which is told apart faster than it is hashed.
    codes_by_id: dict[int, int] = {}
    seen: dict[int, Rows] = {}
    codes = np.zeros(len(group.rows), np.int64)
    for leaf in np.flatnonzero((group.kinds == LeafKind.STRING).any(axis=0)).tolist():
        numbers = np.where(group.kinds[:, leaf] == LeafKind.STRING, group.values[:, leaf], -1).astype(np.intp)
        known = {one: readings[one] for one in _different(numbers[numbers >= 0]).tolist() if one in readings}
        if known:
            of_number = np.zeros(int(numbers.max()) + 2, np.int64)
            for one in {id(one.skeleton): one.skeleton for one in known.values()}.values():
                codes_by_id[id(one)] = shapes.setdefault(one, len(shapes) + 1)
            of_number[list(known)] = [codes_by_id[id(one.skeleton)] for one in known.values()]
            seen[leaf] = of_number[numbers]
            # Numbered anew, so that they never grow beyond 64 bits.
            codes = codes * (len(shapes) + 1) + seen[leaf]
            if codes.max(initial=0) > _MANY:
                codes = np.unique(codes, return_inverse=True)[1]
    if not seen:
        yield group
        return
    skeletons = [None, *shapes]
    for code in np.unique(codes).tolist() if codes.max() > _MANY else _different(codes).tolist():
        rows = np.flatnonzero(codes == code)
        inside = {leaf: skeletons[int(shape_of_row[rows[0]])] for leaf, shape_of_row in seen.items()}
        yield _part(group, rows, {leaf: one for leaf, one in inside.items() if one is not None}, readings, texts)


def _part(
    group: Group, rows: Rows, inside: Mapping[int, Viewed], readings: Mapping[int, _Reading], texts: dict[str, int]
) -> Group:
    """Some outputs of a group, all of which look alike inside of the texts that are at these leaves."""
    kinds, values = [], []
    for leaf in range(group.kinds.shape[1]):
        kinds.append(group.kinds[rows, leaf : leaf + 1])
        values.append(group.values[rows, leaf : leaf + 1])
        if leaf in inside:
            numbers = group.values[rows, leaf].astype(np.intp)
            seen = _different(numbers)
            place_of = np.zeros(int(seen[-1]) + 1, np.intp)
            place_of[seen] = np.arange(len(seen))
            places, found = place_of[numbers], [readings[number] for number in seen.tolist()]
            shown = {id(one.kinds): one.kinds for one in found}
            rows_of_kinds = [found[0].kinds] if len(shown) == 1 else [one.kinds for one in found]
            kinds.append(np.broadcast_to(np.array(rows_of_kinds, np.uint8), (len(found), len(found[0].kinds)))[places])
            leaves = [_numbers(column, texts) for column in zip(*(one.values for one in found), strict=True)]
            values.append(np.stack(leaves, axis=1)[places] if leaves else np.empty((len(places), 0)))
    skeleton = _Replacing(inside).of(group.skeleton)
    return Group(skeleton, group.rows[rows], np.concatenate(kinds, axis=1), np.concatenate(values, axis=1))


def _numbers(values: Sequence[float | str], texts: dict[str, int]) -> npt.NDArray[np.float64]:
    """The values of one leaf, texts by their numbers."""
    words = {value: texts.setdefault(value, len(texts)) for value in set(values) if isinstance(value, str)}
    return np.array([words[one] if isinstance(one, str) else one for one in values] if words else values, np.float64)


class _Replacing:
    """Puts what is inside of texts into a skeleton, at the leaves of these numbers."""

    def __init__(self, inside: Mapping[int, Viewed]) -> None:
        self._inside = inside
        self._leaf = 0

    def of(self, skeleton: Skeleton) -> Skeleton:
        """The skeleton, whose leaves are the next ones."""
        match skeleton:
            case Leaf():
                return self._next()
            case Raised(name):
                return Raised(name, self._next())
            case SequenceSkeleton(kind, shape, int(count)):
                if not any(self._leaf <= leaf < self._leaf + count for leaf in self._inside):
                    self._leaf += count
                    return skeleton
                return SequenceSkeleton(kind, shape, tuple(self._next() for _ in range(count)))
            case SequenceSkeleton(kind, shape, tuple(children)):
                return SequenceSkeleton(kind, shape, self._all(children))
            case MappingSkeleton() | Record() | Viewed():
                self._leaf += isinstance(skeleton, Viewed) and skeleton.is_text
                return replace(skeleton, children=self._all(skeleton.children))
        raise TypeError(f"not a skeleton: {skeleton!r}")

    def _all(self, children: Sequence[Skeleton]) -> tuple[Skeleton, ...]:
        return tuple(self.of(child) for child in children)

    def _next(self) -> Leaf | Viewed:
        self._leaf += 1
        return self._inside.get(self._leaf - 1, Leaf())
