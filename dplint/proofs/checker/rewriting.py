"""Another program that does the same, with other expressions for those that look at the data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from dplint.program import nodes as ir
from dplint.program.walk import bound_names, is_node, mentions, walk


class NotRead(Exception):
    """The data is looked at in a way that is not known."""


@dataclass(slots=True)
class Reading:
    """data: the name of the parameter. names: of the columns, in order. variables: others that hold data."""

    data: str
    names: tuple[str, ...] = ()
    variables: Mapping[str, ir.Expression | None] = field(default_factory=dict)

    def of(self, program: ir.Program) -> ir.Program:
        """The program that reads the data in another form. Raises NotRead if there is none."""
        fresh, body = replace(self), self._block(program.body)
        functions = tuple(self._function(program, one, fresh) for one in program.functions)
        return replace(program, body=body, functions=functions)

    def _block(self, body: tuple[ir.Statement, ...]) -> Any:
        loops = [one for one in walk(body) if isinstance(one, ir.For | ir.Clause) and self.goes_through(one.iterable)]
        found = [pair for one in loops for pair in self.bound(one)]
        counts = Counter(name for node in walk(body) for name in bound_names([node]))
        if any(counts[name] > 1 for name, _ in found) or len(dict(found)) < len(found):
            raise NotRead
        self.variables = dict(found)
        return self.read(body)

    def _function(self, program: ir.Program, function: ir.Function, fresh: Reading) -> ir.Function:
        """A function that is always given the data, for one parameter, and does not hand it on; or never."""
        calls = [one for one in walk(program) if isinstance(one, ir.CallFunction) and one.function == function.name]
        given = {tuple(name for name, one in call.arguments if self.is_data(one)) for call in calls} or {()}
        (taken, *more) = given
        if taken == () and not more:
            if any(mentions(one, name) for one in function.body for name in (self.data, *self.variables)):
                raise NotRead
            return function
        handed = any(
            isinstance(one, ir.CallFunction) and mentions(one, name) for one in walk(function.body) for name in taken
        )
        if len(taken) != 1 or more or handed or taken[0] in bound_names(walk(function.body)):
            raise NotRead
        return replace(function, body=replace(fresh, data=taken[0])._block(function.body))

    def read(self, node: Any) -> Any:
        """The same with other expressions for what looks at data; where a statement was, there may be several."""
        if isinstance(node, tuple):
            read = [(found,) if isinstance(one, tuple) else found for one in node for found in [self.read(one)]]
            return tuple(part for one in read for part in (one if isinstance(one, tuple) else (one,)))
        if not is_node(type(node)):  # type: ignore[arg-type]  # classes are hashable, whatever mypy thinks
            return node
        known = self.known(node)
        if known is not None:
            return known
        match node:
            case ir.Call(function="len", arguments=(one,), keywords=()) if self.is_data(one):
                return node
            case ir.CallFunction(arguments=arguments):
                given = [(name, one if self.is_data(one) else self.read(one)) for name, one in arguments]
                return replace(node, arguments=tuple(given))
            case ir.Name(id=name) if self.is_data(node) or name in self.variables:
                if self.variables.get(name) is None:
                    raise NotRead
                return self.variables[name]
        return self.parts(node)

    def parts(self, node: Any, **kept: Any) -> Any:
        """A node of the same kind. kept: these parts of it, as they are to be."""
        others = [one.name for one in fields(node) if one.name not in kept]
        return replace(node, **kept, **{name: self.read(getattr(node, name)) for name in others})

    def is_part(self, name: str) -> bool:
        """Whether a variable of a loop stands in other expressions alone."""
        return name in self.variables and self.variables[name] is None

    def goes_through(self, iterable: Any) -> bool:
        """Whether a loop over this gives the data part by part, to variables that no other statement binds."""
        return self.is_data(iterable)

    def bound(self, loop: ir.For | ir.Clause) -> Sequence[tuple[str, ir.Expression | None]]:
        """The variables of such a loop, with what is read in place of them; None for what stands in others alone."""
        if not isinstance(loop.target, ir.Name):
            raise NotRead
        return [(loop.target.id, None)]

    def known(self, node: Any) -> Any:
        """What takes the place of a node that is understood as a whole; None for any other."""
        raise NotImplementedError

    def is_data(self, node: Any) -> bool:
        """Whether it is the data."""
        return isinstance(node, ir.Name) and node.id == self.data
