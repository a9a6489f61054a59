"""DP504: DP-SGD that clips the gradient of a whole batch, not those of its samples."""

from __future__ import annotations

from collections.abc import Iterator

from dplint.outcomes import Severity
from dplint.rules.context import Context, Report
from dplint.rules.flow.terms import Graph, Term, TermKind
from dplint.rules.rule import Rule

_CLIPS = frozenset({"clip_grad_norm_", "clip_grad_norm", "clip_grad_value_"})
_PER_SAMPLE = ("grad_sample", "per_sample", "vmap", "make_private", "GradSampleModule", "microbatch")


def check(context: Context) -> Iterator[Report]:
    """A backward pass, a clip of its gradients and noise on them, all three once a batch."""
    text = context.text(context.node)
    if not any(name in text for name in _CLIPS) or any(word in text for word in _PER_SAMPLE):
        return
    passes = _calls(context.graph, frozenset({"backward"}))
    noises = [one for one in context.exposed.draws if one.name == "normal" and _meets_gradient(context, one)]
    for clip in _calls(context.graph, _CLIPS):
        behind = [one for one in passes if one.loops == clip.loops and one.number < clip.number]
        together = [one for one in noises if clip.loops & ~one.loops == 0 and one.number > clip.number]
        if behind and together and clip.loops and clip.node is not None:
            message = (
                "the gradient of the whole batch is clipped, and the noise is for one clipped sample: clip the "
                "gradient of each sample before they are added up"
            )
            yield Report(clip.node, message, context.related([(together[0].node, "the noise")]))
            return


def _meets_gradient(context: Context, draw: Term) -> bool:
    """Whether noise is added to an attribute `grad`, maybe after it has been scaled."""
    pending, seen = [draw], {draw}
    while pending:
        for user in context.users.get(pending.pop(), ()):
            if any(one.name == "grad" for one in user.args):
                return True
            if user not in seen and user.kind is TermKind.OPERATION:
                seen.add(user)
                pending.append(user)
    return False


def _calls(graph: Graph, names: frozenset[str]) -> list[Term]:
    return [one for one in graph.terms if one.kind is TermKind.CALL and one.name.rpartition(".")[2] in names]


RULE = Rule(
    code="DP504",
    severity=Severity.WARNING,
    check=check,
    foretells=False,
)
