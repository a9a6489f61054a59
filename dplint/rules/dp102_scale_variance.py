"""DP102: a variance where a scale is expected, or the other way round."""

from __future__ import annotations

from fractions import Fraction

import libcst as cst

from dplint.claims import SENSITIVITY_NAME
from dplint.outcomes import Fix
from dplint.rules.costs import scale_node
from dplint.rules.flow.draws import Noise
from dplint.rules.flow.scales import EPSILON, Monomial
from dplint.rules.rule import Context, Report, Reports, Rule, replace_node


def check(context: Context) -> Reports:
    """Scales that depend on epsilon by a power that is neither 1 nor -1."""
    if context.roles.factor is None:
        return
    for noise in context.noises:
        for way in noise.ways:
            power = way.power(EPSILON)
            node = scale_node(noise, way)
            if power >= 0 or power == -1 or (context.guessed and _is_of_divergences(way)):
                continue
            if power > -1:
                message = (
                    f"this scale is a root of what it must be (epsilon to the power {power}): give the "
                    "standard deviation, not its root"
                )
            else:
                message = (
                    f"this scale has epsilon to the power {power}, as a variance has: give the standard deviation or "
                    "scale, which has epsilon to the power -1"
                )
            yield Report(node, message, (context.the_claim,), _fix(context, noise, power, node))


def _is_of_divergences(way: Monomial) -> bool:
    """Whether a scale is that of Rényi divergences or zCDP: one in its sensitivity, and a root in their epsilon."""
    named = (name for name in way.powers if SENSITIVITY_NAME.search(name.rpartition(".")[2]))
    return way.power(EPSILON) == Fraction(-1, 2) and any(way.power(name) == 1 for name in named)


def _fix(context: Context, noise: Noise, power: Fraction, node: cst.CSTNode | None) -> Fix | None:
    """Without the root that is written there; of a variance that is not seen to be one too much, nothing is known."""
    if power != Fraction(-1, 2) or noise.top is not noise.draw or not isinstance(node, cst.Call):
        return None
    if not context.text(node.func).endswith("sqrt") or len(node.args) != 1:
        return None
    return replace_node(context, node, context.text(node.args[0].value), "Leave the root out", safe=False)


RULE = Rule("DP102", check, outside=True)
