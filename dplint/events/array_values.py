"""Values of expressions on many outputs of one shape: numbers, leaves, sequences, and what Python does with them.

What Python would do with each output alone is done with arrays. Where Python raises an exception, a value is undefined;
an operation that does so for every output raises `Undefined`. What arrays cannot follow raises `NotFollowed`, and is
asked of each output alone. Arithmetic is exact for integers up to 2**53. Larger ones equal what they equal, and are
computed with as floats.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from dplint.events.columns import EXACT, MISSING, NAN, NONE, NUMBER, OTHER, TEXT, Classes, Column, Floats, Mask
from dplint.events.layout import OF_PYTHON, UNORDERED, Part
from dplint.events.places import Steps
from dplint.program.printing import literal_code
from dplint.runner.batch import MOST_LEAVES, LeafKind
from dplint.runner.texts import TextNumbers

UNDEFINED = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What it raises to look at a part that an output does not have."""
_NESTING = frozenset([*OF_PYTHON, "dict"])
"""Types that may hold others of their kind, and are known in full unless they are very large."""


class Undefined(Exception):
    """Python would raise an exception on every output of the table."""


class NotFollowed(Exception):
    """Arrays cannot tell; each output has to be looked at alone."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """Numbers or truths: floats, integers of 32 bits or bools, one for each output, or one for all.

    values: shape (n,) or (1,), of the elements of a sequence (w, n). undefined: where Python raises an exception, shape
    as that of `values`; there truths are False. None: nowhere.
    """

    values: npt.NDArray[Any]
    undefined: Mask | None = None

    def rows(self, which: int | slice) -> Numbers:
        """One of the elements of a sequence, or some."""
        return Numbers(self.values[which], None if self.undefined is None else self.undefined[which])


@dataclass(frozen=True)
class Items:
    """A list or tuple: its items in order, either one by one or, all being leaves or numbers, as a block.

    block: shape (w, n), or (w, 1) where all outputs agree.
    """

    type_name: str
    block: Column | Numbers | None = None
    made: Sequence[Value] = ()

    def __len__(self) -> int:
        return len(self.made) if self.block is None else len(self.block.values)

    @cached_property
    def abreast(self) -> Column | Numbers | None:
        """The items as one block, of shape (w, n) or (w, 1): where they are one, or are all constant numbers."""
        if self.block is not None:
            return self.block if self.block.values.ndim == 2 else None
        numbers = [row.values for row in self.made if isinstance(row, Numbers) and row.undefined is None]
        constant = numbers and len(numbers) == len(self.made) and all(values.shape == (1,) for values in numbers)
        return Numbers(np.array(numbers)) if constant else None

    @cached_property
    def rows(self) -> Sequence[Value]:
        """The items, one by one."""
        return self.made if self.block is None else [self.block.rows(i) for i in range(len(self.block.values))]


class Source(Protocol):
    """Where the parts of outputs are read from."""

    def has(self, steps: Steps) -> bool:
        """Whether the outputs have such a part."""
        ...

    def leaves(self, part: Part) -> Column:
        """The leaves of a part, shape (w, n)."""
        ...


@dataclass(frozen=True, slots=True)
class Held:
    """A part of the output that holds others, or an exception, whose one leaf is its message."""

    part: Part
    steps: Steps
    source: Source

    def same_place(self, other: Held) -> bool:
        """Whether both are the same object in every output."""
        return self.source is other.source and self.steps == other.steps

    @property
    def items(self) -> Items | None:
        """What a loop goes through; None where that is not known in full, or has parts of its own."""
        return Items(self.part.type_name, self.source.leaves(self.part)) if self.part.plain else None


Value: TypeAlias = "Numbers | Column | Items | Held"


def holds_source(value: Value) -> bool:
    """Whether a value knows the table that it is read from. Kept there, it would keep the table, and all outputs in it,
    until the next garbage collection: hundreds of megabytes.
    """
    return isinstance(value, Held) or (isinstance(value, Items) and any(map(holds_source, value.made)))


_ALL_NUMBERS = np.array([NUMBER], np.uint8)
TRUE, FALSE = Numbers(np.ones(1, np.bool_)), Numbers(np.zeros(1, np.bool_))
_KIND_NAMES = {
    LeafKind.BOOL: "bool",
    LeafKind.INT: "int",
    LeafKind.FLOAT: "float",
    LeafKind.NAN: "float",
    LeafKind.STRING: "str",
    LeafKind.NONE: "NoneType",
    LeafKind.BIGINT: "int",
}
_KINDS_OF_TYPE: Mapping[str, frozenset[LeafKind]] = {
    "bool": frozenset([LeafKind.BOOL]),
    "int": frozenset([LeafKind.BOOL, LeafKind.INT, LeafKind.BIGINT]),
    "float": frozenset([LeafKind.FLOAT, LeafKind.NAN]),
    "str": frozenset([LeafKind.STRING]),
}


def constant(value: object, texts: TextNumbers | None = None) -> Value:
    """The same value for all outputs; `texts` is needed for texts, bytes and large integers.

    Raises NotFollowed for what is no leaf.
    """
    if is_exact(value):
        return Numbers(np.array([value], np.bool_ if isinstance(value, bool) else np.float64))
    if value is None:
        return Column(np.array([NONE], np.uint8), np.zeros(1))
    if texts is None:
        raise NotFollowed
    if isinstance(value, str):
        return Column(np.array([TEXT], np.uint8), np.array([texts.number(value)], np.float64))
    if isinstance(value, int | bytes):
        return described(literal_code(value), texts)
    raise NotFollowed


def is_exact(value: object) -> bool:
    """Whether this is a number that arrays hold exactly."""
    return isinstance(value, bool | float) or (isinstance(value, int) and abs(value) <= EXACT)


def described(text: str, texts: TextNumbers) -> Column:
    """What is known only by a description."""
    return Column(np.array([OTHER], np.uint8), np.array([texts.number(text)], np.float64))


# what a value is as a number, as a truth, as a leaf, as a sequence


def numbers_of(value: Value) -> Numbers:
    """The value as a number, NaN included; undefined where it is none."""
    if isinstance(value, Numbers):
        return value
    if not isinstance(value, Column):
        raise Undefined
    classes, values = value.classes, value.values
    if all_numbers(classes):
        return Numbers(values)
    numeric = np.asarray(classes == NUMBER)
    unknown = classes == NAN
    if unknown.any():
        values = np.where(unknown, np.nan, values)
        numeric |= unknown
    if value.kinds is not None and (large := value.kinds == LeafKind.BIGINT).any():
        values = np.where(large, _large_numbers(value), values)
        numeric = numeric | large
    if not numeric.any():
        raise Undefined
    return Numbers(values, None if numeric.all() else ~np.broadcast_to(numeric, values.shape))


def _large_numbers(column: Column) -> Floats:
    """Integers beyond 2**53 as floats, away from zero where they are none, so that none comes within 2**53."""
    texts, found = column.texts, np.zeros(column.values.shape)
    assert texts is not None
    for number in np.unique(column.values[column.kinds == LeafKind.BIGINT]).tolist():
        exact = int(texts.texts[int(number)], 0)
        outwards = math.inf if exact > 0 else -math.inf
        try:
            nearest = float(exact)
        except OverflowError:
            nearest = outwards
        within = math.isfinite(nearest) and abs(int(nearest)) < abs(exact)
        found[column.values == number] = math.nextafter(nearest, outwards) if within else nearest
    return found


def all_numbers(classes: Classes) -> bool:
    """Whether all are numbers, and no NaN."""
    return bool(classes.item() == NUMBER) if classes.size == 1 else bool((classes == NUMBER).all())


def truth_of(value: Value) -> Numbers:
    """Python's truth of the value."""
    match value:
        case Numbers(values, undefined):
            return value if values.dtype == np.bool_ else Numbers(values != 0, undefined)
        case Column(classes, values):
            missing = classes == MISSING
            true = (classes == NAN) | (classes >= OTHER) | _true(value)
            return truths(true, missing if missing.any() else None)
        case Items():
            return TRUE if len(value) else FALSE
        case Held(part):
            return FALSE if part.length == 0 else TRUE
    raise NotFollowed


