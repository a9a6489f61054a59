"""DP301: noise from a generator that can be predicted."""

from __future__ import annotations

from collections.abc import Iterator

from dplint.outcomes import Severity
from dplint.rules.context import Context, Report
from dplint.rules.flow.terms import Draw
from dplint.rules.flow.vocabulary import SYSTEM_GENERATORS
from dplint.rules.rule import Rule

_SECURE = ("secrets.", "os.")


def check(context: Context) -> Iterator[Report]:
    """Draws from `random`, `numpy.random` and generators made of those; what is passed in is the caller's choice."""
    for draw in context.exposed.draws:
        info = draw.value
        if not isinstance(info, Draw) or info.source not in ("module", "local") or draw.node is None:
            continue
        made = info.generator.value if info.generator is not None else None
        if info.spelling.startswith(_SECURE) or made in SYSTEM_GENERATORS:
            continue
        name = str(made) if info.generator is not None else info.spelling
        message = (
            f"noise from {name} can be predicted by whoever sees enough of it: use random.SystemRandom or a library "
            "with "
            "secure noise"
        )
        yield Report(draw.node, message, (context.the_claim,))


RULE = Rule(
    code="DP301",
    name="insecure generator",
    severity=Severity.WARNING,
    what="Noise comes from a generator that is not cryptographically secure.",
    why="The Mersenne Twister and PCG64 can be reconstructed from their outputs, and then all noise can be subtracted.",
    bug="Fed-BioMed drew its noise from such a generator (issue 1443).",
    bad=(
        """
        @dp(epsilon="epsilon", neighbors="l1")
        def total(values, epsilon):
            return sum(values) + np.random.laplace(scale=1 / epsilon)
        """,
    ),
    good=(
        """
        @dp(epsilon="epsilon", neighbors="l1")
        def total(rng, values, epsilon):
            return sum(values) + rng.laplace(scale=1 / epsilon)
        """,
    ),
    check=check,
    opt_in=True,
)
