"""Data of any length, by one record that stands for all: the *generic* one, whose variables' names begin with g.

What a run makes of each record is a term s over these variables. The sum of s over the data is that over the records
that both neighbours have, an unknown number with a name of its own for each s, and s of the run's own record, the one
in which the neighbours differ. Of a vector all items may differ: the sums of both runs are unknown numbers then, and by
how much they differ is known where the relation bounds the sum of all moves.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

import z3

from dplint.proofs.checker.paths import excludes, solver_for
from dplint.proofs.checker.values import Mask, Value

_SLOPES = 8
LENGTH = z3.Int("a: len")
"""Of the data, where neighbours are equally long."""


@dataclass(eq=False, slots=True)
class Source:
    """The data of one run. world: what is known of it, to which facts about sums are added; these are `facts`, too.

    own: the generic record's variables with those of the record that this run has and its neighbour has not, None if
    it has none. same_size: whether neighbours are equally long. twin: of a vector on D2, the variable of an item with
    that of the same item on D1. bound: of the sum of all moves, None if it has none. others: the variables of an item
    of a vector with those of another one, whose moves are bounded together.
    """

    world: list[z3.BoolRef]
    own: list[tuple[z3.ExprRef, z3.ExprRef]] | None = None
    same_size: bool = False
    twin: tuple[z3.ArithRef, z3.ArithRef] | None = None
    bound: z3.ArithRef | None = None
    others: list[tuple[z3.ArithRef, z3.ArithRef]] = field(default_factory=list)
    facts: list[z3.BoolRef] = field(default_factory=list)

    def added(self, one: z3.ArithRef) -> z3.ArithRef:
        """The sum of a term over all records."""
        one = z3.simplify(one, som=True)
        if z3.eq(one, z3.IntVal(0)) or z3.eq(one, z3.RealVal(0)):
            return one
        rest = self._named("rest", one)
        if one.decl().name().startswith("exp/"):
            self._note(rest > 0)
        for least in (1, 0):
            if self._known(one >= least):
                self._note(rest >= least)
                break
        if self.own is not None:
            return rest + z3.substitute(one, *self.own)
        return rest if self.twin is None or self.bound is None else self._moved(one, rest, self.twin, self.bound)

    def _moved(
        self, one: z3.ArithRef, rest: z3.ArithRef, twin: tuple[z3.ArithRef, z3.ArithRef], bound: z3.ArithRef
    ) -> z3.ArithRef:
        """By the sum over D1, if no item's term moves by more than some number times the item itself."""
        other = z3.simplify(z3.substitute(one, twin), som=True)
        size = z3.If(twin[0] >= twin[1], twin[0] - twin[1], twin[1] - twin[0])
        move = self._named("moved", other)
        for times in _numbers_in(one):
            if self._known(z3.And(one - other <= times * size, other - one <= times * size)):
                self._note(z3.And(move <= times * bound, move >= -times * bound))
                return self._named("rest", other) + move
        return rest

    def extreme(self, one: z3.ArithRef, larger: bool) -> z3.ArithRef:
        """The largest or the smallest of a term over all records."""
        one = z3.simplify(one, som=True)
        rest = self._named("largest" if larger else "smallest", one)
        if self.own is None:
            return rest
        own = z3.substitute(one, *self.own)
        return z3.If(own > rest if larger else own < rest, own, rest)

    def _named(self, kind: str, one: z3.ArithRef) -> z3.ArithRef:
        name = f"d:{kind}:{one.sexpr()}"
        return z3.Int(name) if one.is_int() else z3.Real(name)

    def _known(self, fact: z3.BoolRef) -> bool:
        """Whether it holds for all records, whatever a run has decided."""
        return excludes(solver_for(self.world), z3.Not(fact))

    def _note(self, fact: z3.BoolRef) -> None:
        for known in (self.world, self.facts):
            if not any(z3.eq(fact, one) for one in known):
                known.append(fact)


def _numbers_in(value: z3.ArithRef) -> list[z3.ArithRef]:
    """The sizes of the numbers in a term, and 1, in order: a slope is one of them, if any."""
    found, left = {Fraction(1)}, [value]
    while left:
        one = left.pop()
        if z3.is_rational_value(one) or z3.is_int_value(one):
            found.add(abs(one.as_fraction() if z3.is_rational_value(one) else Fraction(one.as_long())))
        left += one.children()
    return [z3.Q(one.numerator, one.denominator) for one in sorted(found - {0})[:_SLOPES]]


@dataclass(frozen=True, eq=False, slots=True)
class Bag:
    """What is made of each record: the item, of those for which the guard holds. kind: "list", "tuple" or "array"."""

    source: Source
    item: Value
    guard: Mask = True
    kind: str = "list"

    @property
    def whole(self) -> bool:
        """Whether there is one item for each record."""
        return self.guard is True
