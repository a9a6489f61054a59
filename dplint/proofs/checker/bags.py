"""Data of any length, by one record that stands for all: the *generic* one, whose variables' names begin with g.

What a run makes of each record is a term s over these variables. The sum of s over the data is that over the records
that both neighbours have, an unknown number with a name of its own for each s, and s of the run's own record, the one
in which the neighbours differ. Of a vector all items may differ: the sums of both runs are unknown numbers then, and by
how much they differ is known where the relation bounds the sum of all moves.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol

import z3

from dplint.proofs.checker.known import Known
from dplint.proofs.checker.values import Mask, Value, abs_of, applies, boolean, equal, number_in, term
from dplint.relations import Neighbourhood

_SLOPES = 8
LENGTH = z3.Int("a: len")
"""Of the data, where neighbours are equally long."""


@dataclass(frozen=True, eq=False, slots=True)
class Moving:
    """A vector on D1 or on D2. one, two: the variables of an item on either. second: whether this is D2.

    others: these variables with those of another item. most: by how much an item moves at most. norm: of the move of
    all items, which `most` bounds, too.
    """

    one: z3.ArithRef
    two: z3.ArithRef
    second: bool
    others: list[tuple[z3.ArithRef, z3.ArithRef]]
    most: z3.ArithRef
    norm: Neighbourhood | None

    @property
    def size(self) -> z3.ArithRef:
        """Of the move of an item."""
        return abs_of(self.two - self.one)


class KnownRecords(Protocol):
    """The records of data that is known, for each of which the generic one stands."""

    # ruff: noqa: D102

    def added(self, one: z3.ArithRef) -> z3.ArithRef: ...
    def made(self, item: Value, guard: Mask) -> list[Any]: ...
    def extreme(self, one: z3.ArithRef, larger: bool) -> z3.ArithRef: ...
    def added_by_groups(self, one: z3.ArithRef, key: Value, guard: Mask, count: z3.ArithRef) -> z3.ArithRef: ...


@dataclass(eq=False, slots=True)
class Source:
    """The data of one run. world: what is known of it, to which facts about sums are added; these are `facts`, too.

    own: the generic record's variables with those of the record that this run has and its neighbour has not, None if
    it has none. same_size: whether neighbours are equally long. moving: of a vector, how it moves. known: the records,
    where a run of this reading is compared with a call of the function, and nothing is shown. sums: numbers that stand
    for sums over the records of both, with what is added.
    """

    world: list[z3.BoolRef]
    own: list[tuple[z3.ExprRef, z3.ExprRef]] | None = None
    same_size: bool = False
    moving: Moving | None = None
    facts: list[z3.BoolRef] = field(default_factory=list)
    known: KnownRecords | None = None
    sums: list[tuple[z3.ArithRef, z3.ArithRef]] = field(default_factory=list)

    def added(self, one: z3.ArithRef) -> z3.ArithRef:
        """The sum of a term over all records."""
        if self.known is not None:
            return self.known.added(one)
        one = z3.simplify(one, som=True)
        if number_in(one) == 0:
            return one
        rest = self._rest("rest", one)
        if applies(one, "exp"):
            self._note(rest > 0)
        for least in (1, 0):
            if self._known(one >= least):
                self._note(rest >= least)
                break
        if self.own is not None:
            return rest + z3.substitute(one, *self.own)
        moving = self.moving
        if moving is None or not moving.second or moving.norm is not Neighbourhood.SUM_OF_MOVES:
            return rest
        other = z3.simplify(z3.substitute(one, (moving.two, moving.one)), som=True)
        slope = self._slope(moving, one - other)
        if slope is None:
            return rest
        move = self._named("moved", other)
        self._note(z3.And(move <= slope * moving.most, move >= -slope * moving.most))
        return self._named("rest", other) + move

    def _rest(self, kind: str, one: z3.ArithRef) -> z3.ArithRef:
        """The number that stands for the sum over the records of both."""
        rest = self._named(kind, one)
        self.sums.append((rest, one))
        return rest

    def moved(self, shift: z3.ArithRef, norm: Neighbourhood) -> z3.ArithRef | None:
        """The norm of what moves so for each item, at most: the sum or the length of all; None if it has no bound."""
        moving = self.moving
        slope = None if moving is None else self._slope(moving, shift)
        if moving is None or slope is None:
            return None
        if moving.norm in (norm, Neighbourhood.SUM_OF_MOVES):
            return slope * moving.most
        of_all = norm is Neighbourhood.SUM_OF_MOVES and moving.norm is not Neighbourhood.LENGTH_OF_MOVE
        return slope * moving.most * z3.ToReal(LENGTH) if of_all else None

    def _slope(self, moving: Moving, moved: z3.ArithRef) -> z3.ArithRef | None:
        """How many times what an item moves by the term is at most; None if that is not seen."""
        moved = z3.simplify(moved, som=True)
        for times in _numbers_in(moved):
            if self._known(z3.And(moved <= times * moving.size, -moved <= times * moving.size)):
                return times
        return None

    def extreme(self, one: z3.ArithRef, larger: bool) -> z3.ArithRef:
        """The largest or the smallest of a term over all records."""
        if self.known is not None:
            return self.known.extreme(one, larger)
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
        return Known(self.world).certain(fact)

    def _note(self, fact: z3.BoolRef) -> None:
        for known in (self.world, self.facts):
            if not any(z3.eq(fact, one) for one in known):
                known.append(fact)


def _numbers_in(value: z3.ArithRef) -> list[z3.ArithRef]:
    """The sizes of the numbers in a term, and 1, in order: a slope is one of them, if any; 0 is."""
    found, left = {Fraction(1)}, [value]
    while left:
        one = left.pop()
        known = number_in(one)
        found |= set() if known is None else {abs(known)}
        left += one.children()
    return [term(one) for one in sorted({Fraction(0), *found})[:_SLOPES]]


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

    def same_as(self, other: Value) -> Mask:
        """Whether both runs give the same: item for item, of a vector."""
        vectors = isinstance(other, Bag) and self.source.moving is not None and other.source.moving is not None
        if not vectors or self.kind != other.kind:
            return False
        one, two, same = boolean(self.guard), boolean(other.guard), boolean(equal(self.item, other.item))
        return z3.And(one == two, z3.Or(z3.Not(one), same))
