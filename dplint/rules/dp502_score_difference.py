"""DP502: a score that is the difference of two statistics of the data, with the noise for one."""

from __future__ import annotations

from dplint.rules.costs import plain_ways, scale_node
from dplint.rules.flow.exposure import Exposure
from dplint.rules.flow.releases import Form
from dplint.rules.rule import Context, Report, Reports, Rule, Term


def check(context: Context) -> Reports:
    """Noisy selections among records whose scores subtract one statistic from another."""
    if not context.on_records:
        return
    for noise in context.noises:
        ways = plain_ways(context, noise)
        if ways is None or not noise.shift.is_finite or min(way.coefficient for way in ways) > 2:
            continue
        for met, raw in zip(noise.meets, noise.raw, strict=False):
            difference = _difference(context, raw)
            node = scale_node(noise, ways[0])
            if difference is not None and Form.CHOSEN in context.releases.of(met):
                message = (
                    "this score is the difference of two statistics that may both move, but the noise is for a score "
                    "that moves by 1: use twice the sensitivity, a scale of 4 / epsilon"
                )
                yield Report(node, message, context.claim_and((difference.node, "the difference")))


def _difference(context: Context, term: Term) -> Term | None:
    """The difference of two sums over the data that a score is, with its sign or not."""
    for _ in range(4):
        if term.is_operation("-") and len(term.args) == 2:
            return term if all(_is_statistic(context, one) for one in term.args) else None
        if term.is_call(("abs", "float")) or term.is_operation("neg"):
            term = term.args[0]
        else:
            return None
    return None


def _is_statistic(context: Context, term: Term) -> bool:
    shown = context.exposed.of(term)
    summed = term.is_call(("sum", "count", "count_nonzero", "abs"))
    return summed and (Exposure.VALUE in shown or Exposure.SIZE in shown)


RULE = Rule("DP502", check)
