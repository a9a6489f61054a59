"""DP210: numbers that are not finite tell the data apart."""

from __future__ import annotations

from dplint.claims import Categories, Interval
from dplint.outcomes import Effect
from dplint.relations import DataKind, relation_of
from dplint.rules.costs import is_arithmetic
from dplint.rules.flow.exposure import Exposure
from dplint.rules.rule import Context, Report, Reports, Rule, Term, TermKind, inside

_FINITE = frozenset({"isfinite", "isnan", "nan_to_num", "isinf"})


def check(context: Context) -> Reports:
    """Exponentials of scores that nothing bounds; asked for by its code, also clips that keep NaN."""
    claim = context.mechanism.claim
    few = isinstance(claim.domain, Categories) and relation_of(claim).data is DataKind.VALUE
    if few or isinstance(claim.domain, Interval):
        return
    if any(term.is_call(_FINITE) for term in context.graph.terms):
        return
    for weight in context.weights:
        if any(_is_density(one) for one in inside(weight, _is_computed)):
            continue
        for term in inside(weight, _is_computed):
            if term.is_call("exp") and _grows(context, term):
                message = (
                    "the exponential of an unbounded score overflows or vanishes for some data, and then the choice "
                    "fails or is certain: subtract the largest score first"
                )
                way = context.way(context.exposed.way(term), term.node, "its exponential")
                yield Report(term.node, message, (context.the_claim,), way=way)
                break
    if "DP210" in context.opt_in:
        yield from _clips(context)


def _is_density(term: Term) -> bool:
    """Whether it is e^-|x|, or e^-x^2: a density on points that are given, which is large where the value lies."""
    if not term.is_call("exp") or not term.args:
        return False
    return any(
        one.name == "neg" and any(two.name in ("abs", "absolute", "square", "**") for two in inside(one, is_arithmetic))
        for one in inside(term.args[0], is_arithmetic)
    )


def _grows(context: Context, exponential: Term) -> bool:
    """Whether exact data is in the exponent, and nothing is subtracted from it."""
    shown = context.exposed.of(exponential.args[0]) if exponential.args else {}
    if Exposure.VALUE not in shown and Exposure.BRANCH not in shown:
        return False
    if context.guessed and any(one.name == "neg" for one in inside(exponential.args[0], _is_computed)):
        return False  # of scores that count losses, which cannot overflow, and may be zero
    return not any(_shifts(one) for one in inside(exponential.args[0], _is_computed))


def _is_computed(term: Term) -> bool:
    return term.kind is not TermKind.DRAW


def _shifts(term: Term) -> bool:
    if term.is_operation("-"):
        return any(one.is_call(("max", "logsumexp", "maximum")) for one in inside(term, is_arithmetic))
    return term.is_call(("clip", "minimum", "softmax", "log_softmax"))


def _clips(context: Context) -> Reports:
    for term in context.graph.terms:
        clips = term.is_call("clip")
        if clips and Exposure.VALUE in context.exposed.of(term):
            message = (
                "clipping keeps NaN, and one NaN makes the whole result NaN, which no noise hides: replace or refuse "
                "values that are not finite first"
            )
            assert term.node is not None
            yield Report(term.node, message, (context.the_claim,), weak=True)


RULE = Rule("DP210", check, effects=(Effect.EXCEPTION,), disprovable=False)
