"""Expressions made by hand: short names for nodes that stand nowhere in a source."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dplint.claims import Literal, Span
from dplint.program.nodes import (
    Binary,
    BoolOp,
    Call,
    Clause,
    Compare,
    Comprehension,
    Constant,
    Expression,
    ListDisplay,
    MethodCall,
    Name,
    Subscript,
    TupleTarget,
    Unary,
)

NOWHERE = Span(0, 0, 0, 0)
"""The place of what stands in no source."""


_OPPOSITE = {"==": "!=", "!=": "==", "in": "not in", "not in": "in", "is": "is not", "is not": "is"}
"""Of `<` the opposite is not `>=`: both are false of NaN."""


def constant(value: Literal | bytes) -> Constant:
    """A literal value."""
    return Constant(value, NOWHERE)  # type: ignore[arg-type]  # bytes are no argument of a mechanism, but an output


def number(value: float) -> Constant:
    """A number, a whole one as an integer: 2.0 as 2."""
    return constant(int(value) if float(value).is_integer() and abs(value) < 1e15 else value)


def name(identifier: str) -> Name:
    """A variable."""
    return Name(identifier, NOWHERE)


def call(function: str, *arguments: Expression) -> Call:
    """`function(arguments)`, the function by its canonical name or one of `vocabulary.SPECIAL`."""
    return Call(function, arguments, (), NOWHERE)


def method(receiver: Expression, called: str, *arguments: Expression) -> MethodCall:
    """`receiver.called(arguments)`."""
    return MethodCall(receiver, called, arguments, (), NOWHERE)


def attribute(value: Expression, called: str) -> Call:
    """`value.called`."""
    return call(f"attribute.{called}", value)


def item(value: Expression, index: Literal) -> Subscript:
    """`value[index]`."""
    return Subscript(value, constant(index), NOWHERE)


def is_instance(value: Expression, *types: str) -> Call:
    """`isinstance(value, types)`."""
    return call("isinstance", value, *map(constant, types))


def binary(left: Expression, operator: str, right: Expression) -> Binary:
    """`left operator right`."""
    return Binary(operator, left, right, NOWHERE)


def compare(left: Expression, *rest: str | Expression) -> Compare:
    """`compare(a, "<", b, "<=", c)` is `a < b <= c`."""
    operators = tuple(part for part in rest if isinstance(part, str))
    comparators = tuple(part for part in rest if not isinstance(part, str))
    return Compare(left, operators, comparators, NOWHERE)


def negation(operand: Expression) -> Unary:
    """`not operand`."""
    return Unary("not", operand, NOWHERE)


def negated(condition: Expression) -> Expression:
    """`not condition`, by the opposite operator where there is one whatever is compared: `a != b` for `a == b`."""
    if isinstance(condition, Compare) and len(condition.operators) == 1 and condition.operators[0] in _OPPOSITE:
        return Compare(condition.left, (_OPPOSITE[condition.operators[0]],), condition.comparators, NOWHERE)
    return negation(condition)


def both(operands: Iterable[Expression]) -> Expression:
    """`a and b and ...`, where operands that are such themselves are written out; a single operand is left alone.

    Raises ValueError without operands.
    """
    return _joined("and", operands)


def either(operands: Iterable[Expression]) -> Expression:
    """`a or b or ...`; as for `both`."""
    return _joined("or", operands)


def display(elements: Iterable[Expression]) -> ListDisplay:
    """`[a, b]`."""
    return ListDisplay(tuple(elements), NOWHERE)


def each(element: Expression, target: Name | Sequence[Name], iterable: Expression, kind: str = "list") -> Comprehension:
    """`[element for target in iterable]`, or with `kind` "any" or "all" what that says of the elements."""
    names = target if isinstance(target, Name) else TupleTarget(tuple(target), NOWHERE)
    return Comprehension(kind, element, (Clause(names, iterable, ()),), NOWHERE)


def _joined(operator: str, operands: Iterable[Expression]) -> Expression:
    found: list[Expression] = []
    for operand in operands:
        same = isinstance(operand, BoolOp) and operand.operator == operator
        found += operand.operands if same else [operand]  # type: ignore[union-attr]
    if not found:
        raise ValueError(f"{operator!r} of nothing")
    return found[0] if len(found) == 1 else BoolOp(operator, tuple(found), NOWHERE)
