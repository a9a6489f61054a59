"""DP304: floating-point noise at full precision."""

from __future__ import annotations

from collections.abc import Iterator

from dplint.outcomes import Severity
from dplint.rules.context import Context, Report
from dplint.rules.flow.releases import Form
from dplint.rules.flow.terms import Term, TermKind
from dplint.rules.rule import Rule

_ROUNDS = frozenset({"round", "int", "floor", "ceil", "trunc"})


def check(context: Context) -> Iterator[Report]:
    """Sums of data and continuous noise that are released with all their digits."""
    for noise in context.noises:
        for met in noise.meets:
            if Form.VALUE in context.releases.of(met) and met.node is not None and not _is_rounded(context, met):
                message = (
                    f"the digits of a float with {noise.draw.name} noise show which value it was added to: round it "
                    "to a "
                    "grid as wide as the noise, or use discrete noise"
                )
                yield Report(met.node, message, (context.the_claim,))


def _is_rounded(context: Context, term: Term) -> bool:
    """Whether all that uses the value rounds it."""
    users = context.users.get(term, [])
    scaled = [user for user in users if user.kind is TermKind.OPERATION and user.name in ("*", "/")]
    if scaled and len(scaled) == len(users):
        return all(_is_rounded(context, user) for user in scaled)
    return bool(users) and all(user.kind is TermKind.CALL and user.name in _ROUNDS for user in users)


RULE = Rule(
    code="DP304",
    name="porous floating-point noise",
    severity=Severity.WARNING,
    what="Continuous noise is added to data in floating point, and the result is released at full precision.",
    why=(
        "Not every float can be reached from every value, so that the last digits can tell two neighbours apart "
        "(Mironov 2012)."
    ),
    bug="diffprivlib (issues 19 and 94), smartnoise-core (242), OpenDP before 0.5 and Opacus' secure mode (616).",
    bad=(
        """
        @dp(epsilon="epsilon", neighbors="l1")
        def total(rng, values, epsilon):
            return sum(values) + rng.laplace(scale=1 / epsilon)
        """,
        """
        @dp(epsilon="epsilon", neighbors="l1")
        def histogram(rng, counts, epsilon):
            return [count + rng.laplace(scale=1 / epsilon) for count in counts]
        """,
    ),
    good=(
        """
        @dp(epsilon="epsilon", neighbors="l1")
        def total(rng, values, epsilon):
            return round(sum(values) + rng.laplace(scale=1 / epsilon))
        """,
        """
        @dp(epsilon="epsilon", neighbors="l1")
        def histogram(rng, counts, epsilon):
            return [round(count + rng.laplace(scale=1 / epsilon)) for count in counts]
        """,
    ),
    check=check,
    opt_in=True,
    foretells=False,
)
