"""DP206: the noisy value that was tested is itself released."""

from __future__ import annotations

from dplint.rules.costs import data_loops
from dplint.rules.flow.releases import Form
from dplint.rules.rule import Context, Report, Reports, Rule


def check(context: Context) -> Reports:
    """Noisy answers that are compared in a loop that stops early, and of which those above are reported."""
    if not context.move_apart:
        return
    for noise in context.noises:
        if not noise.ways or any("len" in way.powers for way in noise.ways):
            continue
        for met in noise.meets:
            released = context.releases.of(met)
            loops = data_loops(context, met)
            if Form.VALUE not in released or Form.TEST not in released or not any(loop.exits for loop in loops):
                continue
            test = released[Form.TEST].where
            message = (
                "the noisy value that was compared with the threshold is itself released: release it with fresh "
                "noise, or the gap to the noisy threshold"
            )
            yield Report(met.node, message, context.claim_and((test.node, "the comparison")))


RULE = Rule("DP206", check, error_if_refuted=True)
