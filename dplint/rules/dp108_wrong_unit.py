"""DP108: the sensitivity of a mean for a sum or a count."""

from __future__ import annotations

from dplint.rules.costs import scale_node
from dplint.rules.flow.exposure import Exposure
from dplint.rules.flow.terms import Term, TermKind, innermost, inside
from dplint.rules.rule import ANY_EFFECT, Context, Report, Reports, Rule

_SUMS = frozenset({"sum", "count_nonzero", "bincount", "histogram", "value_counts", "count"})


def check(context: Context) -> Reports:
    """Noise divided by the number of records, on a sum or count that is not."""
    for noise in context.noises:
        if not noise.ways or any(way.power("len") != -1 for way in noise.ways):
            continue
        if noise.raw and all(_is_sum(context, raw) for raw in noise.raw):
            node = scale_node(noise, noise.ways[0])
            message = (
                "the scale is divided by the number of records, as for a mean, but what it is added to is a sum or "
                "a count: leave the division out, or divide both"
            )
            yield Report(node, message, context.claim_and(*((raw.node, "the sum or count") for raw in noise.raw)))


def _is_sum(context: Context, term: Term) -> bool:
    """Whether a value is a sum over records that nothing was divided in."""
    if Exposure.VALUE not in context.exposed.of(term):
        return False
    core = innermost(term, lambda one: one.kind is TermKind.EXIT or one.is_operation("[]"))
    total = core.is_call(_SUMS)
    steps = [part for one in core.args[1:] for part in one.alternatives]
    counted = core.kind is TermKind.LOOP and any(one.is_operation("+") for one in steps)
    return (total or counted) and not any(
        _divides(one) for one in inside(core, lambda one: one.kind is not TermKind.DRAW)
    )


def _divides(term: Term) -> bool:
    return term.is_operation(("/", "//")) or term.is_call(("mean", "divide", "normalize"))


RULE = Rule("DP108", check, outside=True, effects=ANY_EFFECT)
