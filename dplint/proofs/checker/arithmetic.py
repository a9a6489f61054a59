"""Operators on exact numbers and terms.

What is not linear in noise is an unknown function: of it a proof knows only that equal arguments give equal results.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import z3

from dplint.claims import Span
from dplint.program.meaning import BINARY, COMPARE, UNARY
from dplint.proofs.checker import limits
from dplint.proofs.checker.context import Context
from dplint.proofs.checker.values import (
    AnyText,
    Choice,
    Entries,
    Items,
    Mask,
    Value,
    all_of,
    any_of,
    boolean,
    both,
    either,
    is_number,
    is_term,
    negate,
    real,
    refuse,
    refuse_if,
    sort,
    term,
    variables_in,
)

_LARGEST_EXPONENT = 64


def unknown(name: str, arguments: Sequence[Value], *, whole: bool = False) -> z3.ArithRef:
    """An unknown function of these numbers: the same for the same arguments, and nothing else is known of it."""
    terms = [real(term(one)) for one in arguments]
    kinds = "".join(sort(one)[0] for one in arguments)
    result = z3.IntSort() if whole else z3.RealSort()
    return z3.Function(f"{name}/{kinds}", *[z3.RealSort()] * len(terms), result)(*terms)


def unary(walk: Context, operator: str, operand: Value, active: Mask, span: Span) -> Value:
    """One of - + ~; of truth values none, for NumPy's are others than Python's."""
    if not is_number(operand) or operator == "~" or sort(operand) == "bool":
        if isinstance(operand, float) or type(operand) is int:
            return UNARY[operator](operand)
        raise refuse(f"the operator {operator} on what is no number", span)
    if not is_term(operand):
        return UNARY[operator](operand)
    value = -term(operand) if operator == "-" else term(operand)
    limits.result(walk, operator, (operand,), value, active, span)
    return value


def binary(walk: Context, operator: str, left: Value, right: Value, active: Mask, span: Span) -> Value:
    """An operator on two numbers, or on two texts."""
    if isinstance(left, str) or isinstance(right, str):
        if operator in ("+", "*") and not is_term(left) and not is_term(right):
            return BINARY[operator](left, right)
        raise refuse(f"the operator {operator} on a text", span)
    refuse_if(not is_number(left) or not is_number(right), f"the operator {operator} on what is no finite number", span)
    if sort(left) == sort(right) == "bool" and operator not in ("&", "|", "^"):
        # Of Python's truth values a sum is a number, of NumPy's it is a truth value.
        raise refuse(f"the operator {operator} on two truth values", span)
    limits.operands(walk, operator, (left, right), active, span)
    if operator in ("/", "//", "%") and not _divides(walk, right, active, span):
        return 0
    result = _computed(walk, operator, left, right, span)
    limits.result(walk, operator, (left, right), result, active, span)
    return result


def _computed(walk: Context, operator: str, left: Value, right: Value, span: Span) -> Value:
    if not is_term(left) and not is_term(right):
        if operator == "**" and walk.numpy and isinstance(left, int) and isinstance(right, int) and right < 0:
            raise refuse("a negative power of a whole number, which NumPy has not", span)
        return _known(operator, left, right, span)
    if operator in ("&", "|", "^") and sort(left) == sort(right) == "bool":
        return {"&": both, "|": either, "^": z3.Xor}[operator](boolean(left), boolean(right))
    return _of_terms(walk, operator, term(left), term(right), span)


def _of_terms(walk: Context, operator: str, a: z3.ArithRef, b: z3.ArithRef, span: Span) -> Value:
    """An operator on two numbers of which one at least is not known."""
    noisy = [walk.leaves.noisy(a), walk.leaves.noisy(b)]
    if operator == "+":
        return a + b
    if operator == "-":
        return a - b
    if operator == "*":
        return unknown("*", (a, b)) if all(noisy) else a * b
    if operator == "/":
        return unknown("/", (a, b)) if noisy[1] else real(a) / real(b)
    if operator in ("//", "%"):
        return _rounded(walk, operator, a, b, noisy)
    if operator == "**" and z3.is_int_value(b) and 0 <= b.as_long() <= 4 and not any(noisy):
        return z3.Product([z3.IntVal(1) if a.is_int() else z3.RealVal(1), *[a] * b.as_long()])
    raise refuse(f"the operator {operator} on numbers that are not known", span)


def _divides(walk: Context, divisor: Value, active: Mask, span: Span) -> bool:
    """Whether runs are left once those that divide by zero have ended."""
    if not is_term(divisor):
        zero: Mask = divisor == 0
    else:
        limits.not_tiny(walk, divisor, active, "a division by", span)
        if walk.decider.certain(term(divisor) != 0):
            return True
        zero = walk.decided(term(divisor) == 0, active)
    ended = both(active, zero)
    if ended is not False:
        if walk.numpy:
            raise refuse("a division by what may be zero, of which NumPy makes infinity and Python an exception", span)
        walk.raised("ZeroDivisionError", (), ended, span)
    return zero is not True


def _known(operator: str, left: int | Fraction, right: int | Fraction, span: Span) -> Value:
    """Python's operator on numbers, in fractions."""
    if operator == "/":
        return Fraction(left) / Fraction(right)
    if operator == "**":
        if Fraction(right).denominator != 1 or abs(Fraction(right)) > _LARGEST_EXPONENT or (left == 0 and right < 0):
            raise refuse("a power that is no fraction, or a large one", span)
        exponent = int(right)
        return left**exponent if isinstance(left, int) and exponent >= 0 else Fraction(left) ** exponent
    if isinstance(left, Fraction) or isinstance(right, Fraction):
        refuse_if(operator not in ("+", "-", "*", "//", "%"), f"the operator {operator} on floats", span)
        return Fraction(BINARY[operator](left, right))
    refuse_if(operator in ("<<", ">>", "@"), f"the operator {operator}", span)
    return BINARY[operator](left, right)


