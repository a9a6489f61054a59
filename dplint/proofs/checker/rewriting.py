"""Another program that does the same, with other expressions for those that look at the data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from dplint.program.nodes import Call, Expression, Name, Program
from dplint.program.walk import is_node, mentions


class NotRead(Exception):
    """The data is looked at in a way that is not known."""


@dataclass(slots=True)
class Reading:
    """data: the name of the parameter. names: of the columns, in order. variables: others that hold data."""

    data: str
    names: tuple[str, ...] = ()
    variables: Mapping[str, Expression | None] = field(default_factory=dict)

    def of(self, program: Program) -> Program:
        """The program that reads the data in another form. Raises NotRead if there is none."""
        held = {self.data, *self.variables}
        if any(mentions(one, name) for part in program.functions for one in part.body for name in held):
            raise NotRead
        return replace(program, body=self.read(program.body))

    def read(self, node: Any) -> Any:
        """The same with other expressions for what looks at data."""
        if isinstance(node, tuple):
            return tuple(map(self.read, node))
        if not is_node(type(node)):  # type: ignore[arg-type]  # classes are hashable, whatever mypy thinks
            return node
        match node:
            case Call(function="len", arguments=(one,), keywords=()) if self.is_data(one):
                return node
        known = self.known(node)
        if known is None and isinstance(node, Name) and (self.is_data(node) or node.id in self.variables):
            raise NotRead
        return self.parts(node) if known is None else known

    def parts(self, node: Any, **kept: Any) -> Any:
        """A node of the same kind. kept: these parts of it, as they are to be."""
        others = [one.name for one in fields(node) if one.name not in kept]
        return replace(node, **kept, **{name: self.read(getattr(node, name)) for name in others})

    def known(self, node: Any) -> Any:
        """What takes the place of a node that is understood as a whole; None for any other."""
        raise NotImplementedError

    def is_data(self, node: Any) -> bool:
        """Whether it is the data."""
        return isinstance(node, Name) and node.id == self.data
