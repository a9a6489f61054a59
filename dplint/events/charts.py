"""Two samples of outputs as bars: categories, or a histogram whose bins keep to the thresholds of the event."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from dplint.events.printed import UNDEFINED, Measure, PrintedEvent
from dplint.outcomes import Bar, Distributions

BINS = 40
_MOST_CATEGORIES = 12
_MOST_IN_EVENT = 3
"""So many categories of the event have a bar of their own, however rare they are."""
_MOST_INTEGERS = 60
"""Whole numbers that span no more than this have a bin each."""
_ATOM = 0.03
"""Share of the outputs that a single value must have to stand beside a histogram."""
_TAIL = 0.002
"""Share of the numbers that may lie in the open bin at either end."""
_LONGEST_LABEL = 60


@dataclass(frozen=True, slots=True)
class _Sample:
    """What one measure is on every output of D1 and D2: numbers, NaN where it is none, and labels of those."""

    numbers: npt.NDArray[np.float64]
    labels: npt.NDArray[np.object_]
    second: npt.NDArray[np.bool_]
    inside: npt.NDArray[np.bool_]


def chart(
    outputs1: Sequence[object], outputs2: Sequence[object], event: PrintedEvent, notes: tuple[str, ...] = ()
) -> Distributions:
    """How the outputs on D1 and D2 are distributed over what the event looks at.

    Of several things that it looks at, that one is drawn whose bars are most clearly in the event or not, and among
    those the one whose distributions differ most: of a vector that is usually a coordinate. A bar tells how much of it
    is in the event, so that no choice of axis is misleading.
    """
    outputs = [*outputs1, *outputs2]
    second = np.arange(len(outputs)) >= len(outputs1)
    inside = np.array([event.holds(output) for output in outputs], bool)
    named = [m for m in event.measures if m.expression != "output"] or list(event.measures)
    drawn = [_drawn(measure, outputs, second, inside) for measure in named]
    return replace(max(drawn, key=lambda one: (_clarity(one), _variation(one))), notes=notes)


def _drawn(
    measure: Measure, outputs: list[object], second: npt.NDArray[np.bool_], inside: npt.NDArray[np.bool_]
) -> Distributions:
    values = [_value(measure, output) for output in outputs]
    numbers = np.array([_number(value) for value in values], float)
    labels = np.array([_label(value) for value in values], object)
    sample = _Sample(numbers, labels, second, inside)
    runs1, runs2 = int((~second).sum()), int(second.sum())
    finite = np.isfinite(numbers)
    distinct = np.unique(numbers[finite])
    if len(distinct) <= _MOST_CATEGORIES or finite.mean() < 1 / 2:
        bars = _categories(sample, np.ones(len(values), bool))
        return Distributions(measure.expression, "categories", bars, (), runs1, runs2)
    integers = bool((distinct == np.round(distinct)).all()) and all(
        isinstance(value, int) for value in values if isinstance(value, int | float)
    )
    drawn = finite if integers else finite & ~_is_atom(numbers, finite)
    edges = _edges(numbers[drawn], measure.thresholds, integers=integers)
    bars = _histogram(sample, drawn, edges)
    return Distributions(measure.expression, "numbers", bars, _categories(sample, ~drawn), runs1, runs2)


def _is_atom(numbers: npt.NDArray[np.float64], finite: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Which outputs are single values that come often: in a histogram they would hide the rest."""
    values, counts = np.unique(numbers[finite], return_counts=True)
    atoms = values[counts >= _ATOM * len(numbers)]
    return finite & np.isin(numbers, atoms) if len(atoms) < len(values) else np.zeros(len(numbers), bool)


def _clarity(found: Distributions) -> float:
    """How clearly the bars are in the event or outside: 1 if none is divided. Rounded, for it is not that certain."""
    divided = 0.0
    for bar in (*found.bars, *found.others):
        inside, count = bar.inside1 + bar.inside2, bar.count1 + bar.count2
        divided += min(inside, count - inside) / (found.runs1 + found.runs2)
    return round(1 - divided, 2)


def _variation(found: Distributions) -> float:
    """The total variation distance of the two sides as drawn."""
    return sum(abs(bar.count1 / found.runs1 - bar.count2 / found.runs2) for bar in (*found.bars, *found.others))


