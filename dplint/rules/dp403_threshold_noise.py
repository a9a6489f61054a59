"""DP403: the sparse vector technique with its noise in the wrong places or amounts."""

from __future__ import annotations

from dplint.rules.costs import data_loops, over_epsilon, scale_node
from dplint.rules.flow.draws import Noise
from dplint.rules.flow.releases import Form
from dplint.rules.flow.scales import Monomial
from dplint.rules.flow.terms import Loop, Term, TermKind
from dplint.rules.rule import Context, Report, Reports, Rule


def check(context: Context) -> Reports:
    """Loops that stop after some noisy answers above a threshold."""
    if not context.move_apart:
        return
    for loop in context.graph.loops:
        tested = [noise for noise in context.noises if _is_tested(context, noise, loop)]
        if len(tested) == 1 and loop.exits and tested[0].shift.downward:
            yield from _loop(context, tested[0], loop)


def _is_tested(context: Context, noise: Noise, loop: Loop) -> bool:
    return any(loop in data_loops(context, met) and Form.TEST in context.releases.of(met) for met in noise.meets)


def _loop(context: Context, tested: Noise, loop: Loop) -> Reports:
    query = _way(context, tested)
    if query is None or context.roles.factor is None:
        return
    test = context.releases.of(tested.meets[0])[Form.TEST].where
    shared = [noise for noise in context.noises if noise is not tested and _decides(context, noise, test)]
    node = scale_node(tested, query)
    if not all(noise.shift.downward for noise in shared):
        return
    sensitivity = context.mechanism.claim.sensitivity / context.roles.factor
    if not shared:
        if (
            test.kind is TermKind.COMPARISON
            and "len" not in query.powers
            and not _has_other_draws(context, test, tested)
        ):
            message = (
                "answers are compared with a threshold that bears no noise, so that every answer below it costs as "
                "much as one above: add noise of scale 2 * sensitivity / epsilon to the threshold"
            )
            yield Report(test.node or node, message, (context.the_claim,))
        return
    threshold = _way(context, shared[0])
    limits = query.others
    if threshold is None or len(limits) > 1 or not (threshold.others <= limits) or "len" in limits:
        return
    cost = sensitivity / threshold.coefficient + 2 * sensitivity / query.coefficient
    if cost > 1 + 1e-9 and (query.power(next(iter(limits), "")) == 1 or not limits):
        message = (
            f"threshold and answers spend {cost:.3g} times the epsilon of the claim together "
            f"({sensitivity / threshold.coefficient:.3g} and {2 * sensitivity / query.coefficient:.3g}): an answer "
            "pays twice its sensitivity, so make this scale larger"
        )
        related = context.claim_and((shared[0].draw.node, "the noise of the threshold"), (loop.node, "the loop"))
        yield Report(node, message, related)


def _way(context: Context, noise: Noise) -> Monomial | None:
    """The scale, if it is a known number times parameters over epsilon."""
    return over_epsilon(context, noise.ways[0]) if len(noise.ways) == 1 else None


def _decides(context: Context, noise: Noise, test: Term) -> bool:
    """Whether the noise is in a test without being added to the data of one round."""
    return not noise.meets and any(noise.draw in context.exposed.draws_of(one) for one in (test, *test.conditions))


def _has_other_draws(context: Context, test: Term, tested: Noise) -> bool:
    return any(draw is not tested.draw for draw in context.exposed.draws_of(test))


RULE = Rule("DP403", check)
