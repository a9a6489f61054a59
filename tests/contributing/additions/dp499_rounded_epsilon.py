"""DP499: epsilon is rounded, and may become larger."""

from __future__ import annotations

from dplint.rules.flow.scales import EPSILON
from dplint.rules.flow.terms import TermKind
from dplint.rules.rule import Context, Report, Reports, Rule


def check(context: Context) -> Reports:
    """Calls of `round` and `ceil` with epsilon in them."""
    for term in context.graph.terms:
        is_rounded = term.kind is TermKind.CALL and term.name in ("round", "ceil")
        if is_rounded and term.node is not None and any(way.power(EPSILON) for way in context.ways(term.args[0])):
            message = "epsilon is rounded, and a larger one gives less noise than is claimed: use it as it is given"
            yield Report(term.node, message, (context.the_claim,))


RULE = Rule("DP499", check)
