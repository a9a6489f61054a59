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
    name="gradient of a batch",
    severity=Severity.WARNING,
    what="In a training loop of torch the gradient of a whole batch is clipped before noise is added to it.",
    why=(
        "DP-SGD bounds what one sample does by clipping each sample's gradient (Abadi et al. 2016). The clipped "
        "gradient of a batch may turn from one side of the ball to the other for one sample. That is twice the clip "
        "whatever the size of the batch; divided by that size, or with noise for one sample, nothing is kept."
    ),
    bug="Of fifteen real bugs that were found by reading public code, one was this training loop.",
    bad=(
        """
        import torch

        @dp(epsilon=1.0, delta=1e-5, neighbors="add-remove", data="loader", domain=(0, 1))
        def train(model, loader, loss_function, optimizer, clip, sigma):
            for features, labels in loader:
                optimizer.zero_grad()
                loss_function(model(features), labels).backward()
                torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
                for parameter in model.parameters():
                    parameter.grad += torch.normal(0, sigma * clip, parameter.grad.shape)
                optimizer.step()
            return model
        """,
        """
        import torch

        @dp(epsilon=1.0, delta=1e-5, neighbors="add-remove", data="batches", domain=(0, 1))
        def train(model, batches, optimizer, clip, sigma):
            for batch in batches:
                loss = model(batch).mean()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=clip)
                for parameter in model.parameters():
                    noise = torch.randn_like(parameter.grad) * sigma * clip
                    parameter.grad.add_(noise / len(batch))
                optimizer.step()
            return model
        """,
    ),
    good=(
        """
        import torch

        @dp(epsilon=1.0, delta=1e-5, neighbors="add-remove", data="loader", domain=(0, 1))
        def train(model, loader, loss_function, optimizer, clip, sigma):
            for features, labels in loader:
                total = [torch.zeros_like(one) for one in model.parameters()]
                for feature, label in zip(features, labels):
                    optimizer.zero_grad()
                    loss_function(model(feature), label).backward()
                    torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
                    for kept, parameter in zip(total, model.parameters()):
                        kept += parameter.grad
                for kept, parameter in zip(total, model.parameters()):
                    parameter.grad = kept + torch.normal(0, sigma * clip, kept.shape)
                optimizer.step()
            return model
        """,
        # clipped for a smooth training, without noise
        """
        import torch

        @dp(epsilon=1.0, delta=1e-5, neighbors="add-remove", data="batches", domain=(0, 1))
        def train(model, batches, optimizer):
            for batch in batches:
                model(batch).mean().backward()
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
            return model
        """,
    ),
    check=check,
    foretells=False,
)
