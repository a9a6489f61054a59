"""Edits that mend what a rule has found."""

from __future__ import annotations

import math

import libcst as cst

from dplint.claims import Span
from dplint.outcomes import Edit, Fix
from dplint.rules.context import Context


def replace_node(context: Context, node: cst.CSTNode, text: str, title: str, *, safe: bool) -> Fix | None:
    """Other text for an expression; None in another file, and where it runs over several lines (comments)."""
    span = context.span(node)
    if span.line != span.end_line or "\n" in text or context.elsewhere(node):
        return None
    return Fix(title, (Edit(span, text),), safe)


def delete_line(context: Context, node: cst.CSTNode, title: str, *, safe: bool) -> Fix | None:
    """The removal of a line that is nothing but this statement; None where more stands on it, and in another file."""
    if context.elsewhere(node):
        return None
    span = context.span(node)
    line = context.scope.module.lines[span.line - 1]
    if span.line != span.end_line or line.strip() != context.text(node) or span.line >= len(context.scope.module.lines):
        return None
    return Fix(title, (Edit(Span(span.line, 1, span.line + 1, 1), ""),), safe)


def factor(context: Context, node: cst.BaseExpression) -> str:
    """An expression as it must be written as an operand of `*` or `/`."""
    text = context.text(node)
    if node.lpar if hasattr(node, "lpar") else False:
        return text
    compound = (cst.BinaryOperation, cst.IfExp, cst.BooleanOperation, cst.Comparison, cst.UnaryOperation, cst.Lambda)
    return f"({text})" if isinstance(node, compound) else text


def rounded_up(number: float) -> str:
    """A positive number with three digits, none of which makes it less: a scale that is multiplied by it is enough."""
    step = 10.0 ** (math.floor(math.log10(number)) - 2)
    return f"{math.ceil(number / step - 1e-6) * step:.3g}"


def number_of_answers(context: Context) -> str:
    """How many answers the data has, as the mechanism would write it."""
    return f"len({context.mechanism.data or '...'})"
