"""Operators on numbers, at array speed, where NumPy means what Python means; everything else returns None.

Python's integers are kept in int64 with a bound that is known to hold; an operation that might pass it is left to
Python. Division by zero raises for Python's numbers and does not for NumPy's. Comparing an integer with a float is
exact in Python, so it is done here only for integers that are floats, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dplint.program.meaning import BINARY, COMPARE
from dplint.readings.lanes.lane_values import (
    DTYPES,
    EXACT,
    FITS,
    FLOATS,
    INTEGERS,
    NP_TAGS,
    NUMBERS,
    NUMPY,
    TRUTHS,
    Array,
    Arrays,
    Mixed,
    Numbers,
    Ragged,
    Tag,
    Uniform,
    Value,
    tag_of,
)
from dplint.readings.lanes.merging import LaneMerger, largest, plain, unmixed
from dplint.readings.lanes.spaces import Bits, Mask, Space

_FLOAT: dict[str, Callable[[Any, Any], Any]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.true_divide,
    "//": np.floor_divide,
    "%": np.remainder,
}
_BITS: dict[str, Callable[[Any, Any], Any]] = {"&": np.bitwise_and, "|": np.bitwise_or, "^": np.bitwise_xor}
_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "==": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}
_DIVISIONS = frozenset(["/", "//", "%"])


class Operand(NamedTuple):
    """A number, in each lane or the same in all: its data, tag and bound."""

    data: Any
    tag: Tag
    bound: int


class Result(NamedTuple):
    """A value, and the lanes in which Python has to be asked, as it raises there or arrays are not sure; None: none.

    alike: whether what it raises is the same in all of these, so that one is enough.
    """

    value: Value
    failed: Bits | None = None
    alike: bool = False


def operand(value: Value, bits: Bits | None) -> Operand | None:
    """A value at the active lanes' space as a number; a `Mixed` is one where all active lanes have the same type."""
    if type(value) is Numbers:
        return Operand(value.data, value.tag, value.bound)
    if isinstance(value, Mixed):
        tags = value.tags if bits is None else value.tags[bits]
        if not len(tags) or tags[0] not in NUMBERS or (tags != tags[0]).any():
            return None
        tag = Tag(int(tags[0]))
        if tag in FLOATS:
            return Operand(value.payload, tag, 1)
        data: NDArray[Any] = np.where(value.tags == tag, value.payload, 0.0).astype(DTYPES[tag])
        return Operand(data, tag, largest(data) if tag is Tag.INT else 1)
    found = plain(value)
    return None if found is None else Operand(*found)


def binary(merger: LaneMerger, operator: str, left: Value, right: Value, active: Mask) -> Result | None:
    """An arithmetic operator; None if it is not known here."""
    space = active.space
    left, right = merger.at(left, space), merger.at(right, space)
    if isinstance(left, Uniform) and isinstance(right, Uniform):
        known = uniform(BINARY[operator], left, right)
        return None if known is None else Result(known)
    counts = None
    if isinstance(left, Ragged) or isinstance(right, Ragged):
        left, right, counts = _evenly(left, right)
    if isinstance(left, Arrays) or isinstance(right, Arrays):
        found = _on_arrays(operator, left, right, space, active.bits)
        return found if found is None or counts is None else Result(_unevenly(found.value, counts))
    a, b = operand(left, active.bits), operand(right, active.bits)
    if a is None or b is None:
        return _on_mixed(merger, operator, left, right, active) if operator in _TYPES else None
    if operator in _BITS:
        return _bitwise(operator, a, b, space)
    if operator not in _FLOAT or Tag.NP_BOOL in (a.tag, b.tag):
        return None
    if a.tag in FLOATS or b.tag in FLOATS or operator == "/":
        return _floating(operator, a, b, space, active.bits)
    return _integral(operator, a, b, space, active.bits)


def uniform(function: Callable[[Any, Any], Any], left: Uniform, right: Uniform) -> Uniform | None:
    """An operator on what is the same in all lanes; None where Python raises."""
    try:
        return Uniform(function(left.value, right.value))
    except Exception:  # whatever Python raises is raised again, as an output, by the one who asked
        return None


def _numpy_wins(a: Operand, b: Operand, python: Tag, numpy: Tag) -> Tag:
    return numpy if a.tag in NUMPY or b.tag in NUMPY else python


