"""Looking into texts: the numbers in them, the words around these, and what a text says in JSON.

A noisy number in a text makes every text another one, so that none of them is worth an event. Seen through views, such
as `json.loads(output)`, its numbers are leaves like any others. Batches that hold no more than a few different texts
are left alone: each of these is a value of its own, and what an event says of them is asked of each text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice

import numpy as np
import numpy.typing as npt

from dplint.program.calls import NUMBER
from dplint.runner.batch import Batch, Group, Leaf, LeafKind, Raised, Record, Skeleton, Viewed
from dplint.runner.batch import Mapping as MappingSkeleton
from dplint.runner.batch import Sequence as SequenceSkeleton
from dplint.runner.decode import skeleton_of
from dplint.runner.flatten import Flattener, Strings
from dplint.runner.texts import TextNumbers

_FEW = 24
"""Different texts with numbers in them that a batch may hold without anybody looking into them."""
_MANY = 1 << 20
"""The largest code of ways to look that is counted rather than sorted."""
_NEW = -1
"""The code of a text that nobody has looked into."""
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


class _Shape:
    """Texts that look alike inside. kinds, values: of their leaves, the texts left out, shape (texts, leaves)."""

    def __init__(self, skeleton: Viewed, leaves: int) -> None:
        self.skeleton = skeleton
        self.kinds = np.zeros((0, leaves), np.uint8)
        self.values = np.zeros((0, leaves))
        self.size = 0
        self._new: tuple[list[int], list[float]] = [], []

    def add(self, kinds: Iterable[int], values: Iterable[float]) -> int:
        """The place of one more text; its kinds and values can be seen after `settle`."""
        self._new[0].extend(kinds)
        self._new[1].extend(values)
        self.size += 1
        return self.size - 1

    def settle(self) -> None:
        """Put texts that are new behind the others."""
        if self.size > len(self.kinds):
            more = self.size - len(self.kinds), self.kinds.shape[1]
            self.kinds = np.concatenate([self.kinds, np.array(self._new[0], np.uint8).reshape(more)])
            self.values = np.concatenate([self.values, np.array(self._new[1], np.float64).reshape(more)])
            self._new = [], []


class TextReader:
    """Looks into the texts of the batches of an audit, into each text once. texts: the numbers of all texts."""

    def __init__(self, texts: TextNumbers) -> None:
        self.texts = texts
        self._codes: dict[Viewed, int] = {}
        self._of_numbers: dict[int, int] = {}
        self._known: list[_Shape] = []
        self._code = np.zeros(0, np.intp)
        self._place = np.zeros(0, np.intp)

    def read(self, batch: Batch, few: int = _FEW) -> Batch:
        """The batch with a look into its texts, or as it is where there is nothing to see in them, or only a few.

        Its strings are those of the audit.
        """
        batch = numbered(batch, self.texts)
        if len(batch.strings) <= few:
            return batch
        seen = np.unique(np.concatenate([_different(_numbers_of_texts(group)) for group in batch.groups]))
        self._look(seen)
        if np.count_nonzero(self._code[seen]) <= few:
            return batch
        return Batch(batch.runs, tuple(part for group in batch.groups for part in self._parts(group)), batch.strings)

    def _look(self, numbers: Rows) -> None:
        """Look into texts that are new. A code is 0 for nothing, else one more than that of the shape."""
        if len(numbers) and numbers[-1] >= len(self._code):
            more = 2 * len(self.texts.texts) - len(self._code)
            self._code = np.concatenate([self._code, np.full(more, _NEW)])
            self._place = np.concatenate([self._place, np.zeros(more, np.intp)])
        texts = self.texts
        for number in numbers[self._code[numbers] == _NEW].tolist():
            text = texts.texts[number]
            words = _NUMBER.split(text) if len(text) <= _LONGEST else []
            if len(words) < 2:
                self._code[number] = 0
            elif text[0] in "{[" and (reading := _json(text)) is not None:
                code = self._code_of(reading.skeleton, len(reading.kinds))
                values = [texts.number(one) if isinstance(one, str) else one for one in reading.values]
                self._code[number], self._place[number] = code, self._known[code - 1].add(reading.kinds, values)
            else:
                count = len(words) // 2
                code = self._of_numbers.get(count) or self._code_of_numbers(count)
                values = [texts.number("#".join(words[::2])), *map(float, words[1::2])]
                self._code[number], self._place[number] = code, self._known[code - 1].add(_kinds(count), values)
        for shape in self._known:
            shape.settle()

    def _code_of(self, skeleton: Viewed, leaves: int) -> int:
        """The code of texts that look like this inside."""
        code = self._codes.setdefault(skeleton, len(self._codes) + 1)
        if code > len(self._known):
            self._known.append(_Shape(skeleton, leaves))
        return code

    def _code_of_numbers(self, count: int) -> int:
        """The code of texts with so many numbers in them, and words around; kept, as skeletons are slow to look up."""
        listed = SequenceSkeleton("list", (count,), count)
        skeleton = Viewed("str", None, ("words", "numbers"), (Leaf(), listed), is_text=True)
        self._of_numbers[count] = self._code_of(skeleton, 1 + count)
        return self._of_numbers[count]

    def _parts(self, group: Group) -> Iterator[Group]:
        """The group in parts, by what its texts look like inside."""
        kinds, values = group.kinds, group.values
        seen: dict[int, Rows] = {}
        codes = np.zeros(len(group.rows), np.intp)
        for leaf in np.flatnonzero((kinds == LeafKind.STRING).any(axis=0)).tolist():
            textual = kinds[:, leaf] == LeafKind.STRING
            shapes = np.where(textual, self._code[np.where(textual, values[:, leaf], 0.0).astype(np.intp)], 0)
            if shapes.any():
                seen[leaf] = shapes
                codes = codes * (len(self._known) + 1) + shapes
                if codes.max(initial=0) > _MANY:
                    # Numbered anew, so that they never grow beyond 64 bits.
                    codes = np.unique(codes, return_inverse=True)[1]
        if not seen:
            yield group
            return
        for code in _different(codes).tolist():
            rows = np.flatnonzero(codes == code)
            inside = {leaf: self._known[shapes[rows[0]] - 1] for leaf, shapes in seen.items() if shapes[rows[0]]}
            yield self._part(group, rows, inside)

    def _part(self, group: Group, rows: Rows, inside: Mapping[int, _Shape]) -> Group:
        """Some outputs of a group, all of which look alike inside of the texts that are at these leaves."""
        kinds, values = [], []
        for leaf in range(group.kinds.shape[1]):
            kinds.append(group.kinds[rows, leaf : leaf + 1])
            values.append(group.values[rows, leaf : leaf + 1])
            if leaf in inside:
                places = self._place[values[-1][:, 0].astype(np.intp)]
                kinds.append(inside[leaf].kinds[places])
                values.append(inside[leaf].values[places])
        leaves = (inside[leaf].skeleton if leaf in inside else Leaf() for leaf in range(group.kinds.shape[1]))
        skeleton = _with_leaves(group.skeleton, leaves)
        return Group(skeleton, group.rows[rows], np.concatenate(kinds, axis=1), np.concatenate(values, axis=1))


def numbered(batch: Batch, texts: TextNumbers) -> Batch:
    """The batch with the strings of the audit."""
    if batch.strings is texts.texts or not batch.strings:
        return batch
    numbers = np.array([texts.number(text) for text in batch.strings], np.float64)
    groups = []
    for group in batch.groups:
        textual, values = np.isin(group.kinds, _TEXTUAL), group.values.copy()
        values[textual] = numbers[values[textual].astype(np.intp)]
        groups.append(Group(group.skeleton, group.rows, group.kinds, values))
    return Batch(batch.runs, tuple(groups), texts.texts)


def _numbers_of_texts(group: Group) -> Rows:
    """The texts of outputs of one shape by their numbers, in no order."""
    textual = group.kinds == int(LeafKind.STRING)
    return (group.values if textual.all() else group.values[textual]).astype(np.intp).reshape(-1)


def _different(numbers: Rows) -> Rows:
    """The different ones of small numbers from 0 on, ascending: much faster than sorting them."""
    return np.flatnonzero(np.bincount(numbers))


@lru_cache(maxsize=256)
def _kinds(count: int) -> tuple[int, ...]:
    """The kinds of what is in a text with so many numbers: the words, and the numbers."""
    return (int(LeafKind.STRING), *[int(LeafKind.FLOAT)] * count)


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


def _with_leaves(skeleton: Skeleton, leaves: Iterator[Leaf | Viewed]) -> Skeleton:
    """The skeleton with these in place of its leaves, in their order."""
    match skeleton:
        case Leaf():
            return next(leaves)
        case Raised(name):
            return Raised(name, next(leaves))
        case SequenceSkeleton(kind, shape, int(count)):
            items = tuple(islice(leaves, count))
            plain = all(isinstance(one, Leaf) for one in items)
            return skeleton if plain else SequenceSkeleton(kind, shape, items)
        case SequenceSkeleton(kind, shape, tuple(children)):
            return SequenceSkeleton(kind, shape, tuple(_with_leaves(child, leaves) for child in children))
        case MappingSkeleton() | Record() | Viewed():
            if isinstance(skeleton, Viewed) and skeleton.is_text:
                next(leaves)
            return replace(skeleton, children=tuple(_with_leaves(child, leaves) for child in skeleton.children))
    raise TypeError(f"not a skeleton: {skeleton!r}")
