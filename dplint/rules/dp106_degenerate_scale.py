"""DP106: a scale that is zero, negative, next to nothing, rounded down, or the same for every epsilon."""

from __future__ import annotations

import libcst as cst

from dplint.outcomes import Fix
from dplint.rules.costs import factors_above, moves_fully, scale_node
from dplint.rules.flow.draws import Noise
from dplint.rules.flow.exposure import Exposure
from dplint.rules.flow.terms import Term, TermKind, reached
from dplint.rules.flow.vocabulary import CLIPS
from dplint.rules.rule import Context, Report, Reports, Rule, factor, replace_node

_TINY = 1e-6
_ROUNDS = frozenset({"int", "floor", "trunc", "round", "rint"})


def check(context: Context) -> Reports:
    """Noise on data whose scale can be seen to be too small."""
    for noise in context.noises:
        for way in noise.ways:
            node = scale_node(noise, way)
            if way.exact and not way.others and way.coefficient <= 0 and noise.top is noise.draw:
                message = f"the scale of this noise is {way.coefficient:g}, not positive: make it sensitivity / epsilon"
                yield Report(node, message, (context.the_claim,))
            elif way.exact and not way.powers and way.coefficient > 0 and _pays_alone(context, noise):
                message = (
                    f"the scale of this noise is {way.coefficient:g} whatever epsilon is, so that the promise fails "
                    "for small ones: make it sensitivity / epsilon"
                )
                yield Report(node, message, (context.the_claim,), _over_epsilon(context, noise, node))
        yield from _clamped(context, noise)
        yield from _rounded(context, noise)


def _over_epsilon(context: Context, noise: Noise, node: cst.CSTNode | None) -> Fix | None:
    """The claim's sensitivity over its epsilon, where a single answer moves by no more."""
    names, plain = context.roles.epsilons, context.mechanism.claim.epsilon
    if len(names) != 1 or plain not in names or not context.on_vectors or noise.draw.name != "laplace":
        return None
    if "scale" not in noise.source.nodes or not all(moves_fully(context, raw) for raw in noise.raw):
        return None
    text = f"{context.mechanism.claim.sensitivity:g} / {plain}"
    return replace_node(context, node, text, f"Make it {text}", safe=False)


def _pays_alone(context: Context, noise: Noise) -> bool:
    """Whether this is the only noise on some data, where the epsilon of the claim is a parameter, not a number."""
    if not context.roles.epsilons or context.roles.value is not None or not noise.meets or context.guessed:
        return False
    if any(raw in context.mentions for raw in noise.raw):
        return False  # epsilon * score + noise of scale 1
    # Noise of another draw that is in the same sum counts too.
    sums = (one for one in reached(noise.meets, context.users_of) if one.kind is TermKind.OPERATION)
    return not any(_has_budget(context, one) for met in (*noise.meets, *sums) for one in met.args)


def _has_budget(context: Context, term: Term) -> bool:
    return any(draw in context.mentions for draw in context.exposed.draws_of(term))


def _clamped(context: Context, noise: Noise) -> Reports:
    """A scale that falls to a tiny constant where a noisy or private value is not positive."""
    for whole in _products(noise):
        for term in factors_above(whole):
            if not term.is_call(("max", "maximum", "clip")):
                continue
            tiny = [one for one in term.args if _is_tiny(one)]
            risky = [
                one for one in term.args if context.exposed.has_draws(one) or Exposure.VALUE in context.exposed.of(one)
            ]
            if tiny and risky and not _bounds_data(context, term):
                message = (
                    f"this scale falls to {tiny[0].value!r} as soon as the value in it is not positive, and then there "
                    "is next to no noise: keep it at the smallest scale that is still private"
                )
                yield Report(term.node, message, (context.the_claim,))


def _rounded(context: Context, noise: Noise) -> Reports:
    """A scale that is made a whole number, which is 0 as soon as epsilon is large enough."""
    for term in (part for whole in _products(noise) for part in factors_above(whole)):
        rounds = term.is_call(_ROUNDS) and len(term.args) == 1
        quotient, by = (term.args[0], "/") if rounds else (term, "//")
        if not quotient.is_operation(by):
            continue
        above, below = quotient.args
        if below in context.mentions and above not in context.mentions:
            message = (
                "this scale is made a whole number: where epsilon is large it is 0, and there is no noise: leave the "
                "quotient as it is"
            )
            yield Report(term.node, message, (context.the_claim,), _as_quotient(context, above, below, term.node))


def _as_quotient(context: Context, above: Term, below: Term, node: cst.CSTNode | None) -> Fix | None:
    """The same quotient, not rounded."""
    if not (isinstance(above.node, cst.BaseExpression) and isinstance(below.node, cst.BaseExpression)):
        return None
    text = f"{factor(context, above.node)} / {factor(context, below.node)}"
    return replace_node(context, node, text, f"Make it {text}", safe=False)


def _bounds_data(context: Context, term: Term) -> bool:
    """Whether data is cut to this very value: then where it is next to nothing there is next to nothing to hide."""
    return any(
        (one.kind is TermKind.CALL and (one.name == "islice" or CLIPS.search(one.name) is not None))
        or one.is_operation("slice")
        for one in context.users.get(term, ())
    )


def _is_tiny(term: Term) -> bool:
    value = term.value
    return term.kind is TermKind.CONSTANT and isinstance(value, int | float) and 0 <= value <= _TINY


def _products(noise: Noise) -> list[Term]:
    """The scale that the draw is given, and the product that it stands in."""
    return [one for one in (noise.scale, noise.top) if one is not None]


RULE = Rule("DP106", check, outside=True, disprovable=False)
