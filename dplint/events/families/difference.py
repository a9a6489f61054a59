"""One number in the output minus another one, or their sum, which noise that the two share is gone from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import ClassVar, Self

import numpy as np

from dplint.events.columns import Column, Floats, ValueClass
from dplint.events.conditions import Feature
from dplint.events.families.element import Element
from dplint.events.family import Family
from dplint.events.layout import OF_PYTHON
from dplint.events.places import Place, Steps
from dplint.events.sampled import SampledOutputs
from dplint.events.thresholds import Described, many_values
from dplint.program.building import binary, call
from dplint.program.nodes import Expression

_MOST = 16
"""Numbers of an output that are compared with each other; of more, the first ones."""
_MOST_PAIRS = 6
_CORRELATED = 0.25
"""Correlation of ranks from which on noise counts as shared; that of 500 independent runs is 0.04 on average."""
_LEAST = 30
"""Runs of a data value in which something must be a number."""
_SIDES = 6
"""Data values whose runs are looked at."""


def sharing(features: Sequence[Feature], sample: SampledOutputs) -> list[tuple[Feature, Feature, float]]:
    """The pairs of these features that share their noise, most clearly first, with their correlation from -1 to 1."""
    kept = features[:_MOST]
    if len(kept) < 2:
        return []
    sides = np.concatenate([table.sides for table in sample.tables])
    numbers = np.array([_numbers(sample.pooled(feature)) for feature in kept])
    strongest = np.zeros((len(kept), len(kept)))
    for side in _few(np.unique(sides).tolist()):
        found = _correlations(numbers[:, sides == side])
        strongest = np.where(np.abs(found) > np.abs(strongest), found, strongest)
    pairs = [
        (kept[one], kept[other], float(strongest[one, other]))
        for one, other in combinations(range(len(kept)), 2)
        if abs(strongest[one, other]) >= _CORRELATED
    ]
    return sorted(pairs, key=lambda pair: -abs(pair[2]))[:_MOST_PAIRS]


def _few(sides: list[int]) -> list[int]:
    """Some of the data values, evenly among all."""
    return sides[:: -(-len(sides) // _SIDES)]


def _numbers(column: Column) -> Floats:
    """The numbers of a column, NaN for what is none."""
    return np.where((column.classes == ValueClass.NUMBER) & np.isfinite(column.values), column.values, np.nan)


def _correlations(numbers: Floats) -> Floats:
    """Rank correlations of the rows, over the runs of one data value; 0 where a row has few numbers or never varies."""
    ranks = _ranks(numbers)
    norms = np.sqrt((ranks**2).sum(axis=1))
    norms[norms == 0] = np.inf
    ranks /= norms[:, None]
    return np.asarray(ranks @ ranks.T)


def _ranks(numbers: Floats) -> Floats:
    """Ranks in each row with mean 0, the same for equal numbers; 0 for what is no number, and if there are too few."""
    order = np.argsort(numbers, axis=1)
    ordered = np.take_along_axis(numbers, order, axis=1)
    places = np.arange(numbers.shape[1])
    # Equal numbers have the middle of the places from the first to the last of them.
    new = np.ones(numbers.shape, np.bool_)
    new[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    first = np.maximum.accumulate(np.where(new, places, 0), axis=1)
    ends = np.where(np.roll(new, -1, axis=1), places, places[-1:])
    last = np.minimum.accumulate(ends[:, ::-1], axis=1)[:, ::-1]
    ranks = np.empty(numbers.shape)
    np.put_along_axis(ranks, order, (first + last) / 2, axis=1)
    known = ~np.isnan(numbers)
    many = np.count_nonzero(known, axis=1)
    ranks -= ((many - 1) / 2)[:, None]
    return np.where(known & (many >= _LEAST)[:, None], ranks, 0.0)


@dataclass(frozen=True)
class Difference(Family):
    """One number minus another one; missing where one of them is no number. Exact for integers up to 2**52.

    as_floats: as for `Summed`.
    """

    ORDER: ClassVar[int] = 100
    CLUSTERED: ClassVar[bool] = True
    SIGN: ClassVar[str] = "-"
    COMPLEXITY: ClassVar[int] = 2  # harder than an element

    other: Place = field(default_factory=Place)
    as_floats: bool = False

    @cached_property
    def tree(self) -> Expression:
        """`place - other`."""
        one, two = self.place.tree, self.other.tree
        return (
            binary(call("float", one), self.SIGN, call("float", two)) if self.as_floats else binary(one, self.SIGN, two)
        )

    @classmethod
    def joint(cls, described: Sequence[Described], sample: SampledOutputs) -> Iterator[Self]:
        """Of numbers with the same noise, which is gone from their difference, or opposite noise and their sum."""
        for one, other in joint_pairs(described, sample, opposite=cls.SIGN == "+"):
            guards = tuple(dict.fromkeys((*one.guards, *other.guards)))
            number_guards = tuple(dict.fromkeys((*one.number_guards, *other.number_guards)))
            yield cls(one.place, guards, number_guards, other.place, are_of_arrays(one, other, sample))

    def landmarks(self, sample: SampledOutputs) -> tuple[float, ...]:
        """With 0, which compares the two."""
        return tuple(sorted({*sample.landmarks(self), 0.0}))

    @classmethod
    def derived(cls, features: Sequence[Feature], sample: SampledOutputs) -> Iterator[Self]:
        """Of neighbours, which undo running sums, and to the first and the last element, which undo a shift."""
        rows: dict[Steps, list[Element]] = defaultdict(list)
        for feature in features:
            if isinstance(feature, Element) and indexed(feature.place) and many_values(sample.numbers(feature)):
                rows[feature.place.steps[:-1]].append(feature)
        for steps, elements in rows.items():
            types = {table.parts[steps].type_name for table in sample.tables if steps in table.parts}
            for one, other in _pairs(elements):
                # Where an element is, there are the first, the last, and the one before.
                number_guards = (*one.number_guards, *other.number_guards)
                yield cls(one.place, one.guards, number_guards, other.place, not types <= OF_PYTHON)


def joint_pairs(
    described: Sequence[Described], sample: SampledOutputs, *, opposite: bool
) -> Iterator[tuple[Element, Element]]:
    """Numbers anywhere in the output that share their noise, or with `opposite` one minus the other's."""
    elements = [item.feature for item in described if item.numbers is not None and isinstance(item.feature, Element)]
    inner = [element for element in elements if element.place.steps[-1:] != (-1,)]
    for one, other, correlation in sharing(inner, sample):
        if (correlation < 0) == opposite:
            assert isinstance(one, Element)
            assert isinstance(other, Element)
            yield one, other


