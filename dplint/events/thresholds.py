"""Which values and which thresholds of one feature are worth a condition."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from dplint.events.columns import (
    Column,
    Key,
    Ordered,
    RowKey,
    ValueClass,
    are_one,
    aside,
    between,
    may_be_one,
    number_key,
    one_of_each,
    other_literal,
)
from dplint.events.conditions import Feature
from dplint.events.grids import Axis, NumberAxis, ValueAxis
from dplint.events.layout import Part
from dplint.events.table_values import Table
from dplint.program.building import constant
from dplint.runner.batch import LeafKind
from dplint.runner.texts import TextNumbers

_FEW = 24
"""A feature with at most this many values is categorical."""
MOST_KEYS = 48
ATOM = 0.002
"""A value with at least this share among otherwise continuous ones is worth a condition of its own."""
QUANTILES = (0.005, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.995)
_LANDMARKS = 8
_EXACTLY = 6
"""Digits that a noise-free value may have more than other thresholds."""
_GAP, _MOST_GAPS = 0.1, 4
"""Share of the spread that numbers leave free between two heaps of them, and how many such gaps count."""
_USUAL = 0.25


@dataclass(frozen=True)
class Described:
    """One feature with its axes: `values` for equality, `numbers` for half-lines and intervals."""

    feature: Feature
    categorical: bool
    values: ValueAxis | None
    numbers: NumberAxis | None

    @property
    def axes(self) -> tuple[Axis, ...]:
        """The axes that there are."""
        return tuple(axis for axis in (self.values, self.numbers) if axis is not None)


def describe(
    feature: Feature,
    column: Column,
    numbers: Ordered,
    landmarks: Callable[[], tuple[float, ...]],
    texts: TextNumbers,
    *,
    booleans: bool,
    clusters: bool = False,
    rounded: bool = False,
) -> Described | None:
    """The axes of a feature, given its values on the pooled pilot runs; None if it never varies.

    numbers: those of the column. landmarks: its noise-free values, which make natural thresholds: noise that has a
    smallest value shows there. clusters: numbers may lie in a few heaps, and there are thresholds between them.
    rounded: numbers may differ by the rounding of floats alone, so that no condition is about a single one.
    """
    runs = len(column.classes)
    finite = numbers.finite
    distinct = len(one_of_each(numbers) if rounded else numbers.distinct)
    categorical = distinct <= _FEW
    keys = list(common_values(column, numbers, texts, booleans=booleans, least=1 if categorical else ATOM * runs))
    others = len({key for key, _ in keys if key.kind is not ValueClass.NUMBER})
    missing = bool((column.classes == ValueClass.MISSING).any())
    if distinct + others + missing < 2:
        return None
    if not (others or missing) and are_one(finite):
        return None
    kept = [key for key, _ in keys if is_literal(key) and not (clusters and _has_many_digits(key))][:MOST_KEYS]
    if rounded:
        kept = [key for key in kept if key.kind is not ValueClass.NUMBER]
    values = ValueAxis(feature, tuple(kept)) if kept else None
    if categorical and (not feature.ORDERED or (distinct <= 2 and not rounded)):
        return Described(feature, True, values, None) if values else None
    if categorical:
        cuts = between(one_of_each(finite)) if rounded else _steps(numbers)
    else:
        cuts = cuts_at(finite, QUANTILES, landmarks(), rounded=rounded)
    if clusters and not categorical:
        cuts = tuple(sorted({*cuts, *_between_clusters(finite)}))
    return Described(feature, categorical and not rounded, values, NumberAxis(feature, cuts) if cuts else None)


def is_literal(key: Key) -> bool:
    """Whether a key is a value to compare with. Objects of unknown type are known only by the name of their type."""
    return key.kind is not ValueClass.OTHER or not key.shown.isidentifier()


def _has_many_digits(key: Key) -> bool:
    """Whether a key is a number that rounding may have made: as a sum or difference it comes in several others."""
    return key.kind is ValueClass.NUMBER and round(key.value, _EXACTLY) != key.value


def common_values(
    column: Column, numbers: Ordered, texts: TextNumbers, *, booleans: bool, least: float = 1
) -> Iterator[tuple[Key, int]]:
    """The values of a column with their counts, most frequent first, numbers by value where counts are equal.

    numbers: those of the column. least: the count from which on a number is among them.
    """
    found: list[tuple[Key, int]] = []
    values, counts = numbers.distinct, numbers.counts
    values, counts = values[counts >= least], counts[counts >= least]
    if len(values) > MOST_KEYS:
        top = np.sort(np.argsort(-counts, kind="stable")[:MOST_KEYS])
        values, counts = values[top], counts[top]
    for value, count in zip(values.tolist(), counts.tolist(), strict=True):
        found.append((leaf_key(ValueClass.NUMBER, value, texts, boolean=booleans), count))
    others = len(column.classes) > len(numbers)
    for kind in (ValueClass.NAN, ValueClass.NONE) if others else ():
        count = int((column.classes == kind).sum())
        if count:
            found.append((leaf_key(kind, 0.0, texts), count))
    for kind in (ValueClass.TEXT, ValueClass.OTHER) if others else ():
        values, counts = np.unique(column.values[column.classes == kind], return_counts=True)
        for number, count in zip(values.tolist(), counts.tolist(), strict=True):
            found.append((leaf_key(kind, number, texts), count))
    yield from sorted(found, key=lambda item: -item[1])


def leaf_key(kind: ValueClass, value: float, texts: TextNumbers, *, boolean: bool = False) -> Key:
    """The key of one value of a column. An integer and an equal float are spelled alike, being equal."""
    match kind:
        case ValueClass.NUMBER:
            return number_key(value, integral=value.is_integer() and abs(value) < 1e15, boolean=boolean)
        case ValueClass.NAN:
            return Key(kind, 0.0, constant(math.nan))
        case ValueClass.TEXT:
            return Key(kind, value, constant(texts.texts[int(value)]))
        case ValueClass.OTHER:
            return Key(kind, value, other_literal(texts.texts[int(value)]))
        case ValueClass.NONE | ValueClass.MISSING:
            return Key(kind, 0.0, constant(None))


def row_key(table: Table, part: Part, index: int, texts: TextNumbers) -> RowKey:
    """A part of one output of a table as a category."""
    leaves = range(part.start, part.stop)
    classes = np.broadcast_to(table.classes, table.values.shape)
    return RowKey(
        tuple(
            leaf_key(
                ValueClass(int(classes[leaf, index])),
                float(table.values[leaf, index]),
                texts,
                boolean=bool(table.kinds[leaf, index] == LeafKind.BOOL),
            )
            for leaf in leaves
        )
    )


def _between_clusters(numbers: Ordered) -> Iterator[float]:
    """Thresholds in the widest gaps between heaps of numbers, rounded."""
    if len(numbers) < 10:
        return
    ordered = numbers.distinct
    low, high = numbers.quantiles([0.005, 0.995])
    steps = np.diff(ordered)
    if not 0 < high - low < math.inf:
        return
    for place in np.argsort(-steps, kind="stable")[:_MOST_GAPS].tolist():
        if steps[place] >= _GAP * (high - low) and low <= ordered[place] and ordered[place + 1] <= high:
            yield round(float(ordered[place] + ordered[place + 1]) / 2, digits_of(numbers) + 1)


def _steps(numbers: Ordered) -> tuple[float, ...]:
    """Thresholds for few values: for every value but the smallest one that only it and larger ones reach."""
    steps = ((below, value) for below, value in pairwise(numbers.distinct.tolist()) if math.isfinite(value))
    return tuple(_shortest(*step) for step in steps if not are_one(Ordered(np.array(step))))


def _shortest(below: float, value: float) -> float:
    """The number with the fewest decimals that is more than one number and at most another one."""
    for digits in range(16):
        short = math.floor(value * 10.0**digits) / 10.0**digits
        if below < short <= value:
            return short
    return float(value)


def cuts_at(
    numbers: Ordered,
    quantiles: Sequence[float],
    landmarks: tuple[float, ...] = (),
    *,
    rounded: bool = False,
) -> tuple[float, ...]:
    """Quantiles of finite numbers, rounded to what their spread deserves, and the noise-free values, ascending.

    Beside all of these where numbers differ by rounding alone, or `rounded` says so.
    """
    if len(numbers) < 10:
        return ()
    digits = digits_of(numbers)
    if rounded or may_be_one(numbers):
        beside = {round(round(q, digits) + aside(digits), digits + 4) for q in numbers.quantiles(quantiles)}
        return tuple(sorted(cut for cut in beside if math.isfinite(cut)))
    near = landmarks[:_LANDMARKS] if len(landmarks) <= _LANDMARKS else landmarks[:: len(landmarks) // _LANDMARKS + 1]
    cuts = {round(q, digits) for q in numbers.quantiles(quantiles)}
    # Sums of floats without noise end in digits that say nothing.
    cuts |= {round(one, digits + _EXACTLY) for one in near}
    return tuple(sorted(cut for cut in cuts if math.isfinite(cut)))


def digits_of(numbers: Ordered) -> int:
    """How many digits after the point thresholds for these numbers deserve; negative for large ones."""
    low, high = numbers.quantiles([0.1, 0.9])
    spread = high - low
    return 2 - math.floor(math.log10(spread)) if 0 < spread < math.inf else 6


def many_values(numbers: Ordered) -> bool:
    """Whether numbers are many different ones, of which none is usual: differences of others would tell little."""
    return len(numbers.counts) > _FEW and bool(numbers.counts.max() <= _USUAL * len(numbers))
