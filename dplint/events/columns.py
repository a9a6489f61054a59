"""Columns of values: what a feature is on each of many runs, and how one such value is written in Python.

Numbers in ascending order: sorted once, whatever is asked of them.

Numbers that are equal but for the rounding of floats.

`0.1 + 0.2` and `0.3` are one number to whoever claims something of real numbers. An event that tells them apart would
refute what holds; so where a sample has such numbers, no event is about a single one, and thresholds are beside them.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

import numpy as np
import numpy.typing as npt

from dplint.program.building import constant, display, name
from dplint.program.nodes import Expression
from dplint.program.printing import printed

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
    kinds: which sorts of leaves these are, shape (n,) or (w, n), for values that are leaves of the outputs.
    """

    classes: Classes
    values: Floats
    kinds: Classes | None = None

    def rows(self, which: int | slice) -> Column:
        """One of the elements of a sequence, or some."""
        kinds = None if self.kinds is None else self.kinds[which]
        return Column(self.classes[which], self.values[which], kinds)


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
            same = same & item.mask(column.rows(number))
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


@dataclass(frozen=True)
class Ordered:
    """Numbers in ascending order, infinities perhaps among them, NaN not."""

    numbers: Floats

    @classmethod
    def of(cls, numbers: Floats) -> Ordered:
        """These numbers, of any shape."""
        return cls(np.sort(numbers, axis=None))

    @classmethod
    def of_column(cls, column: Column) -> Ordered:
        """The numbers of a column."""
        return cls.of(column.values[column.classes == ValueClass.NUMBER])

    def __len__(self) -> int:
        return len(self.numbers)

    @cached_property
    def finite(self) -> Ordered:
        """Those that are finite."""
        if not len(self) or np.isfinite(self.numbers[[0, -1]]).all():
            return self
        low = np.searchsorted(self.numbers, -np.inf, side="right")
        return Ordered(self.numbers[low : np.searchsorted(self.numbers, np.inf, side="left")])

    @cached_property
    def _starts(self) -> npt.NDArray[np.intp]:
        """Where another number begins."""
        return np.flatnonzero(np.concatenate([[len(self) > 0], self.numbers[1:] != self.numbers[:-1]]))

    @cached_property
    def distinct(self) -> Floats:
        """Each number once."""
        return self.numbers if len(self._starts) == len(self) else self.numbers[self._starts]

    @cached_property
    def counts(self) -> npt.NDArray[np.intp]:
        """How often each of `distinct` comes."""
        return np.diff(self._starts, append=len(self))

    def quantiles(self, shares: Sequence[float]) -> list[float]:
        """As `np.quantile` has them, which sorts again and takes a quarter of a millisecond at least."""
        places = np.asarray(shares) * (len(self) - 1)
        below = places.astype(np.intp)
        low, high = self.numbers[below], self.numbers[np.minimum(below + 1, len(self) - 1)]
        part = places - below
        with np.errstate(over="ignore", invalid="ignore"):
            step = high - low
            found: list[float] = np.where(part < 0.5, low + step * part, high - step * (1 - part)).tolist()
        return found


_ROUNDING = 4e-15
"""Broken numbers that differ by no more than this share of their size, some units in the last place, are the same."""
_NEAR = 1e-13
"""The same of numbers that steps of their own size led to, as a share of the size of nearly all."""
_NEARLY_ALL = 0.9
_OFTEN = 2
"""How often a number comes on average, if it comes again and again."""
_DIGITS = 14
"""Digits of a number that somebody may have written, and that is what it says."""
_ASIDE = 0.3817
"""Where thresholds are between two numbers of so many digits: no number with few digits is there."""


def are_one(numbers: Ordered) -> bool:
    """Whether all of these finite numbers are one, but for rounding; whole numbers are what they are."""
    if not len(numbers):
        return False
    low, high = numbers.numbers[[0, -1]].tolist()
    return high - low <= _ROUNDING * max(-low, high) and not bool((numbers.distinct == np.rint(numbers.distinct)).all())


def some_are_one(numbers: Ordered) -> bool:
    """Whether some of these finite numbers are different, but only by rounding, as a sample shows it.

    Noise from a continuous law is not: of some thousand draws no two are so near.
    """
    return bool(_near(numbers.distinct).any())


def may_be_one(numbers: Ordered) -> bool:
    """The same, or numbers that were computed: they come again and again, with all the digits that a float has, and may
    come with others from other data.
    """
    broken = numbers.distinct != np.rint(numbers.distinct)
    few = 0 < _OFTEN * int(np.count_nonzero(broken)) <= int(numbers.counts[broken].sum())
    computed = few and any(float(f"{one:.{_DIGITS}g}") != one for one in numbers.distinct[broken].tolist())
    return computed or some_are_one(numbers)


def one_of_each(numbers: Ordered) -> Floats:
    """The least of all finite numbers that are one but for rounding, ascending."""
    ordered = numbers.finite.distinct
    return ordered[np.concatenate([[True], ~_near(ordered)])] if len(ordered) else ordered


def aside(digits: int) -> float:
    """What takes a threshold of so many digits to where no number that comes often is."""
    return _ASIDE * 10.0 ** min(-digits, 300)


def between(ordered: Floats) -> tuple[float, ...]:
    """Thresholds between numbers in ascending order, where no number of the same steps is."""
    return tuple((ordered[:-1] + _ASIDE * np.diff(ordered)).tolist())


def _near(ordered: Floats) -> Mask:
    """Which finite numbers, in ascending order, are the one before but for rounding, shape (n - 1,)."""
    if len(ordered) < 2:
        return np.zeros(0, np.bool_)
    with np.errstate(over="ignore"):
        steps = np.diff(ordered)
        if steps.min() > _NEAR * max(-ordered[0], ordered[-1]):
            return np.zeros(len(steps), np.bool_)
        apart = steps > _NEAR * Ordered.of(np.abs(ordered)).quantiles([_NEARLY_ALL])[0]
    whole = ordered == np.rint(ordered)
    return np.asarray(~apart & ~(whole[1:] & whole[:-1]))
