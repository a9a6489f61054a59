"""Conditions that cannot hold for data as the claim describes it: `if any(x < 0)`, where the domain begins at 0.

Lines that no run comes to, though a reader of control flow cannot know it.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import libcst as cst

from dplint.claims import Claim, Fixed, Interval
from dplint.rules.context import Context
from dplint.rules.flow.terms import Term, TermKind, innermost
from dplint.source.bindings import statements
from dplint.source.walking import nodes_below

_OF_ENTRIES = ("any", "min", "max", "array", "asarray", "list", "tuple", "float", "int")
"""What gives entries of the data as they are, or asks whether something is so of one."""
_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


def is_ruled_out(condition: Term, claim: Claim) -> bool:
    """Whether a condition never holds as all values lie in the domain; False where that is not seen."""
    if not isinstance(claim.domain, Interval):
        return False
    if condition.is_operation("or"):
        return all(is_ruled_out(one, claim) for one in condition.args)
    if condition.is_operation("and"):
        return any(is_ruled_out(one, claim) for one in condition.args)
    if condition.is_call("any") and len(condition.args) == 1:
        asked = condition.args[0]
        entries = asked.is_container("comp")
        return is_ruled_out(asked.args[0] if entries else asked, claim)
    if condition.kind is not TermKind.COMPARISON or len(condition.args) != 2:
        return False
    left, right = condition.args
    if left.kind is TermKind.CONSTANT:
        return _never(right, _MIRRORED.get(condition.name, ""), left, claim.domain)
    return _never(left, condition.name, _as_fixed(right, claim), claim.domain)


def _as_fixed(term: Term, claim: Claim) -> Term:
    """A parameter that the claim fixes to a value as that value."""
    spec = dict(claim.args).get(term.name) if term.kind is TermKind.SYMBOL else None
    return replace(term, kind=TermKind.CONSTANT, value=spec.value) if isinstance(spec, Fixed) else term


def _never(value: Term, name: str, bound: Term, domain: Interval) -> bool:
    """Whether no entry of the data compares so with a number."""
    number = bound.number_written
    if number is None:
        return False
    below, above = domain.low, domain.high
    never = {"<": number <= below, "<=": number < below, ">": number >= above, ">=": number > above}
    return never.get(name, False) and _is_an_entry(value)


def _is_an_entry(term: Term) -> bool:
    def is_of_one(one: Term) -> bool:
        return len(one.args) == 1 and (one.kind is TermKind.ELEMENT or one.is_call(_OF_ENTRIES))

    return innermost(term, is_of_one).kind is TermKind.DATA


def after_permute_and_flip(context: Context, node: cst.CSTNode) -> bool:
    """Whether a node stands in the `return` behind a permute-and-flip (McKenna and Sheldon, NeurIPS 2020).

    Its loop gives an item by a coin of probability `exp(c * (score - best))`, which is 1 for the best one, so that it
    always ends with an item. That it goes through all items is not looked at: the audit sees where it does not.
    """
    body = context.node.body
    if not isinstance(body, cst.BaseSuite):
        return False
    for loop, last in pairwise(statements(body)):
        if isinstance(loop, cst.For) and isinstance(last, cst.Return) and _holds(last, node):
            tests = [one.test for one in statements(loop.body) if isinstance(one, cst.If) and _gives(one)]
            return any(_is_coin(test, _best(body)) for test in tests)
    return False


def _holds(whole: cst.CSTNode, node: cst.CSTNode) -> bool:
    return any(one is node for one in nodes_below(whole))


def _gives(node: cst.If) -> bool:
    *_, last = statements(node.body)
    return isinstance(last, cst.Return)


def _best(body: cst.BaseSuite) -> set[str]:
    """The names of largest values: `best = max(scores)`."""
    return {
        one.targets[0].target.value
        for one in statements(body)
        if isinstance(one, cst.Assign) and isinstance(one.targets[0].target, cst.Name) and _is_largest(one.value, set())
    }


def _is_largest(node: cst.BaseExpression, names: set[str]) -> bool:
    """`max(scores)`, `np.max(scores)`, `scores.max()`, or a name of one."""
    match node:
        case cst.Name(value=name):
            return name in names
        case cst.Call(func=cst.Name(value="max") | cst.Attribute(attr=cst.Name(value="max"))):
            return True
    return False


def _is_coin(test: cst.BaseExpression, names: set[str]) -> bool:
    """`rng.random() <= math.exp(epsilon * (score - best) / 2)`, however the two sides stand."""
    powers = [
        one
        for one in nodes_below(test)
        if isinstance(one, cst.Call)
        and isinstance(one.func, cst.Name | cst.Attribute)
        and (one.func.value if isinstance(one.func, cst.Name) else one.func.attr.value) == "exp"
    ]
    return isinstance(test, cst.Comparison) and any(
        isinstance(part, cst.BinaryOperation)
        and isinstance(part.operator, cst.Subtract)
        and _is_largest(part.right, names)
        for power in powers
        for part in nodes_below(power)
    )
