"""Edits that mend what a rule has found."""

from __future__ import annotations

import math
from fractions import Fraction

import libcst as cst

from dplint.claims import Span
from dplint.outcomes import Edit, Fix
from dplint.rules.context import Context
from dplint.rules.flow.noises import Noise


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


def scale_times(context: Context, noise: Noise, node: cst.CSTNode, by: str) -> Fix | None:
    """The scale that a draw is given, as the mechanism itself writes it, multiplied by a number or an expression."""
    scale = noise.scale
    if noise.top is not noise.draw or len(noise.ways) != 1 or "scale" not in noise.source.nodes or scale is None:
        return None
    is_rate = scale.name == "/" and scale.args[-1].node is scale.node
    if is_rate or "..." in by or not isinstance(node, cst.BaseExpression) or not _is_own(context, node):
        return None
    fraction = isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Divide) and not node.lpar
    above = node.left if isinstance(node, cst.BinaryOperation) and fraction else node
    text = f"{_product(context, above, by)}{context.text(node)[len(context.text(above)) :]}"
    return replace_node(context, node, text, f"Multiply the scale by {by}", safe=False)


def _product(context: Context, node: cst.BaseExpression, by: str) -> str:
    """A number times a number as one number, anything else with a sign between."""
    text = context.text(node)
    if text in ("1", "1.0"):
        return by
    try:
        return f"{float(Fraction(text) * Fraction(by)):.12g}"
    except ValueError:
        return f"{by} * {factor(context, node)}"


def _is_own(context: Context, node: cst.CSTNode) -> bool:
    """Whether the mechanism's own function holds it: in a helper, a change would be one for others, too."""
    if context.elsewhere(node):
        return False
    own, span = context.span(context.node), context.span(node)
    return own.line <= span.line and span.end_line <= own.end_line
