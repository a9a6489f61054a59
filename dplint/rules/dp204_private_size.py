"""DP204: the size of the data is used as if it were public, where neighbours differ in it."""

from __future__ import annotations

from collections.abc import Iterator

from dplint.outcomes import Severity
from dplint.rules.categories import shows_categories
from dplint.rules.context import Context, Report
from dplint.rules.dp203_data_derived_domain import factors
from dplint.rules.flow.exposure import Exposure
from dplint.rules.raw_sinks import RELEASES, exposed_sinks, places
from dplint.rules.rule import ANY_EFFECT, Rule


def check(context: Context) -> Iterator[Report]:
    """Exact lengths in what is released, and in the scale of noise."""
    if not context.records_come_and_go:
        return
    for sink, witness in exposed_sinks(context, RELEASES, Exposure.SIZE):
        is_told = Exposure.VALUE in context.exposed.of(sink.term) or shows_categories(context, sink)
        if not is_told and witness.node is not None:
            message = (
                "the exact number of records has a part in what is released, and neighbours differ in it: use a noisy "
                "count, or claim neighbors='replace-one'"
            )
            related = (context.the_claim, context.effect(sink.node, "where it is released"))
            yield Report(witness.node, message, related)
    for noise in context.noises:
        for term in factors(noise):
            size = context.exposed.of(term).get(Exposure.SIZE)
            if size is not None and size.node is not None:
                message = (
                    "the amount of noise depends on the exact number of records, and neighbours differ in it: use a "
                    "public bound, or claim neighbors='replace-one'"
                )
                yield Report(size.node, message, places(context, noise.draw, "the noise"))
                break


RULE = Rule(
    code="DP204",
    name="private size as public",
    severity=Severity.WARNING,
    what="Under add-remove, the length of the data goes into the result or into the scale without noise.",
    why="One record more or less changes it, so that it is private as everything else.",
    bug="Opacus divided by an expected batch size taken from the data (issues 571 and 819): claimed 1.2, leaked 2.5.",
    bad=(
        """
        @dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 1))
        def mean(rng, values, epsilon):
            return (sum(values) + rng.laplace(scale=1 / epsilon)) / max(len(values), 1)
        """,
        # Opacus 571: the expected batch size comes from the data
        """
        @dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 1))
        def step(rng, gradients, epsilon):
            batch = len(gradients)
            noisy = sum(gradients) + rng.laplace(scale=1 / epsilon)
            return noisy / batch
        """,
    ),
    good=(
        """
        @dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 1))
        def mean(rng, values, epsilon):
            total = sum(values) + rng.laplace(scale=2 / epsilon)
            count = len(values) + rng.laplace(scale=2 / epsilon)
            return total / max(count, 1)
        """,
        """
        @dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 100))
        def mean(rng, values, epsilon):
            n = len(values)
            return sum(values) / n + rng.laplace(scale=100 / (n * epsilon))
        """,
    ),
    check=check,
    error_if_refuted=True,
    effects=ANY_EFFECT,
)
