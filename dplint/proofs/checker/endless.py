"""Runs on data of a length that is not known, one stage of its loop at a time.

"enter" is what a run does up to the loop, "turn" one turn of it and, if that ends the loop, what follows; "exit" is
what follows once the data is used up. At the head of a turn, and at the exit, what the loop changes is forgotten:
numbers become variables of state, lists unknown lists that are the same in both runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

import z3

from dplint.claims import Span
from dplint.program.interpretation import Frame
from dplint.program.nodes import For, While
from dplint.proofs.checker.bags import LENGTH
from dplint.proofs.checker.context import Asked
from dplint.proofs.checker.paths import Decider
from dplint.proofs.checker.values import (
    Grown,
    Items,
    Leaves,
    Live,
    Mask,
    Value,
    Values,
    is_number,
    refuse,
    refuse_if,
    sort,
    term,
)
from dplint.proofs.checker.walking import Walk, changed_by

Stage: TypeAlias = Literal["enter", "turn", "exit"]
TURN = z3.Int("v: turn")
"""Its name is no name of Python, which arguments and variables have; nor is that of `LENGTH`."""


@dataclass(frozen=True, slots=True)
class Endless:
    """Data of any length, or its numbers one by one.

    kind: "items", "numbered", with their numbers, "numbers" alone, or "later", those from 1 on.
    """

    item: Value
    kind: str = "items"

    def same_as(self, _other: Value) -> Mask:
        """Not known."""
        return False

    def turn(self, number: Value, item: Value) -> Value:
        """What a loop over it gets in one turn."""
        return {"items": item, "numbered": Items.of("tuple", (number, item))}.get(self.kind, number)


def numbered(asked: Asked, item: Value) -> Endless | None:
    """`enumerate` of data, and `range` of its length, or from 1 on; None for all else. item: of the first argument."""
    match asked.function, asked.arguments:
        case "enumerate", (_,) if item is not None and not asked.keywords:
            return Endless(item, "numbered")
        case "range", (size,) if size is LENGTH:
            return Endless(None, "numbers")
        case "range", (1, size) if size is LENGTH:
            return Endless(None, "later")
    return None


class EndOfStage(Exception):
    """The stage is over, and the run goes on in another one."""


class EndlessWalk(Walk):
    """A run of one stage. differences: by name, the term by which this run's state differs from the first run's.

    before: how many draws it had made when it came to the loop, in a later stage than that. state, reached: what the
    loop changes, as it is known at the head where the stage begins, and at that where it ends; None if there is none.
    """

    def __init__(
        self, run: int, decider: Decider, leaves: Leaves, stage: Stage, loop: Span, differences: Values
    ) -> None:
        super().__init__(run, decider, leaves)
        self.stage = stage
        self.before = 0
        self.state: dict[str, Value] | None = None
        self.reached: dict[str, Value] | None = None
        self._loop = loop
        self._differences = differences
        self._frame: Frame[Value, Mask] | None = None
        self._turn_over = False
        self._at_second = False

    # the hooks

    def entering_loop(self, node: For | While, iterable: Value, active: Mask, live: Live) -> None:
        """At the loop over the data: forget what it changes."""
        if not isinstance(iterable, Endless):
            return
        if (
            isinstance(node, While)
            or self._frame is not None
            or node.span != self._loop
            or len(live.scopes) != 1
            or node.orelse
        ):
            raise refuse("a second loop over the data, or one that the certificate does not name", node.span)
        refuse_if(active is not True or self.conditions, "a loop over the data that not every run comes to", node.span)
        self._frame, names = live.scopes[0]
        entered = changed_by(node, self._frame, names)
        if self.stage == "enter":
            self.reached = entered
            raise EndOfStage
        self.before, self.state = len(self.draws), {}
        for name, value in entered.items():
            self.state[name] = self._frame.variables[name].value = self._forgotten(name, value, node.span)

    def _forgotten(self, name: str, value: Value, span: Span) -> Value:
        if isinstance(value, Grown) or (isinstance(value, Items) and value.kind == "list" and value.plain):
            return Grown(name)
        if not is_number(value) or sort(value) == "bool":
            raise refuse(f"the state of {name}, which is no number and no list", span)
        variable = z3.Int(f"v:{name}") if sort(value) == "int" else z3.Real(f"v:{name}")
        return variable + self._differences[name] if self.run == 2 else variable

    def iterate(self, value: Value, active: Mask, span: Span) -> Iterator[tuple[Value, Mask]]:
        """One item of the data in the stage of a turn; a second one that no run gets."""
        if not isinstance(value, Endless):
            yield from super().iterate(value, active, span)
            return
        if self._frame is None or self._turn_over:
            raise refuse("a loop over the data in a comprehension or a helper function", span)
        self._turn_over = True
        if self.stage == "turn":
            yield value.turn(TURN, value.item), True
            self._at_second = True
            yield value.turn(TURN, value.item), True

    def checkpoint(self, active: Mask) -> Mask:
        """A run that comes to a second item has ended its turn."""
        if self._at_second and active is not False:
            refuse_if(active is not True, "a loop that the data decides to leave")
            assert self._frame is not None
            assert self.state is not None
            self.reached = {name: self._frame.variables[name].value for name in self.state}
            raise EndOfStage
        self._at_second = False
        return active

    # values of unknown length

    def binary(self, operator: str, left: Value, right: Value, active: Mask, span: Span) -> Value:
        """As ever; a list times the length of the data is a list that is not known."""
        if operator == "*" and isinstance(left, Items) and left.kind == "list" and right is LENGTH:
            refuse_if(self.leaves.of(left), "a list of what is no constant, as often as there is data", span)
            return Grown(f"{left!r} times the length")
        return super().binary(operator, left, right, active, span)

    def subscript(self, value: Value, index: Value, active: Mask, span: Span) -> Value:
        """The item of the present turn."""
        of_turn = isinstance(index, z3.ExprRef) and z3.eq(index, TURN) and self.stage == "turn"
        if isinstance(value, Endless) and value.kind == "items" and of_turn:
            return value.item
        return super().subscript(value, index, active, span)

    def set_item(self, value: Value, index: Value, item: Value, active: Mask, span: Span) -> Value:
        """A list that is not known, with an item set in the present turn's place."""
        if isinstance(value, Grown):
            if active is not True or not (isinstance(index, z3.ExprRef) and z3.eq(index, TURN)):
                raise refuse("an item set at another place than that of the turn", span)
            return Grown(value.name, (*value.since, Items.of("tuple", ("set", item))))
        return super().set_item(value, index, item, active, span)

    def mutable(self, value: Value) -> bool:
        """Data of any length may be a list."""
        return isinstance(value, Endless) or super().mutable(value)

    def truth(self, value: Value, active: Mask, span: Span) -> Mask:
        """Not known of data of any length."""
        refuse_if(isinstance(value, Endless), "the truth of a list of any length", span)
        return super().truth(value, active, span)

    def called(self, asked: Asked) -> Value:
        """As ever; the length of the data, and its items with their numbers."""
        first = asked.arguments[0] if len(asked.arguments) == 1 and not asked.keywords and not asked.method else None
        data = first if isinstance(first, Endless) and first.kind == "items" else None
        if data is not None and asked.function in ("len", "list", "tuple"):
            return LENGTH if asked.function == "len" else data
        return numbered(asked, None if data is None else data.item) or super().called(asked)


def whole(value: Value) -> bool:
    """Whether it is a whole number."""
    return is_number(value) and sort(value) == "int" and bool(term(value).is_int())
