"""DP105: the formula of one mechanism with the noise of another."""

from __future__ import annotations

import math

import libcst as cst

from dplint.outcomes import Fix
from dplint.rules.costs import logarithm_of_delta, moves_fully, plain_ways, scale_node
from dplint.rules.flow.draws import Noise
from dplint.rules.flow.releases import Form
from dplint.rules.rule import Context, Report, Reports, Rule, factor, replace_node

_EPSILONS = (0.1, 0.2, 0.5, 0.7, 1.0, 1.5)


def check(context: Context) -> Reports:
    """Gaussian noise whose scale is that of Laplace noise, and Laplace noise with the Gaussian formula."""
    for noise in context.noises:
        node = scale_node(noise)
        if noise.draw.name == "laplace" and noise.scale is not None and logarithm_of_delta(noise.scale) is not None:
            message = (
                "this is the scale of Gaussian noise for an l2 sensitivity, but the noise is Laplace: draw normal "
                "noise, or use the l1 sensitivity over epsilon"
            )
            yield Report(node, message, (context.the_claim,), _draw_normal(context, noise))
        elif noise.draw.name == "normal" and not _knows_delta(noise) and _is_too_little(context, noise):
            message = (
                "this Gaussian noise has the scale of Laplace noise, without delta in it, and keeps less than the "
                "claim: multiply it by sqrt(2 * log(1.25 / delta))"
            )
            yield Report(node, message, (context.the_claim,), _multiply(context, noise, node))


def _draw_normal(context: Context, noise: Noise) -> Fix | None:
    """The name of the draw alone: NumPy's methods for both take the same arguments."""
    call = noise.draw.node
    name = call.func.attr if isinstance(call, cst.Call) and isinstance(call.func, cst.Attribute) else None
    if name is None or name.value != "laplace":
        return None
    return replace_node(context, name, "normal", "Draw normal noise", safe=False)


def _multiply(context: Context, noise: Noise, node: cst.CSTNode | None) -> Fix | None:
    """The classic factor, in the words of what the module imports."""
    names = {full: name for name, full in context.scope.module.aliases.items()}
    library = names.get("math") or names.get("numpy")
    if library is None or noise.top is not noise.draw or not isinstance(node, cst.BaseExpression):
        return None
    delta = context.mechanism.claim.delta
    text = f"{factor(context, node)} * {library}.sqrt(2 * {library}.log(1.25 / {delta!r}))"
    return replace_node(context, node, text, "Multiply by sqrt(2 * log(1.25 / delta))", safe=False)


def _knows_delta(noise: Noise) -> bool:
    """Whether the formula of the Gaussian mechanism is there; where it is not enough, that has another reason."""
    return any(logarithm_of_delta(one) is not None for one in (noise.scale, noise.top, *noise.top.args) if one)


def _is_too_little(context: Context, noise: Noise) -> bool:
    """Whether the exact delta of the noise is above the claim's for every epsilon that it may be."""
    delta, factor = context.mechanism.claim.delta, context.roles.factor
    ways = plain_ways(context, noise)
    if not isinstance(delta, float) or delta == 0 or factor is None or ways is None:
        return False
    released = any(Form.VALUE in context.releases.of(met) for met in noise.meets)
    if not released or not all(moves_fully(context, raw) for raw in noise.raw):
        return False
    scale = max(way.coefficient for way in ways) / context.mechanism.claim.sensitivity
    epsilons = _EPSILONS if context.roles.value is None else (context.roles.value,)
    return all(_delta(factor * epsilon, scale / epsilon) > delta * (1 + 1e-6) for epsilon in epsilons)


def _delta(epsilon: float, sigma: float) -> float:
    """The delta of Gaussian noise on a value that moves by one (Balle and Wang 2018, theorem 8)."""
    first, second = 1 / (2 * sigma) - epsilon * sigma, -1 / (2 * sigma) - epsilon * sigma
    return _phi(first) - math.exp(epsilon) * _phi(second)


def _phi(x: float) -> float:
    return 0.5 * math.erfc(-x / math.sqrt(2))


RULE = Rule("DP105", check, outside=True)
