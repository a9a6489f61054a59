"""DP104: Gaussian noise where it keeps no promise: pure privacy, or the classic formula out of its range."""

from __future__ import annotations

from dplint.claims import Fixed, Interval
from dplint.rules.costs import logarithm_of_delta, scale_node
from dplint.rules.flow.draws import SCALED
from dplint.rules.flow.releases import Form
from dplint.rules.rule import Context, Report, Reports, Rule


def check(context: Context) -> Reports:
    """Gaussian noise under a claim without delta; if asked for, also the classic formula for large epsilons."""
    normal = [noise for noise in context.noises if noise.draw.name == "normal" and noise.meets]
    pure = context.mechanism.claim.delta == 0 and not context.guessed
    alone = all(draw.name not in SCALED or draw.name == "normal" for draw in context.exposed.draws)
    for noise in normal:
        released = any(Form.VALUE in context.releases.of(met) for met in noise.meets)
        if pure and alone and released:
            message = (
                "noise with a Gaussian law keeps no pure promise, however large it is, and this claim has no delta: "
                "claim a delta, or use Laplace noise"
            )
            yield Report(noise.draw.node, message, (context.the_claim,))
        elif "DP104" in context.opt_in and noise.scale is not None and _may_be_large(context):
            node = scale_node(noise)
            if node is not None and logarithm_of_delta(noise.scale) is not None:
                message = (
                    "the classic formula for Gaussian noise is proved for epsilon below 1 only, and epsilon may be "
                    "larger here: use the analytic Gaussian mechanism, or bound epsilon"
                )
                yield Report(node, message, (context.the_claim,))


def _may_be_large(context: Context) -> bool:
    claim = context.mechanism.claim
    if not isinstance(claim.epsilon, str):
        return claim.epsilon >= 1
    for name, spec in claim.args:
        if name in context.roles.epsilons:
            match spec:
                case Interval(high=high):
                    return high >= 1
                case Fixed(value=int() | float() as value):
                    return value >= 1
    return True


RULE = Rule("DP104", check)
