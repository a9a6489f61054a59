"""DP207: the largest noisy answer is released, where the noise pays for its index only."""

from __future__ import annotations

import libcst as cst

from dplint.outcomes import Fix
from dplint.rules.costs import loss_each, one_for_each
from dplint.rules.flow.draws import Noise
from dplint.rules.flow.releases import Form, Release
from dplint.rules.rule import Context, Report, Reports, Rule, Term, TermKind, replace_node
from dplint.source.walking import nodes_below


def check(context: Context) -> Reports:
    """Noisy answers, all of which may move at once, that are released as their largest."""
    if not context.all_move:
        return
    for noise in context.noises:
        loss = loss_each(context, noise)
        if loss is None or (loss * context.most <= 1 and not _is_one_sided(noise)):
            continue
        for met in noise.meets:
            release = context.releases.of(met).get(Form.MAXIMUM)
            if release is not None and one_for_each(context, noise, met):
                yield _report(context, noise, release)


def _is_one_sided(noise: Noise) -> bool:
    """Whether only upward shifts have a price: the largest of such noisy values tells the data apart without bound."""
    return noise.shift.is_finite and not noise.shift.downward


def _report(context: Context, noise: Noise, release: Release) -> Report:
    where = release.where.node if release.where.kind is TermKind.CALL else release.sink.node
    node = where if where is not None else release.sink.node
    related = (context.the_claim, context.effect(noise.draw.node, "the noise, which pays for one answer"))
    message = (
        "the value of the largest noisy answer is released, but this noise pays for its index alone: release that, "
        "or make the noise grow with the number of answers"
    )
    return Report(node, message, related, _fix(context, release.where))


def _fix(context: Context, where: Term) -> Fix | None:
    """`argmax` in place of `max`, for NumPy's functions and methods; the index of what Python's finds in a list."""
    node = where.node
    if where.kind is not TermKind.CALL or not isinstance(node, cst.Call) or len(node.args) > 1:
        return None
    if isinstance(node.func, cst.Name):
        return _index_in_list(context, node, node.func.value)
    if not isinstance(node.func, cst.Attribute) or node.func.attr.value not in ("max", "amax", "min", "amin"):
        return None
    index = f"arg{node.func.attr.value.removeprefix('a')}"
    return replace_node(context, node.func.attr, index, _title(index), safe=False)


def _index_in_list(context: Context, node: cst.Call, function: str) -> Fix | None:
    """`noisy.index(max(noisy))`, where every assignment of the mechanism to `noisy` makes a list."""
    name = node.args[0].value if node.args and not node.args[0].star and not node.args[0].keyword else None
    if function not in ("max", "min") or not isinstance(name, cst.Name):
        return None
    given = [
        one.value
        for one in nodes_below(context.node)
        if isinstance(one, cst.Assign)
        for target in one.targets
        if isinstance(target.target, cst.Name) and target.target.value == name.value
    ]
    if not given or not all(isinstance(one, cst.List | cst.ListComp) for one in given):
        return None
    text = f"{name.value}.index({context.text(node)})"
    return replace_node(context, node, text, _title(text), safe=False)


def _title(text: str) -> str:
    return f"Release the index: {text}"


RULE = Rule("DP207", check)
