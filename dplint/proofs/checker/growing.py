"""A counter in place of the length of a list that only grows: `found.append(i)` counts one, `len(found)` is the count.

A list that is empty at first, that one name alone holds, and that nothing is done to but to append to it, has as many
elements as were appended. So a counter that begins at 0, and goes up by one after each `append`, is equal to its length
wherever that is asked for: an `append` is one statement, which appends or raises.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from dplint.program.nodes import (
    Assign,
    AugAssign,
    Call,
    CallFunction,
    Constant,
    DictDisplay,
    For,
    ListDisplay,
    Name,
    Program,
    Return,
    TupleDisplay,
    Update,
    While,
)
from dplint.program.walk import walk
from dplint.proofs.checker.rewriting import NotRead, Reading


def with_counters(program: Program) -> Program:
    """The same program, with a counter for each list that only grows and whose length a loop asks for."""
    for begin in program.body:
        match begin:
            case Assign(targets=(Name(id=name),), value=ListDisplay(elements=())) if name not in program.parameters:
                loops = [node for node in walk(program.body) if isinstance(node, For | While)]
                reading = _OfList(name, begin=begin)
                if any(reading.is_length(node) for node in walk(loops)):
                    try:
                        program = replace(program, body=reading.read(program.body))
                    except NotRead:
                        continue
    return program


@dataclass(slots=True)
class _OfList(Reading):
    """A list by its length, where it is not returned. begin: the statement that makes it."""

    begin: Assign | None = None

    def known(self, node: Any) -> Any:
        if self.is_length(node):
            return Name(self._counter, node.span)
        match node:
            case Assign(span=span) if node == self.begin:
                return node, Assign((Name(self._counter, span),), Constant(0, span), span)
            case Update(name=name, method="append", arguments=(item,), span=span) if self.is_data(name):
                more = AugAssign(Name(self._counter, span), "+", Constant(1, span), span)
                return replace(node, arguments=(self.read(item),)), more
            case Return(value=value):
                return replace(node, value=self._shown(value))
            case CallFunction():
                return self.parts(node)
        return None

    def is_length(self, node: Any) -> bool:
        """Whether it asks for the length of the list."""
        return isinstance(node, Call) and node.function == "len" and [*map(self.is_data, node.arguments)] == [True]

    def _shown(self, node: Any) -> Any:
        """What is returned: the list as it is, or as a part of it, too."""
        if isinstance(node, DictDisplay):
            return replace(node, values=tuple(map(self._shown, node.values)))
        if isinstance(node, ListDisplay | TupleDisplay):
            return replace(node, elements=tuple(map(self._shown, node.elements)))
        return node if self.is_data(node) else self.read(node)

    @property
    def _counter(self) -> str:
        return f"len({self.data})"
