"""Functions and lambdas that a function makes for itself, as helper functions that are given what they capture.

Python looks up what a local function captures when it is called, and so does the call here: it passes the present
values along. That is the same as long as the captured names certainly have a value by then, and the function changes
none of them. One that no program has, such as one that yields, is in the way where its name is used, and not before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import libcst as cst

from dplint.program.calls import UPDATES
from dplint.program.nodes import Assign, Expression, Name, Pass, Statement
from dplint.program.refusals import Unsupported, UnsupportedConstruct
from dplint.source.bindings import all_parameters, bound_names, names_in_target
from dplint.source.lowering.draws import Draws
from dplint.source.lowering.held_names import is_constant
from dplint.source.lowering.instances import Instances
from dplint.source.lowering.observed import makes_logger
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.scope import FunctionValue, LocalFunction, Scope, Stream
from dplint.source.walking import nodes_below

_BARRED = (cst.FunctionDef, cst.ClassDef, cst.Lambda, cst.Yield, cst.Await, cst.Global, cst.Nonlocal)


class LocalFunctions:
    """Notes which names stand for functions, and for loggers, that a function makes.

    bindings: how often it binds each name.
    """

    def __init__(
        self,
        reader: Reader,
        bindings: Mapping[str, int],
        instances: Instances,
        draws: Draws,
    ) -> None:
        self._reader = reader
        self._scope = reader.scope
        self._bindings = bindings
        self._instances = instances
        self._draws = draws

    def once(self, name: str) -> bool:
        """Whether one statement, and no caller, gives the name its only value."""
        return self._bindings[name] == 1 and name not in self._scope.parameters

    def defined(self, node: cst.FunctionDef, assigned: set[str] | None) -> tuple[Statement, ...]:
        """A nested function. assigned: what certainly has a value here, None in a branch or loop."""
        refused = Unsupported("a nested function", self._reader.span(node), "make it a function of the module")
        done = self._made_here(node.name.value, node, assigned, refused)
        if done is None:
            raise UnsupportedConstruct(refused)
        return done

    def made(
        self, target: cst.BaseExpression, value: cst.BaseExpression, assigned: set[str] | None
    ) -> tuple[Statement, ...] | None:
        """What is left of an assignment that makes a lambda or a logger, for which its target stands from here on."""
        span = self._reader.span(value)
        if self._scope.holds_logger(target):
            return (Pass(span),) if makes_logger(self._reader, value) else None
        if not isinstance(target, cst.Name):
            return None
        if self.once(target.value) and makes_logger(self._reader, value):
            self._scope.loggers.add(target.value)
            return (Pass(span),)
        if not isinstance(value, cst.Lambda):
            return None
        refused = Unsupported("a lambda", span, "make it a function of the module")
        return self._made_here(target.value, value, assigned, refused)

    def _made_here(
        self, name: str, node: cst.FunctionDef | cst.Lambda, assigned: set[str] | None, refused: Unsupported
    ) -> tuple[Statement, ...] | None:
        """What works out its defaults, where a name stands for the function from here on, be it one no program has."""
        if assigned is not None:
            made = local_function(self._scope, name, node, assigned, self._bindings)
            if made is not None:
                self._scope.local_functions[name] = made
                return (Pass(refused.span),)
        if isinstance(node, cst.FunctionDef) and node.decorators:
            return None
        before, kept = self._with_defaults(node)
        if self._instances.names.held_function(name, FunctionValue(self._scope, kept, tuple(self._scope.renamed))):
            return (*before, Pass(refused.span))
        if before or not self.once(name):
            return None
        self._scope.unusable[name] = refused
        return (Pass(refused.span),)

    def _with_defaults(
        self, node: cst.FunctionDef | cst.Lambda
    ) -> tuple[tuple[Statement, ...], cst.FunctionDef | cst.Lambda]:
        """The function with names for defaults that are no constants, and what works these out, as it is made."""
        before: list[Statement] = []
        changed: dict[int, cst.Param] = {}
        for one in all_parameters(node):
            if one.default is None or is_constant(one.default):
                continue
            stands = cst.Name("default")
            kept: Expression | Stream | None = self._draws.stream_of(one.default)
            if kept is None:
                value = self._reader.expression(one.default)
                kept = Name(self._scope.rename({"default"})["default"], value.span)
                before.append(Assign((kept,), value, value.span))
            self._scope.placed(stands, one.default, kept)
            changed[id(one)] = one.with_changes(default=stands)
        if not changed:
            return (), node
        params = node.params
        kinds = {kind: getattr(params, kind) for kind in ("posonly_params", "params", "kwonly_params")}
        new = {kind: [changed.get(id(one), one) for one in several] for kind, several in kinds.items()}
        whole = node.with_changes(params=params.with_changes(**new))
        self._scope.placed(whole, node)
        return tuple(before), whole


def local_function(
    scope: Scope, name: str, node: cst.FunctionDef | cst.Lambda, assigned: set[str], bindings: Mapping[str, int]
) -> LocalFunction | None:
    """A function that a statement of the function's own block gives a name; None if it is not that simple.

    assigned: what certainly has a value here. bindings: how often the function around it binds each name.
    """
    if bindings[name] != 1 or name in scope.parameters or not _is_simple(scope, node):
        return None
    free = _mentioned(node) - {name}
    called = {one: scope.local_functions[one] for one in free & scope.local_functions.keys()}
    captured = {one for one in free - called.keys() if one in scope.names and one not in scope.streams}
    captured |= {one for function in called.values() for one in function.captured}
    streams = {one: scope.streams[one] for one in free & scope.streams.keys()}
    for function in called.values():
        streams |= function.streams
    no_values = {
        *scope.instances,
        *scope.functions,
        *scope.classes,
        *scope.loggers,
        *scope.mechanisms,
        *scope.unusable,
    }
    no_values |= {one for one in captured if scope.local(one) in scope.kinds}
    # One that changes what it captures is read into its callers instead, where that has its own name.
    hidden = {*_changed(node)} & captured or _own(node) & {*captured, *streams}
    if hidden or not captured <= assigned or captured & no_values:
        return None
    made = LocalFunction(name, node, tuple(sorted(captured)), streams, called)
    if name in _mentioned(node):
        called[name] = made
    return made


def _changed(node: cst.FunctionDef | cst.Lambda) -> Iterator[str]:
    """The names of lists and dicts that a function changes in place."""
    for one in nodes_below(node.body):
        match one:
            case (
                cst.AssignTarget(target=cst.Subscript(value=cst.Name(value=name)))
                | cst.AugAssign(target=cst.Subscript(value=cst.Name(value=name)))
            ):
                yield name
            case cst.Call(func=cst.Attribute(value=cst.Name(value=name), attr=cst.Name(value=method))):
                yield from [name] if method in UPDATES else []


def _is_simple(scope: Scope, node: cst.FunctionDef | cst.Lambda) -> bool:
    inside = [*nodes_below(node.params), *nodes_below(node.body)]
    if any(isinstance(one, _BARRED) for one in inside):
        return False
    if isinstance(node, cst.FunctionDef) and (node.decorators or node.asynchronous is not None):
        return False
    # A default is what the variable was when the function was made.
    defaults = [one.default for one in all_parameters(node) if one.default is not None]
    parts = (part for one in defaults for part in nodes_below(one) if isinstance(part, cst.Name))
    return not any(scope.local(part.value) for part in parts)


def _own(node: cst.FunctionDef | cst.Lambda) -> set[str]:
    """The names that a function binds."""
    inside = [*nodes_below(node.params), *nodes_below(node.body)]
    own = {one.name.value for one in inside if isinstance(one, cst.Param)}
    if isinstance(node, cst.FunctionDef):
        own |= bound_names(node.body)
    return own | {found for one in inside if isinstance(one, cst.CompFor) for found in names_in_target(one.target)}


def _mentioned(node: cst.FunctionDef | cst.Lambda) -> set[str]:
    """The names in a function that it does not bind itself."""
    inside = [*nodes_below(node.params), *nodes_below(node.body)]
    return {one.value for one in inside if isinstance(one, cst.Name)} - _own(node)
