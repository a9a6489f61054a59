"""Attributes of a mechanism's own object as variables, and what its constructor assigns them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

import libcst as cst

from dplint.claims import Literal
from dplint.program.nodes import Assign, Constant, DictDisplay, Expression, ListDisplay, Name, Statement, Target
from dplint.program.opaque import opaque
from dplint.program.refusals import Unsupported
from dplint.source.bindings import all_parameters
from dplint.source.lowering.objects import CONSTRUCTOR, Taken, self_of
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.scope import This, attribute_variable
from dplint.source.module_names import static_value
from dplint.source.static_values import NotStaticError

CallMethod: TypeAlias = Callable[[str, cst.Call | None, cst.CSTNode], Expression]
"""Lowers the call of a method of the same object, or of a property, which has no arguments."""


class Attributes:
    """Lowers what a method does with its object. call_method: lowers calls of other methods of it."""

    def __init__(self, reader: Reader, taken: Taken, call_method: CallMethod) -> None:
        self._reader = reader
        self._scope = reader.scope
        self._span = reader.span
        self._refuse = reader.refuse
        self._taken = taken
        self._call_method = call_method
        reader.register({cst.Attribute: self._read, cst.Call: self._call})
        reader.register_iterable(cst.Call, self._call)
        reader.register_target(self._target)
        reader.scope.loggers |= {attribute_variable(name) for name in taken.loggers}

    def _read(self, node: cst.Attribute) -> Expression | None:
        """An attribute as a value: a variable, a constant of the class, or a property."""
        name, this = self._scope.own(node), self._scope.this
        if name is None or this is None:
            return None
        if self._scope.stream(attribute_variable(name)) is not None:
            raise self._refuse("a generator used as a value", node, "draw from it where it is")
        if name in self._taken.loggers:
            raise self._refuse("a logger used as a value", node, "call its methods where it is")
        if name in this.variables:
            return Name(attribute_variable(name), self._span(node))
        if self._taken.is_property(name):
            return self._call_method(name, None, node)
        value = self._constant(name)
        if value is None:
            hint = "assign it in the constructor, to something that is computed there"
            raise self._refuse(f"the attribute {name}", node, hint)
        return Constant(value, self._span(node))

    def _constant(self, name: str) -> Literal | None:
        """A value that the body of the class assigns, and no method does."""
        taken = self._taken
        node = taken.fields.get(name)
        if node is None or any(name in taken.assigned(method) for method in taken.methods):
            return None
        found = _known(taken, node)
        return None if found is None or isinstance(found.value, list | dict) else found.value

    def _target(self, node: cst.BaseExpression) -> Target | None:
        """An attribute that is assigned."""
        name, this = self._scope.own(node), self._scope.this
        if name is None or this is None:
            return None
        if not this.writes or name not in this.variables or self._scope.stream(attribute_variable(name)) is not None:
            raise self._refuse("an assignment to an attribute", node, "use a local variable")
        return Name(attribute_variable(name), self._span(node))

    def _call(self, node: cst.Call) -> Expression | None:
        """A call of a method of the same object."""
        name = self._scope.own(node.func)
        if name is None or any(argument.star for argument in node.args):
            return None
        if name not in self._taken.methods or not self._taken.is_function(name):
            raise self._refuse(f"a call of {name}", node, "call a plain method of the class")
        return self._call_method(name, node, node)


def fields_of(taken: Taken) -> Iterator[Statement]:
    """What the constructor of a dataclass does, whose fields all have values."""
    for name, node in taken.fields.items():
        span, given = taken.facts.span(node), _field(taken, node)
        made = "" if given is None or "default_factory" not in given else taken.full_name(given["default_factory"])
        value = node if given is None else given.get("default")
        found: Expression | None = None
        if made in ("list", "dict"):
            found = ListDisplay((), span) if made == "list" else DictDisplay((), (), span)
        elif value is not None:
            found = _known(taken, value)
        if found is None:
            yield opaque(Unsupported(f"the field {name}", span, "give it a constant, or write a constructor"))
        else:
            yield Assign((Name(attribute_variable(name), span),), found, span)


def _known(taken: Taken, node: cst.BaseExpression) -> Constant | None:
    try:
        return Constant(static_value(taken.facts.tree, node, taken.facts.names), taken.facts.span(node))
    except NotStaticError:
        return None


def _field(taken: Taken, node: cst.BaseExpression) -> Mapping[str, cst.BaseExpression] | None:
    """What `field(...)` is given, by name; None for what is no such call."""
    if not isinstance(node, cst.Call) or taken.full_name(node) != "dataclasses.field":
        return None
    return {one.keyword.value: one.value for one in node.args if one.keyword is not None}


def constructor_of(taken: Taken) -> tuple[cst.FunctionDef, This, Mapping[str, Literal]] | None:
    """The constructor as a function without parameters, what it calls the object, and the values of its parameters.

    None if there is none, or if a parameter has no value that can be read.
    """
    node = taken.methods.get(CONSTRUCTOR)
    if node is None:
        return None
    function = taken.function(CONSTRUCTOR)
    constants: dict[str, Literal] = {}
    for one in all_parameters(function):
        value = None if one.default is None else _known(taken, one.default)
        if value is None:
            return None
        constants[one.name.value] = value.value
    return function, This(self_of(node), taken.assigned(CONSTRUCTOR), writes=True), constants
