"""DP499: epsilon is rounded, and may become larger."""

from __future__ import annotations

from collections.abc import Iterator

from dplint.outcomes import Severity
from dplint.rules.context import Context, Report
from dplint.rules.flow.scales import EPSILON
from dplint.rules.flow.terms import TermKind
from dplint.rules.rule import Rule


def check(context: Context) -> Iterator[Report]:
    """Calls of `round` and `ceil` with epsilon in them."""
    for term in context.graph.terms:
        is_rounded = term.kind is TermKind.CALL and term.name in ("round", "ceil")
        if is_rounded and term.node is not None and any(way.power(EPSILON) for way in context.ways(term.args[0])):
            message = "epsilon is rounded, and a larger one gives less noise than is claimed: use it as it is given"
            yield Report(term.node, message, (context.the_claim,))


RULE = Rule(
    code="DP499",
    name="rounded epsilon",
    severity=Severity.WARNING,
    what="Epsilon goes through `round` or `ceil` before it is used.",
    why="What is rounded up is spent, and was not promised.",
    bug="made up for the tests of dplint.",
    bad=(
        """
        @dp(epsilon="epsilon", neighbors="l1")
        def total(rng, values, epsilon):
            return sum(values) + rng.laplace(scale=1 / round(epsilon, 1))
        """,
        """
        @dp(epsilon="epsilon", neighbors="l1")
        def total(rng, values, epsilon):
            spent = math.ceil(epsilon)
            return sum(values) + rng.laplace(scale=1 / spent)
        """,
        """
        @dp(epsilon="epsilon", neighbors="l1")
        def total(rng, values, epsilon):
            return sum(values) + rng.laplace(scale=2 / round(2 * epsilon))
        """,
        """
        def nice(epsilon):
            return round(epsilon, 2)

        @dp(epsilon="epsilon", neighbors="l1")
        def total(rng, values, epsilon):
            return sum(values) + rng.laplace(scale=1 / nice(epsilon))
        """,
        """
        @dp(epsilon="epsilon", neighbors="l1")
        def cells(rng, values, epsilon):
            return [value + rng.laplace(scale=1 / np.ceil(epsilon)) for value in values]
        """,
    ),
    good=(
        """
        @dp(epsilon="epsilon", neighbors="l1")
        def total(rng, values, epsilon):
            return sum(values) + rng.laplace(scale=1 / epsilon)
        """,
        """
        @dp(epsilon="epsilon", neighbors="l1")
        def total(rng, values, epsilon):
            return round(sum(values) + rng.laplace(scale=1 / epsilon))
        """,
        """
        @dp(epsilon="epsilon", neighbors="l1")
        def total(rng, values, epsilon):
            return math.ceil(sum(values) + rng.laplace(scale=1 / epsilon))
        """,
        """
        @dp(epsilon="epsilon", neighbors="l1")
        def total(rng, values, epsilon, digits=2):
            return round(sum(values) + rng.laplace(scale=1 / epsilon), round(digits))
        """,
        """
        @dp(epsilon="epsilon", neighbors="l1")
        def cells(rng, values, epsilon):
            return [value + rng.laplace(scale=1 / epsilon) for value in values]
        """,
    ),
    check=check,
)
