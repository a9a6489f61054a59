"""DP208: something is selected by exact scores."""

from __future__ import annotations

from dplint.rules.flow.exposure import Exposure
from dplint.rules.raw_sinks import RELEASES, exposed_sinks, shows_categories
from dplint.rules.rule import ANY_EFFECT, Context, Report, Reports, Rule
from dplint.rules.ruled_out import after_permute_and_flip


def check(context: Context) -> Reports:
    """Indices and orders of exact scores in what is released; draws whose weights have no epsilon in them."""
    for sink, witness in exposed_sinks(context, RELEASES, Exposure.SELECTION):
        if Exposure.VALUE not in context.exposed.of(sink.term) and not shows_categories(context, sink):
            node = witness.node or sink.node
            if after_permute_and_flip(context, node):
                continue
            message = (
                "the selection is made by exact scores, and which one wins shows the data: add Gumbel noise of scale "
                "2 * sensitivity / epsilon to the scores first"
            )
            yield Report(node, message, context.claim_and((witness.node, "the selection")))
    for weights in context.weights:
        if weights in context.mentions or context.guessed:
            continue
        if Exposure.VALUE in context.exposed.of(weights) and context.roles.epsilons:
            message = (
                "the probabilities of this choice are exact scores without epsilon, so that rare ones show the data: "
                "use exp(epsilon * score / (2 * sensitivity))"
            )
            yield Report(weights.node, message, (context.the_claim,))


RULE = Rule("DP208", check, error_if_refuted=True, effects=ANY_EFFECT)
