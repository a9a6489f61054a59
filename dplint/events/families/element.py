"""One value of the output."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from dplint.events.columns import ValueClass
from dplint.events.family import Family, not_large
from dplint.events.sampled import SampledOutputs, SampledPart
from dplint.program.building import compare, constant, is_instance, negation
from dplint.program.nodes import Call, Expression
from dplint.runner.batch import LeafKind


@dataclass(frozen=True)
class Element(Family):
    """One value of the output: a number, a bool, a string or None."""

    ORDER: ClassVar[int] = 30
    SLOPES: ClassVar[bool] = True
    ALWAYS_NUMBER: ClassVar[bool] = False

    @property
    def tree(self) -> Expression:
        """The place itself."""
        return self.place.tree

    @property
    def complexity(self) -> int:
        """A little harder where it has to be said that the value is a number: what else is there says more."""
        return int(any(isinstance(guard, Call) and guard.function == "isinstance" for guard in self.number_guards))

    @property
    def rank(self) -> int:
        """The last element first, which many mechanisms end with."""
        return 1 if self.place.steps[-1:] == (-1,) else 2

    @classmethod
    def found(cls, part: SampledPart) -> Iterator[Self]:
        """Where there is a single value at times."""
        if part.sight.leaf_rows:
            yield cls(part.place, part.guards, number_guards(part))

    def spells_bools(self, sample: SampledOutputs) -> bool:
        """Whether every 0 and 1 among the values is a bool."""
        seen = False
        for table in sample.tables:
            part = table.parts.get(self.place.steps)
            if part is None or not part.is_leaf:
                continue
            leaf = table.leaf(part.start)
            bits = (leaf.classes == ValueClass.NUMBER) & ((leaf.values == 0.0) | (leaf.values == 1.0))
            seen |= bool(bits.any())
            if (bits & (table.kinds_of(part)[0] != LeafKind.BOOL)).any():
                return False
        return seen


def number_guards(part: SampledPart) -> tuple[Expression, ...]:
    """What keeps a comparison from failing, or from being about large integers, where the value is sometimes no number.

    Large integers are known by their digits only, and lie in no interval.
    """
    tree = part.place.tree
    classes: set[int] = set()
    large = False
    for table, seen in part.seen:
        classes |= set(np.unique(table.leaf(seen.start).classes).tolist()) if seen.is_leaf else {int(ValueClass.OTHER)}
        large |= seen.is_leaf and bool((table.kinds_of(seen) == LeafKind.BIGINT).any())
    guards: list[Expression] = []
    if ValueClass.NONE in classes:
        guards.append(compare(tree, "is not", constant(None)))
    if ValueClass.TEXT in classes:
        guards.append(negation(is_instance(tree, "str")))
    if ValueClass.OTHER in classes:
        guards.append(is_instance(tree, "int", "float"))
    if large:
        guards.append(not_large(tree))
    return tuple(guards)