def _floating(operator: str, a: Operand, b: Operand, space: Space, active: Bits | None) -> Result | None:
    tag = _numpy_wins(a, b, Tag.FLOAT, Tag.NP_FLOAT)
    if a.tag not in FLOATS and b.tag not in FLOATS and max(a.bound, b.bound) > EXACT:
        return None
    failed = _zeros(b.data, active, space) if tag is Tag.FLOAT and operator in _DIVISIONS else None
    return Result(Numbers(space, _FLOAT[operator](_as_float(a), _as_float(b)), tag), failed, alike=True)


def _as_float(one: Operand) -> Any:
    if one.tag in FLOATS:
        return one.data
    return one.data.astype(np.float64) if isinstance(one.data, np.ndarray) else float(one.data)


def _zeros(divisor: Any, active: Bits | None, space: Space) -> Bits | None:
    """The active lanes whose divisor is zero, None if there are none."""
    if not isinstance(divisor, np.ndarray):
        if divisor != 0:
            return None
        return np.ones(space.size, np.bool_) if active is None else active
    zero = divisor == 0
    if active is not None:
        zero &= active
    return zero if zero.any() else None


def _integral(operator: str, a: Operand, b: Operand, space: Space, active: Bits | None) -> Result | None:
    tag = _numpy_wins(a, b, Tag.INT, Tag.NP_INT)
    bound = {"+": a.bound + b.bound, "-": a.bound + b.bound, "*": a.bound * b.bound, "//": a.bound}.get(
        operator, b.bound
    )
    if tag is Tag.INT and bound > FITS:
        a, b = _measured(a), _measured(b)
        bound = a.bound * b.bound if operator == "*" else a.bound + b.bound
        if bound > FITS:
            return None
    failed = _zeros(b.data, active, space) if tag is Tag.INT and operator in _DIVISIONS else None
    left, right = _as_integer(a), _as_integer(b)
    return Result(Numbers(space, _FLOAT[operator](left, right), tag, max(bound, 1)), failed, alike=True)


def _measured(one: Operand) -> Operand:
    """The operand with the bound that its entries really have."""
    if not isinstance(one.data, np.ndarray) or one.tag is not Tag.INT:
        return one
    return one._replace(bound=min(one.bound, largest(one.data)))


def _as_integer(one: Operand) -> Any:
    if one.tag in TRUTHS:
        return one.data.astype(np.int64) if isinstance(one.data, np.ndarray) else int(one.data)
    return one.data


def _bitwise(operator: str, a: Operand, b: Operand, space: Space) -> Result | None:
    if a.tag in FLOATS or b.tag in FLOATS:
        return None
    if a.tag in TRUTHS and b.tag in TRUTHS:
        return Result(Numbers(space, _BITS[operator](a.data, b.data), _numpy_wins(a, b, Tag.BOOL, Tag.NP_BOOL)))
    data = _BITS[operator](_as_integer(a), _as_integer(b))
    return Result(Numbers(space, data, _numpy_wins(a, b, Tag.INT, Tag.NP_INT), 2 * max(a.bound, b.bound, 1)))


def _type_of_a_result(operator: str, left: Tag, right: Tag) -> int:
    tags = {left, right}
    if not tags <= NUMBERS or (tags <= TRUTHS and Tag.NP_BOOL in tags and operator != "/"):
        return _UNKNOWN
    floats = operator == "/" or tags & FLOATS
    return (Tag.NP_FLOAT if floats else Tag.NP_INT) if tags & NUMPY else Tag.FLOAT if floats else Tag.INT


_UNKNOWN = 255
_TYPES = {
    operator: np.array([[_type_of_a_result(operator, one, two) for two in Tag] for one in Tag], np.uint8)
    for operator in "+-*/"
}
"""The tag of what an operator gives, by the tags of both sides."""


