"""DP611: the epsilon of an engine that counts for records that come and go, claimed for records that are replaced."""

from __future__ import annotations

from dplint.rules.rule import Context, Report, Reports, Rule, Term, TermKind
from dplint.rules.training import called

_ENGINE = ("opacus", "make_private_with_epsilon")


def check(context: Context) -> Reports:
    """Engines whose target is the epsilon of a claim about records that are replaced."""
    if context.guessed or not context.on_records or context.records_come_and_go:
        return
    for term in context.graph.terms:
        target = term.argument("target_epsilon") if called(term) == _ENGINE else None
        if target is not None and _is_of_the_claim(context, target):
            message = (
                f"this engine counts for records that are added or removed, and the claim is {context.relation.name}, "
                "which moves a sum of clipped gradients twice as far: claim add-remove"
            )
            yield Report(term.node, message, (context.the_claim,))


def _is_of_the_claim(context: Context, target: Term) -> bool:
    return context.is_epsilon(target) or (target.kind is TermKind.CONSTANT and target.value == context.roles.value)


RULE = Rule("DP611", check, foretells=False)
