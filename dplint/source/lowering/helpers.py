"""Helper functions of the project: those of one program, and which arguments a call gives them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import libcst as cst

from dplint.program.interpretation import in_source, numbered
from dplint.program.nodes import CallFunction, Constant, Expression, Function, Name, Statement
from dplint.program.refusals import UnsupportedConstruct
from dplint.program.walk import walk
from dplint.source.bindings import all_parameters, dotted_name, keyword_of, parameters_of, static_value
from dplint.source.certain import CertainNames, ModuleFacts
from dplint.source.lowering.draws import Draws
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.scope import FunctionValue, Instance, LocalFunction, Scope, Stream
from dplint.source.static_values import Names, NotStaticError
from dplint.source.walking import nodes_below

_DEEPEST = 12
"""A function that calls itself is one function for each depth. The last one calls itself: no evaluator follows that."""

"""Stands in the names of what `*args` and `**kwargs` hold, `args·0`: in an identifier, but in nobody's."""
LowerBody: TypeAlias = Callable[..., tuple[tuple[Statement, ...], frozenset[str]]]
"""Lowers the body of a function; `bodies.lower_body` does."""

ReadBody: TypeAlias = Callable[..., tuple[tuple[Statement, ...], Expression | Instance | FunctionValue]]
"""Lowers the body of a function that is read into its caller; `bodies.read_body` does."""


@dataclass(slots=True)
class Helpers:
    """The helper functions of one program, as they are met, and which of their parameters are generators.

    opaque: the names of those that hold something that is not understood, themselves or by what they call. elsewhere:
    what names of the project stand for. open_calls, read_in:
    which functions are being read into their callers, and how often that was done. giving: whether
    functions give objects or functions. observed: the list of what a run shows, where the claim observes that.
    made: calls that make a generator of an argument. seeding: libraries whose own generator is given a seed.
    defaults: of the mechanism's parameters that it gives no values.
    filled_in: those of these parameters that stand for their defaults. repeated: local functions that call themselves.
    """

    lower_body: LowerBody
    read_body: ReadBody
    elsewhere: CertainNames

    done: dict[str, Function] = field(default_factory=dict)
    streams: dict[str, dict[str, Stream]] = field(default_factory=dict)
    open: list[str] = field(default_factory=list)
    opaque: set[str] = field(default_factory=set)
    open_calls: list[str] = field(default_factory=list)
    read_in: int = 0
    giving: dict[int, bool] = field(default_factory=dict)
    observed: Name | None = None
    defaults: Mapping[str, cst.BaseExpression] = field(default_factory=dict)
    filled_in: set[str] = field(default_factory=set)
    made: dict[int, tuple[cst.CSTNode, Stream]] = field(default_factory=dict)
    repeated: dict[str, cst.CSTNode] = field(default_factory=dict)
    seeding: frozenset[str] = frozenset()

    def any_opaque(self, nodes: Iterable[Statement]) -> bool:
        """Whether one of these is called in the statements."""
        return bool(self.opaque) and any(isinstance(n, CallFunction) and n.function in self.opaque for n in walk(nodes))


class HelperCalls:
    """Lowers calls of helper functions in one function, and those functions when they are first met."""

    def __init__(self, reader: Reader, draws: Draws, helpers: Helpers) -> None:
        self._reader = reader
        self._span = reader.span
        self._refuse = reader.refuse
        self._expression = reader.expression
        self._scope = reader.scope
        self._draws = draws
        self.helpers = helpers

    def call(self, facts: ModuleFacts, function: cst.FunctionDef, node: cst.Call) -> Expression:
        """A call of a function of the project, which is lowered when it is first met."""
        plain = facts.prefix + function.name.value
        name = self._at_depth(plain)
        given = bind_arguments(self._reader, facts, name, function, node.args, node)
        return self._called(facts, name, function, given, {}, {}, node)

    def _at_depth(self, plain: str) -> str:
        """The name of a function at the present depth of its calls of itself."""
        depth = min(sum(in_source(one) == plain for one in self.helpers.open), _DEEPEST - 1)
        return numbered(plain, depth + 1) if depth else plain

    def _called(
        self,
        facts: ModuleFacts,
        name: str,
        function: cst.FunctionDef | cst.Lambda,
        given: Mapping[str, cst.BaseExpression | Constant],
        captured: Mapping[str, Name],
        held: Mapping[str, Stream],
        node: cst.CSTNode,
        local: Mapping[str, LocalFunction] | None = None,
    ) -> CallFunction:
        """captured, held: what a local function is given beside its arguments."""
        passed = {n: v for n, v in given.items() if not isinstance(v, Constant)}
        streams = {n: s for n, v in passed.items() if (s := self._draws.stream_of(v)) is not None}
        if self.helpers.streams.setdefault(name, streams) != streams:
            raise self._refuse(f"{name} called with different generators", node, "pass the same generator each time")
        arguments = tuple(
            (n, v if isinstance(v, Constant) else self._expression(v)) for n, v in given.items() if n not in streams
        )
        if name not in self.helpers.done and name not in self.helpers.open:
            self.helpers.open.append(name)
            own = tuple(p for p in plain_parameters(self._reader, function, node) if p not in streams)
            parameters = (*own, *captured)
            body, shared = self.helpers.lower_body(
                facts, function, parameters, {**held, **streams}, self.helpers, name, local=local
            )
            self.helpers.open.pop()
            place = function.name if isinstance(function, cst.FunctionDef) else function
            self.helpers.done[name] = Function(name, parameters, body, shared, facts.span(place))
        return CallFunction(name, (*arguments, *captured.items()), self._span(node))

    def call_local(self, node: cst.Call) -> Expression | None:
        """A call of a function that this one makes; None for any other."""
        called = (self._scope.local(node.func.value) if isinstance(node.func, cst.Name) else None) or ""
        if called in self._scope.unusable:
            raise UnsupportedConstruct(self._scope.unusable[called])
        function = self._scope.local_functions.get(called)
        if function is None:
            return None
        name = f"{self.helpers.open[-1]}.{function.name}"
        if function.name in function.called:
            outer = in_source(self.helpers.open[-1])
            caller, nodes = self.helpers.repeated.get(outer), [one.node for one in function.called.values()]
            around = outer.rpartition(".")[0] if any(one is caller for one in nodes) else outer
            name = self._at_depth(f"{around}.{function.name}")
            self.helpers.repeated[in_source(name)] = function.node
        given = bind_arguments(self._reader, self._scope.facts, name, function.node, node.args, node)
        variables = self._scope.renewed
        captured = {one: Name(variables.get(one, one), self._span(node)) for one in function.captured}
        held, local = function.streams, function.called
        return self._called(self._scope.facts, name, function.node, given, captured, held, node, local=local)


