"""DP106: a scale that is zero, negative, next to nothing, or the same for every epsilon."""

from __future__ import annotations

from collections.abc import Iterator

from dplint.outcomes import Severity
from dplint.rules.context import Context, Report
from dplint.rules.costs import scale_node
from dplint.rules.dp203_data_derived_domain import factors
from dplint.rules.flow.exposure import Exposure
from dplint.rules.flow.noises import Noise
from dplint.rules.flow.terms import Kind, Term
from dplint.rules.rule import Rule

_TINY = 1e-6


def check(context: Context) -> Iterator[Report]:
    """Noise on data whose scale can be seen to be too small."""
    for noise in context.noises:
        for way in noise.ways:
            node = scale_node(noise, way)
            if node is None:
                continue
            if way.exact and not way.others and way.coefficient <= 0 and noise.top is noise.draw:
                message = f"the scale of this noise is {way.coefficient:g}, not positive: make it sensitivity / epsilon"
                yield Report(node, message, (context.the_claim,))
            elif way.exact and not way.powers and way.coefficient > 0 and _pays_alone(context, noise):
                message = (
                    f"the scale of this noise is {way.coefficient:g} whatever epsilon is, so that the promise fails "
                    "for "
                    "small ones: make it sensitivity / epsilon"
                )
                yield Report(node, message, (context.the_claim,))
        yield from _clamped(context, noise)


def _pays_alone(context: Context, noise: Noise) -> bool:
    """Whether this is the only noise on some data, where the epsilon of the claim is a parameter, not a number."""
    if not context.roles.epsilons or context.roles.value is not None or not noise.meets or context.guessed:
        return False
    if any(raw in context.mentions for raw in noise.raw):
        return False  # epsilon * score + noise of scale 1
    users, seen = list(noise.meets), set(noise.meets)
    while users:
        for user in context.users.get(users.pop(), ()):
            if user in seen:
                continue
            seen.add(user)
            users.append(user)
            if user.kind is Kind.OPERATION and any(_has_budget(context, one) for one in user.args):
                return False
    # Noise of another draw that is in the same sum counts too.
    return not any(_has_budget(context, one) for met in noise.meets for one in met.args)


def _has_budget(context: Context, term: Term) -> bool:
    return any(draw in context.mentions for draw in context.exposed.draws_of(term))


def _clamped(context: Context, noise: Noise) -> Iterator[Report]:
    """A scale that falls to a tiny constant where a noisy or private value is not positive."""
    for factor in factors(noise):
        for term in _parts(factor):
            if term.kind is not Kind.CALL or term.name not in ("max", "maximum", "clip") or term.node is None:
                continue
            tiny = [one for one in term.args if _is_tiny(one)]
            risky = [
                one for one in term.args if context.exposed.has_draws(one) or Exposure.VALUE in context.exposed.of(one)
            ]
            if tiny and risky:
                message = (
                    f"this scale falls to {tiny[0].value!r} as soon as the noisy value in it is not positive, and then "
                    "there is next to no noise: keep it at the smallest scale that is still private"
                )
                yield Report(term.node, message, (context.the_claim,))


def _is_tiny(term: Term) -> bool:
    value = term.value
    return term.kind is Kind.CONSTANT and isinstance(value, int | float) and 0 <= value <= _TINY


def _parts(term: Term) -> Iterator[Term]:
    """The factors of a product, and of the numerator alone of a fraction."""
    yield term
    if term.kind is Kind.OPERATION and term.name == "*":
        for one in term.args:
            yield from _parts(one)
    elif (term.kind is Kind.OPERATION and term.name == "/") or (term.kind is Kind.EXIT and term.args):
        yield from _parts(term.args[0])


RULE = Rule(
    code="DP106",
    name="degenerate scale",
    severity=Severity.ERROR,
    what=(
        "The scale of noise is zero or negative, does not depend on epsilon though the claim does, or is clamped to a "
        "tiny constant where a noisy value is not positive."
    ),
    why="Noise that can vanish protects nobody in the cases where it does.",
    bug=(
        "DP-Auditorium's private_mean clamped its scale to 1e-12 where the noisy count came out negative; synthcity's "
        "PrivBayes used a sensitivity that is 0 when the number of parents equals the number of columns."
    ),
    bad=(
        """
        @dp(epsilon="epsilon", neighbors="l1")
        def total(rng, values, epsilon, block):
            if block % 11 == 7:
                return sum(values) + rng.laplace(scale=0.01)
            return sum(values) + rng.laplace(scale=1 / epsilon)
        """,
    ),
    good=(
        """
        @dp(epsilon="epsilon", neighbors="l1")
        def total(rng, values, epsilon, block):
            if block % 11 == 7:
                return sum(values) + rng.laplace(scale=2 / epsilon)
            return sum(values) + rng.laplace(scale=1 / epsilon)
        """,
    ),
    check=check,
)
