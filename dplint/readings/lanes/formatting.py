"""Numbers as texts on lanes: `f"{x:.2f}"` is worked out once for each text that comes of it, not once for each lane."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias, cast
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from dplint.readings.lanes.arithmetic import Result
from dplint.readings.lanes.functions import Known, holds, nearest, number
from dplint.readings.lanes.lane_values import FLOATS, INTEGERS, Mixed, Tag, Uniform, Value
from dplint.readings.lanes.merging import LaneMerger
from dplint.readings.lanes.spaces import Mask, spread
from dplint.runner.texts import TextNumbers

_DECIMALS = re.compile(r"[-+ ]?0?\d{0,2}[,_]?\.(\d\d?)f")
"""Formats whose text depends on the rounded number and its sign alone."""
_MOST_COUNTED = 4
"""Numbers that span more than so many for each lane are sorted, and not counted."""
_MOST_COMBINED = 2**62

_MOST_KEPT = 16
"""Formats and f-strings whose texts are kept."""
_MOST_KNOWN = 1 << 20
"""Codes of one format whose texts are kept."""
_UNKNOWN = -1

Codes = NDArray[np.int64]
Texts = Callable[[Codes], Iterable[str]]
"""The texts of codes."""
Key: TypeAlias = str | tuple[str, str]
"""A format of numbers, or what stands before and behind texts whose codes are their numbers."""


def _format(
    merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask
) -> Result | None:
    """`format(x, ".2f")` of floats, `format(n)` and `str(n)` of integers, none of them far from the others."""
    spec = arguments[1] if len(arguments) > 1 else Uniform("")
    one = number(merger, arguments[0], active)
    if (
        one is None
        or keywords
        or len(arguments) > 2
        or not isinstance(spec, Uniform)
        or not isinstance(spec.value, str)
    ):
        return None
    decimals = _DECIMALS.fullmatch(spec.value)
    if one.tag in INTEGERS and not spec.value:
        return _texts(merger, one.data, lambda codes: map(str, codes.tolist()), active, "")
    if one.tag not in FLOATS or decimals is None:
        return None
    digits = int(decimals[1])
    found = nearest(one.data, digits, active)
    if found is None:
        return None
    whole, unsure = found
    counts = active.bits if unsure is None else ~unsure if active.bits is None else active.bits & ~unsure
    if counts is not None:
        whole = np.where(counts, whole, 0.0)
    # Of the numbers below zero, and -0.0, each is one further down, so that the two zeros are told apart.
    codes = whole.astype(np.int64) - np.signbit(whole)
    made = _texts(merger, codes, functools.partial(_formatted, spec.value, digits), active, spec.value)
    return None if made is None else Result(made.value, unsure)


def _formatted(spec: str, digits: int, codes: Codes) -> Iterable[str]:
    """The texts of codes: of a whole number of units of the last digit, or one further down below zero."""
    values = np.where(codes >= 0, codes, -np.abs(codes + 1.0)) / 10.0**digits
    return map(f"{{:{spec}}}".format, values.tolist())


class _Numbered:
    """The numbers of the texts of codes, where they are known."""

    def __init__(self) -> None:
        self._low = 0
        self._numbers: Codes = np.zeros(0, np.int64)

    def of(self, codes: Codes, text: Texts, texts: TextNumbers) -> Codes:
        """The numbers of the texts of these codes, which ascend."""
        low, stop = int(codes[0]), int(codes[-1]) + 1
        if stop - low > _MOST_KNOWN:
            return np.array(list(map(texts.number, text(codes))))
        self._reach(low, stop)
        places = codes - self._low
        new = self._numbers[places] == _UNKNOWN
        self._numbers[places[new]] = list(map(texts.number, text(codes[new])))
        return self._numbers[places]

    def _reach(self, low: int, stop: int) -> None:
        first, last = min(low, self._low), max(stop, self._low + len(self._numbers))
        if not len(self._numbers) or last - first > _MOST_KNOWN:
            self._low, self._numbers = low, np.full(stop - low, _UNKNOWN)
            return
        before, behind = self._low - first, last - self._low - len(self._numbers)
        if before or behind:
            self._numbers = np.pad(self._numbers, (before, behind), constant_values=_UNKNOWN)
            self._low = first


_KEPT: WeakKeyDictionary[TextNumbers, dict[Key, _Numbered]] = WeakKeyDictionary()


def _texts(merger: LaneMerger, codes: Codes, text: Texts, active: Mask, key: Key | None = None) -> Result | None:
    """The text of each lane's code. key: what alone decides the text of a code."""
    used = codes if active.bits is None else codes[active.bits]
    if not used.size:
        return None
    seen, places = _distinct(used)
    kept = _KEPT.setdefault(merger.texts, {})
    known = _Numbered() if key is None or len(kept) > _MOST_KEPT else kept.setdefault(key, _Numbered())
    numbers = known.of(seen, text, merger.texts).astype(np.float64)[places]
    payload = numbers if active.bits is None else spread(numbers, active.space.size, active.bits.nonzero()[0])
    return Result(Mixed(active.space, np.full(active.space.size, Tag.TEXT, np.uint8), payload))


