"""Dicts and sets whose keys data of any length makes, by their *groups*: the records of which one key is made.

A run has a group for each key of the records for which a guard holds; what is made of a group is a term s over its key
and over how many records it has. The sum of s over all groups is that over the groups of the records that both
neighbours have, an unknown number, and, where the run has a record of its own, what this changes: the group of its key
has c + 1 records in place of c, which are some number of them, or none. So a record makes or enlarges one group alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import z3

from dplint.proofs.checker.bags import Bag, Source
from dplint.proofs.checker.values import Choice, Items, Mask, Value, boolean, refuse, refuse_if, where

COUNT = z3.Int("g:count")
"""How many records a group has."""


@dataclass(frozen=True, eq=False, slots=True)
class Empty:
    """A dict that was empty before the loop that fills it: what is in it is not known in a turn."""

    name: str

    def count(self, key: Value) -> z3.ArithRef:
        """How many records with that key earlier turns have counted."""
        return z3.Int(f"v:{self.name}:{written(key)}")


@dataclass(frozen=True, eq=False, slots=True)
class Grouped:
    """A dict with a key for each group. value: what it holds for one, known or COUNT. records: all that are in one."""

    source: Groups
    key: Value
    value: Value
    records: Bag

    def view(self, name: str) -> Bag:
        """Its keys, values or items."""
        item = {"keys": self.key, "values": self.value, "items": Items.of("tuple", (self.key, self.value))}[name]
        # Where a guard leaves records out there may be no group at all.
        return Bag(self.source, item, True if self.source.guard is True else z3.BoolVal(True), "view")


@dataclass(eq=False, slots=True)
class Groups(Source):
    """The groups of one run, as what is summed over. of: the key, as it is written. guard: which records are in it."""

    of: str = ""
    key: Value = None
    guard: Mask = True

    @classmethod
    def by(cls, bag: Bag, key: Value, value: Value, guard: Mask) -> Grouped:
        """The dict that records make for which a guard holds."""
        refuse_if(bag.source.moving is not None or isinstance(bag.source, Groups), "a dict made of what is no record")
        of = f"{written(key)}:{boolean(guard).sexpr()}"
        source = cls(bag.source.world, bag.source.own, known=bag.source.known, of=of, key=key, guard=guard)
        source._note(COUNT >= 1)
        return Grouped(source, key, value, replace(bag, guard=guard))

    def added(self, one: z3.ArithRef) -> z3.ArithRef:
        """The sum of a term over all groups."""
        if self.known is not None:
            return self.known.added_by_groups(one, self.key, self.guard, COUNT)
        one = z3.simplify(one, som=True)
        rest = self._rest(f"groups by {self.of}", one)
        if self._known(one >= 0):
            self._note(rest >= 0)
        if self.own is None:
            return rest
        before = self._before()
        of_own = z3.substitute(one, *self.own)
        more = z3.substitute(of_own, (COUNT, before + 1)) - where(before >= 1, z3.substitute(of_own, (COUNT, before)))
        return rest + where(z3.substitute(boolean(self.guard), *self.own), more)

    def extreme(self, one: z3.ArithRef, larger: bool) -> z3.ArithRef:  # noqa: ARG002 - as of records
        """Not known."""
        raise refuse("an extreme of what is made of groups")

    def _before(self) -> z3.ArithRef:
        """How many records that both neighbours have are in the group of the run's own one."""
        assert self.own is not None
        before = z3.Int(f"d:common:{self.of}:{' '.join(own.sexpr() for _, own in self.own)}")
        self._note(before >= 0)
        return before


def written(key: Any) -> str:
    """A key as a text, which no other key has."""
    if isinstance(key, Items):
        refuse_if(key.kind != "tuple" or not key.plain, "a key that is a list")
        return f"({', '.join(map(written, key.items))})"
    if isinstance(key, Choice):
        return f"{key.values!r}[{key.index.sexpr()}]"
    refuse_if(not isinstance(key, z3.ArithRef | z3.BoolRef), "a key of this kind")
    return str(key.sexpr())
