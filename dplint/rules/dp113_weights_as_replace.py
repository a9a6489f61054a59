"""DP113: the probabilities of a choice stand where `replace` is expected."""

from __future__ import annotations

import re

from dplint.rules.flow.terms import DrawTerm, Term, TermKind, inside
from dplint.rules.rule import Context, Report, Reports, Rule

_NAME = re.compile(r"^(?:p|pvals|.*(?:prob(?:s|abilit(?:y|ies))?|weights?))$")


def check(context: Context) -> Reports:
    """Choices by NumPy whose third argument is a list of weights."""
    for draw in context.exposed.draws:
        given = draw.argument("replace") if draw.name == "choice" else None
        if given is None or not isinstance(draw.value, DrawTerm) or not _are_weights(given):
            continue
        node = draw.value.nodes.get("replace")
        message = (
            f"the third argument of choice is `replace`, so that {context.code(given, 'these weights')} have no "
            "part in it: write p= before them"
        )
        yield Report(node, message, (context.the_claim,))


def _are_weights(given: Term) -> bool:
    if given.kind is TermKind.SYMBOL:
        return _NAME.match(given.name.rpartition(".")[2]) is not None
    return given.kind is not TermKind.CONSTANT and any(one.is_call(("exp", "softmax")) for one in inside(given))


RULE = Rule("DP113", check, outside=True)
