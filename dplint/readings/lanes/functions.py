"""Builtins and `math` on lanes, where an array operation means the same; everything else returns None."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from dplint.readings.lanes.arithmetic import Operand, Result, operand
from dplint.readings.lanes.lane_values import (
    FITS,
    FLOATS,
    INTEGERS,
    TRUTHS,
    Arrays,
    Dicts,
    Filtered,
    Keyed,
    Lists,
    Mixed,
    Numbers,
    Ragged,
    Tag,
    Uniform,
    Value,
    tag_of,
)
from dplint.readings.lanes.merging import LaneMerger, as_lists, largest
from dplint.readings.lanes.objects import presence
from dplint.readings.lanes.places import where_not, with_presence
from dplint.readings.lanes.spaces import Bits, Mask

Known: TypeAlias = Callable[[LaneMerger, Sequence[Value], Mapping[str, Value], Mask], Result | None]

_LONGEST_RANGE = 64
_LONGEST_UNIFORM = 1024
_MOST_DIGITS = 15
"""Ten to so many is a float without error."""


def number(merger: LaneMerger, value: Value, active: Mask) -> Operand | None:
    """A value in the active lanes as a number."""
    return operand(merger.at(value, active.space), active.bits)


def holds(bits: Any, active: Bits | None) -> bool:
    """Whether the bits are set in all active lanes."""
    return bool(np.all(bits)) if active is None else bool(np.all(bits | ~active))


def _len(merger: LaneMerger, arguments: Sequence[Value], _keywords: Mapping[str, Value], active: Mask) -> Result | None:
    value = merger.at(arguments[0], active.space)
    if isinstance(value, Keyed):
        value = merger.at(value.keys, active.space)
    match value:
        case Lists(lengths=None):
            return Result(Uniform(len(value.items)))
        case Lists(lengths=lengths) if lengths is not None:
            return Result(Numbers(active.space, lengths.astype(np.int64), Tag.INT, len(value.items)))
        case Arrays():
            return Result(Uniform(value.shape[0]))
        case Ragged():
            return Result(Numbers(active.space, value.counts.astype(np.int64), Tag.INT, max(len(value.data), 1)))
        case Dicts(there=None):
            return Result(Uniform(len(value.keys)))
        case Dicts():
            has = [presence(value, place, active.space, merger) for place in range(len(value.keys))]
            counts = np.zeros(active.space.size, np.int64)
            for bits in has:
                counts += 1 if bits is None else bits
            return Result(Numbers(active.space, counts, Tag.INT, max(len(has), 1)))
    return None


def _abs(merger: LaneMerger, arguments: Sequence[Value], _keywords: Mapping[str, Value], active: Mask) -> Result | None:
    value = merger.at(arguments[0], active.space)
    if isinstance(value, Arrays):
        return Result(Arrays(active.space, np.abs(value.data)))
    one = number(merger, value, active)
    if one is None or one.tag in TRUTHS:
        return None
    return Result(Numbers(active.space, np.abs(one.data), one.tag, one.bound))


def _round(
    merger: LaneMerger, arguments: Sequence[Value], _keywords: Mapping[str, Value], active: Mask
) -> Result | None:
    one = number(merger, arguments[0], active)
    if one is None or len(arguments) > 2 or one.tag not in FLOATS:
        return None
    if len(arguments) == 1:
        return _integer(np.rint(one.data), active)
    digits = arguments[1]
    if not isinstance(digits, Uniform) or type(digits.value) is not int:
        return None
    found = nearest(one.data, digits.value, active)
    if found is None:
        return None
    whole, unsure = found
    return Result(Numbers(active.space, whole / 10.0**digits.value, one.tag), unsure)


def nearest(data: Any, digits: int, active: Mask) -> tuple[Any, Bits | None] | None:
    """The whole numbers that floats times ten to so many digits round to, and the lanes in which arrays cannot be sure,
    None for none. None where there are so many digits that they never are.
    """
    if not 0 <= digits <= _MOST_DIGITS:
        return None
    scaled = data * 10.0**digits
    whole = np.rint(scaled)
    # Python rounds the exact value: where the product is within its own error of a half, it alone knows which way. Else
    # the whole number is right, and a quotient of two exact floats is the float next to it, which is what Python gives.
    if _far_from_halves(scaled, whole):
        return whole, None
    with np.errstate(invalid="ignore"):  # infinite numbers are not clear
        clear = (np.abs(scaled) < 2.0**50) & (np.abs(np.abs(scaled - whole) - 0.5) > 2.0**-50 * np.abs(scaled))
    unsure = where_not(clear, active)
    return whole if unsure is None else np.where(clear, whole, 0.0), unsure


def _far_from_halves(scaled: Any, whole: Any) -> bool:
    """Whether no number is near to a half, by bounds for all of them together; no, where there is NaN."""
    if not np.size(scaled):
        return False
    largest = max(scaled.max(), -scaled.min())
    if not largest < 2.0**50:
        return False
    apart = scaled - whole
    return bool(max(apart.max(), -apart.min()) < 0.5 - 2.0**-50 * largest)


def _int(merger: LaneMerger, arguments: Sequence[Value], _keywords: Mapping[str, Value], active: Mask) -> Result | None:
    one = number(merger, arguments[0], active)
    if one is None or len(arguments) > 1:
        return None
    return _integer(np.trunc(one.data) if one.tag in FLOATS else one.data, active)


def _integer(whole: Any, active: Mask) -> Result | None:
    """Whole numbers as Python integers; it is asked for those that int64 does not hold, NaN and infinite ones."""
    failed = None
    if whole.dtype.kind == "f":
        fits = np.abs(whole) < FITS
        failed = where_not(fits, active)
        if failed is not None or active.bits is not None:
            whole = np.where(fits if active.bits is None else fits & active.bits, whole, 0.0)
    data = whole.astype(np.int64)
    bound = largest(data)
    return Result(Numbers(active.space, data, Tag.INT, bound), failed) if bound <= FITS else None


def _float(
    merger: LaneMerger, arguments: Sequence[Value], _keywords: Mapping[str, Value], active: Mask
) -> Result | None:
    one = number(merger, arguments[0], active)
    return None if one is None else Result(Numbers(active.space, one.data.astype(np.float64), Tag.FLOAT))


def truth(merger: LaneMerger, value: Value, active: Mask) -> Bits | None:
    """In which lanes of `active.space` a value is true; None if it is not known here."""
    value = merger.at(value, active.space)
    if isinstance(value, Keyed):
        value = merger.at(value.keys, active.space)
    match value:
        case Uniform():
            return np.full(active.space.size, bool(value.value)) if tag_of(value.value) is not None else None
        case Numbers():
            return np.asarray(value.data if value.tag in TRUTHS else value.data != 0)
        case Lists(lengths=None):
            return np.full(active.space.size, len(value.items) > 0)
        case Lists(lengths=lengths) if lengths is not None:
            return np.asarray(lengths > 0)
        case Dicts():
            found = np.zeros(active.space.size, np.bool_)
            for place in range(len(value.keys)):
                has = presence(value, place, active.space, merger)
                found |= True if has is None else has
            return found
        case Mixed():
            empty = merger.texts.number("")
            textual = value.tags == Tag.TEXT
            other = (value.payload != 0) & (value.tags != Tag.NONE)
            return np.asarray(np.where(textual, value.payload != empty, other))
    return None


def _bool(
    merger: LaneMerger, arguments: Sequence[Value], _keywords: Mapping[str, Value], active: Mask
) -> Result | None:
    found = truth(merger, arguments[0], active) if arguments else None
    return None if found is None else Result(Numbers(active.space, found, Tag.BOOL))


def _any_orholds(conjunction: bool) -> Known:
    def call(
        merger: LaneMerger, arguments: Sequence[Value], _keywords: Mapping[str, Value], active: Mask
    ) -> Result | None:
        lists = sequence(merger, arguments[0], active)
        if lists is None:
            return None
        result: Bits = np.full(active.space.size, conjunction)
        for position, item in enumerate(lists.items):
            found = Uniform(bool(item.value)) if isinstance(item, Uniform) else item
            bits = np.asarray(found.value) if isinstance(found, Uniform) else truth(merger, found, active)
            if bits is None:
                return None
            if lists.lengths is not None:
                there = lists.lengths > position
                bits = (bits | ~there) if conjunction else (bits & there)
            result = (result & bits) if conjunction else (result | bits)
        return Result(Numbers(active.space, result, Tag.BOOL))

    return call


def sequence(merger: LaneMerger, value: Value, active: Mask) -> Lists | None:
    """A list or tuple in the space of the active lanes; an array as the list of its elements, a dict as its keys'."""
    value = merger.at(value, active.space)
    if isinstance(value, Keyed):
        value = merger.at(value.keys, active.space)
    if isinstance(value, Dicts):
        keys = tuple(Uniform(key) for key in value.keys)
        if value.there is not None:
            return with_presence(merger, value, keys, active)
        return Lists(active.space, keys, None, False)
    if isinstance(value, Arrays):
        return Lists(active.space, elements(value), None, False)
    if isinstance(value, Ragged):
        items = tuple(Numbers(value.space, row, value.tag) for row in value.data)
        return Lists(active.space, items, value.counts, False)
    if isinstance(value, Uniform) and _listed(value.value):
        return Lists(active.space, tuple(Uniform(item) for item in value.value), None, False)
    return as_lists(value, active.space)


