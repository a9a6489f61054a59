"""DP204: the size of the data is used as if it were public, where neighbours differ in it."""

from __future__ import annotations

from dplint.rules.dp203_data_derived_domain import factors
from dplint.rules.flow.exposure import Exposure
from dplint.rules.raw_sinks import RELEASES, exposed_sinks, shows_categories
from dplint.rules.rule import ANY_EFFECT, Context, Report, Reports, Rule


def check(context: Context) -> Reports:
    """Exact lengths in what is released, and in the scale of noise."""
    if not context.records_come_and_go:
        return
    for sink, witness in exposed_sinks(context, RELEASES, Exposure.SIZE):
        is_told = Exposure.VALUE in context.exposed.of(sink.term) or shows_categories(context, sink)
        if not is_told:
            message = (
                "the exact number of records has a part in what is released, and neighbours differ in it: use a noisy "
                "count, or claim neighbors='replace-one'"
            )
            related = (context.the_claim, context.effect(sink.node, "where it is released"))
            way = context.way(context.exposed.way(sink.term), sink.node, "released")
            yield Report(witness.node, message, related, way=way)
    for noise in context.noises:
        for term in factors(noise):
            size = context.exposed.of(term).get(Exposure.SIZE)
            if size is not None:
                message = (
                    "the amount of noise depends on the exact number of records, and neighbours differ in it: use a "
                    "public bound, or claim neighbors='replace-one'"
                )
                way = context.way(context.exposed.way(term), noise.draw.node, "the scale of this noise")
                yield Report(size.node, message, context.claim_and((noise.draw.node, "the noise")), way=way)
                break


RULE = Rule("DP204", check, error_if_refuted=True, effects=ANY_EFFECT)
