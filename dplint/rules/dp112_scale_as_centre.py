"""DP112: the scale of the noise stands where its centre is expected."""

from __future__ import annotations

import re

from dplint.claims import EPSILON_NAME
from dplint.rules.flow.draws import SCALED
from dplint.rules.flow.terms import DrawTerm, Term, TermKind, inside
from dplint.rules.rule import Context, Report, Reports, Rule

_SCALE_NAME = re.compile(r"^(?:sigma|(?:noise_)?scale|std(?:dev)?|noise_(?:level|multiplier|std))$")


def check(context: Context) -> Reports:
    """Draws with a centre that is made with epsilon, or named as a scale, and with no scale at all."""
    for draw in context.exposed.draws:
        if draw.name not in SCALED or not isinstance(draw.value, DrawTerm) or "scale" in draw.value.nodes:
            continue
        centre, node = draw.argument("loc"), draw.value.nodes.get("loc")
        if centre is None or node is None or not _is_scale(context, centre):
            continue
        if context.exposed.depends(centre) and not (centre.is_operation("/") and centre.args[1] in context.mentions):
            continue
        message = (
            f"the first argument of {draw.name} noise is its centre, not its scale, which is 1 here for every epsilon: "
            f"write scale={context.text(node)}"
        )
        yield Report(node, message, (context.the_claim,))


def _is_scale(context: Context, centre: Term) -> bool:
    for one in inside(centre, lambda term: term.kind is not TermKind.DRAW):
        last = one.name.rpartition(".")[2]
        if context.is_epsilon(one) or (one.kind is TermKind.SYMBOL and EPSILON_NAME.match(last)):
            return True
    return centre.kind is TermKind.SYMBOL and _SCALE_NAME.match(centre.name.rpartition(".")[2]) is not None


RULE = Rule("DP112", check, outside=True)
