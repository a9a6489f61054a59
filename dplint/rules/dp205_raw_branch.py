"""DP205: a branch on exact data decides what is released."""

from __future__ import annotations

from dplint.outcomes import Effect
from dplint.rules.flow.exposure import Exposure
from dplint.rules.flow.terms import Sink, Term, TermKind
from dplint.rules.raw_sinks import is_tested_answer
from dplint.rules.rule import ANY_EFFECT, Context, Report, Reports, Rule
from dplint.rules.ruled_out import is_ruled_out

_SHOWN = (Exposure.VALUE, Exposure.SELECTION, Exposure.BRANCH)


def check(context: Context) -> Reports:
    """Conditions on data without noise that show in what is returned, or in whether there is an answer."""
    for sink in context.graph.sinks:
        if context.exposed.is_random(sink.guards) or is_tested_answer(context, sink):
            continue
        if context.guessed and sink.term.kind is TermKind.CONSTANT and sink.term.value is None:
            continue  # a refusal, as a `raise` is
        if sink.kind in ("return", "yield"):
            exposures = context.exposed.of(sink.term)
            witness = exposures.get(Exposure.BRANCH)
            if witness is not None and Exposure.VALUE not in exposures:
                yield from _report(context, witness, sink)
            elif not exposures and not context.exposed.has_draws(sink.term):
                yield from _guards(context, sink, "what is returned here")
        elif sink.kind == "raise" and not context.guessed:  # without a claim it is mostly a check of arguments
            yield from _guards(context, sink, "whether this is raised", weak=True)


def _guards(context: Context, sink: Sink, what: str, *, weak: bool = False) -> Reports:
    for guard in sink.guards:
        if context.guessed and guard.is_call("isnan"):
            continue  # without a claim it is a check of one argument, as a `raise` is
        if is_ruled_out(guard, context.mechanism.claim):
            continue
        exposures = context.exposed.of(guard)
        if any(one in exposures for one in _SHOWN):
            yield from _report(context, guard, sink, what, weak=weak)
        elif Exposure.SIZE in exposures:
            yield from _report(context, guard, sink, what, weak=True)


def _report(context: Context, condition: Term, sink: Sink, what: str = "the output", *, weak: bool = False) -> Reports:
    if _is_loop_over_categories(condition) or (context.guessed and condition.kind is TermKind.LENGTH):
        return  # how many rounds there are is no test
    if context.exposed.has_draws(condition):
        message = (
            f"this comparison decides on {what}, and the data in it bears only noise that all rounds share: "
            "add fresh noise to the data in every round"
        )
    else:
        message = f"this condition looks at exact data and decides on {what}: add noise to the data before it is tested"
    related = context.the_claim, context.effect(sink.node, "what it decides on")
    effects = (Effect.EXCEPTION,) if sink.kind == "raise" else None
    way = context.way(context.exposed.way(condition), sink.node, f"decided on: {what}")
    yield Report(condition.node, message, related, weak=weak, effects=effects, way=way)


def _is_loop_over_categories(condition: Term) -> bool:
    """DP203 speaks of those."""
    return condition.kind is TermKind.LENGTH and condition.args[0].kind is TermKind.CALL


RULE = Rule("DP205", check, effects=ANY_EFFECT)
