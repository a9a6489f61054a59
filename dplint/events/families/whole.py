"""A sequence as one value: worth a condition where it comes out often, and in not too many ways."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from dplint.events.columns import RowKey, ValueClass
from dplint.events.family import Family
from dplint.events.grids import ValueAxis
from dplint.events.layout import UNORDERED, Part
from dplint.events.sampled import SampledOutputs, SampledPart
from dplint.events.table_values import Table
from dplint.events.thresholds import ATOM, MOST_KEYS, Described, is_literal, row_key
from dplint.program.building import call
from dplint.program.nodes import Expression

_MOST_WAYS = 200
"""A sequence that comes out in more ways than this for one data value is not taken as one value."""


@dataclass(frozen=True)
class Whole(Family):
    """A sequence as one value: all its elements in their order."""

    ORDER: ClassVar[int] = 70
    REFINED: ClassVar[bool] = False
    ALWAYS_NUMBER: ClassVar[bool] = False
    IS_LIST: ClassVar[bool] = True
    COMPLEXITY: ClassVar[int] = 2  # harder than one element

    as_list: bool = False

    @cached_property
    def tree(self) -> Expression:
        """The place, or a list of it."""
        return call("list", self.place.tree) if self.as_list else self.place.tree

    @classmethod
    def found(cls, part: SampledPart) -> Iterator[Self]:
        """Where some values are common in sequences."""
        sight = part.sight
        if sight.flat and part.common_keys and sight.plain.isdisjoint(UNORDERED):
            yield cls(part.place, part.inside(sight.plain), as_list=sight.plain != {"list"})

    def describe(self, sample: SampledOutputs) -> Described | None:
        """The axis of the sequence; None if it never varies, or comes out in too many ways.

        As in Python a list with a NaN equals no list, so it counts as missing.
        """
        counts: Counter[bytes] = Counter()
        ways: Counter[int] = Counter()
        first: dict[bytes, tuple[Table, Part, int]] = {}
        missing = False
        numbered = []
        for table in sample.tables:
            part = table.parts.get(self.place.steps)
            if part is None or not part.plain:
                missing = True
                continue
            numbers = _numbered(table, part)
            ways.update(table.sides[_first(numbers, table.sides)].tolist())
            if max(ways.values(), default=0) > _MOST_WAYS:
                return None
            numbered.append((table, part, numbers))
        for table, part, numbers in numbered:
            absent = np.broadcast_to((table.slice(part).classes == ValueClass.NAN).any(axis=0), table.size)
            missing |= bool(absent.any())
            often = np.bincount(numbers)
            for index in _first(numbers).tolist():
                if not absent[index]:
                    row = _bytes(table, part, index)
                    counts[row] += int(often[numbers[index]])
                    first.setdefault(row, (table, part, index))
        if len(counts) + missing < 2:
            return None
        usual = ATOM * sum(table.size for table in sample.tables)
        keys = {row_key(*first[row], sample.texts): count for row, count in counts.items() if count >= usual}
        return self._described(keys)

    def _described(self, keys: dict[RowKey, int]) -> Described | None:
        literal = [key for key in keys if all(map(is_literal, key.items))]
        kept = sorted(literal, key=lambda key: (-keys[key], key.shown))[:MOST_KEYS]
        return Described(self, True, ValueAxis(self, tuple(kept)), None) if kept else None


def _numbered(table: Table, part: Part) -> npt.NDArray[np.int64]:
    """Numbers from 0 for the lists that the runs have, equal ones where they are equal in Python; shape (n,)."""
    leaves = table.slice(part)
    found = np.zeros(table.size, np.int64)
    for classes, values in zip(leaves.classes, leaves.values, strict=True):
        for column in (classes, values):
            if (column != column[0]).any():
                digits = np.unique(column, return_inverse=True)[1]
                found = np.unique(found * (int(digits.max()) + 1) + digits, return_inverse=True)[1]
    return found


def _first(*columns: npt.NDArray[np.integer]) -> npt.NDArray[np.intp]:
    """Where each combination of whole numbers from 0 comes first."""
    joined = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        joined = joined * (int(column.max()) + 1) + column
    return np.unique(joined, return_index=True)[1]


def _bytes(table: Table, part: Part, index: int) -> bytes:
    """The leaves of a part on a run, as bytes that are the same where the lists are equal in Python."""
    leaves = table.slice(part)
    classes = leaves.classes[:, 0 if leaves.classes.shape[1] == 1 else index]
    # Adding 0.0 turns -0.0, which is equal to it, into 0.0.
    return classes.tobytes() + (leaves.values[:, index] + 0.0).tobytes()