def _rounded(walk: Context, operator: str, a: z3.ArithRef, b: z3.ArithRef, noisy: Sequence[bool]) -> z3.ArithRef:
    """Python's // and %: rounded down, whatever the signs."""
    if any(noisy):
        return unknown(operator, (a, b), whole=a.is_int() and b.is_int())
    if a.is_int() and b.is_int() and walk.decider.certain(b > 0):
        return a / b if operator == "//" else a % b
    quotient = z3.ToInt(real(a) / real(b))
    if operator == "//":
        return quotient if a.is_int() and b.is_int() else z3.ToReal(quotient)
    return a - b * quotient


def rounded(name: str, value: z3.ArithRef) -> z3.ArithRef:
    """Python's `math.floor`, `ceil`, `trunc`, and `round`, which takes the even one of two that are equally near."""
    down, up = z3.ToInt(value), -z3.ToInt(-value)
    if name == "trunc":
        return z3.If(value >= 0, down, up)
    if name == "round":
        near = z3.ToInt(value + z3.Q(1, 2))
        is_odd_tie = z3.And(z3.IsInt(value + z3.Q(1, 2)), near % 2 == 1)
        return z3.If(is_odd_tie, near - 1, near)
    return down if name == "floor" else up


def compare(operator: str, left: Value, right: Value, span: Span) -> Value:
    """One comparison; of what is no number only whether it is the same."""
    if operator in ("in", "not in"):
        found = _contained(left, right, span)
        return found if operator == "in" else negate(found)
    if is_number(left) and is_number(right):
        if operator in ("is", "is not"):
            return _identical(operator, left, right, span)
        return _compare_numbers(operator, left, right)
    if isinstance(left, float) or isinstance(right, float):
        return _with_infinity(operator, left, right, span)
    if operator in ("is", "is not") and not any(one is None or isinstance(one, bool) for one in (left, right)):
        raise refuse("the identity of texts and containers", span)
    if operator in ("==", "!=", "is", "is not"):
        texts = isinstance(left, AnyText) or isinstance(right, AnyText)
        same = (_same_text if texts else _same)(left, right, span)
        return same if operator in ("==", "is") else negate(same)
    if isinstance(left, str) and isinstance(right, str):
        return COMPARE[operator](left, right)
    raise refuse(f"the comparison {operator} of what is no number", span)


def _identical(operator: str, left: Value, right: Value, span: Span) -> Mask:
    """There is one True and one False; which other numbers are one object Python does not say."""
    kinds = [sort(left), sort(right)]
    if kinds == ["bool", "bool"]:
        return _compare_numbers("==" if operator == "is" else "!=", left, right)
    if "bool" in kinds and not _asks_arguments(left, right):
        return operator == "is not"
    raise refuse("the identity of numbers", span)


