"""Helper functions of the project: those of one program, and which arguments a call gives them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import libcst as cst

from dplint.program.nodes import CallFunction, Constant, Function, Statement
from dplint.program.walk import walk
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.scope import Elsewhere, ModuleFacts, Stream
from dplint.source.module_names import static_value
from dplint.source.static_values import NotStaticError


@dataclass(slots=True)
class Helpers:
    """The helper functions of one program, as they are met, and which of their parameters are generators.

    opaque: the names of those that hold something that is not understood, themselves or by what they call. elsewhere:
    what names of other modules stand for, None where these are not looked into.
    """

    elsewhere: Elsewhere | None = None

    done: dict[str, Function] = field(default_factory=dict)
    streams: dict[str, dict[str, Stream]] = field(default_factory=dict)
    open: list[str] = field(default_factory=list)
    opaque: set[str] = field(default_factory=set)

    def any_opaque(self, nodes: Iterable[Statement]) -> bool:
        """Whether one of these is called in the statements."""
        return bool(self.opaque) and any(isinstance(n, CallFunction) and n.function in self.opaque for n in walk(nodes))


def bind_arguments(
    reader: Reader, facts: ModuleFacts, function: cst.FunctionDef, node: cst.Call
) -> dict[str, cst.BaseExpression | Constant]:
    """Argument expressions of a call by parameter, in the order of evaluation, and the values of defaults, last.

    facts: of the module of the function. Raises UnsupportedConstruct if the function or the call has more to it than
    plain parameters.
    """
    name = function.name.value
    if function.decorators or function.asynchronous is not None:
        raise reader.refuse(f"the decorated function {name}", node, "leave the decorator out")
    names = plain_parameters(reader, function)
    positional = [p.name.value for p in (*function.params.posonly_params, *function.params.params)]
    given: dict[str, cst.BaseExpression | Constant] = {}
    for position, argument in enumerate(node.args):
        if argument.keyword is not None:
            parameter = argument.keyword.value
        else:
            parameter = positional[position] if position < len(positional) else ""
        if parameter not in names or parameter in given:
            raise reader.refuse(f"the arguments of {name}", argument, "match them to its parameters")
        given[parameter] = argument.value
    for item in _parameters(function):
        if item.name.value not in given:
            if item.default is None:
                raise reader.refuse(f"the arguments of {name}", node, f"pass {item.name.value}")
            try:
                value = static_value(facts.tree, item.default, facts.names)
            except NotStaticError:
                value = []
            if isinstance(value, list | dict):
                raise reader.refuse(f"the defaults of {name}", node, f"pass {item.name.value}")
            given[item.name.value] = Constant(value, facts.span(item.default))
    return given


def plain_parameters(reader: Reader, function: cst.FunctionDef) -> tuple[str, ...]:
    """The names of all parameters; raises UnsupportedConstruct if there are others than plain ones."""
    star = function.params.star_arg
    if isinstance(star, cst.Param) or function.params.star_kwarg is not None:
        raise reader.refuse("*args or **kwargs", function.params, "name every parameter")
    return tuple(parameter.name.value for parameter in _parameters(function))


def _parameters(function: cst.FunctionDef) -> Sequence[cst.Param]:
    params = function.params
    return (*params.posonly_params, *params.params, *params.kwonly_params)
