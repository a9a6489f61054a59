"""Helper functions of the same module: those of one program, and which arguments a call gives them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import libcst as cst

from dplint.program.nodes import Function
from dplint.source.lowering.expressions import ExpressionLowering
from dplint.source.lowering.scope import Refusals, Stream


@dataclass(slots=True)
class Helpers:
    """The helper functions of one program, as they are met, and which of their parameters are generators."""

    refusals: Refusals
    done: dict[str, Function] = field(default_factory=dict)
    streams: dict[str, dict[str, Stream]] = field(default_factory=dict)
    open: list[str] = field(default_factory=list)


def bind_arguments(
    lowering: ExpressionLowering, function: cst.FunctionDef, node: cst.Call
) -> dict[str, cst.BaseExpression]:
    """Argument expressions of a call by parameter, in the order of evaluation, defaults last.

    Raises UnsupportedConstruct if the function or the call has more to it than plain parameters.
    """
    name = function.name.value
    if function.decorators or function.asynchronous is not None:
        raise lowering.refuse(f"the decorated function {name}", node, "leave the decorator out")
    names = plain_parameters(lowering, function)
    positional = [p.name.value for p in (*function.params.posonly_params, *function.params.params)]
    given: dict[str, cst.BaseExpression] = {}
    for position, argument in enumerate(node.args):
        if argument.keyword is not None:
            parameter = argument.keyword.value
        else:
            parameter = positional[position] if position < len(positional) else ""
        if parameter not in names or parameter in given:
            raise lowering.refuse(f"the arguments of {name}", argument, "match them to its parameters")
        given[parameter] = argument.value
    for item in _parameters(function):
        if item.name.value not in given:
            if item.default is None:
                raise lowering.refuse(f"the arguments of {name}", node, f"pass {item.name.value}")
            if not _is_literal(item.default):
                raise lowering.refuse(f"the defaults of {name}", node, f"pass {item.name.value}")
            given[item.name.value] = item.default
    return given


def plain_parameters(lowering: ExpressionLowering, function: cst.FunctionDef) -> tuple[str, ...]:
    """The names of all parameters; raises UnsupportedConstruct if there are others than plain ones."""
    star = function.params.star_arg
    if isinstance(star, cst.Param) or function.params.star_kwarg is not None:
        raise lowering.refuse("*args or **kwargs", function.params, "name every parameter")
    return tuple(parameter.name.value for parameter in _parameters(function))


def _parameters(function: cst.FunctionDef) -> Sequence[cst.Param]:
    params = function.params
    return (*params.posonly_params, *params.params, *params.kwonly_params)


def _is_literal(node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.UnaryOperation):
        return _is_literal(node.expression)
    if isinstance(node, cst.Name):
        return node.value in ("True", "False", "None")
    return isinstance(node, cst.Integer | cst.Float | cst.SimpleString)
