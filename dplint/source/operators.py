"""The operators of Python by LibCST's nodes: the one table for programs and rules."""

from __future__ import annotations

from collections.abc import Mapping

import libcst as cst

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
