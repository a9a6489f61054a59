"""The operators and literals of Python by LibCST's nodes and by names: the one table for programs and rules."""

from __future__ import annotations

from collections.abc import Mapping

import libcst as cst

from dplint.claims import Literal

BINARY: Mapping[type[cst.CSTNode], str] = {
    cst.Add: "+",
    cst.Subtract: "-",
    cst.Multiply: "*",
    cst.Divide: "/",
    cst.FloorDivide: "//",
    cst.Modulo: "%",
    cst.Power: "**",
    cst.MatrixMultiply: "@",
    cst.BitAnd: "&",
    cst.BitOr: "|",
    cst.BitXor: "^",
    cst.LeftShift: "<<",
    cst.RightShift: ">>",
}
AUGMENTED: Mapping[type[cst.CSTNode], str] = {
    getattr(cst, f"{kind.__name__}Assign"): operator for kind, operator in BINARY.items()
}
"""Those of `x += y` and its like, without the `=`."""
UNARY: Mapping[type[cst.CSTNode], str] = {cst.Minus: "-", cst.Plus: "+", cst.BitInvert: "~", cst.Not: "not"}
BOOLEAN: Mapping[type[cst.CSTNode], str] = {cst.And: "and", cst.Or: "or"}
COMPARE: Mapping[type[cst.CSTNode], str] = {
    cst.Equal: "==",
    cst.NotEqual: "!=",
    cst.LessThan: "<",
    cst.LessThanEqual: "<=",
    cst.GreaterThan: ">",
    cst.GreaterThanEqual: ">=",
    cst.Is: "is",
    cst.IsNot: "is not",
    cst.In: "in",
    cst.NotIn: "not in",
}
"""The method of an object that Python calls for an operator, without its underscores."""
_FUNCTIONS = {"add": "+", "sub": "-", "subtract": "-", "mul": "*", "multiply": "*", "truediv": "/", "true_divide": "/"}
_ARRAYS = ("numpy", "jax.numpy", "torch", "tensorflow", "tensorflow.math")
BY_NAME: Mapping[str, str] = {
    **{f"{module}.{name}": sign for module in ("operator", *_ARRAYS) for name, sign in _FUNCTIONS.items()},
    **{f"{module}.divide": "/" for module in _ARRAYS},
    "operator.and_": "&",
    "operator.or_": "|",
    "operator.xor": "^",
}
"""Functions of two arguments that are operators, by their full names. Those of `operator` are just that."""
SINGLETONS: Mapping[str, Literal] = {"True": True, "False": False, "None": None}


def literal(node: cst.BaseExpression) -> tuple[str | bytes | float] | None:
    """The value of a number or string that stands in the source; None for everything else, and where it has none."""
    if not isinstance(node, cst.Integer | cst.Float | cst.SimpleString | cst.ConcatenatedString):
        return None
    try:
        value = node.evaluated_value
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return None if value is None else (value,)