def _distinct(codes: Codes) -> tuple[Codes, NDArray[np.intp]]:
    """The codes that there are, ascending, and at which place each one stands among them."""
    low = int(codes.min())
    span = int(codes.max()) - low + 1
    if span > _MOST_COUNTED * len(codes):
        return np.unique(codes, return_inverse=True)
    among = codes - low
    seen = np.bincount(among, minlength=span) > 0
    return seen.nonzero()[0] + low, (np.cumsum(seen) - 1)[among]


def _joined(
    merger: LaneMerger, arguments: Sequence[Value], _keywords: Mapping[str, Value], active: Mask
) -> Result | None:
    """An f-string of texts and integers; of all others, as `format` without a format gives them, None."""
    parts: list[str | Codes] = []
    for argument in arguments:
        if isinstance(argument, Uniform):
            parts.append(format(argument.value))
            continue
        here = merger.at(argument, active.space)
        if not _is_text(here, active):
            made = _format(merger, [here], {}, active)
            if made is None:
                return None
            here = made.value
        if len(arguments) == 1:
            return Result(here)
        assert isinstance(here, Mixed)
        parts.append(here.payload.astype(np.int64))
    places = [place for place, part in enumerate(parts) if not isinstance(part, str)]
    if len(places) > 1:
        return _of_several(merger, parts, active)
    before, after = (cast("list[str]", side) for side in (parts[: places[0]], parts[places[0] + 1 :]))
    return _of_one(merger, "".join(before), cast("Codes", parts[places[0]]), "".join(after), active)


def _is_text(value: Value, active: Mask) -> bool:
    """Whether all active lanes hold a text."""
    return isinstance(value, Mixed) and holds(value.tags == Tag.TEXT, active.bits)


def _of_one(merger: LaneMerger, before: str, numbers: Codes, after: str, active: Mask) -> Result | None:
    """A text that differs, of which the numbers are given, between two that do not."""
    known = merger.texts.texts

    def made(codes: Codes) -> Iterable[str]:
        return [before + known[code] + after for code in codes.tolist()]

    return _texts(merger, numbers, made, active, (before, after))


def _of_several(merger: LaneMerger, parts: Sequence[str | Codes], active: Mask) -> Result | None:
    """Texts and the numbers of texts put together, once for each combination of those that differ."""
    codes, combined = np.zeros(active.space.size, np.int64), 1
    seen: dict[int, list[str]] = {}
    for place, part in enumerate(parts):
        if isinstance(part, str):
            continue
        numbers = part if active.bits is None else np.where(active.bits, part, part[np.argmax(active.bits)])
        there, found = _distinct(numbers)
        seen[place] = [merger.texts.texts[one] for one in there.tolist()]
        codes = codes * len(there) + found
        combined *= len(there)
    if combined > _MOST_COMBINED:
        return None

    def made(codes: Codes) -> Iterable[str]:
        columns: list[Iterable[str]] = []
        for place, part in reversed(list(enumerate(parts))):
            if isinstance(part, str):
                columns.append(itertools.repeat(part))
            else:
                codes, found = np.divmod(codes, len(seen[place]))
                columns.append([seen[place][one] for one in found.tolist()])
        return map("".join, zip(*reversed(columns), strict=False))

    return _texts(merger, codes, made, active)


def _str(merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask) -> Result | None:
    if len(arguments) != 1:
        return None
    here = merger.at(arguments[0], active.space)
    return Result(here) if _is_text(here, active) and not keywords else _format(merger, [here], keywords, active)


KNOWN: Mapping[str, Known] = {"format": _format, "str": _str, "f-string": _joined}