def bind_arguments(
    reader: Reader,
    facts: ModuleFacts,
    name: str,
    function: cst.FunctionDef | cst.Lambda,
    arguments: Sequence[cst.Arg],
    node: cst.CSTNode,
) -> dict[str, cst.BaseExpression | Constant]:
    """Argument expressions of a call by parameter, in the order of evaluation, and the values of defaults, last.

    facts: of the module of the function. Raises UnsupportedConstruct if the function or the call has more to it than
    plain parameters.
    """
    if isinstance(function, cst.FunctionDef) and (function.decorators or function.asynchronous is not None):
        raise reader.refuse(f"the decorated function {name}", node, "leave the decorator out")
    given: dict[str, cst.BaseExpression | Constant] = {**_passed(reader, name, function, arguments, node)}
    for item in all_parameters(function):
        if item.name.value not in given:
            if item.default is None:
                raise reader.refuse(f"the arguments of {name}", node, f"pass {item.name.value}")
            if id(item.default) in reader.scope.fixed:
                given[item.name.value] = item.default
                continue
            try:
                value = static_value(facts.tree, item.default, names_of(reader.scope, facts, item.default))
            except NotStaticError:
                value = []
            if isinstance(value, list | dict):
                raise reader.refuse(f"the defaults of {name}", node, f"pass {item.name.value}")
            given[item.name.value] = Constant(value, facts.span(item.default))
    return given


def _passed(
    reader: Reader,
    name: str,
    function: cst.FunctionDef | cst.Lambda,
    arguments: Sequence[cst.Arg],
    node: cst.CSTNode,
) -> dict[str, cst.BaseExpression]:
    """What a call passes, by parameter."""
    if isinstance(function.params.star_arg, cst.Param) or function.params.star_kwarg is not None:
        raise reader.refuse("*args or **kwargs", node, "name every parameter")
    given: dict[str, cst.BaseExpression] = {}
    for argument, parameter in zip(arguments, parameters_of(function, [*map(keyword_of, arguments)]), strict=True):
        if parameter is None:
            raise reader.refuse(f"the arguments of {name}", argument, "match them to its parameters")
        given[parameter.name.value] = argument.value
    return given


def names_of(scope: Scope, facts: ModuleFacts, node: cst.BaseExpression) -> Names:
    """The names of a module with the constants of other modules, and of classes, that the expression mentions."""
    around = Scope(facts, frozenset(), frozenset(), frozenset(), {}, scope.elsewhere)
    found = dict(facts.names.constants)
    for one in nodes_below(node):
        if isinstance(one, cst.Name | cst.Attribute) and (value := around.constant(one)) is not None:
            found.setdefault(dotted_name(one) or "", value)
    return replace(facts.names, constants=found)


def plain_parameters(reader: Reader, function: cst.FunctionDef | cst.Lambda, node: cst.CSTNode) -> tuple[str, ...]:
    """The names of all parameters; raises UnsupportedConstruct, at the call, if there are others than plain ones.

    The function may stand in another module, of which the reader knows no places.
    """
    star = function.params.star_arg
    if isinstance(star, cst.Param) or function.params.star_kwarg is not None:
        raise reader.refuse("*args or **kwargs", node, "name every parameter")
    return tuple(parameter.name.value for parameter in all_parameters(function))
