"""DP101: the scale of noise grows with epsilon."""

from __future__ import annotations

import libcst as cst

from dplint.outcomes import Fix
from dplint.rules.costs import scale_node
from dplint.rules.flow.draws import Noise
from dplint.rules.flow.scales import EPSILON, Monomial
from dplint.rules.rule import Context, Report, Reports, Rule, factor, replace_node


def check(context: Context) -> Reports:
    """Noise whose scale has epsilon as a factor with a positive power."""
    for noise in context.noises:
        if not noise.meets:
            continue  # it hides nothing: random data, or a direction
        for way in noise.ways:
            if way.power(EPSILON) > 0:
                node = scale_node(noise, way)
                if node is not None:
                    yield _report(context, noise, way, node)


def _report(context: Context, noise: Noise, way: Monomial, node: cst.CSTNode) -> Report:
    name = _epsilon_name(context, node)
    message = (
        f"the scale of this {noise.draw.name} noise grows with {name}, so that less privacy loss gets less noise: "
        f"divide the sensitivity by {name}"
    )
    related = [context.the_claim]
    if noise.draw.node is not None and noise.draw.node is not node:
        related.append(context.effect(noise.draw.node, "the draw"))
    return Report(node, message, tuple(related), _fix(context, noise, way, node))


def _epsilon_name(context: Context, node: cst.CSTNode) -> str:
    text = context.text(node)
    names = sorted(context.roles.epsilons, key=len, reverse=True)
    return next((name for name in names if name in text), names[0] if len(names) == 1 else "epsilon")


def _fix(context: Context, noise: Noise, way: Monomial, node: cst.CSTNode) -> Fix | None:
    """The fraction the other way round. Where epsilon stands alone, the sensitivity is that of the claim."""
    if noise.top is not noise.draw or way.power(EPSILON) != 1 or len(context.roles.epsilons) > 1:
        return None
    if isinstance(node, cst.BinaryOperation):
        left, right = _has_epsilon(context, node.left), _has_epsilon(context, node.right)
        if not left and not right:
            return None
        if isinstance(node.operator, cst.Divide) and left and not right and _is_alone(context, node.left):
            text = f"{factor(context, node.right)} / {factor(context, node.left)}"
            return replace_node(context, node, _bracketed(node, text), "Turn the fraction round", safe=True)
        if isinstance(node.operator, cst.Multiply) and left is not right:
            above, below = (node.right, node.left) if left else (node.left, node.right)
            if _is_alone(context, below):
                text = f"{factor(context, above)} / {factor(context, below)}"
                return replace_node(context, node, _bracketed(node, text), "Divide by epsilon", safe=True)
        return None
    alone = isinstance(node, cst.Name) and node.value in context.roles.epsilons
    if alone and way.coefficient == 1 and context.on_vectors:
        text = f"{context.mechanism.claim.sensitivity:g} / {context.text(node)}"
        return replace_node(context, node, text, "Divide the sensitivity by epsilon", safe=True)
    return None


def _has_epsilon(context: Context, node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.Name):
        return node.value in context.roles.epsilons
    return any(_has_epsilon(context, child) for child in node.children if isinstance(child, cst.BaseExpression))


def _is_alone(context: Context, node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Name) and node.value in context.roles.epsilons


def _bracketed(node: cst.BinaryOperation, text: str) -> str:
    return f"({text})" if node.lpar else text


RULE = Rule("DP101", check, outside=True)
