"""DP603: a noisy sum over a batch that is divided by how many records were drawn for it."""

from __future__ import annotations

from dplint.rules.flow.dicts import root_of
from dplint.rules.rule import Context, Report, Reports, Rule, Term, TermKind
from dplint.rules.training import called, engine_of, full_name, has_noise

_COIN_LOADERS = frozenset({"DPDataLoader", "from_data_loader"})
_COIN_SAMPLERS = frozenset({"UniformWithReplacementSampler", "DistributedUniformWithReplacementSampler"})


def check(context: Context) -> Reports:
    """Divisions of noise, or of a sum with noise, by the length of a batch that was drawn by coins."""
    if not context.records_come_and_go:
        return
    training = context.mechanism.claim.training
    is_sample = training is not None and training.sample_rate < 1
    for term in context.graph.terms:
        if term.is_operation("/") and (term.loops or is_sample):
            value, divisor = term.args
            counted = _counted(divisor)
            if counted is None or not has_noise(value):
                continue
            if (is_sample and root_of(counted).kind is TermKind.DATA) or _is_drawn_by_coins(context, counted):
                message = (
                    "how many records were drawn is private, and shows in the size of the noise: divide by the "
                    "expected number, which is known to all"
                )
                related = context.claim_and((counted.node, "the batch"), (divisor.node, "its length"))
                yield Report(term.node, message, related)


def _counted(divisor: Term) -> Term | None:
    """What a divisor is the length of, maybe where it is at least one."""
    if divisor.is_call(("max", "float", "int")):
        return next((batch for part in divisor.args if (batch := _counted(part)) is not None), None)
    return divisor.args[0] if divisor.kind is TermKind.LENGTH else None


def _is_drawn_by_coins(context: Context, batch: Term) -> bool:
    """Whether its records were chosen each by a coin: `[r for r in records if rand() < q]`, `x[mask]`, a loader."""
    batch = root_of(batch)
    while batch.is_operation("[]") and len(batch.args) == 2:
        place = batch.args[1]
        if place.kind is TermKind.COMPARISON:
            return context.exposed.has_draws(place) and context.exposed.depends(batch.args[0])
        batch = root_of(batch.args[0])
    if batch.kind is TermKind.CONTAINER and isinstance(batch.value, tuple):
        coins = any(
            condition.kind is TermKind.COMPARISON and context.exposed.has_draws(condition)
            for condition in batch.conditions
        )
        return coins and context.exposed.depends(batch)
    return batch.kind is TermKind.ELEMENT and _loads_by_coins(root_of(batch.args[0]))


def _loads_by_coins(loader: Term) -> bool:
    engine = engine_of(loader)
    if engine is not None:
        asked = engine.argument("poisson_sampling")
        return asked is None or asked.value is True
    sampler = loader.argument("batch_sampler")
    drawn = sampler is not None and called(root_of(sampler))[1] in _COIN_SAMPLERS
    return drawn or not _COIN_LOADERS.isdisjoint(full_name(loader).split("."))


RULE = Rule("DP603", check, foretells=False, same_as=("DP204",))
