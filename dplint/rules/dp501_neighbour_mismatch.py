"""DP501: noise for one answer that moves, where the claim lets all of them move."""

from __future__ import annotations

from dplint.rules.costs import all_released, loss_each, scale_node
from dplint.rules.rule import Context, Report, Reports, Rule


def check(context: Context) -> Reports:
    """Vectors of noisy answers whose scale is exactly that of a single one."""
    if not context.all_move or context.most < 2:
        return
    for noise in context.noises:
        loss = loss_each(context, noise)
        if loss is None or abs(loss - 1) > 1e-9:
            continue
        if any(all_released(context, noise, met) for met in noise.meets):
            message = (
                "this scale is right if one answer moves, but neighbors='linf' lets all of them move: multiply it by "
                "their number, or claim neighbors='l1'"
            )
            yield Report(scale_node(noise, noise.ways[0]), message, (context.the_claim,))


RULE = Rule("DP501", check, error_if_refuted=True)