def _true(column: Column) -> Mask:
    """Truth of numbers; texts would have to be looked at."""
    if (column.classes == TEXT).any():
        raise NotFollowed
    return np.asarray((column.classes == NUMBER) & (column.values != 0))


def column_of(value: Value) -> Column:
    """The value, if it is no sequence, as a column, missing where it is undefined."""
    match value:
        case Column():
            return value
        case Numbers(values, undefined):
            numbers = values.astype(np.float64, copy=False)
            unknown = np.isnan(numbers)
            if undefined is None and not unknown.any():
                return Column(_ALL_NUMBERS, numbers)
            shape = numbers.shape if undefined is None else np.broadcast_shapes(numbers.shape, undefined.shape)
            classes = np.full(shape, NUMBER, np.uint8)
            classes[np.broadcast_to(unknown, shape)] = NAN
            if undefined is not None:
                classes[np.broadcast_to(undefined, shape)] = MISSING
            return Column(classes, np.where(classes == NUMBER, numbers, 0.0))
    raise Undefined


def rows_of(value: Value) -> Column:
    """A list of leaves as a column with a row for each of them, shape (w, n)."""
    items = items_of(value)
    if items.type_name != "list":
        raise Undefined
    if not isinstance(items.block, Column):
        raise NotFollowed
    return items.block


