"""Columns of values: what a feature is on each of many runs, and how one such value is written in Python."""

from __future__ import annotations

import ast
import math
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from dplint.program.building import constant, display, name
from dplint.program.nodes import Expression
from dplint.program.printing import printed
from dplint.runner.texts import TextNumbers

EXACT = 2**53
"""Larger integers are known by their digits only."""
Floats = npt.NDArray[np.float64]
Classes = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]


class ValueClass(IntEnum):
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

    values holds the number for NUMBER, the number of the text in the `TextNumbers` table for TEXT and OTHER, else 0.
    The column of a sequence as a whole has a row for each of its w elements: shapes (w, n), or (w, 1).
    kinds, texts: which sorts of leaves these are, shape (n,) or (w, n), and the texts that they number, for values that
    are leaves of the outputs.
    """

    classes: Classes
    values: Floats
    kinds: Classes | None = None
    texts: TextNumbers | None = None


MISSING, NUMBER, NAN, NONE, TEXT, OTHER = map(int, ValueClass)
"""The classes as plain integers: a member of an enumeration takes longer to look up than a small array to compare."""
KNOWN = frozenset([ValueClass.NUMBER, ValueClass.NONE, ValueClass.TEXT])
"""Classes whose values are equal if they are equal in a column: NaN equals nothing, and of others little is known."""
MISSING_COLUMN = Column(np.zeros(1, np.uint8), np.zeros(1, np.float64))
"""The column of a feature that is defined nowhere."""


@dataclass(frozen=True, slots=True)
class Key:
    """One value as a category, and as the expression that says it; two keys are equal if the values are."""

    kind: ValueClass
    value: float
    literal: Expression

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Key) and (self.kind, self.value) == (other.kind, other.value)

    def __hash__(self) -> int:
        return hash((self.kind, self.value))

    @property
    def shown(self) -> str:
        """The value in Python."""
        return printed(self.literal)

    def mask(self, column: Column) -> Mask:
        """Where the column has this value; the shape is that of the column."""
        if column.classes.size == 1:
            # Mostly numbers alone, of which nothing but the values has to be looked at.
            same = column.values == self.value
            return np.asarray(same) if column.classes.item() == int(self.kind) else np.zeros_like(same)
        return np.asarray((column.classes == int(self.kind)) & (column.values == self.value))


@dataclass(frozen=True, slots=True)
class RowKey:
    """A whole sequence as a category: the keys of its elements in order. As in Python, [True] and [1] are the same."""

    items: tuple[Key, ...]

    @property
    def literal(self) -> Expression:
        """The list as an expression."""
        return display(item.literal for item in self.items)

    @property
    def shown(self) -> str:
        """The list in Python."""
        return printed(self.literal)

    def mask(self, column: Column) -> Mask:
        """Where the sequence, a column of shape (w, n), is this one; shape (n,) or (1,)."""
        same = np.full(1, column.values.ndim == 2 and len(column.values) == len(self.items))
        for number, item in enumerate(self.items):
            if not same.any():
                break
            same = same & item.mask(Column(column.classes[number], column.values[number]))
        return same


def number_key(value: float, *, integral: bool = False, boolean: bool = False) -> Key:
    """The key of a number, spelled as the user's program would have written it."""
    value = float(value) + 0.0  # -0.0 is the same number as 0.0
    literal: bool | int | float = value
    if boolean and value in (0.0, 1.0):
        literal = bool(value)
    elif integral and math.isfinite(value) and value.is_integer():
        literal = int(value)
    return Key(ValueClass.NUMBER, value, constant(literal))


def other_literal(text: str) -> Expression:
    """What is known only by a description. Where that is no literal, it becomes a name of which nothing is known."""
    try:
        value = int(text, 0) if text.lstrip("-")[:1].isdigit() else ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return name(text)
    large = isinstance(value, int) and abs(value) > EXACT
    return constant(value) if large or isinstance(value, bytes) else name(text)
