"""A counter in place of the length of a list that only grows: `found.append(i)` counts one, `len(found)` is the count.

A list that is empty at first, that one name alone holds, and that nothing is done to but to append to it, has as many
elements as were appended. So a counter that begins at 0, and goes up by one after each `append`, is equal to its length
wherever that is asked for: an `append` is one statement, which appends or raises.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from dplint.program import nodes as ir
from dplint.program.walk import walk
from dplint.proofs.checker.rewriting import NotRead, Reading


def with_counters(program: ir.Program) -> ir.Program:
    """The same program, with a counter for each list that only grows and whose length a loop asks for."""
    for begin in program.body:
        match begin:
            case ir.Assign(targets=(ir.Name(id=name),), value=ir.ListDisplay(elements=())) if (
                name not in program.parameters
            ):
                loops = [node for node in walk(program.body) if isinstance(node, ir.For | ir.While)]
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

    begin: ir.Assign | None = None

    def known(self, node: Any) -> Any:
        if self.is_length(node):
            return ir.Name(self._counter, node.span)
        match node:
            case ir.Assign(span=span) if node == self.begin:
                return node, ir.Assign((ir.Name(self._counter, span),), ir.Constant(0, span), span)
            case ir.Update(name=name, method="append", arguments=(item,), span=span) if self.is_data(name):
                more = ir.AugAssign(ir.Name(self._counter, span), "+", ir.Constant(1, span), span)
                return replace(node, arguments=(self.read(item),)), more
            case ir.Return(value=value):
                return replace(node, value=self._shown(value))
            case ir.CallFunction():
                return self.parts(node)
        return None

    def is_length(self, node: Any) -> bool:
        """Whether it asks for the length of the list."""
        return isinstance(node, ir.Call) and node.function == "len" and [*map(self.is_data, node.arguments)] == [True]

    def _shown(self, node: Any) -> Any:
        """What is returned: the list as it is, or as a part of it, too."""
        if isinstance(node, ir.DictDisplay):
            return replace(node, values=tuple(map(self._shown, node.values)))
        if isinstance(node, ir.ListDisplay | ir.TupleDisplay):
            return replace(node, elements=tuple(map(self._shown, node.elements)))
        return node if self.is_data(node) else self.read(node)

    @property
    def _counter(self) -> str:
        return f"len({self.data})"
