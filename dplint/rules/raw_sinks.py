"""What several rules share: values that leave a mechanism and still show the data."""

from __future__ import annotations

from collections.abc import Iterator

from dplint.outcomes import Related
from dplint.rules.context import Context
from dplint.rules.flow.exposure import Exposure, says_public
from dplint.rules.flow.terms import Sink, Term, TermKind

RELEASES = ("return", "yield")
_BEHIND_TESTS = (Exposure.SELECTION, Exposure.SIZE)
"""What propose-test-release may release once a noisy test has passed; delta is for the case that it should not have."""


def exposed_sinks(context: Context, kinds: tuple[str, ...], exposure: Exposure) -> Iterator[tuple[Sink, Term]]:
    """Sinks whose value shows the data in this way, with the witness; those behind a coin are left out."""
    for sink in context.graph.sinks:
        if is_tested_answer(context, sink) or (exposure in _BEHIND_TESTS and is_behind_test(context, sink)):
            continue
        if any(map(says_public, sink.guards)) or context.tells_itself(sink.node):
            continue
        if sink.kind in kinds and not context.exposed.is_random(sink.guards):
            witness = context.exposed.of(sink.term).get(exposure)
            if witness is not None:
                yield sink, witness


def is_tested_answer(context: Context, sink: Sink) -> bool:
    """Whether it is an answer of few that a noisy test has let through, as propose-test-release does it."""
    return is_behind_test(context, sink) and _is_answer(sink.term)


def is_behind_test(context: Context, sink: Sink) -> bool:
    """Whether it leaves only where a noisy test has passed, and the claim has a delta for where it should not have."""
    return context.has_delta and context.exposed.is_tested(sink.guards)


def _is_answer(term: Term) -> bool:
    """Whether a value is the answer to a comparison, which far from its border all neighbours give, too."""
    while term.kind is TermKind.CALL and term.name in ("int", "bool", "float", "str") and len(term.args) == 1:
        term = term.args[0]
    if term.kind is TermKind.CHOICE:
        return all(map(_is_answer, term.args))
    return term.kind in (TermKind.COMPARISON, TermKind.CONSTANT)


def places(context: Context, witness: Term, message: str) -> tuple[Related, ...]:
    """The claim and the witness."""
    if witness.node is None:
        return (context.the_claim,)
    return context.the_claim, Related(context.span(witness.node), message)