def labelled(measure: Measure, output: object) -> tuple[str, float]:
    """What the measure of an output is called in a picture, and its number, NaN if it is none."""
    value = _value(measure, output)
    return _label(value), _number(value)


class _Missing:
    """The measure of an output that has none."""


def _value(measure: Measure, output: object) -> object:
    try:
        return measure.of(output)
    except UNDEFINED:
        return output if isinstance(output, Exception) else _Missing


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return math.nan
    try:
        return float(value)
    except OverflowError:
        return math.nan


def _label(value: object) -> str:
    """A value as one would write it."""
    if value is _Missing:
        return "not there"
    if isinstance(value, Exception):
        return f"raises {type(value).__name__}"
    text = f"{value:.4g}" if isinstance(value, float) and not value.is_integer() else repr(value)
    return text if len(text) <= _LONGEST_LABEL else f"{text[: _LONGEST_LABEL - 1]}…"


def _categories(sample: _Sample, wanted: npt.NDArray[np.bool_]) -> tuple[Bar, ...]:
    """A bar for each label: numbers in their order, else the most frequent first; the rest in a last bar."""
    counted = Counter(sample.labels[wanted].tolist())
    common = [label for label, _ in counted.most_common(_MOST_CATEGORIES)]
    inside = Counter(sample.labels[wanted & sample.inside].tolist())
    missing = [label for label, _ in inside.most_common(_MOST_IN_EVENT) if label not in common]
    common = [*common[: len(common) - len(missing)], *missing]
    value_of = dict(zip(sample.labels.tolist(), sample.numbers.tolist(), strict=True))
    if all(math.isfinite(value_of[label]) for label in common):
        common.sort(key=lambda label: value_of[label])
    elif set(common) <= {"False", "True"}:
        common.sort()
    bars = [_bar(sample, wanted & (sample.labels == label), label) for label in common]
    rest = wanted & ~np.isin(sample.labels, np.array(common, object)) if len(counted) > len(common) else None
    if rest is not None:
        bars.append(_bar(sample, rest, f"{len(counted) - len(common)} others"))
    return tuple(bars)


def _histogram(sample: _Sample, finite: npt.NDArray[np.bool_], edges: npt.NDArray[np.float64]) -> tuple[Bar, ...]:
    """A bar for each bin; the first and the last are open at their far ends."""
    places = np.clip(np.searchsorted(edges, sample.numbers, side="right") - 1, 0, len(edges) - 2)
    return tuple(
        _bar(sample, finite & (places == number), "", float(edges[number]), float(edges[number + 1]))
        for number in range(len(edges) - 1)
    )


def _bar(
    sample: _Sample, mask: npt.NDArray[np.bool_], label: str, low: float | None = None, high: float | None = None
) -> Bar:
    one, two = mask & ~sample.second, mask & sample.second
    inside1, inside2 = one & sample.inside, two & sample.inside
    return Bar(label, low, high, int(one.sum()), int(two.sum()), int(inside1.sum()), int(inside2.sum()))


def _edges(numbers: npt.NDArray[np.float64], thresholds: Sequence[float], *, integers: bool) -> npt.NDArray[np.float64]:
    """Edges of bins of one width, with the thresholds on edges as far as one width allows."""
    low, high = (float(np.quantile(numbers, share)) for share in (_TAIL, 1 - _TAIL))
    limits = [limit for limit in thresholds if math.isfinite(limit)]
    low, high = min([low, *limits]), max([high, *limits])
    if integers:
        width = float(max(1, math.ceil((high - low + 1) / (_MOST_INTEGERS if high - low < _MOST_INTEGERS else BINS))))
        anchor = math.ceil(limits[0]) - 0.5 if limits else low - 0.5
    else:
        width = (high - low) / BINS or 1.0
        if len(limits) > 1 and limits[-1] - limits[0] > width / 2:
            width = (limits[-1] - limits[0]) / max(1, round((limits[-1] - limits[0]) / width))
        anchor = limits[0] if limits else low
    first = math.floor((low - anchor) / width + 1e-9)
    last = math.ceil((high - anchor) / width - 1e-9)
    if limits:
        # A threshold at the rim would leave nothing to see on its other side.
        first = min(first, math.floor((limits[0] - anchor) / width) - 1)
        last = max(last, math.ceil((limits[-1] - anchor) / width) + 1)
    return np.asarray(anchor + width * np.arange(first, max(last, first + 1) + 1), np.float64)
