"""DP111: the exponential mechanism without the 2 in its exponent."""

from __future__ import annotations

from dplint.claims import SENSITIVITY_NAME
from dplint.rules.flow.scales import EPSILON
from dplint.rules.flow.terms import Term, TermKind, innermost, inside
from dplint.rules.rule import Context, Report, Reports, Rule

_SLACK = 1 + 1e-9
_SAME = frozenset({"array", "float", "list", "squeeze", "item"})


def check(context: Context) -> Reports:
    """Choices by weights exp(epsilon * score / sensitivity), where scores may move either way."""
    if not context.move_apart or context.roles.factor is None:
        return
    for weights in context.weights:
        for one in inside(weights, lambda term: term.kind is not TermKind.DRAW):
            if one.is_call("exp") and len(one.args) == 1:
                cost = _cost(context, one.args[0])
                if cost is not None and cost > _SLACK:
                    message = (
                        f"these weights are for scores that all move in one direction, else they cost {cost:.3g} times "
                        "the claim: divide the exponent by 2, or claim neighbors='linf-monotone'"
                    )
                    yield Report(one.node, message, (context.the_claim,))
                    break


def _cost(context: Context, exponent: Term) -> float | None:
    """The loss of the choice, as a multiple of the claim's epsilon; None where the exponent is not understood."""
    ways = context.ways(_without_shift(exponent))
    factor = context.roles.factor or 1.0
    costs: list[float] = []
    for way in ways:
        scores = [key for key in way.others if key.startswith("#")]
        if way.power(EPSILON) != 1 or len(scores) != 1 or way.power(scores[0]) != 1:
            return None
        if not _is_score(context, context.graph.terms[int(scores[0][1:])]):
            return None
        rest = [key for key in way.others if key not in scores]
        if not all(way.power(key) == -1 and SENSITIVITY_NAME.search(key.rpartition(".")[2]) for key in rest):
            return None
        moves = context.mechanism.claim.sensitivity if not rest else 1.0
        costs.append(2 * abs(way.coefficient) * moves / factor)
    return min(costs, default=None)


def _without_shift(exponent: Term) -> Term:
    """`x` of `x - max(x)`, which changes no probability."""
    if exponent.is_operation("-") and len(exponent.args) == 2:
        largest = exponent.args[1]
        if largest.is_call("max") and exponent.args[0] in largest.args:
            return exponent.args[0]
    return exponent


def _is_score(context: Context, term: Term) -> bool:
    """Whether a value is the scores themselves or one of them, maybe with the largest taken off."""
    term = innermost(_without_shift(term), lambda one: one.is_call(_SAME) and len(one.args) == 1)
    if term.is_operation("[]"):
        return term.args[0].kind is TermKind.DATA
    return term.kind in (TermKind.DATA, TermKind.ELEMENT) and context.exposed.depends(term)


RULE = Rule("DP111", check)
