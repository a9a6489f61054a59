"""Functions and lambdas that a function makes for itself, as helper functions that are given what they capture.

Python looks up what a local function captures when it is called, and so does the call here: it passes the present
values along. That is the same as long as the captured names certainly have a value by then, and the function changes
none of them. One that no program has, such as one that yields, is in the way where its name is used, and not before.
"""

from __future__ import annotations

from collections.abc import Mapping

import libcst as cst

from dplint.program.nodes import Pass, Statement
from dplint.program.refusals import Unsupported, UnsupportedConstruct
from dplint.source.bindings import all_parameters, bound_names
from dplint.source.lowering.functions import is_constant
from dplint.source.lowering.instances import Instances
from dplint.source.lowering.logging_calls import makes_logger
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.scope import FunctionValue, LocalFunction, Scope
from dplint.source.module_names import bound_names as names_in_target
from dplint.source.walking import nodes_below

_BARRED = (cst.FunctionDef, cst.ClassDef, cst.Lambda, cst.Yield, cst.Await, cst.Global, cst.Nonlocal)


class LocalFunctions:
    """Notes which names stand for functions, and for loggers, that a function makes.

    bindings: how often it binds each name.
    """

    def __init__(self, reader: Reader, bindings: Mapping[str, int], instances: Instances) -> None:
        self._reader = reader
        self._scope = reader.scope
        self._bindings = bindings
        self._instances = instances

    def once(self, name: str) -> bool:
        """Whether one statement, and no caller, gives the name its only value."""
        return self._bindings[name] == 1 and name not in self._scope.parameters

    def defined(self, node: cst.FunctionDef, assigned: set[str] | None) -> Statement:
        """A nested function. assigned: what certainly has a value here, None in a branch or loop."""
        refused = Unsupported("a nested function", self._reader.span(node), "make it a function of the module")
        if not self._made_here(node.name.value, node, assigned, refused):
            raise UnsupportedConstruct(refused)
        return Pass(refused.span)

    def made(self, target: cst.BaseExpression, value: cst.BaseExpression, assigned: set[str] | None) -> bool:
        """Whether an assignment makes a lambda or a logger, which its target stands for from here on."""
        if self._scope.holds_logger(target):
            return makes_logger(self._reader, value)
        if not isinstance(target, cst.Name):
            return False
        if self.once(target.value) and makes_logger(self._reader, value):
            self._scope.loggers.add(target.value)
            return True
        if not isinstance(value, cst.Lambda):
            return False
        refused = Unsupported("a lambda", self._reader.span(value), "make it a function of the module")
        return self._made_here(target.value, value, assigned, refused)

    def _made_here(
        self, name: str, node: cst.FunctionDef | cst.Lambda, assigned: set[str] | None, refused: Unsupported
    ) -> bool:
        """Whether a name stands for the function from here on, be it one that no program has."""
        if assigned is not None:
            made = local_function(self._scope, name, node, assigned, self._bindings[name])
            if made is not None:
                self._scope.local_functions[name] = made
                return True
        if not _only_makes(node):
            return False
        if self._instances.names.held_function(name, FunctionValue(self._scope, node, tuple(self._scope.renamed))):
            return True
        if not self.once(name):
            return False
        self._scope.unusable[name] = refused
        return True


def _only_makes(node: cst.FunctionDef | cst.Lambda) -> bool:
    """Whether making a function does nothing else: it has no decorators, and its defaults are constants."""
    if isinstance(node, cst.FunctionDef) and node.decorators:
        return False
    defaults = [one.default for one in all_parameters(node) if one.default is not None]
    return all(map(is_constant, defaults))


def local_function(
    scope: Scope,
    name: str,
    node: cst.FunctionDef | cst.Lambda,
    assigned: set[str],
    bindings: int,
) -> LocalFunction | None:
    """The function that a statement of the function's own block gives a name, None if it is not that simple.

    assigned: what certainly has a value here. bindings: how often the function around it binds the name.
    """
    inside = [*nodes_below(node.params), *nodes_below(node.body)]
    if bindings != 1 or name in scope.parameters or any(isinstance(one, _BARRED) for one in inside):
        return None
    if isinstance(node, cst.FunctionDef) and (node.decorators or node.asynchronous is not None):
        return None
    defaults = [one.default for one in all_parameters(node) if one.default is not None]
    if any(isinstance(part, cst.Name) and scope.local(part.value) for one in defaults for part in nodes_below(one)):
        return None  # a default is what the variable was when the function was made
    own = {one.name.value for one in inside if isinstance(one, cst.Param)}
    if isinstance(node, cst.FunctionDef):
        own |= bound_names(node.body)
    own |= {found for one in inside if isinstance(one, cst.CompFor) for found in names_in_target(one.target)}
    mentioned = {one.value for one in inside if isinstance(one, cst.Name)} - own
    again = name in mentioned
    mentioned -= {name}
    called = {one: scope.local_functions[one] for one in mentioned & scope.local_functions.keys()}
    captured = {one for one in mentioned - called.keys() if one in scope.names and one not in scope.streams}
    captured |= {one for function in called.values() for one in function.captured}
    streams = {one: scope.streams[one] for one in mentioned & scope.streams.keys()}
    for function in called.values():
        streams |= function.streams
    hidden = own & {*captured, *streams}
    no_values = {
        *scope.instances,
        *scope.members,
        *scope.functions,
        *scope.tables,
        *scope.generators,
        *scope.classes,
        *scope.laws,
        *scope.loggers,
        *scope.mechanisms,
        *scope.unusable,
    }
    no_values |= {one for one in captured if scope.local(one) in scope.kinds}
    if hidden or not captured <= assigned or captured & no_values:
        return None
    made = LocalFunction(name, node, tuple(sorted(captured)), streams, called)
    if again:
        called[name] = made
    return made