def _on_mixed(merger: LaneMerger, operator: str, left: Value, right: Value, active: Mask) -> Result | None:
    """Numbers of several types in one variable: as floats, which hold their integers and those that are returned."""
    a, b = merger.mixed(left, active.space), merger.mixed(right, active.space)
    if a is None or b is None:
        return None
    tags = _TYPES[operator][a.tags, b.tags]
    data: NDArray[np.float64] = _FLOAT[operator](a.payload, b.payload)
    whole = (tags == Tag.INT) | (tags == Tag.NP_INT)
    # An integer that a float does not hold would be rounded to one that is not below EXACT. It has no minus zero.
    unsure = (tags == _UNKNOWN) | (whole & ~(np.abs(data) < EXACT))
    if (unsure if active.bits is None else unsure & active.bits).any():
        return None
    failed = (b.payload == 0) & (tags == Tag.FLOAT) if operator == "/" else None
    if failed is not None and active.bits is not None:
        failed &= active.bits
    mixed = Mixed(active.space, np.where(unsure, np.uint8(Tag.FLOAT), tags), np.where(whole, data + 0.0, data))
    return Result(unmixed(mixed), failed if failed is not None and failed.any() else None)


def unary(merger: LaneMerger, operator: str, value: Value, active: Mask) -> Result | None:
    """One of - + ~; None if it is not known here."""
    space = active.space
    value = merger.at(value, space)
    if isinstance(value, Ragged):
        found = unary(merger, operator, Arrays(space, value.data), active)
        return None if found is None else Result(_unevenly(found.value, value.counts))
    if isinstance(value, Arrays):
        if (value.tag is Tag.NP_BOOL and operator != "~") or (operator == "~" and value.tag is Tag.NP_FLOAT):
            return None
        return Result(Arrays(space, {"-": np.negative, "+": np.positive, "~": np.invert}[operator](value.data)))
    one = operand(value, active.bits)
    if one is None or one.tag is Tag.NP_BOOL or (operator == "~" and one.tag not in INTEGERS):
        return None
    tag = Tag.INT if one.tag is Tag.BOOL else one.tag
    data = _as_integer(one)
    changed = {"-": np.negative, "+": np.positive, "~": np.invert}[operator](data)
    return Result(Numbers(space, changed, tag, one.bound + 1))


def compare(merger: LaneMerger, operator: str, left: Value, right: Value, active: Mask) -> Value | None:
    """One comparison; None if it is not known here."""
    space = active.space
    left, right = merger.at(left, space), merger.at(right, space)
    if isinstance(left, Uniform) and isinstance(right, Uniform):
        return uniform(COMPARE[operator], left, right)
    if operator in ("is", "is not"):
        return _identity(operator, left, right, space)
    if operator not in _COMPARE:
        return None
    counts = None
    if isinstance(left, Ragged) or isinstance(right, Ragged):
        left, right, counts = _evenly(left, right)
    if isinstance(left, Arrays) or isinstance(right, Arrays):
        sides = _array_sides(left, right)
        if sides is None:
            return None
        compared = Arrays(space, _COMPARE[operator](*sides))
        return compared if counts is None else _unevenly(compared, counts)
    a, b = operand(left, active.bits), operand(right, active.bits)
    if a is None or b is None:
        return _compare_mixed(merger, operator, left, right, space)
    if (a.tag in FLOATS) is not (b.tag in FLOATS) and max(a.bound, b.bound) > EXACT:
        return None
    return Numbers(space, _COMPARE[operator](a.data, b.data), _numpy_wins(a, b, Tag.BOOL, Tag.NP_BOOL))


def _identity(operator: str, left: Value, right: Value, space: Space) -> Value | None:
    """`is` and `is not` with None, True or False, which the lowering has seen to."""
    if not isinstance(right, Uniform) or isinstance(left, Uniform):
        return None
    wanted = right.value
    if isinstance(left, Numbers):
        if wanted is None or left.tag is not Tag.BOOL:
            return Uniform(operator == "is not")
        found = left.data if wanted else ~left.data
    elif isinstance(left, Mixed):
        tag = Tag.NONE if wanted is None else Tag.BOOL
        found = (left.tags == tag) & (left.payload == float(wanted or 0))
    else:
        return None
    return Numbers(space, found if operator == "is" else ~found, Tag.BOOL)


