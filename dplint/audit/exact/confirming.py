"""A loss that was computed becomes a verdict once runs of the very function agree: the program is a translation."""

from __future__ import annotations

from dplint.audit.exact.compared import compare_on
from dplint.audit.exact.evidence import Shown
from dplint.audit.exact.pairs import ComputedPair
from dplint.audit.examples import example_in_event
from dplint.audit.run_blocks import NotOnLanes, WrongTranslation
from dplint.audit.session import AuditSession
from dplint.audit.watching import watched
from dplint.events.counting import EventCounter
from dplint.events.printed import PrintedEvent
from dplint.outcomes import Bounds, Confirmation, Counterexample, ExampleDraw, Measure, WatchedRuns
from dplint.program.nodes import Program
from dplint.runner.client import DataValue
from dplint.statistics.intervals import interval

CONFIRMING = "confirming"
"""What it is called for those who wait: the claim is refuted by then, if the function is what was computed."""
_RUNS = 2_000
_ALPHA = 1e-6
"""How seldom runs of the very function may seem to disagree with its probabilities."""
_STREAM, _EXAMPLE, _PATH = (1 << 21,), (1 << 21, 1), (1 << 21, 2)
"""The names of their random streams; the passes of an audit count up from zero."""


def confirm(session: AuditSession, program: Program, computed: ComputedPair, shown: Shown) -> Confirmation | None:
    """Runs of the function on both inputs; None where densities are the evidence, which are compared once more instead.

    Raises WrongTranslation if the function does not do what the program does on the same draws, and RunnerError.
    """
    data = _data(session, computed)
    session.load()
    if shown.evidence.measure is Measure.DENSITY:
        session.coverage.runs += compare_on(session, program, computed)
        return None
    counter, runs = EventCounter([PrintedEvent(shown.witness.event)], len(data), session.texts), 0
    for chunk in session.sample(data, computed.choice.values, _RUNS, _STREAM, CONFIRMING, plain=True):
        runs += chunk.runs
        for side, batch in enumerate(chunk.batches):
            counter.add(side, batch)
    (counts,) = counter.hits()
    probabilities = (shown.evidence.p1, shown.evidence.p2)
    agrees = all(_agree(count, runs, p) for count, p in zip(counts, probabilities, strict=True))
    return Confirmation(count1=counts[0], count2=counts[1], runs=runs, agrees=agrees)


def example_of(session: AuditSession, computed: ComputedPair, shown: Shown) -> tuple[ExampleDraw, ...]:
    """What was drawn in one run on D1 that shows it; empty where no such run can be made on lanes.

    Raises WrongTranslation if the function does something else on these draws.
    """
    if shown.evidence.measure is Measure.DENSITY:
        return ()
    try:
        session.use_lanes()
        return example_in_event(
            session, session.data_value(computed.pair, 1), computed.choice.values, shown.witness.event, _EXAMPLE
        )
    except WrongTranslation:
        raise
    except NotOnLanes:
        return ()
    finally:
        session.leave_lanes()


def path_of(session: AuditSession, computed: ComputedPair, found: Counterexample) -> WatchedRuns | None:
    """What watched calls on the pair show of the cause."""
    return watched(session, _data(session, computed), computed.choice.values, found, _PATH)


def _data(session: AuditSession, computed: ComputedPair) -> list[DataValue]:
    return [session.data_value(computed.pair, side) for side in (1, 2)]


def _agree(count: int, runs: int, probability: Bounds) -> bool:
    low, high = interval(count, runs, _ALPHA)
    return low <= probability.high and probability.low <= high