def _compare_numbers(operator: str, left: Value, right: Value) -> Mask:
    if not is_term(left) and not is_term(right):
        return bool(COMPARE[operator](left, right))
    if sort(left) == sort(right) == "bool" and operator in ("==", "!="):
        same = boolean(left) == boolean(right)
        return same if operator == "==" else z3.Not(same)
    found: Mask = COMPARE[operator](term(left), term(right))
    return found


def _with_infinity(operator: str, left: Value, right: Value, span: Span) -> bool:
    """Every number lies between the two infinities."""
    if not all(is_number(value) or isinstance(value, float) for value in (left, right)):
        return bool(_same(left, right, span)) == (operator in ("==", "is"))
    sides = [value if isinstance(value, float) else 0.0 for value in (left, right)]
    return bool(COMPARE[{"is": "==", "is not": "!="}.get(operator, operator)](*sides))


def _same(left: Value, right: Value, span: Span) -> Mask:
    """Python's == where one side at least is no number."""
    if isinstance(left, Choice) or isinstance(right, Choice):
        ways = product(_ways(left, span), _ways(right, span))
        return any_of([both(one, other) for (one, a), (other, b) in ways if a == b])
    if isinstance(left, Items | Entries) and type(left) is type(right):
        pairs = _item_by_item(left, right, span)
        return pairs is not None and all_of([compare("==", a, b, span) for a, b in pairs])
    if is_term(left) or is_term(right) or isinstance(left, Items | Entries) or isinstance(right, Items | Entries):
        plain = left is None or right is None or isinstance(left, str) or isinstance(right, str)
        if plain and not _asks_arguments(left, right):
            return False
        raise refuse("a comparison of two kinds of values", span)
    if not all(one is None or isinstance(one, int | float | Fraction | str) for one in (left, right)):
        raise refuse("a comparison of what is not known", span)
    return bool(left == right)


def _item_by_item(left: Value, right: Value, span: Span) -> list[tuple[Value, Value]] | None:
    """The items of two containers that have to be equal, as Python compares them; None if there are others."""
    if isinstance(left, Items):
        if not left.plain or not right.plain or {left.kind, right.kind} & {"array", "range", "view"}:
            raise refuse(
                "a comparison of lists whose length depends on the data, of arrays, or of what is no list", span
            )
        same = left.kind == right.kind and len(left.items) == len(right.items)
        return list(zip(left.items, right.items, strict=True)) if same else None
    one, other = (dict(zip(each.keys, each.values, strict=True)) for each in (left, right))
    return [(one[key], other[key]) for key in one] if one.keys() == other.keys() else None


def _ways(value: Value, span: Span) -> list[tuple[Mask, Value]]:
    """The exact values that it may have, and where it has each; a domain may have one twice."""
    if isinstance(value, Choice):
        return [(value.index == k, exactly(one)) for k, one in enumerate(value.values)]
    if is_term(value) or isinstance(value, Items | Entries | AnyText):
        raise refuse("a comparison of a value of a domain with this", span)
    return [(True, value)]


def _asks_arguments(*values: Value) -> bool:
    """Whether arguments are in it, which may be no numbers if nothing says that they are."""
    return any(is_term(one) and variables_in(one, ("a:",)) for one in values)


def _same_text(left: Value, right: Value, span: Span) -> bool:
    """Of a text of which is only known which others it is not."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, AnyText) and (one == other or (isinstance(other, str) and other in one.others)):
            return bool(one == other)
    raise refuse("a comparison of an argument that may be any text", span)


def exactly(value: Value) -> Value:
    """A float of a domain as the exact number that it is written as."""
    return Fraction(repr(value)) if isinstance(value, float) and math.isfinite(value) else value


def _contained(item: Value, container: Value, span: Span) -> Mask:
    if isinstance(container, Items) and container.plain:
        return any_of([compare("==", item, one, span) for one in container.items])
    if isinstance(container, Entries):
        return any_of([compare("==", item, key, span) for key in container.keys])
    if isinstance(container, str) and isinstance(item, str):
        return item in container
    raise refuse("a search in what is no list of known length", span)