def keys_of(merger: LaneMerger, value: Value, active: Mask) -> Value:
    """Dicts as the lists of their keys; anything else as it is."""
    return (sequence(merger, value, active) or value) if isinstance(value, Dicts | Keyed) else value


def _listed(value: Any) -> bool:
    """Whether iterating a value that is the same in all lanes always gives the same few items."""
    plain = type(value) in (range, dict, str) or (isinstance(value, np.ndarray) and value.ndim == 1)
    return plain and len(value) <= _LONGEST_UNIFORM


def elements(value: Arrays) -> tuple[Value, ...]:
    """What iterating an array gives."""
    if len(value.shape) == 1:
        return tuple(Numbers(value.space, row, value.tag) for row in value.data)
    return tuple(Arrays(value.space, row) for row in value.data)


def _range(
    merger: LaneMerger, arguments: Sequence[Value], _keywords: Mapping[str, Value], active: Mask
) -> Result | None:
    """A range whose end differs, as the list of its numbers."""
    if len(arguments) > 2:
        return None
    start = Uniform(0) if len(arguments) == 1 else arguments[0]
    stop = number(merger, arguments[-1], active)
    if not isinstance(start, Uniform) or type(start.value) is not int or stop is None or stop.tag not in INTEGERS:
        return None
    lengths = np.clip(stop.data - start.value, 0, None)
    if active.bits is not None:
        lengths = np.where(active.bits, lengths, 0)
    longest = int(lengths.max()) if lengths.size else 0
    if longest > _LONGEST_RANGE:
        return None
    items = tuple(Uniform(start.value + position) for position in range(longest))
    return Result(Lists(active.space, items, lengths.astype(np.int32), False))


