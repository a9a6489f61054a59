"""DP303: a generator that is ignored, or one draw that is added to several values."""

from __future__ import annotations

import libcst as cst

from dplint.distributions import GENERATOR, LEGACY, draw_signatures
from dplint.outcomes import Fix, Related
from dplint.rules.costs import is_whole_vector, plain_ways
from dplint.rules.flow.exposure import Exposure
from dplint.rules.flow.terms import DrawTerm, Term, TermKind
from dplint.rules.raw_sinks import RELEASES, exposed_sinks
from dplint.rules.rule import Context, Report, Reports, Rule, replace_node

_SAME_IN_GENERATORS = frozenset(
    name
    for name, draw in draw_signatures(LEGACY).items()
    if name in draw_signatures(GENERATOR) and draw.names == draw_signatures(GENERATOR)[name].names[: len(draw.names)]
)
"""Functions of `numpy.random` that a `Generator` has with the same arguments."""


def check(context: Context) -> Reports:
    """Draws from another source than the generator that is passed in, and noise that several values share."""
    yield from _ignored(context)
    for _, witness in exposed_sinks(context, RELEASES, Exposure.SHARED):
        yield _shared(context, witness)
    for noise in context.noises:
        if noise.source.sized or plain_ways(context, noise) is None or noise.source.source in ("library", "unknown"):
            continue
        for met, raw in zip(noise.meets, noise.raw, strict=False):
            if noise.draw is not met and is_whole_vector(context, raw) and not context.exposed.varies(noise.draw):
                yield _shared(context, met)


def _shared(context: Context, met: Term) -> Report:
    message = (
        "one draw is added to several values here, so that their differences are exact: draw for every value, with "
        "size= or inside the loop"
    )
    nodes = [draw.node for draw in context.exposed.draws_of(met) if draw.node is not None]
    return Report(
        met.node, message, (context.the_claim, *(Related(context.span(node), "the draw") for node in nodes[:2]))
    )


def _ignored(context: Context) -> Reports:
    rng = context.mechanism.rng
    if rng is None:
        return
    parameter = next(
        (term for term in context.graph.terms if term.kind is TermKind.GENERATOR and term.name == "parameter"), None
    )
    if parameter is None or _is_used(context, parameter):
        return
    for draw in context.exposed.draws:
        info = draw.value
        if isinstance(info, DrawTerm) and info.source == "module":
            message = (
                f"this draws from {info.spelling.rpartition('.')[0]} though the mechanism is given the generator "
                f"{rng}, which is used nowhere: draw from {rng}"
            )
            yield Report(draw.node, message, (context.the_claim,), _fix(context, draw, info, rng))


def _is_used(context: Context, parameter: Term) -> bool:
    used = any(isinstance(one.value, DrawTerm) and one.value.generator is parameter for one in context.exposed.draws)
    return used or bool(context.users.get(parameter))


def _fix(context: Context, draw: Term, info: DrawTerm, rng: str) -> Fix | None:
    """`rng.laplace` for `np.random.laplace`, where both take the same arguments."""
    node = draw.node
    name = info.spelling.rpartition(".")[2]
    if (
        not isinstance(node, cst.Call)
        or not info.spelling.startswith("numpy.random.")
        or name not in _SAME_IN_GENERATORS
    ):
        return None
    if not context.in_function(node):
        return None
    return replace_node(context, node.func, f"{rng}.{name}", f"Draw from {rng}", safe=True)


RULE = Rule("DP303", check, disprovable=False)
