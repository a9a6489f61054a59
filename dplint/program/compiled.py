"""Expressions as Python functions: for those that are evaluated on many plain values, one after the other.

The same meaning as the evaluator has with the concrete interpretation, ten times as fast, as there are no masks. What
Python would raise is raised.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from dplint.program.meaning import BINARY, COMPARE, UNARY, function_of, keywords_of, method_of
from dplint.program.nodes import (
    Binary,
    BoolOp,
    Call,
    Compare,
    Comprehension,
    Constant,
    DictDisplay,
    Expression,
    IfExp,
    ListDisplay,
    MethodCall,
    Name,
    Slice,
    Subscript,
    Target,
    TupleDisplay,
    TupleTarget,
    Unary,
)
from dplint.program.refusals import unsupported

Variables: TypeAlias = dict[str, Any]
Compiled: TypeAlias = Callable[[Variables], Any]
"""The value of an expression, given its variables; those that it binds itself are left behind in the dict."""


_CONSUME: Mapping[str, Callable[[Iterator[Any]], Any]] = {"list": list, "any": any, "all": all}


def compiled(node: Expression) -> Compiled:
    """The expression as a function. Raises UnsupportedConstruct for draws and calls of helper functions.

    The function raises what Python would, and KeyError for a variable that has no value.
    """
    compiler = _COMPILERS.get(type(node))
    if compiler is None:
        raise unsupported(f"{type(node).__name__} in an expression of plain values", node.span)
    made: Compiled = compiler(node)
    return made


def _constant(node: Constant) -> Compiled:
    value = node.value
    return lambda _: value


def _name(node: Name) -> Compiled:
    name = node.id
    return lambda variables: variables[name]


def _binary(node: Binary) -> Compiled:
    operator, left, right = BINARY[node.operator], compiled(node.left), compiled(node.right)
    return lambda variables: operator(left(variables), right(variables))


def _unary(node: Unary) -> Compiled:
    operand = compiled(node.operand)
    if node.operator == "not":
        return lambda variables: not operand(variables)
    operator = UNARY[node.operator]
    return lambda variables: operator(operand(variables))


def _compare(node: Compare) -> Compiled:
    left = compiled(node.left)
    rest = [
        (COMPARE[operator], compiled(comparator))
        for operator, comparator in zip(node.operators, node.comparators, strict=True)
    ]
    if len(rest) == 1:
        ((operator, right),) = rest
        return lambda variables: operator(left(variables), right(variables))

    def chain(variables: Variables) -> Any:
        one, truth = left(variables), None
        for operator, comparator in rest:
            other = comparator(variables)
            truth = operator(one, other)
            if not truth:
                break
            one = other
        return truth

    return chain


def _bool_op(node: BoolOp) -> Compiled:
    operands = list(map(compiled, node.operands))
    decides = node.operator == "or"

    def chain(variables: Variables) -> Any:
        value = None
        for operand in operands:
            value = operand(variables)
            if bool(value) is decides:
                break
        return value

    return chain


def _if_exp(node: IfExp) -> Compiled:
    test, body, orelse = compiled(node.test), compiled(node.body), compiled(node.orelse)
    return lambda variables: body(variables) if test(variables) else orelse(variables)


def _display(node: ListDisplay | TupleDisplay) -> Compiled:
    elements, kind = list(map(compiled, node.elements)), list if isinstance(node, ListDisplay) else tuple
    return lambda variables: kind(element(variables) for element in elements)


def _dict(node: DictDisplay) -> Compiled:
    entries = list(zip(node.keys, map(compiled, node.values), strict=True))
    return lambda variables: {key: value(variables) for key, value in entries}


def _comprehension(node: Comprehension) -> Compiled:
    element = compiled(node.element)
    clauses = [
        (compiled(clause.iterable), _binding(clause.target), list(map(compiled, clause.conditions)))
        for clause in node.clauses
    ]
    consume = _CONSUME[node.kind]

    def items(variables: Variables, depth: int) -> Iterator[Any]:
        if depth == len(clauses):
            yield element(variables)
            return
        iterable, bind, conditions = clauses[depth]
        for item in iterable(variables):
            bind(variables, item)
            if all(condition(variables) for condition in conditions):
                yield from items(variables, depth + 1)

    return lambda variables: consume(items(variables, 0))


def _binding(target: Target) -> Callable[[Variables, Any], None]:
    if isinstance(target, Name):
        name = target.id
        return lambda variables, item: variables.__setitem__(name, item)
    if not isinstance(target, TupleTarget):
        raise unsupported("an assignment to an item", target.span)
    parts = list(map(_binding, target.elements))

    def bind(variables: Variables, item: Any) -> None:
        for part, value in zip(parts, item, strict=True):
            part(variables, value)

    return bind


def _slice(node: Slice) -> Compiled:
    parts = [None if part is None else compiled(part) for part in (node.start, node.stop, node.step)]
    return lambda variables: slice(*(None if part is None else part(variables) for part in parts))


def _subscript(node: Subscript) -> Compiled:
    value, index = compiled(node.value), compiled(node.index)
    return lambda variables: value(variables)[index(variables)]


def _call(node: Call) -> Compiled:
    return _called(function_of(node.function), node.arguments, node.keywords)


def _method(node: MethodCall) -> Compiled:
    return _called(method_of(node.method), (node.receiver, *node.arguments), node.keywords)


def _called(
    function: Callable[..., Any], given: Sequence[Expression], named: Sequence[tuple[str, Expression]]
) -> Compiled:
    arguments = list(map(compiled, given))
    keywords = {name: compiled(value) for name, value in named}
    if not keywords:
        return lambda variables: function(*[argument(variables) for argument in arguments])
    return lambda variables: function(
        *[argument(variables) for argument in arguments],
        **keywords_of({name: value(variables) for name, value in keywords.items()}),
    )


_COMPILERS: Mapping[type, Callable[[Any], Compiled]] = {
    Constant: _constant,
    Name: _name,
    Binary: _binary,
    Unary: _unary,
    Compare: _compare,
    BoolOp: _bool_op,
    IfExp: _if_exp,
    ListDisplay: _display,
    TupleDisplay: _display,
    DictDisplay: _dict,
    Comprehension: _comprehension,
    Slice: _slice,
    Subscript: _subscript,
    Call: _call,
    MethodCall: _method,
}