def _enumerate(
    merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask
) -> Result | None:
    lists = sequence(merger, arguments[0], active)
    start = arguments[1] if len(arguments) > 1 else keywords.get("start", Uniform(0))
    if lists is None or not isinstance(start, Uniform) or type(start.value) is not int:
        return None
    pairs = tuple(
        Lists(active.space, (Uniform(number), item), None, True) for number, item in enumerate(lists.items, start.value)
    )
    return Result(Lists(active.space, pairs, lists.lengths, False))


def _zip(merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask) -> Result | None:
    found = [sequence(merger, argument, active) for argument in arguments]
    if keywords or not found or any(one is None for one in found):
        return None
    lists = [one for one in found if one is not None]
    shortest = min(len(one.items) for one in lists)
    lengths = None
    for one in lists:
        if one.lengths is not None:
            lengths = one.lengths if lengths is None else np.minimum(lengths, one.lengths)
    if lengths is not None:
        lengths = np.minimum(lengths, np.int32(shortest))
    rows = tuple(
        Lists(active.space, tuple(one.items[position] for one in lists), None, True) for position in range(shortest)
    )
    return Result(Lists(active.space, rows, lengths, False))


def _reversed(
    merger: LaneMerger, arguments: Sequence[Value], _keywords: Mapping[str, Value], active: Mask
) -> Result | None:
    lists = sequence(merger, arguments[0], active)
    if lists is None or lists.lengths is not None:
        return None
    return Result(Lists(active.space, lists.items[::-1], None, False))


