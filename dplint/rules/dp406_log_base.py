"""DP406: a natural logarithm where a power of two follows."""

from __future__ import annotations

import libcst as cst

from dplint.outcomes import Fix
from dplint.rules.rule import Context, Report, Reports, Rule, Term, TermKind, replace_node

_ROUNDS = frozenset({"ceil", "floor", "round", "int", "float", "max"})


def check(context: Context) -> Reports:
    """Exponents of two that are natural logarithms, and exponents of e that are binary ones."""
    for term in context.graph.terms:
        base = _base(term)
        if base is None:
            continue
        wrong, right = ("log", "log2") if base == "2" else ("log2", "log")
        logarithm = _logarithm(term.args[-1], wrong)
        if logarithm is not None and logarithm in context.mentions:
            message = (
                f"this logarithm is the exponent of {base}, but it is not to the base {base}: use {right}, "
                "or the power does not undo it"
            )
            related = context.claim_and((term.node, "the power that it is the exponent of"))
            yield Report(logarithm.node, message, related, _fix(context, logarithm, right))


def _base(term: Term) -> str | None:
    power = term.is_operation("**") or (term.is_call("pow") and len(term.args) == 2)
    if (power and term.args[0].is_number(2)) or (term.is_operation("<<") and term.args[0].is_number(1)):
        return "2"
    if term.is_call("exp2") and term.args:
        return "2"
    return "e" if term.is_call("exp") and term.args else None


def _logarithm(term: Term, name: str) -> Term | None:
    """The logarithm that an exponent is, rounded or not, with its sign or not."""
    for _ in range(6):
        if term.kind is TermKind.CALL and term.name == name:
            return term if len(term.args) == 1 else None
        rounded = term.is_call(_ROUNDS) and len(term.args) == 1
        if not rounded and not term.is_operation("neg"):
            return None
        term = term.args[0]
    return None


def _fix(context: Context, logarithm: Term, right: str) -> Fix | None:
    node = logarithm.node
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        return replace_node(context, node.func.attr, right, f"Use {right}", safe=False)
    return None


RULE = Rule("DP406", check, outside=True, disprovable=False)
