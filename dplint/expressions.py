"""The small language of a claim's expressions, such as `"epsilon"`, `"eps1 + eps2"` or `"len(queries) * epsilon / 2"`.

Names, numbers, `+ - * / **`, unary minus, parentheses, `min max abs sqrt log exp` (also with `math.` in front), and
`sum` or `len` of a parameter. Nothing is ever handed to `eval`. Known to all layers; standard library only.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from typing import TypeAlias

from dplint.claims import Literal
from dplint.syntax import parse_expression

ALLOWED = "parameters, numbers, + - * / **, parentheses, min max abs sqrt log exp, and sum or len of a parameter"
LONGEST = 1000
"""Longer expressions are refused: nobody can read them, and they could exhaust the recursion of the parser."""

Call: TypeAlias = Callable[..., float]

_OPERATORS: Mapping[type[ast.operator], Call] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: math.pow,
}
_FUNCTIONS: Mapping[str, Call] = {
    "min": min,
    "max": max,
    "abs": abs,
    "sqrt": math.sqrt,
    "log": math.log,
    "exp": math.exp,
}
_COUNTS: Mapping[str, tuple[int, int]] = {"min": (1, 99), "max": (1, 99), "log": (1, 2)}
_OVER_SEQUENCE = ("sum", "len")
_IN_MATH = ("sqrt", "log", "exp")


class ExpressionError(ValueError):
    """An expression that does not parse, uses what it may not use, or has no finite value."""


def expression_parameters(expression: str) -> frozenset[str]:
    """The names of the parameters that the expression uses.

    Raises:
        ExpressionError: the expression does not parse or uses what it may not use.
    """
    names: set[str] = set()
    _check(_parse(expression), names)
    return frozenset(names)


def length_parameters(expression: str) -> frozenset[str]:
    """The names that the expression uses inside `len(...)` and nowhere else.

    Raises:
        ExpressionError: the expression does not parse or uses what it may not use.
    """
    tree = _parse(expression)
    _check(tree, set())
    lengths = [node.args[0] for node in ast.walk(tree) if isinstance(node, ast.Call) and _called(node) == "len"]
    calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    inside = {node.id for node in lengths if isinstance(node, ast.Name)}
    skipped = {id(node) for node in (*lengths, *calls)}
    outside = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and id(node) not in skipped}
    return frozenset(inside - outside)


def evaluate_expression(expression: str, values: Mapping[str, Literal]) -> float:
    """The value of the expression with these values of the parameters; a finite float.

    Raises:
        ExpressionError: the expression is not one, a parameter has no value or one of the wrong kind, or the result
            is not a finite real number (a division by zero, the logarithm of a negative number, an overflow).
    """
    tree = _parse(expression)
    _check(tree, set())
    try:
        result = _value(tree, values)
    except ZeroDivisionError:
        raise ExpressionError(f"{expression!r} divides by zero") from None
    except OverflowError:
        raise ExpressionError(f"{expression!r} is too large for a float") from None
    except ExpressionError as error:
        raise ExpressionError(f"{expression!r}: {error}") from None
    except ValueError:
        raise ExpressionError(f"{expression!r} has no real value (a root or logarithm of a wrong number?)") from None
    if not math.isfinite(result):
        raise ExpressionError(f"{expression!r} is {result}, not a finite number")
    return result


def _parse(expression: str) -> ast.expr:
    if len(expression) > LONGEST:
        raise ExpressionError(f"the expression has {len(expression)} characters, more than {LONGEST}")
    try:
        return parse_expression(expression.strip())
    except SyntaxError as error:
        raise ExpressionError(f"{expression!r} is not a Python expression: {error.msg}") from None
    except (ValueError, RecursionError, MemoryError):
        raise ExpressionError(f"{expression!r} is not a Python expression") from None


def _check(node: ast.expr, names: set[str]) -> None:
    """Raise for whatever the language does not have; put the parameters into `names`."""
    match node:
        case ast.Constant(value=bool() | str() | bytes() | complex() | None):
            raise _refused(node)
        case ast.Constant(value=int() | float()):
            return
        case ast.Name(id=name):
            names.add(name)
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
            _check(operand, names)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            _check(left, names)
            _check(right, names)
        case ast.Call():
            _check_call(node, names)
        case _:
            raise _refused(node)


def _check_call(node: ast.Call, names: set[str]) -> None:
    called = _called(node)
    if called is None or node.keywords or any(isinstance(item, ast.Starred) for item in node.args):
        raise _refused(node)
    if called in _OVER_SEQUENCE:
        if len(node.args) != 1 or not isinstance(node.args[0], ast.Name):
            raise ExpressionError(f"{called} takes one parameter, as in {called}(weights), not {ast.unparse(node)!r}")
    else:
        least, most = _COUNTS.get(called, (1, 1))
        if not least <= len(node.args) <= most:
            raise ExpressionError(f"{ast.unparse(node)!r} has the wrong number of arguments")
    for item in node.args:
        _check(item, names)


def _called(node: ast.Call) -> str | None:
    """Name of the function that is called, without `math.`; None if the language does not have it."""
    match node.func:
        case ast.Name(id=name) if name in _FUNCTIONS or name in _OVER_SEQUENCE:
            return name
        case ast.Attribute(value=ast.Name(id="math"), attr=name) if name in _IN_MATH:
            return name
        case _:
            return None


def _refused(node: ast.expr) -> ExpressionError:
    told = f"{ast.unparse(node)!r} may not stand in a claim"
    holder: ast.expr = node
    while isinstance(holder, ast.Attribute):
        holder = holder.value
    if holder is not node and isinstance(holder, ast.Name) and holder.id in ("self", "cls"):
        return ExpressionError(
            f"{told}, since the object is not there yet: write the number that the object is made with, and "
            f'make="module:function" for a function that makes it so'
        )
    return ExpressionError(f"{told}; allowed are {ALLOWED}")


def _value(node: ast.expr, values: Mapping[str, Literal]) -> float:
    match node:
        case ast.Constant(value=int() | float() as number):
            return float(number)
        case ast.Name(id=name):
            return _number(name, _lookup(name, values))
        case ast.UnaryOp(op=op, operand=operand):
            value = _value(operand, values)
            return -value if isinstance(op, ast.USub) else value
        case ast.BinOp(left=left, op=op, right=right):
            return float(_OPERATORS[type(op)](_value(left, values), _value(right, values)))
        case ast.Call():
            return _call_value(node, values)
        case _:  # `_check` has refused it
            raise _refused(node)


def _call_value(node: ast.Call, values: Mapping[str, Literal]) -> float:
    called = _called(node)
    if called in _OVER_SEQUENCE and isinstance(node.args[0], ast.Name):
        name = node.args[0].id
        entries = _sequence(name, _lookup(name, values))
        return float(len(entries)) if called == "len" else math.fsum(_number(name, entry) for entry in entries)
    if called in ("min", "max") and len(node.args) == 1 and isinstance(node.args[0], ast.Name):
        name = node.args[0].id
        return float(_FUNCTIONS[called]([_number(name, entry) for entry in _sequence(name, _lookup(name, values))]))
    if called is None or called not in _FUNCTIONS:
        raise _refused(node)
    return float(_FUNCTIONS[called](*(_value(item, values) for item in node.args)))


def _lookup(name: str, values: Mapping[str, Literal]) -> Literal:
    if name not in values:
        raise ExpressionError(f"the parameter {name!r} has no value")
    return values[name]


def _number(name: str, value: Literal) -> float:
    if not isinstance(value, int | float):
        raise ExpressionError(f"the parameter {name!r} is {value!r}, not a number")
    return float(value)


def _sequence(name: str, value: Literal) -> list[Literal]:
    if not isinstance(value, list | tuple):
        raise ExpressionError(f"the parameter {name!r} is {value!r}, not a sequence")
    return list(value)
