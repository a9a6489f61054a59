"""DP402: answers to noisy tests are released without a stop, at the price of one."""

from __future__ import annotations

from dplint.rules.costs import data_loops, loss_each
from dplint.rules.flow.releases import Form
from dplint.rules.flow.terms import Loop, TermKind, inside
from dplint.rules.rule import Context, Report, Reports, Rule


def check(context: Context) -> Reports:
    """Noisy comparisons in a loop over all answers that nothing ever ends."""
    if not context.all_move:
        return
    for noise in context.noises:
        loss = loss_each(context, noise)
        if loss is None or loss * context.most <= 1:
            continue
        for met in noise.meets:
            release = context.releases.of(met).get(Form.TEST)
            loops = data_loops(context, met)
            if release is None or not loops or any(_has_brake(context, loop) for loop in loops):
                continue
            node = release.where.node or met.node
            message = (
                "all answers are reported, but the noise pays for one: stop after a fixed number of answers above the "
                "threshold, and let the scale grow with it"
            )
            yield Report(node, message, context.claim_and((loops[-1].node, "the loop that has no stop")))


def _has_brake(context: Context, loop: Loop) -> bool:
    """Whether something may end the loop, or its work: an exit, or a test of what earlier rounds have left."""
    if loop.exits:
        return True
    tests = [condition for condition, _ in context.graph.branches if condition.loops & loop.bit]
    return any(one.kind is TermKind.LOOP for condition in tests for one in inside(condition))


RULE = Rule("DP402", check)