def _collect(tuples: bool) -> Known:
    def call(
        merger: LaneMerger, arguments: Sequence[Value], _keywords: Mapping[str, Value], active: Mask
    ) -> Result | None:
        lists = sequence(merger, arguments[0], active) if arguments else None
        if lists is None or (isinstance(lists, Filtered) and not tuples):
            return None if lists is None else Result(lists)
        return Result(Lists(active.space, lists.items, lists.lengths, tuples))

    return call


def _rounded(function: Callable[[Any], Any]) -> Known:
    """`math.floor` and its like, which give integers."""

    def call(
        merger: LaneMerger, arguments: Sequence[Value], _keywords: Mapping[str, Value], active: Mask
    ) -> Result | None:
        one = number(merger, arguments[0], active)
        return None if one is None or one.tag not in FLOATS else _integer(function(one.data), active)

    return call


def _exact(function: Callable[[Any], Any], tag: Tag) -> Known:
    """Functions whose result does not depend on the library that computes them."""

    def call(
        merger: LaneMerger, arguments: Sequence[Value], _keywords: Mapping[str, Value], active: Mask
    ) -> Result | None:
        one = number(merger, arguments[0], active)
        if one is None or one.tag not in FLOATS:
            return None
        return Result(Numbers(active.space, function(one.data), tag))

    return call


def _sqrt(
    merger: LaneMerger, arguments: Sequence[Value], _keywords: Mapping[str, Value], active: Mask
) -> Result | None:
    one = number(merger, arguments[0], active)
    if one is None or one.tag not in FLOATS:
        return None
    failed = one.data < 0 if active.bits is None else (one.data < 0) & active.bits
    return Result(Numbers(active.space, np.sqrt(one.data), Tag.FLOAT), failed if failed.any() else None)


def _record(
    _merger: LaneMerger, arguments: Sequence[Value], _keywords: Mapping[str, Value], _active: Mask
) -> Result | None:
    name, fields, entries = arguments
    if not (isinstance(name, Uniform) and isinstance(fields, Uniform) and isinstance(entries, Dicts)):
        return None
    if entries.there is not None:
        return None
    given = dict(zip(entries.keys, entries.entries, strict=True))
    return Result(Dicts(fields.value, tuple(given[field] for field in fields.value), name.value))


KNOWN: Mapping[str, Known] = {
    "record": _record,
    "len": _len,
    "abs": _abs,
    "round": _round,
    "int": _int,
    "float": _float,
    "bool": _bool,
    "any": _any_orholds(conjunction=False),
    "all": _any_orholds(conjunction=True),
    "range": _range,
    "enumerate": _enumerate,
    "zip": _zip,
    "reversed": _reversed,
    "list": _collect(tuples=False),
    "tuple": _collect(tuples=True),
    "math.floor": _rounded(np.floor),
    "math.ceil": _rounded(np.ceil),
    "math.trunc": _rounded(np.trunc),
    "math.fabs": _exact(np.abs, Tag.FLOAT),
    "math.isnan": _exact(np.isnan, Tag.BOOL),
    "math.isinf": _exact(np.isinf, Tag.BOOL),
    "math.isfinite": _exact(np.isfinite, Tag.BOOL),
    "math.sqrt": _sqrt,
}