def are_of_arrays(one: Element, other: Element, sample: SampledOutputs) -> bool:
    """Whether one of them may be a number of NumPy, whose arithmetic may overflow, or round to few digits."""
    held = {element.place.steps[:-1] for element in (one, other) if indexed(element.place)}
    parts = (table.parts.get(steps) for table in sample.tables for steps in held)
    return any(part is not None and part.type_name not in OF_PYTHON for part in parts)


def _pairs(elements: Sequence[Element]) -> Iterator[tuple[Element, Element]]:
    """Elements of one sequence that are subtracted from one another."""
    ordered = sorted(elements, key=lambda e: _index(e.place))
    inner = [e for e in ordered if _index(e.place) >= 0]
    last = [e for e in ordered if _index(e.place) < 0]
    yield from zip(inner[1:], inner, strict=False)
    if inner:
        yield from ((one, inner[0]) for one in [*inner[2:], *last])
    yield from ((one, end) for end in last for one in inner[1:])


def indexed(place: Place) -> bool:
    """Whether this is an element of a sequence."""
    return bool(place.steps) and isinstance(place.steps[-1], int)


def _index(place: Place) -> int:
    last = place.steps[-1]
    assert isinstance(last, int)
    return last


@dataclass(frozen=True)
class PairSum(Difference):
    """The sum of two numbers in the output, wherever they are; missing where one of them is no number."""

    ORDER: ClassVar[int] = 110
    SIGN: ClassVar[str] = "+"
    landmarks = Family.landmarks

    @classmethod
    def derived(cls, features: Sequence[Feature], sample: SampledOutputs) -> Iterator[Self]:  # noqa: ARG003
        """None: sums undo nothing."""
        return iter(())
