"""In how many places a sequence differs from the noise-free output."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Self

from dplint.events.columns import Key, ValueClass
from dplint.events.family import Family
from dplint.events.layout import UNORDERED
from dplint.events.sampled import SampledPart
from dplint.events.thresholds import is_literal, row_key
from dplint.program.building import binary, call, compare, constant, display, each, name
from dplint.program.nodes import Expression

_REFERENCES = 4


@dataclass(frozen=True)
class Hamming(Family):
    """In how many places a sequence differs from a fixed one; a difference in length counts as well."""

    ORDER: ClassVar[int] = 60
    ORDERED: ClassVar[bool] = False
    REFINED: ClassVar[bool] = False
    COUNTS: ClassVar[bool] = True
    COMPLEXITY: ClassVar[int] = 3  # among the hardest features

    reference: tuple[Key, ...] = ()

    @cached_property
    def tree(self) -> Expression:
        """`sum(a != b for a, b in zip(place, reference)) + abs(len(place) - width)`."""
        place, a, b = self.place.tree, name("a"), name("b")
        pairs = call("zip", place, display(key.literal for key in self.reference))
        differing = call("sum", each(compare(a, "!=", b), (a, b), pairs))
        longer = binary(call("len", place), "-", constant(len(self.reference)))
        return binary(differing, "+", call("abs", longer))

    @classmethod
    def found(cls, part: SampledPart) -> Iterator[Self]:
        """For each noise-free output, where some values are common."""
        sight = part.sight
        if sight.flat and part.common_keys and sight.plain.isdisjoint(UNORDERED):
            for reference in _references(part):
                yield cls(part.place, part.inside(sight.plain), reference=reference)


def _references(part: SampledPart) -> list[tuple[Key, ...]]:
    """Distinct noise-free outputs, the longest first."""
    found: dict[tuple[Key, ...], None] = {}
    for table, seen in part.seen_noise_free:
        if not seen.plain or seen.stop == seen.start:
            continue
        for index in range(table.size):
            row = row_key(table, seen, index, part.sample.texts)
            if all(key.kind is not ValueClass.NAN and is_literal(key) for key in row.items):
                found.setdefault(row.items, None)
    return sorted(found, key=len, reverse=True)[:_REFERENCES]
