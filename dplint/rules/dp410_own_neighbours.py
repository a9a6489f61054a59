"""DP410: noise for parts of the records, and neighbours of a function of one's own that differ in several of them."""

from __future__ import annotations

import ast
from collections import Counter
from itertools import combinations

import libcst as cst

from dplint.rules.rule import Context, Report, Reports, Rule, Term, TermKind, inside
from dplint.source.walking import nodes_below

_OPPOSITE = {"<": (">", ">="), "<=": (">",), ">": ("<", "<="), ">=": ("<",), "==": ("!=", "=="), "!=": ("==",)}


def check(context: Context) -> Reports:
    """The first pair that the neighbour function yields as literals and that is not local."""
    function = _neighbour_function(context)
    if function is None or not _has_parts(context):
        return
    for node in nodes_below(function):
        pair = _literal_pair(node)
        count = 0 if pair is None else _differing(*pair)
        if count > 1:
            message = (
                f"these neighbours differ in {count} records, and {context.mechanism.qualname} adds noise to parts of "
                "the records, each for one of them: yield pairs that differ in one, or divide epsilon among the parts"
            )
            yield Report(node, message, (context.the_claim,))
            return


def _neighbour_function(context: Context) -> cst.FunctionDef | None:
    """The function of this module that yields the pairs; None if it is somewhere else, or not to be read."""
    module, _, name = (context.mechanism.claim.pairs or "").partition(":")
    top = context.scope.module.tree.body if name and module in ("", context.mechanism.module) else ()
    named = [one for one in top if isinstance(one, cst.FunctionDef) and one.name.value == name]
    return named[0] if len(named) == 1 else None


def _has_parts(context: Context) -> bool:
    """Whether the noise is for parts of the records that no record is in two of, as their conditions say."""
    tests = [[one for raw in noise.raw for term in inside(raw) for one in term.conditions] for noise in context.noises]
    return any(_exclude(a, b) for one, two in combinations(tests, 2) for a in one for b in two)


def _exclude(one: Term, two: Term) -> bool:
    if not one.kind is two.kind is TermKind.COMPARISON or len(one.args) != 2 or len(two.args) != 2:
        return False
    values = [term.args[1].value for term in (one, two)]
    if None in values or two.name not in _OPPOSITE.get(one.name, ()):
        return False
    return (values[0] == values[1]) is not (one.name == two.name == "==")


def _literal_pair(node: cst.CSTNode) -> tuple[object, object] | None:
    """What a `yield` of two literals gives."""
    match node:
        case cst.Yield(value=cst.Tuple(elements=[cst.Element(value=one), cst.Element(value=two)])):
            try:
                first, second = (ast.literal_eval(cst.Module([]).code_for_node(part)) for part in (one, two))
            except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
                return None
            return first, second
    return None


def _differing(one: object, two: object) -> int:
    """How many records two values differ in: one that is added, removed or replaced is one; 0 for what has none."""
    if isinstance(one, list | tuple) and isinstance(two, list | tuple):
        first, second = (Counter(map(repr, side)) for side in (one, two))
        return max((first - second).total(), (second - first).total())
    if isinstance(one, dict) and isinstance(two, dict):
        return len({key for key in {**one, **two} if key not in one or key not in two or one[key] != two[key]})
    return 0


RULE = Rule("DP410", check, error_if_refuted=True)