def items_of(value: Value) -> Items:
    """What a loop over the value goes through."""
    if isinstance(value, Items):
        return value
    if isinstance(value, Held) and (items := value.items) is not None:
        return items
    if isinstance(value, Held) and value.part.type_name in _NESTING and value.part.leaves < MOST_LEAVES:
        raise NotFollowed
    if isinstance(value, Column) and (value.classes == TEXT).any():
        raise NotFollowed
    raise Undefined  # nothing to go through, or not all of it is known


def joined(*undefined: Mask | None) -> Mask | None:
    """Where any is undefined."""
    found = None
    for one in undefined:
        if one is not None:
            found = one if found is None else found | one
    return found


def truths(values: npt.NDArray[Any], *undefined: Mask | None) -> Numbers:
    """Truths that are False where they are undefined."""
    where = joined(*undefined)
    return Numbers(values) if where is None else Numbers(values & ~where, where)


# operators


def is_none(value: Value) -> Numbers:
    """`value is None`."""
    if not isinstance(value, Column):
        return FALSE
    missing = value.classes == MISSING
    return truths(np.asarray(value.classes == NONE), missing if missing.any() else None)


def item(value: Value, index: int, texts: TextNumbers) -> Value:
    """`value[index]` of a list, a tuple or a text."""
    if isinstance(value, Column):
        return of_text(lambda text: text[index], value, texts)
    if isinstance(value, Held) and value.part.type_name in UNORDERED:
        raise Undefined
    items = items_of(value)
    if not -len(items) <= index < len(items):
        raise Undefined
    return items.rows[index]


def of_types(value: Value, names: frozenset[str]) -> Numbers:
    """`isinstance(value, names)`."""
    match value:
        case Held(part):
            return TRUE if (part.raised and "Exception" in names) or part.type_name in names else FALSE
        case Items(type_name):
            return TRUE if type_name in names else FALSE
        case Column(classes) if names >= {"int", "float"} and all_numbers(classes):
            return TRUE
        case Column(classes, _, kinds) if kinds is not None and not (classes == MISSING).any():
            wanted = {kind for name in names for kind in _KINDS_OF_TYPE.get(name, ())}
            return Numbers(np.array([kind in wanted for kind in LeafKind])[kinds])
        case Numbers(values, undefined) if names >= {"int", "float"}:
            return truths(np.ones_like(values, np.bool_), undefined)
    raise NotFollowed


def type_name(value: Value, texts: TextNumbers) -> Column:
    """`type(value).__name__`."""
    match value:
        case Held(part):
            name = "ndarray" if part.type_name == "array" else part.type_name
        case Items(name):
            pass
        case Column(classes, _, kinds) if kinds is not None and not (classes == MISSING).any():
            by_kind = np.array([texts.number(_KIND_NAMES.get(kind, "object")) for kind in LeafKind], np.float64)
            return Column(np.array([TEXT], np.uint8), by_kind[kinds])
        case _:
            raise NotFollowed
    found = constant(name, texts)
    assert isinstance(found, Column)
    return found


def of_text(function: Callable[[str], object], column: Column, texts: TextNumbers) -> Value:
    """A function of one text, called once for each of them; undefined for what is no text.

    Raises NotFollowed where it gives numbers for some and something else for others.
    """
    is_text = column.classes == TEXT
    if not is_text.any():
        raise Undefined
    chosen = np.broadcast_to(is_text, np.broadcast_shapes(column.classes.shape, column.values.shape))
    numbers, places = np.unique(np.broadcast_to(column.values, chosen.shape)[chosen], return_inverse=True)
    classes, values = np.zeros(chosen.shape, np.uint8), np.zeros(chosen.shape)
    of_number, value_of_number = _of_each(function, [texts.texts[int(number)] for number in numbers.tolist()], texts)
    classes[chosen] = of_number[places]
    values[chosen] = value_of_number[places]
    return Column(classes, values)


def _of_each(
    function: Callable[[str], object], given: Sequence[str], texts: TextNumbers
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float64]]:
    """Classes and values of what a function gives, one for each of the texts."""
    try:
        results = list(map(function, given))
    except UNDEFINED:
        results = []
    if results and set(map(type, results)) <= {int, bool} and max(map(abs, results)) <= EXACT:  # type: ignore[arg-type]
        return np.full(len(results), NUMBER, np.uint8), np.array(results, np.float64)
    found: list[Column] = []
    for text in given:
        try:
            found.append(column_of(constant(function(text), texts)))
        except UNDEFINED:
            found.append(Column(np.zeros(1, np.uint8), np.zeros(1)))
    return np.concatenate([one.classes for one in found]), np.concatenate([one.values for one in found])
