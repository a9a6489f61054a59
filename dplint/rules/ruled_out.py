"""Conditions that cannot hold for data as the claim describes it: `if any(x < 0)`, where the domain begins at 0."""

from __future__ import annotations

from dataclasses import replace

from dplint.claims import Claim, Fixed, Interval
from dplint.rules.flow.terms import Term, TermKind

_OF_ENTRIES = ("any", "min", "max", "array", "asarray", "list", "tuple", "float", "int")
"""What gives entries of the data as they are, or asks whether something is so of one."""
_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


def is_ruled_out(condition: Term, claim: Claim) -> bool:
    """Whether a condition never holds as all values lie in the domain; False where that is not seen."""
    if not isinstance(claim.domain, Interval):
        return False
    if condition.kind is TermKind.OPERATION and condition.name == "or":
        return all(is_ruled_out(one, claim) for one in condition.args)
    if condition.kind is TermKind.OPERATION and condition.name == "and":
        return any(is_ruled_out(one, claim) for one in condition.args)
    if condition.kind is TermKind.CALL and condition.name == "any" and len(condition.args) == 1:
        asked = condition.args[0]
        entries = asked.kind is TermKind.CONTAINER and asked.name == "comp"
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
    number = bound.value
    if bound.kind is not TermKind.CONSTANT or isinstance(number, bool) or not isinstance(number, int | float):
        return False
    below, above = domain.low, domain.high
    never = {"<": number <= below, "<=": number < below, ">": number >= above, ">=": number > above}
    return never.get(name, False) and _is_an_entry(value)


def _is_an_entry(term: Term) -> bool:
    while term.kind is TermKind.ELEMENT or (term.kind is TermKind.CALL and term.name in _OF_ENTRIES):
        if len(term.args) != 1:
            return False
        term = term.args[0]
    return term.kind is TermKind.DATA
