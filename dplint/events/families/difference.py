"""One element minus another one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Self

from dplint.events.columns import ValueClass
from dplint.events.families.element import Element
from dplint.events.family import Family
from dplint.events.features import Feature
from dplint.events.layout import OF_PYTHON
from dplint.events.places import Place, Steps
from dplint.events.sampled import SampledOutputs
from dplint.events.thresholds import many_values
from dplint.program.building import binary, call
from dplint.program.nodes import Expression


@dataclass(frozen=True)
class Difference(Family):
    """One element minus another one; missing where one of them is no number. Exact for integers up to 2**52.

    as_floats: as for `Summed`.
    """

    ORDER: ClassVar[int] = 100

    other: Place = field(default_factory=Place)
    as_floats: bool = False

    @cached_property
    def tree(self) -> Expression:
        """`place - other`."""
        one, two = self.place.tree, self.other.tree
        return binary(call("float", one), "-", call("float", two)) if self.as_floats else binary(one, "-", two)

    @property
    def complexity(self) -> int:
        """Harder than an element."""
        return 2

    @classmethod
    def derived(cls, features: Sequence[Feature], sample: SampledOutputs) -> Iterator[Self]:
        """Of neighbours, which undo running sums, and to the first and the last element, which undo a shift."""
        rows: dict[Steps, list[Element]] = defaultdict(list)
        for feature in features:
            if isinstance(feature, Element) and _indexed(feature.place) and _is_continuous(feature, sample):
                rows[feature.place.steps[:-1]].append(feature)
        for steps, elements in rows.items():
            types = {table.parts[steps].type_name for table in sample.tables if steps in table.parts}
            for one, other in _pairs(elements):
                # Where an element is, there are the first, the last, and the one before.
                number_guards = (*one.number_guards, *other.number_guards)
                yield cls(one.place, one.guards, number_guards, other.place, not types <= OF_PYTHON)


def _pairs(elements: Sequence[Element]) -> Iterator[tuple[Element, Element]]:
    """Elements of one sequence that are subtracted from one another."""
    ordered = sorted(elements, key=lambda e: _index(e.place))
    inner = [e for e in ordered if _index(e.place) >= 0]
    last = [e for e in ordered if _index(e.place) < 0]
    yield from zip(inner[1:], inner, strict=False)
    if inner:
        yield from ((one, inner[0]) for one in [*inner[2:], *last])
    yield from ((one, end) for end in last for one in inner[1:])


def _indexed(place: Place) -> bool:
    return bool(place.steps) and isinstance(place.steps[-1], int)


def _index(place: Place) -> int:
    last = place.steps[-1]
    assert isinstance(last, int)
    return last


def _is_continuous(element: Element, sample: SampledOutputs) -> bool:
    """Whether the numbers that an element is are many, and none of them usual."""
    column = sample.pooled(element)
    return many_values(column.values[column.classes == ValueClass.NUMBER])
