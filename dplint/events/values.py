"""Columns of values: what a feature is on each of many runs, and how one such value is written in Python."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Classes = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]


class Class(IntEnum):
    """What sort of value a feature has on a run. As in Python, True equals 1 and 1 equals 1.0: all are NUMBER."""

    MISSING = 0
    NUMBER = 1
    NAN = 2
    NONE = 3
    TEXT = 4
    OTHER = 5
    """Something that is known only by a description, e.g. an integer beyond 2**53 or an object of unknown type."""


@dataclass(frozen=True, slots=True)
class Column:
    """The values of one feature on n outputs: `classes` and `values`, each of shape (n,), or (1,) where all agree.

    values holds the number for NUMBER, the number of the text in the `Texts` table for TEXT and OTHER, else 0.
    The column of a sequence as a whole has a row for each of its w elements: shapes (w, n), or (w, 1).
    """

    classes: Classes
    values: Floats


MISSING_COLUMN = Column(np.zeros(1, np.uint8), np.zeros(1, np.float64))
"""The column of a feature that is defined nowhere."""


class Texts:
    """Numbers for texts, the same in every batch of an audit."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self.texts: list[str] = []

    def number(self, text: str) -> int:
        """The number of a text; a new text gets the next one."""
        found = self._numbers.get(text)
        if found is None:
            found = self._numbers[text] = len(self.texts)
            self.texts.append(text)
        return found


@dataclass(frozen=True, slots=True)
class Key:
    """One value as a category. `shown` is its Python literal; two keys are equal if the values are."""

    kind: Class
    value: float
    shown: str

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Key) and (self.kind, self.value) == (other.kind, other.value)

    def __hash__(self) -> int:
        return hash((self.kind, self.value))

    def mask(self, column: Column) -> Mask:
        """Where the column has this value; the shape is that of the column."""
        return np.asarray((column.classes == self.kind) & (column.values == self.value))


@dataclass(frozen=True, slots=True)
class RowKey:
    """A whole sequence as a category: the keys of its elements in order. As in Python, [True] and [1] are the same."""

    items: tuple[Key, ...]

    @property
    def shown(self) -> str:
        """The list in Python."""
        return f"[{', '.join(item.shown for item in self.items)}]"

    def mask(self, column: Column) -> Mask:
        """Where the sequence, a column of shape (w, n), is this one; shape (n,) or (1,)."""
        same = np.full(1, column.values.ndim == 2 and len(column.values) == len(self.items))
        for number, item in enumerate(self.items):
            if not same.any():
                break
            same = same & item.mask(Column(column.classes[number], column.values[number]))
        return same


def number_literal(value: float, *, integral: bool, boolean: bool) -> str:
    """A number as the user's program would have written it."""
    if boolean and value in (0.0, 1.0):
        return str(bool(value))
    if math.isinf(value):
        return f"float({'inf' if value > 0 else '-inf'!r})"
    if integral and value.is_integer():
        return str(int(value))
    return repr(value)


def short_literal(value: float) -> str:
    """A finite number as a threshold: whole numbers are written as such."""
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def number_key(value: float, *, integral: bool = False, boolean: bool = False) -> Key:
    """The key of a number."""
    return Key(Class.NUMBER, float(value), number_literal(float(value), integral=integral, boolean=boolean))
