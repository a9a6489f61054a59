"""DP107: the same expression twice where two different ones belong."""

from __future__ import annotations

import libcst as cst

from dplint.outcomes import Fix
from dplint.rules.rule import Context, Report, Reports, Rule, Term, TermKind, replace_node

_EXTREMES = frozenset({"max", "min", "maximum", "minimum", "fmax", "fmin", "hypot"})
_PARTNERS = {"lower": "upper", "low": "high", "lo": "hi", "min": "max", "left": "right", "start": "end", "begin": "end"}
_OTHERS = _PARTNERS | {second: first for first, second in _PARTNERS.items() if first != "begin"}


def check(context: Context) -> Reports:
    """Largest or smallest of two equal values, bounds that are equal, differences of a value with itself."""
    for term in context.graph.terms:
        node = term.node
        if isinstance(node, cst.Call) and term.kind in (TermKind.CALL, TermKind.DRAW):
            pair = _pair(term, node)
            if pair is not None and _same(*pair):
                yield _report(context, node, *pair)
        elif isinstance(node, cst.BinaryOperation) and term.name == "-" and _same(node.left, node.right):
            yield _report(context, node, node.left, node.right)


def _pair(term: Term, node: cst.Call) -> tuple[cst.BaseExpression, cst.BaseExpression] | None:
    """The two operands that ought to differ."""
    values = [argument.value for argument in node.args if not argument.star]
    named = {argument.keyword.value: argument.value for argument in node.args if argument.keyword is not None}
    if term.name in _EXTREMES and len(values) == 2 and not named:
        return values[0], values[1]
    if term.name == "clip" and not named and len(values) >= 2:
        return values[-2], values[-1]
    low, high = named.get("a_min", named.get("min")), named.get("a_max", named.get("max"))
    if term.name == "clip" and low is not None and high is not None:
        return low, high
    for name in ("bounds", "range", "domain"):
        bounds = named.get(name)
        if isinstance(bounds, cst.Tuple) and len(bounds.elements) == 2:
            return bounds.elements[0].value, bounds.elements[1].value
    return None


def _same(one: cst.BaseExpression, two: cst.BaseExpression) -> bool:
    """Whether two expressions are written alike and have a value of their own: a name is somewhere in them."""
    return _has_name(one) and one.deep_equals(two) and _is_steady(one)


def _has_name(node: cst.CSTNode) -> bool:
    named = isinstance(node, cst.Name) and node.value not in ("None", "True", "False")
    return named or any(map(_has_name, node.children))


def _is_steady(node: cst.CSTNode) -> bool:
    """Whether an expression gives the same value twice: it calls nothing but functions that only compute."""
    if isinstance(node, cst.Call):
        func = node.func.attr if isinstance(node.func, cst.Attribute) else node.func
        if not (
            isinstance(func, cst.Name) and func.value in ("abs", "float", "int", "fabs", "absolute", "len", "sqrt")
        ):
            return False
    return all(map(_is_steady, node.children))


def _report(context: Context, node: cst.CSTNode, one: cst.BaseExpression, two: cst.BaseExpression) -> Report:
    text = context.text(one)
    message = (
        f"`{text}` stands here twice where two different values belong: write the other one, such as the other bound"
    )
    return Report(node, message, fix=_fix(context, two))


def _fix(context: Context, two: cst.BaseExpression) -> Fix | None:
    """The partner of the name, where the function knows one by that name: `upper` for `lower`."""
    names = _names(two)
    if len(names) != 1:
        return None
    name = names[0]
    for part, other in _OTHERS.items():
        if part in name.value.split("_") or name.value == part:
            partner = "_".join(other if piece == part else piece for piece in name.value.split("_"))
            if any(term.kind is TermKind.SYMBOL and term.name == partner for term in context.graph.terms):
                return replace_node(context, name, partner, f"Use {partner}", safe=False)
    return None


def _names(node: cst.CSTNode) -> list[cst.Name]:
    if isinstance(node, cst.Name):
        return [node] if node.value not in ("abs", "float", "int", "len", "sqrt") else []
    if isinstance(node, cst.Attribute):
        return []
    return [name for child in node.children for name in _names(child)]


RULE = Rule("DP107", check, outside=True, disprovable=False)
