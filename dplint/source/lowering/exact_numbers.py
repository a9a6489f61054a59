"""`Fraction(1, 3)` and `Decimal("0.1")` of constants: worked out here, and in the program where they are plain numbers.

No program has such numbers as values, so an expression of them has to end in a float, a whole number or a bool:
`float(Fraction(1, 3))`, `Fraction(3, 6).denominator`, `Decimal("0.5") < 1`. Arithmetic with a Decimal is rounded as a
context says that anybody may change, and is not read.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeAlias

import libcst as cst

from dplint.claims import Literal
from dplint.program.nodes import Constant, Expression, Pass, Statement
from dplint.program.refusals import Unsupported
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.scope import Scope
from dplint.source.operators import BINARY as SIGNS
from dplint.source.operators import COMPARE, UNARY, literal

Exact: TypeAlias = Fraction | Decimal
_MAKERS: Mapping[str, Callable[..., Exact]] = {
    "decimal.Decimal": Decimal,
    "fractions.Fraction": Fraction,
    "fractions.Fraction.from_float": Fraction.from_float,
}
_CONVERTING: Mapping[str, Callable[..., Any]] = {
    **{kind.__name__: kind for kind in (abs, bool, float, int, round)},
    "math.ceil": math.ceil,
    "math.floor": math.floor,
    "math.trunc": math.trunc,
}
_OF_TWO: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_ORDERS = frozenset({"==", "!=", "<", "<=", ">", ">="})
_MOST, _MOST_BITS = 64, 4096
"""The largest exponent, and of the numerator or the denominator."""
_TEXT = re.compile(r"[-+]?[0-9_./]{1,64}([eE][-+]?[0-9]{1,3})?")
"""Numbers that do not take all of the memory, as 1e999999999 may."""
_HINT = "make a plain number of it where it is, as float(...) does"


class ExactNumbers:
    """Lowers these, where the module knows them at all. once: whether one statement gives a name its only value."""

    def __init__(self, reader: Reader, once: Callable[[str], bool]) -> None:
        self._reader = reader
        self._scope = reader.scope
        self._once = once
        self._held: dict[str, Exact] = {}
        imported = {one.partition(".")[0] for one in reader.scope.facts.aliases.values()}
        self._known = bool(imported & {"decimal", "fractions"})
        kinds = (cst.Attribute, cst.BinaryOperation, cst.Call, cst.Comparison, cst.Name, cst.UnaryOperation)
        if self._known:
            reader.register(dict.fromkeys(kinds, self._lowered))

    def kept(
        self, target: cst.BaseExpression, value: cst.BaseExpression, here: set[str] | None
    ) -> tuple[Statement, ...] | None:
        """`share = Fraction(1, 3)`, a name for such a number; here: None in a branch or loop. None for all others."""
        if not self._known or here is None or not isinstance(target, cst.Name) or not self._once(target.value):
            return None
        found = self._value(value, self._scope)
        if not isinstance(found, Exact):
            return None
        name, span = self._scope.local(target.value) or target.value, self._reader.span(value)
        self._held[name] = found
        self._scope.unusable[name] = Unsupported(_construct(found), span, _HINT)
        return (Pass(span),)

    def _lowered(self, node: cst.BaseExpression) -> Expression | None:
        """The plain number that comes of them; None for what has none of them in it."""
        found = self._value(node, self._scope)
        if isinstance(found, Exact):
            raise self._reader.refuse(_construct(found), node, _HINT)
        is_made = found is not None and not isinstance(node, cst.Name | cst.UnaryOperation)
        return Constant(found, self._reader.span(node)) if is_made and self._has_one(node) else None

    def _has_one(self, node: cst.BaseExpression) -> bool:
        """Whether one of the operands is such a number."""
        match node:
            case cst.Call(args=args):
                operands = [one.value for one in args]
                operands += [node.func.value] if isinstance(node.func, cst.Attribute) else []
            case cst.BinaryOperation(left=left, right=right):
                operands = [left, right]
            case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(comparator=right)]):
                operands = [left, right]
            case cst.Attribute(value=value):
                operands = [value]
            case _:
                return False
        return any(isinstance(self._value(one, self._scope), Exact) for one in operands)

    def _value(self, node: cst.BaseExpression, scope: Scope) -> Any:
        """What an expression of constants gives; None where that is not known."""
        try:
            return self._worked_out(node, scope)
        except (ArithmeticError, TypeError, ValueError):
            return None

    def _worked_out(self, node: cst.BaseExpression, scope: Scope) -> Any:
        match node:
            case cst.Integer() | cst.Float() | cst.SimpleString():
                known = literal(node)
                return None if known is None else known[0]
            case cst.Name() | cst.Attribute() if (named := self._named(node, scope)) is not None:
                return named
            case cst.Attribute(value=whole, attr=cst.Name(value="numerator" | "denominator" as part)):
                found = self._value(whole, scope)
                return getattr(found, part) if isinstance(found, Fraction) else None
            case cst.UnaryOperation(operator=cst.Minus() as sign, expression=inner):
                found = self._value(inner, scope)
                return -found if isinstance(found, int | float | Fraction) and UNARY[type(sign)] == "-" else None
            case cst.BinaryOperation(left=left, operator=sign, right=right):
                return _of_two(SIGNS[type(sign)], self._value(left, scope), self._value(right, scope))
            case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(operator=sign, comparator=right)]):
                return _of_two(COMPARE[type(sign)], self._value(left, scope), self._value(right, scope))
            case cst.Call(args=args) if not any(one.keyword or one.star for one in args):
                return self._called(node, [self._value(one.value, scope) for one in args], scope)
        return None

    def _called(self, node: cst.Call, given: list[Any], scope: Scope) -> Any:
        if None in given:
            return None
        full = scope.canonical(node.func) or ""
        if full in _MAKERS:
            plain = all(not isinstance(one, str) or _TEXT.fullmatch(one) for one in given)
            return _MAKERS[full](*given) if plain else None
        if full in _CONVERTING and isinstance(given[0], Exact):
            # The length of a Decimal after `round` is that of the context.
            rounded = full in ("abs", "round") and isinstance(given[0], Decimal)
            return None if rounded else _CONVERTING[full](*given)
        match node.func:
            case cst.Attribute(value=whole, attr=cst.Name(value="limit_denominator")):
                found = self._value(whole, scope)
                return found.limit_denominator(*given) if isinstance(found, Fraction) else None
        return None

    def _named(self, node: cst.Name | cst.Attribute, scope: Scope) -> Exact | Literal:
        """What a name stands for: here, or at the top level of a module that does not change it."""
        if isinstance(node, cst.Name) and (variable := scope.local(node.value)) is not None:
            return self._held.get(variable) if scope is self._scope else None
        found = scope.assigned(node)
        if found is None:
            return None
        facts, given = found
        around = Scope(facts, frozenset(), frozenset(), frozenset(), {}, scope.elsewhere, depth=scope.depth + 1)
        value = self._value(given, around) if scope.depth < _MOST else None
        return value if isinstance(value, Exact | int | float) else None


def _of_two(sign: str, left: Any, right: Any) -> Any:
    """What an operator gives, of which one operand is such a number; None for what is not known."""
    exact = [one for one in (left, right) if isinstance(one, Exact)]
    if not exact or left is None or right is None or sign not in _OF_TWO:
        return None
    if sign not in _ORDERS and any(isinstance(one, Decimal) for one in exact):
        return None
    if sign == "**" and not (isinstance(right, int) and abs(right) <= _MOST):
        return None
    found = _OF_TWO[sign](left, right)
    small = not isinstance(found, Fraction) or max(map(int.bit_length, found.as_integer_ratio())) <= _MOST_BITS
    return found if small else None


def _construct(value: Exact) -> str:
    return f"a {type(value).__name__} used as a value"
