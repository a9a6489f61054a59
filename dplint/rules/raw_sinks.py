"""What several rules share: values that leave a mechanism and still show the data."""

from __future__ import annotations

from collections.abc import Iterator

from dplint.outcomes import Related
from dplint.rules.context import Context
from dplint.rules.flow.exposure import Exposure, says_public
from dplint.rules.flow.terms import Sink, Term

RELEASES = ("return", "yield")
_BEHIND_TESTS = (Exposure.SELECTION, Exposure.SIZE)
"""What propose-test-release may release once a noisy test has passed; delta is for the case that it should not have."""


def exposed_sinks(context: Context, kinds: tuple[str, ...], exposure: Exposure) -> Iterator[tuple[Sink, Term]]:
    """Sinks whose value shows the data in this way, with the witness; those behind a coin are left out."""
    for sink in context.graph.sinks:
        if exposure in _BEHIND_TESTS and context.has_delta and context.exposed.is_tested(sink.guards):
            continue
        if any(map(says_public, sink.guards)):
            continue
        if sink.kind in kinds and not context.exposed.is_random(sink.guards):
            witness = context.exposed.of(sink.term).get(exposure)
            if witness is not None:
                yield sink, witness


def places(context: Context, witness: Term, message: str) -> tuple[Related, ...]:
    """The claim and the witness."""
    if witness.node is None:
        return (context.the_claim,)
    return context.the_claim, Related(context.span(witness.node), message)
