"""One turn of a loop over data of any length, which stands for all: what is not known in it, and what it changes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import z3

from dplint.program.interpretation import Frame
from dplint.program.nodes import Assign, AugAssign, Binary, For, ItemTarget, Name
from dplint.program.walk import walk
from dplint.proofs.checker.bags import Bag
from dplint.proofs.checker.groups import Empty
from dplint.proofs.checker.values import Entries, Items, Mask, Value, Values, is_number, sort


@dataclass(frozen=True, slots=True)
class Filled:
    """A list that was empty before the loop that fills it: what is in it is not known in a turn."""


@dataclass(slots=True)
class Turn:
    """The turn that stands for all.

    lists: that were made in it. made: whether it has filled the list of its comprehension. frame, entered, state: of a
    `for`, where its variables are, and what it changes as it was before and as it is in the turn. read: the names of
    what it does not only add to.
    """

    bag: Bag
    lists: list[Items] = field(default_factory=list)
    made: bool = False
    frame: Frame[Value, Mask] | None = None
    entered: Values | None = None
    state: Values | None = None
    read: frozenset[str] = frozenset()


def forgotten(value: Value, name: str) -> Value:
    """The numbers of a variable at the head of a turn: any."""
    if isinstance(value, Items) and value.kind == "list" and not value.items:
        return Filled()
    if isinstance(value, Entries) and not value.keys:
        return Empty(name)
    if isinstance(value, Items) and value.plain:
        return Items.of(value.kind, [forgotten(one, f"{name}:{k}") for k, one in enumerate(value.items)])
    if isinstance(value, Entries):
        return Entries(value.keys, tuple(forgotten(one, f"{name}:{k}") for k, one in enumerate(value.values)))
    if is_number(value) and sort(value) != "bool":
        return z3.Int(f"v:{name}") if sort(value) == "int" else z3.Real(f"v:{name}")
    return value


def read_in(node: For) -> frozenset[str]:
    """The names of all variables in a loop but those to which it only adds."""
    found: Counter[str] = Counter()
    for one in walk(node):
        match one:
            case AugAssign(target=Name(id=name) | ItemTarget(name=Name(id=name)), operator="+" | "-"):
                found[name] -= 1
            case Assign(targets=(Name(id=name),), value=Binary(operator="+", left=Name(id=left))) if name == left:
                found[name] -= 2
            case Name(id=name):
                found[name] += 1
    return frozenset(name for name, count in found.items() if count > 0)
