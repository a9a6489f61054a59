"""DP504: DP-SGD that clips the gradient of a whole batch, not those of its samples."""

from __future__ import annotations

from collections.abc import Iterator

from dplint.rules.flow.terms import Graph, Loop, Term, TermKind, reached
from dplint.rules.rule import Context, Report, Reports, Rule
from dplint.rules.training import is_noise, scaled

_CLIPS = frozenset({"clip_grad_norm_", "clip_grad_norm", "clip_grad_value_"})
_SPLITS = frozenset({"split", "batched", "itertools.batched"})
_PER_SAMPLE = ("grad_sample", "per_sample", "vmap", "make_private", "GradSampleModule", "microbatch")


def check(context: Context) -> Reports:
    """A backward pass, a clip of its gradients and noise on them, once a batch; the first two once a piece."""
    text = context.text(context.node)
    if not any(name in text for name in _CLIPS) or any(word in text for word in _PER_SAMPLE):
        return
    passes = _calls(context.graph, frozenset({"backward"}))
    noises = [one for one in context.exposed.draws if one.name == "normal" and _meets_gradient(context, one)]
    for clip in _calls(context.graph, _CLIPS):
        behind = [one for one in passes if one.loops == clip.loops and one.number < clip.number]
        if behind and (piece := _piece(context, clip)) is not None:
            message = (
                "the gradient of a piece of several samples is clipped, and one of them can turn it around: clip the "
                "gradient of each sample, or double the noise"
            )
            yield Report(clip.node, message, context.related([(piece.node, "the pieces")]))
            return
        together = [one for one in noises if clip.loops & ~one.loops == 0 and one.number > clip.number]
        if behind and together and clip.loops:
            message = (
                "the gradient of the whole batch is clipped, and the noise is for one clipped sample: clip the "
                "gradient of each sample before they are added up"
            )
            yield Report(clip.node, message, context.related([(together[0].node, "the noise")]))
            return


def _piece(context: Context, clip: Term) -> Loop | None:
    """The innermost loop around a clip, if it goes over pieces of several samples, and noise is added after it."""
    around = [one for one in context.graph.loops if one.mask() == clip.loops]
    for loop in around:
        pieces = loop.iterable
        if pieces is None or not pieces.is_call(_SPLITS) or len(pieces.args) < 2:
            continue
        size = pieces.args[1]
        several = size.kind is TermKind.CONSTANT and isinstance(size.value, int) and size.value > 1
        noises = (one for one in context.graph.terms if is_noise(one) and one.number > clip.number)
        after = [one for one in noises if one.loops & clip.loops == clip.loops & ~loop.bit]
        if several and after and all(_is_for_one(context, one) for one in after):
            return loop
    return None


def _is_for_one(context: Context, noise: Term) -> bool:
    """Whether noise is certainly not doubled: of a multiplier and a clip alone."""
    scale = context.algebra.single(scaled(context, noise))
    return scale is not None and scale.exact and scale.coefficient < 2 and len(scale.powers) <= 2


def _meets_gradient(context: Context, draw: Term) -> bool:
    """Whether noise is added to an attribute `grad`, maybe after it has been scaled."""

    def sums(term: Term) -> Iterator[Term]:
        return (user for user in context.users_of(term) if user.kind is TermKind.OPERATION)

    users = (user for term in reached([draw], sums) for user in context.users_of(term))
    return any(one.name == "grad" for user in users for one in user.args)


def _calls(graph: Graph, names: frozenset[str]) -> list[Term]:
    return [one for one in graph.terms if one.kind is TermKind.CALL and one.name.rpartition(".")[2] in names]


RULE = Rule("DP504", check, foretells=False)
