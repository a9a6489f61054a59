"""DP601: training on batches of a fixed size, with the epsilon of Poisson sampling."""

from __future__ import annotations

from dplint.rules.dp404_accountant import assumes_poisson
from dplint.rules.flow.dicts import root_of
from dplint.rules.rule import Context, Report, Reports, Rule, Term, TermKind, inside
from dplint.rules.training import ENGINES, LOADERS, called, calls_of_opacus, full_name

_SAMPLERS = frozenset({"WeightedRandomSampler", "DistributedSampler", "RandomSampler", "SequentialSampler"})


def check(context: Context) -> Reports:
    """Loaders that shuffle or have another sampler, where the accountant takes Poisson sampling for granted."""
    engines = calls_of_opacus(context, *ENGINES)
    for engine in engines:
        yield from _of_engine(context, engine)
    if engines or calls_of_opacus(context, "from_data_loader"):
        return  # it replaces the loader
    accountants = [term for term in context.graph.terms if assumes_poisson(term)]
    for loader in filter(_is_loader, context.graph.terms):
        if accountants and _is_fixed(loader) and context.exposed.depends(loader):
            message = (
                "the batches of this loader have a fixed size, and the accountant reckons with a coin for each "
                "record (Poisson sampling): draw by coins, or account for what is done"
            )
            yield Report(loader.node, message, context.related([(accountants[0].node, "the accountant")]))


def _of_engine(context: Context, engine: Term) -> Reports:
    given = engine.argument("data_loader")
    loader = None if given is None else root_of(given)
    poisson = engine.argument("poisson_sampling")
    if poisson is not None and poisson.kind is TermKind.CONSTANT and poisson.value is False:
        asked = calls_of_opacus(context, "get_epsilon")
        if asked or called(engine)[1] == "make_private_with_epsilon":
            message = (
                "the batches of the loader stay as they are, and the epsilon of this engine is that of Poisson "
                "sampling: leave poisson_sampling out, or account for what is done"
            )
            yield Report(engine.node, message, context.related((call.node, "its epsilon") for call in asked))
    elif loader is not None and _is_loader(loader) and (sampler := _sampler(loader)) == "WeightedRandomSampler":
        message = (
            f"the engine takes its rate from the length of this {sampler}, and draws without its weights: give it a "
            "loader without a sampler"
        )
        yield Report(loader.node or context.node, message, context.related([(engine.node, "the engine")]))


def _is_loader(term: Term) -> bool:
    return term.kind is TermKind.CALL and full_name(term) in LOADERS


def _sampler(loader: Term) -> str:
    """The class of the sampler of a loader, empty if it has none or nothing is known of it."""
    given = loader.argument("sampler")
    made = (called(term)[1] for term in inside(root_of(given))) if given is not None else ()
    return next((name for name in made if name in _SAMPLERS), "")


def _is_fixed(loader: Term) -> bool:
    """Whether batches have a size that is fixed before: it shuffles, drops what is left over, or has a sampler."""
    if loader.argument("batch_sampler") is not None:
        return False
    if loader.argument("sampler") is not None:
        return _sampler(loader) != ""
    placed = [argument for key, argument in zip(loader.keys, loader.args, strict=True) if not key]
    asked = (*placed[2:3], loader.argument("shuffle"), loader.argument("drop_last"))
    return any(
        argument is not None and argument.kind is TermKind.CONSTANT and argument.value is True for argument in asked
    )


RULE = Rule("DP601", check, foretells=False, same_as=("DP404",))
