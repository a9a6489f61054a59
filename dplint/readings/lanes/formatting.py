"""Numbers as texts on lanes: `f"{x:.2f}"` is worked out once for each text that comes of it, not once for each lane."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping, Sequence
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from dplint.readings.lanes.arithmetic import Result
from dplint.readings.lanes.functions import Known, holds, nearest, number
from dplint.readings.lanes.lane_values import FLOATS, INTEGERS, Mixed, Tag, Uniform, Value
from dplint.readings.lanes.merging import LaneMerger
from dplint.readings.lanes.spaces import Mask
from dplint.runner.texts import TextNumbers

_DECIMALS = re.compile(r"[-+ ]?0?\d{0,2}[,_]?\.(\d\d?)f")
"""Formats whose text depends on the rounded number and its sign alone."""
_MOST_CODES = 4
"""More numbers than so many for each lane are not counted one by one."""

_MOST_KEPT = 16
"""Formats whose texts are kept."""
_MOST_KNOWN = 1 << 20
"""Codes of one format whose texts are kept."""
_UNKNOWN = -1

Codes = NDArray[np.int64]


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
        return _texts(merger, one.data, str, active, "")
    if one.tag not in FLOATS or decimals is None:
        return None
    digits = int(decimals[1])
    whole = nearest(one.data, digits, active)
    if whole is None:
        return None
    if active.bits is not None:
        whole = np.where(active.bits, whole, 0.0)
    # Of the numbers below zero, and -0.0, each is one further down, so that the two zeros are told apart.
    codes = whole.astype(np.int64) - np.signbit(whole)

    return _texts(merger, codes, functools.partial(_formatted, spec.value, digits), active, spec.value)


def _formatted(spec: str, digits: int, code: int) -> str:
    """The text of a code: of a whole number of units of the last digit, or one further down below zero."""
    value = float(code) if code >= 0 else -float(-(code + 1))
    return format(value / 10.0**digits, spec)


class _Numbered:
    """The numbers of the texts of codes, where they are known."""

    def __init__(self) -> None:
        self._low = 0
        self._numbers: Codes = np.zeros(0, np.int64)

    def of(self, codes: Codes, text: Callable[[int], str], texts: TextNumbers) -> Codes:
        """The numbers of the texts of these codes, which ascend."""
        self._reach(int(codes[0]), int(codes[-1]) + 1)
        places = codes - self._low
        new = self._numbers[places] == _UNKNOWN
        self._numbers[places[new]] = [texts.number(text(code)) for code in codes[new].tolist()]
        return self._numbers[places]

    def _reach(self, low: int, stop: int) -> None:
        first, last = min(low, self._low), max(stop, self._low + len(self._numbers))
        if not len(self._numbers) or last - first > max(_MOST_KNOWN, stop - low):
            self._low, self._numbers = low, np.full(stop - low, _UNKNOWN)
            return
        before, behind = self._low - first, last - self._low - len(self._numbers)
        if before or behind:
            self._numbers = np.pad(self._numbers, (before, behind), constant_values=_UNKNOWN)
            self._low = first


_KEPT: WeakKeyDictionary[TextNumbers, dict[str, _Numbered]] = WeakKeyDictionary()
"""By the format."""


def _texts(
    merger: LaneMerger, codes: Codes, text: Callable[[int], str], active: Mask, spec: str | None = None
) -> Result | None:
    """The text of each lane's code; None if there are too many codes. spec: what alone decides the text of a code."""
    used = codes if active.bits is None else codes[active.bits]
    if not used.size:
        return None
    low, span = int(used.min()), int(used.max()) - int(used.min()) + 1
    if span > _MOST_CODES * len(used):
        return None
    places = codes - low if active.bits is None else np.where(active.bits, codes - low, used[0] - low)
    seen = np.flatnonzero(np.bincount(places, minlength=span))
    payload = np.zeros(span)
    kept = _KEPT.setdefault(merger.texts, {})
    known = _Numbered() if spec is None or len(kept) > _MOST_KEPT else kept.setdefault(spec, _Numbered())
    payload[seen] = known.of(seen + low, text, merger.texts)
    return Result(Mixed(active.space, np.full(active.space.size, Tag.TEXT, np.uint8), payload[places]))


def _joined(
    merger: LaneMerger, arguments: Sequence[Value], _keywords: Mapping[str, Value], active: Mask
) -> Result | None:
    """An f-string of texts and integers; of all others, as `format` without a format gives them, None."""
    parts: list[str | tuple[Codes, list[str]]] = []
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
        numbers = here.payload.astype(np.int64)
        if active.bits is not None:
            numbers = np.where(active.bits, numbers, numbers[np.argmax(active.bits)])
        seen = np.flatnonzero(np.bincount(numbers))
        places = np.zeros(int(seen[-1]) + 1, np.int64)
        places[seen] = np.arange(len(seen))
        texts = merger.texts.texts
        parts.append((places[numbers], [texts[one] for one in seen.tolist()]))
    return _of_parts(merger, parts, active)


def _is_text(value: Value, active: Mask) -> bool:
    """Whether all active lanes hold a text."""
    return isinstance(value, Mixed) and holds(value.tags == Tag.TEXT, active.bits)


def _of_parts(merger: LaneMerger, parts: Sequence[str | tuple[Codes, list[str]]], active: Mask) -> Result | None:
    """The parts put together, once for each combination of those that differ."""
    varying = [part for part in parts if not isinstance(part, str)]
    combined = 1
    for _, texts in varying:
        combined *= len(texts)
    if combined > _MOST_CODES * active.space.size:
        return None
    codes = np.zeros(active.space.size, np.int64)
    for places, texts in varying:
        codes = codes * len(texts) + places

    def text(code: int) -> str:
        words: list[str] = []
        for part in reversed(parts):
            if isinstance(part, str):
                words.append(part)
            else:
                code, place = divmod(code, len(part[1]))
                words.append(part[1][place])
        return "".join(reversed(words))

    return _texts(merger, codes, text, active)


def _str(merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask) -> Result | None:
    if len(arguments) != 1:
        return None
    here = merger.at(arguments[0], active.space)
    return Result(here) if _is_text(here, active) and not keywords else _format(merger, [here], keywords, active)


KNOWN: Mapping[str, Known] = {"format": _format, "str": _str, "f-string": _joined}
