"""Expressions made by hand: short names for nodes that stand nowhere in a source.

Expressions as Python functions: for those that are evaluated on many plain values, one after the other.

The same meaning as the evaluator has with the concrete interpretation, at the speed of Python, as it is Python: that of
the printed text. Only nodes of the program language are printed, so that no text of somebody else is ever executed.
"""

from __future__ import annotations

import builtins
import json
import math
import numbers
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from dplint.claims import Literal, Span
from dplint.program import nodes as ir
from dplint.program.calls import BUILTINS, EXCEPTIONS, TYPES
from dplint.program.printing import printed
from dplint.program.refusals import unsupported
from dplint.program.walk import walk

NOWHERE = Span(0, 0, 0, 0)
"""The place of what stands in no source."""


_OPPOSITE = {"==": "!=", "!=": "==", "in": "not in", "not in": "in", "is": "is not", "is not": "is"}
"""Of `<` the opposite is not `>=`: both are false of NaN."""


def constant(value: Literal | bytes) -> ir.Constant:
    """A literal value."""
    return ir.Constant(value, NOWHERE)  # type: ignore[arg-type]  # bytes are no argument of a mechanism, but an output


def number(value: float) -> ir.Constant:
    """A number, a whole one as an integer: 2.0 as 2."""
    return constant(int(value) if float(value).is_integer() and abs(value) < 1e15 else value)


def name(identifier: str) -> ir.Name:
    """A variable."""
    return ir.Name(identifier, NOWHERE)


def call(function: str, *arguments: ir.Expression) -> ir.Call:
    """`function(arguments)`, the function by its canonical name or one of `vocabulary.SPECIAL`."""
    return ir.Call(function, arguments, (), NOWHERE)


def method(receiver: ir.Expression, called: str, *arguments: ir.Expression) -> ir.MethodCall:
    """`receiver.called(arguments)`."""
    return ir.MethodCall(receiver, called, arguments, (), NOWHERE)


def attribute(value: ir.Expression, called: str) -> ir.Call:
    """`value.called`."""
    return call(f"attribute.{called}", value)


def item(value: ir.Expression, index: Literal) -> ir.Subscript:
    """`value[index]`."""
    return ir.Subscript(value, constant(index), NOWHERE)


def is_instance(value: ir.Expression, *types: str) -> ir.Call:
    """`isinstance(value, types)`."""
    return call("isinstance", value, *map(constant, types))


def binary(left: ir.Expression, operator: str, right: ir.Expression) -> ir.Binary:
    """`left operator right`."""
    return ir.Binary(operator, left, right, NOWHERE)


def compare(left: ir.Expression, *rest: str | ir.Expression) -> ir.Compare:
    """`compare(a, "<", b, "<=", c)` is `a < b <= c`."""
    operators = tuple(part for part in rest if isinstance(part, str))
    comparators = tuple(part for part in rest if not isinstance(part, str))
    return ir.Compare(left, operators, comparators, NOWHERE)


def negation(operand: ir.Expression) -> ir.Unary:
    """`not operand`."""
    return ir.Unary("not", operand, NOWHERE)


def negated(condition: ir.Expression) -> ir.Expression:
    """`not condition`, by the opposite operator where there is one whatever is compared: `a != b` for `a == b`."""
    if isinstance(condition, ir.Compare) and len(condition.operators) == 1 and condition.operators[0] in _OPPOSITE:
        return ir.Compare(condition.left, (_OPPOSITE[condition.operators[0]],), condition.comparators, NOWHERE)
    return negation(condition)


def both(operands: Iterable[ir.Expression]) -> ir.Expression:
    """`a and b and ...`, where operands that are such themselves are written out; a single operand is left alone.

    Raises ValueError without operands.
    """
    return _joined("and", operands)


def either(operands: Iterable[ir.Expression]) -> ir.Expression:
    """`a or b or ...`; as for `both`."""
    return _joined("or", operands)


def display(elements: Iterable[ir.Expression]) -> ir.ListDisplay:
    """`[a, b]`."""
    return ir.ListDisplay(tuple(elements), NOWHERE)


def each(
    element: ir.Expression, target: ir.Name | Sequence[ir.Name], iterable: ir.Expression, kind: str = "list"
) -> ir.Comprehension:
    """`[element for target in iterable]`, or with `kind` "any" or "all" what that says of the elements."""
    names = target if isinstance(target, ir.Name) else ir.TupleTarget(tuple(target), NOWHERE)
    return ir.Comprehension(kind, element, (ir.Clause(names, iterable, ()),), NOWHERE)


def _joined(operator: str, operands: Iterable[ir.Expression]) -> ir.Expression:
    found: list[ir.Expression] = []
    for operand in operands:
        same = isinstance(operand, ir.BoolOp) and operand.operator == operator
        found += operand.operands if same else [operand]  # type: ignore[union-attr]
    if not found:
        raise ValueError(f"{operator!r} of nothing")
    return found[0] if len(found) == 1 else ir.BoolOp(operator, tuple(found), NOWHERE)


_BUILT_IN = BUILTINS | TYPES | EXCEPTIONS | {"frozenset", "isinstance", "map", "set", "type"}
_NAMES = {name: getattr(builtins, name) for name in _BUILT_IN if "." not in name}
_KNOWN = {**_NAMES, "__builtins__": {}, "json": json, "math": math, "numbers": numbers, "re": re}


def compiled(node: ir.Expression, variable: str) -> Callable[[Any], Any]:
    """The expression as a function of its one variable. Raises UnsupportedConstruct for what is no Python.

    The function raises what Python would, and NameError for another variable.
    """
    for part in walk(node):
        if isinstance(part, ir.Draw | ir.CallFunction | ir.Opaque):
            raise unsupported(f"{type(part).__name__} in an expression of plain values", part.span)
    function: Callable[[Any], Any] = eval(f"lambda {variable}: {printed(node)}", dict(_KNOWN))
    return function
