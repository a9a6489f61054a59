"""DP501: noise for one answer that moves, where the claim lets all of them move."""

from __future__ import annotations

from dplint.rules.costs import data_loops, is_whole_vector, loss_each, scale_node
from dplint.rules.flow.releases import Form
from dplint.rules.rule import Context, Report, Reports, Rule


def check(context: Context) -> Reports:
    """Vectors of noisy answers whose scale is exactly that of a single one."""
    if not context.all_move or context.most < 2:
        return
    for noise in context.noises:
        loss = loss_each(context, noise)
        if loss is None or abs(loss - 1) > 1e-9:
            continue
        for met in noise.meets:
            loops = data_loops(context, met)
            each = bool(loops) or any(is_whole_vector(context, one) for one in noise.raw)
            node = scale_node(noise, noise.ways[0])
            if Form.VALUE in context.releases.of(met) and each and not any(loop.exits for loop in loops) and node:
                message = (
                    "this scale is right if one answer moves, but neighbors='linf' lets all of them move: multiply it "
                    "by their number, or claim neighbors='l1'"
                )
                yield Report(node, message, (context.the_claim,))
                break


RULE = Rule("DP501", check, error_if_refuted=True)