def _compare_mixed(merger: LaneMerger, operator: str, left: Value, right: Value, space: Space) -> Value | None:
    """Equality of scalars of any kind, and the order of numbers of several types in one variable."""
    a, b = merger.mixed(left, space), merger.mixed(right, space)
    if a is None or b is None:
        return None
    numpy = [(side.tags >= Tag.NP_BOOL) & (side.tags <= Tag.NP_FLOAT) for side in (a, b)]
    either = numpy[0] | numpy[1]
    if bool((a.tags <= Tag.NP_FLOAT).all() and (b.tags <= Tag.NP_FLOAT).all()):
        found = _COMPARE[operator](a.payload, b.payload)
        if not either.any():
            return Numbers(space, found, Tag.BOOL)
        tags = np.where(either, np.uint8(Tag.NP_BOOL), np.uint8(Tag.BOOL))
        return unmixed(Mixed(space, tags, found.astype(np.float64)))
    if operator not in ("==", "!=") or either.any():
        return None
    alike = (a.tags == b.tags) | ((a.tags <= Tag.FLOAT) & (b.tags <= Tag.FLOAT))
    equal = alike & (a.payload == b.payload)
    return Numbers(space, equal if operator == "==" else ~equal, Tag.BOOL)


def _on_arrays(operator: str, left: Value, right: Value, space: Space, bits: Bits | None) -> Result | None:
    sides = _array_sides(_beside_floats(left, right, bits), _beside_floats(right, left, bits))
    if sides is None:
        return None
    kinds = {_kind_of(side) for side in sides}
    if operator in _BITS:
        if "f" in kinds:
            return None
        return Result(Arrays(space, _BITS[operator](*sides)))
    if operator == "**":
        # The operator, not np.power: it squares where the exponent is 2, as it does in the user's code.
        scalar = not isinstance(sides[1], np.ndarray)
        return Result(Arrays(space, sides[0] ** sides[1])) if _kind_of(sides[0]) == "f" and scalar else None
    if operator not in _FLOAT or (kinds == {"b"} and operator != "+"):
        return None
    data = _FLOAT[operator](*sides)
    return Result(Arrays(space, data)) if data.dtype in (np.float64, np.int64, np.bool_) else None


def _evenly(left: Value, right: Value) -> tuple[Value, Value, NDArray[np.int32] | None]:
    """Arrays of several lengths as such of one, and the lengths, where the other side is a number or equally long."""
    lengths = [one.counts for one in (left, right) if isinstance(one, Ragged)]
    if not all(isinstance(one, Ragged) or plain(one) is not None for one in (left, right)):
        return left, right, None
    if not np.array_equal(lengths[0], lengths[-1]):
        return left, right, None
    one, other = (Arrays(side.space, side.data) if isinstance(side, Ragged) else side for side in (left, right))
    return one, other, lengths[0]


def _unevenly(value: Value, counts: NDArray[np.int32]) -> Value:
    assert isinstance(value, Arrays)
    return Ragged(value.space, value.data, counts)


def _beside_floats(value: Value, other: Value, bits: Bits | None) -> Value:
    """Numbers of several types as floats, which an array of floats takes them for; any other value as it is."""
    if not isinstance(value, Mixed) or not isinstance(other, Arrays) or other.tag is not Tag.NP_FLOAT:
        return value
    tags = value.tags if bits is None else value.tags[bits]
    return Numbers(value.space, value.payload, Tag.NP_FLOAT) if (tags <= Tag.NP_FLOAT).all() else value


def _kind_of(side: Array | float) -> str:
    return side.dtype.kind if isinstance(side, np.ndarray) else {bool: "b", int: "i", float: "f"}[type(side)]


def _array_sides(left: Value, right: Value) -> tuple[Any, Any] | None:
    """Both operands, ready to be broadcast against each other with the lanes on the last axis."""
    a, b = _array_side(left), _array_side(right)
    if a is None or b is None:
        return None
    shapes = [side.shape[:-1] if isinstance(side, np.ndarray) else () for side in (a, b)]
    try:
        np.broadcast_shapes(*shapes)
    except ValueError:
        return None
    # Dimensions line up from the right, before the lanes.
    return a, b


def _array_side(value: Value) -> Array | float | None:
    if isinstance(value, Arrays | Numbers):
        return value.data
    if isinstance(value, Uniform):
        inner = value.value
        if isinstance(inner, np.ndarray):
            return inner[..., np.newaxis] if inner.dtype.kind in NP_TAGS and inner.ndim else None
        if tag_of(inner) in (Tag.BOOL, Tag.INT, Tag.FLOAT, Tag.NP_BOOL, Tag.NP_INT, Tag.NP_FLOAT):
            number: float = inner.item() if isinstance(inner, np.generic) else inner
            return number
        if isinstance(inner, list) and inner and all(type(item) in (int, float) for item in inner):
            return np.array(inner)[:, np.newaxis]
    return None
