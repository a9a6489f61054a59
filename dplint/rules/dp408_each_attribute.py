"""DP408: the whole epsilon is spent for each of several attributes."""

from __future__ import annotations

from dplint.claims import SENSITIVITY_NAME
from dplint.rules.costs import scale_node
from dplint.rules.flow.releases import Form
from dplint.rules.flow.scales import EPSILON
from dplint.rules.flow.terms import Loop, Term, TermKind, inside
from dplint.rules.flow.vocabulary import AGGREGATES
from dplint.rules.rule import Context, Report, Reports, Rule


def check(context: Context) -> Reports:
    """Noise for the whole epsilon in a loop over columns, each a total over the same records."""
    if context.roles.factor is None or context.on_vectors:
        return
    for noise in context.noises:
        if not noise.ways or not all(_is_whole(way.others, way.power(EPSILON)) for way in noise.ways):
            continue
        for met, raw in zip(noise.meets, noise.raw, strict=False):
            loop = _columns(context, raw)
            node = scale_node(noise, noise.ways[0])
            if loop is None or not loop.bit & context.exposed.varies(met):
                continue
            if Form.VALUE in context.releases.of(met):
                message = (
                    "each attribute gets noise for the whole epsilon, and every record has a part in all of them: "
                    "divide epsilon by their number, or claim their sum"
                )
                yield Report(node, message, context.claim_and((loop.node, "the attributes")))
                return


def _is_whole(others: frozenset[str], power: object) -> bool:
    """Whether a scale is made of epsilon and sensitivities alone, so that no number of attributes is in it."""
    return power == -1 and all(SENSITIVITY_NAME.search(one.rpartition(".")[2]) for one in others)


def _columns(context: Context, raw: Term) -> Loop | None:
    """The loop whose rounds pick a column that is added up; None if rounds pick records, or count those of a group."""
    parts = list(inside(raw, lambda term: term.kind is not TermKind.DRAW))
    if any(one.kind is TermKind.COMPARISON or one.conditions for one in parts):
        return None
    if not any(one.is_call(AGGREGATES) for one in parts):
        return None
    for one in parts:
        if one.is_operation("[]") and len(one.args) == 2 and one.args[0].kind is TermKind.DATA:
            loop = _loop_of(context, one.args[1])
            if loop is not None:
                return loop
    return None


def _loop_of(context: Context, index: Term) -> Loop | None:
    """The loop that an index is the element of, if what it goes over is public, and more than one thing."""
    if index.kind is not TermKind.ELEMENT or not index.args or context.exposed.depends(index.args[0]):
        return None
    names = index.args[0]
    if names.kind is TermKind.CONTAINER and len(names.args) < 2:
        return None
    return next((loop for loop in context.graph.loops if loop.iterable is names), None)


RULE = Rule("DP408", check)
