"""What shows that a pair loses more than is claimed: an output or an event that can be counted in runs.

A loss that was computed becomes a verdict once runs of the very function agree: the program is a translation.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from dplint.audit.exact.pairs import ComputedPair, compare_on, observation_of, turned
from dplint.audit.run_blocks import NotOnLanes, WrongTranslation
from dplint.audit.session import AuditSession
from dplint.audit.watching import example_in_event, watched
from dplint.definitions import MORE_SHARES, Promised, points_of
from dplint.events.counting import EventCounter
from dplint.events.printed import NotAnEvent, PrintedEvent
from dplint.outcomes import (
    Bounds,
    Broken,
    Confirmation,
    Counterexample,
    ExactEvidence,
    ExampleDraw,
    Impossible,
    Measure,
    Observation,
    OutputEvent,
    WatchedRuns,
    Witness,
    exceeds,
)
from dplint.program.nodes import Program
from dplint.readings.exact import (
    DeltaEvent,
    NumberEvent,
    OutputLoss,
    Raised,
    delta_event,
    hockey_stick,
    number_event,
    renyi_divergence,
)
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


_ROWS = 6
"""Forms of outputs that an event is looked for on."""
_LEAST = 1e-4
"""The probability on D1 that an observation must have: runs say nothing of what is rarer."""
_ROUNDING = 1e-12
"""An output that is impossible on D2, or one of no density, must be likelier than this on D1: rounding of floats makes
outputs possible that are not.
"""
_DIVERGENCE_ROUNDING = 1e-9
"""By how much a divergence must exceed its bound: a scale that was made for it is a rounded float."""
_TOLERANCE = 1e-3
"""How well a delta is known, as a share of it, before an event is looked for that shows it."""
_LOSSES = (20.0, 10.0, 6.0, 4.0, 3.0, 2.0, 1.5, 1.0, 0.7, 0.5, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01, 0.0)
"""Of an event that is shown beside a divergence: it is one of much loss, if it is likely enough to be seen."""
_DELTA_ROUNDING = 1e-12
"""What rounding of a scale that was made for this delta may do, see `exceeds`."""


@dataclass(frozen=True, slots=True)
class Shown:
    """An observation whose probabilities refute the claim. lower: the loss that it shows, for certain."""

    witness: Witness
    evidence: ExactEvidence
    lower: float
    broken: Broken | None = None

    @property
    def of_exceptions(self) -> bool:
        """Whether what is observed is that the function raises."""
        return self.witness.observation.of_exceptions


def is_crash(computed: ComputedPair) -> bool:
    """Whether on one side of a pair all outputs are exceptions, and on the other not all: then every event is about
    that.
    """
    sides = (computed.losses.forwards, computed.losses.backwards)
    one, other = (all(isinstance(row.output, Raised) for row in rows if row.p1.high > 0) for rows in sides)
    return one != other


def shown_by(computed: ComputedPair, claimed: float) -> Shown | None:
    """The output or event that loses most, and more than is claimed; None if none with a probability is known."""
    found = [shown for row in computed.losses.forwards if (shown := _by_output(computed, row, claimed)) is not None]
    if found:
        crash = is_crash(computed)
        return max(found, key=lambda one: (crash or not one.of_exceptions, one.lower, one.evidence.p1.low))
    shown = _by_event(computed, claimed)
    if shown is None and computed.worst.measure is Measure.PROBABILITY and exceeds(computed.worst.loss.low, claimed):
        return shown_with_delta(computed, claimed, 0.0)  # a tail, of which no single output is likely enough
    return shown


def shown_with_delta(computed: ComputedPair, epsilon: float, delta: float) -> Shown | None:
    """An event whose probabilities refute (epsilon, delta), in the order of the pair; None if none is known.

    Of the pair computed last. lower: the least epsilon that the event allows with this delta.
    """
    found = computed.losses
    event = delta_event(found.laws, epsilon, delta, precision=found.precision)
    if event is None or not event.gain.low > delta + _DELTA_ROUNDING or event.p1.low < _LEAST:
        return None
    if not exceeds(event.least_epsilon(delta), epsilon) or not _is_readable(event.expression):
        return None
    return _shown(computed, OutputEvent(event.expression), event, event.least_epsilon(delta))


def shown_on_curve(
    computed: ComputedPair, promised: Promised
) -> tuple[ComputedPair, Shown, tuple[float, float]] | None:
    """An event that refutes a point of the curve of a promise, with the point; None if none is known.

    Of the pair computed last, in the order in which the event is the likelier.
    """
    for epsilon, delta in points_of(promised, MORE_SHARES):
        for one in (computed, turned(computed)):
            losses = one.losses
            tolerance = _TOLERANCE * delta
            lost = hockey_stick(losses.laws, epsilon, precision=losses.precision, tolerance=tolerance)
            shown = shown_with_delta(one, epsilon, delta) if lost.low > delta else None
            if shown is not None:
                return one, shown, (epsilon, delta)
    return None


def shown_by_divergence(computed: ComputedPair, promised: Promised) -> tuple[ComputedPair, Shown] | None:
    """A Renyi divergence that refutes a promise, with an event that much of it comes from; None if none does.

    Of the pair computed last, in the order in which it is the larger one. lower: the loss of the event, which need not
    refute the claim by itself.
    """
    best: tuple[float, float, float, ComputedPair] | None = None
    definition, amounts = promised.definition, promised.amounts
    doubled = dict(definition.orders(definition.scaled(amounts, 2.0)))
    for one in (computed, turned(computed)):
        for order, allowed in definition.orders(amounts):
            found = renyi_divergence(one.losses.laws, order, precision=one.losses.precision).low
            factor = (found / allowed) ** (1 / math.log2(doubled[order] / allowed))
            if factor > 1 + _DIVERGENCE_ROUNDING and (best is None or factor > best[0]):
                best = factor, order, found, one
    if best is None:
        return None
    factor, order, found, one = best
    least = definition.scaled(amounts, factor)
    broken = Broken(kind=promised.kind, claimed=amounts, least=least, order=order, divergence=found)
    for loss in _LOSSES:
        event = delta_event(one.losses.laws, loss, 0.0, precision=one.losses.precision)
        if event is not None and event.p1.low >= _LEAST and _is_readable(event.expression):
            shown = _shown(one, OutputEvent(event.expression), event, event.least_epsilon(0.0))
            return one, replace(shown, broken=broken)
    return None


def shown_by_densities(computed: ComputedPair) -> Shown | None:
    """The densities at the output that loses most: nothing that runs could be counted for."""
    worst = computed.worst
    observation = None if worst.unknown else observation_of(worst.output)
    if observation is None or worst.loss.low == -math.inf or _made_by_rounding(worst):
        return None
    if worst.measure is Measure.PROBABILITY and not _is_readable(observation.expression):
        return None
    return _shown(computed, observation, worst, worst.loss.low, worst.measure)


def _made_by_rounding(row: OutputLoss) -> bool:
    """Whether the outputs that lose so much are as rare as what rounding makes possible."""
    mass = row.infinite.mass if isinstance(row.infinite, Impossible) else None
    if mass is None and row.measure is Measure.PROBABILITY:
        mass = row.p1
    return mass is not None and mass.low < _ROUNDING


def _by_output(computed: ComputedPair, row: OutputLoss, claimed: float) -> Shown | None:
    if (
        row.measure is not Measure.PROBABILITY
        or not exceeds(row.loss.low, claimed)
        or row.p1.low < _LEAST
        or row.unknown
    ):
        return None
    observation = observation_of(row.output)
    if observation is None or not _is_readable(observation.expression):
        return None
    return _shown(computed, observation, row, row.loss.low)


def _by_event(computed: ComputedPair, claimed: float) -> Shown | None:
    found = computed.losses
    events = [
        number_event(*found.laws, row.key, claimed=claimed, precision=found.precision)
        for row in found.forwards[:_ROWS]
        if exceeds(row.loss.low, claimed) and row.measure is Measure.DENSITY
    ]
    enough = [one for one in events if one and exceeds(one.loss.low, claimed) and one.p1.low >= _LEAST]
    enough = [one for one in enough if _is_readable(one.expression)]
    if not enough:
        return None
    event = max(enough, key=lambda one: (one.loss.low, one.p1.low))
    return _shown(computed, OutputEvent(event.expression), event, event.loss.low)


def _is_readable(event: str) -> bool:
    """Whether an event can be counted: it may be too long."""
    try:
        PrintedEvent(event)
    except NotAnEvent:
        return False
    return True


def _shown(
    computed: ComputedPair,
    observation: Observation,
    found: OutputLoss | NumberEvent | DeltaEvent,
    lower: float,
    measure: Measure = Measure.PROBABILITY,
) -> Shown:
    certified_by = (computed.certified_by,)
    evidence = ExactEvidence(
        measure=measure, p1=found.p1, p2=found.p2, certified_by=certified_by, infinite=found.infinite
    )
    witness = Witness(d1=computed.pair.d1, d2=computed.pair.d2, arguments=computed.arguments, observation=observation)
    return Shown(witness, evidence, lower)
