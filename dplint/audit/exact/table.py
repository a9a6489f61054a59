"""The table of one pair, for `dplint inspect exact`: every output with both probabilities, the worst first.

The exact counterpart of a line of a sweep: the loss of the worst pair, and its delta at every tested epsilon.
"""

from __future__ import annotations

import functools
import itertools
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from dplint.audit.exact.pairs import (
    LIMITS,
    ComputedPair,
    NotComputed,
    compare_exact,
    compute_pair,
    computed_pairs,
    each_once,
    output_text,
    why_not_compared,
    worst_first,
)
from dplint.audit.inputs import Choice, find_choices
from dplint.audit.procedure import Facts, Needs
from dplint.audit.run_blocks import WrongTranslation, in_words
from dplint.audit.session import AuditSession
from dplint.audit.settings import Setting, points_note
from dplint.claims import Pair
from dplint.expressions import expression_parameters
from dplint.inputs.pairs import are_neighbours
from dplint.jobs import ExactJob, SweepJob
from dplint.outcomes import (
    Argument,
    Bounds,
    ExactCurve,
    ExactDelta,
    ExactOutput,
    ExactTable,
    Failed,
    FailureKind,
    Untestable,
)
from dplint.program.refusals import Unsupported
from dplint.readings.exact import Limits, OutputLoss, hockey_stick

_ASKED = "asked for"
_MOST_PAIRS = 200
_POINTS = 21
"""Values of epsilon that delta is shown for."""


def claimed_at(job: ExactJob) -> Sequence[float]:
    """The values for the parameters of the claim: what is asked for, or the first of the settings."""
    claim = job.mechanism.claim
    names = {
        name for text in (claim.epsilon, claim.delta) if isinstance(text, str) for name in expression_parameters(text)
    }
    asked = [
        float(value)
        for name, value in job.arguments
        if name in names and isinstance(value, int | float) and not isinstance(value, bool)
    ]
    return asked[:1] or job.settings.epsilons[:1]


@dataclass(frozen=True)
class ExactTables:
    """Computes the pair that is asked for, or all pairs of the claim, of which the worst is shown."""

    needs: Needs = Needs.PROGRAM
    name: ClassVar[str] = "exact"
    phase: ClassVar[str] = "computing probabilities"

    def decide(self, session: AuditSession, job: ExactJob, facts: Facts) -> ExactTable | Untestable | Failed:  # noqa: ARG002
        """The table; untestable if no pair can be computed, or the function does something else, with the reason."""
        assert not isinstance(job.program, Unsupported)
        best: ComputedPair | None = None
        refusals: dict[str, int] = {}
        computed = 0
        given = job.d1 is not None or job.d2 is not None
        setting = session.claimed[0]
        pairs = [_asked_pair(job)] if given else setting.fitting(session.find_pairs())
        for pair in each_once(pairs)[:_MOST_PAIRS]:
            for choice in self._choices(session, job, pair, pairs):
                session.announce(self.phase)
                try:
                    found = compute_pair(session, job.program, pair, choice, Limits(), prune=False)
                except NotComputed as error:
                    refusals[str(error)] = refusals.get(str(error), 0) + 1
                    continue
                computed += 1
                if best is None or found.loss.low > best.loss.low:
                    best = found
        if best is None:
            reason = next(iter(refusals), "the claim leaves no pair")
            return Untestable(reason=reason)
        notes = tuple(f"{count} pair(s) left out: {reason}" for reason, count in refusals.items())
        asked = [name for name, _ in job.arguments if job.mechanism.parameter(name) is None]
        if asked:
            return Failed(kind=FailureKind.INPUT, reason=f"the mechanism has no parameter {asked[0]!r}")
        # Computed anew, since the laws of a pair are there until the next one is computed.
        if computed > 1:
            best = compute_pair(session, job.program, best.pair, best.choice, Limits(), prune=False)
        table = _table(session, best if given else worst_first(best), computed, notes)
        try:
            return replace(table, not_compared=why_not_compared(session, job.program, best, run=job.compare))
        except WrongTranslation as error:
            return Untestable(reason=str(error))

    def _choices(self, session: AuditSession, job: ExactJob, pair: Pair, pairs: Sequence[Pair]) -> list[Choice]:
        """Arguments: what is asked for, and the first choice for what is left open."""
        (choice, *_) = find_choices(job, session, pairs if len(pairs) > 1 else [pair], session.claimed[0], quick=True)
        asked = dict(job.arguments)
        fixed = tuple(Argument(a.name, asked.get(a.name, a.value), a.why) for a in choice.fixed)
        rest = tuple(a for a in choice.arguments if a.name not in asked)
        named = {a.name for a in fixed}
        more = tuple(Argument(name, value, _ASKED) for name, value in asked.items() if name not in named)
        return [Choice((*rest, *more), fixed)]


def _asked_pair(job: ExactJob) -> Pair:
    size = len(job.d1) if isinstance(job.d1, list | tuple) else 1
    return Pair(job.d1, job.d2, _ASKED, size)


def _table(session: AuditSession, best: ComputedPair, pairs: int, notes: tuple[str, ...]) -> ExactTable:
    mechanism, setting = session.mechanism, session.claimed[0]
    pair = best.pair
    custom = mechanism.claim.pairs is not None
    return ExactTable(
        d1=pair.d1,
        d2=pair.d2,
        arguments=best.arguments,
        claimed=setting.epsilon,
        claimed_delta=setting.delta,
        at_claim=delta_at(best, setting.epsilon) if setting.delta > 0 else None,
        neighbours=custom or are_neighbours(mechanism, pair.d1, pair.d2),
        forwards=tuple(map(_row, best.losses.forwards)),
        backwards=tuple(map(_row, best.losses.backwards)),
        deltas=_deltas(best),
        pairs=pairs,
        certified_by=best.certified_by,
        notes=tuple(filter(None, (*notes, points_note(mechanism.claim)))),
    )


def _row(one: OutputLoss) -> ExactOutput:
    return ExactOutput(
        output="" if one.unknown else output_text(one.output),
        measure=one.measure,
        p1=one.p1,
        p2=one.p2,
        loss=one.loss,
        infinite=one.infinite,
    )


def delta_at(computed: ComputedPair, epsilon: float) -> ExactDelta:
    """The hockey-stick divergence, the larger one of both orders. Of the pair computed last."""
    found = computed.losses
    sides = (found.laws, (found.laws[1], found.laws[0]))
    return ExactDelta(epsilon, _larger([hockey_stick(laws, epsilon, precision=found.precision) for laws in sides]))


def _deltas(computed: ComputedPair) -> tuple[ExactDelta, ...]:
    """Up to the loss of the pair."""
    most = computed.loss.high if computed.loss.high < math.inf else 2 * max(1.0, _finite(computed))
    points = [most * i / (_POINTS - 1) for i in range(_POINTS)]
    return tuple(delta_at(computed, epsilon) for epsilon in points)


def _finite(computed: ComputedPair) -> float:
    rows = (*computed.losses.forwards, *computed.losses.backwards)
    return max((row.loss.low for row in rows if row.loss.low < math.inf), default=1.0)


def _larger(bounds: Sequence[Bounds]) -> Bounds:
    return Bounds(max(one.low for one in bounds), max(one.high for one in bounds))


_PHASE = "computing probabilities"
_PAIRS = 60
"""Small ones first: a number and not a time, so that the same sweep gives the same curve."""
_SAME = 1e-9
"""Losses that differ by less are the same: the last digits are those of rounded scales."""
_TIES = 8
_SECONDS = 10.0
"""Of CPU time, for pairs and deltas together: on machines that are slow indeed."""


def exact_curve(
    job: SweepJob, session: AuditSession, setting: Setting, pairs: Sequence[Pair], choice: Choice
) -> ExactCurve | str:
    """The curve of the pair that loses most with these arguments, or why there is none.

    Raises Cancelled and OutOfTime. Of pairs beyond the first ones nothing is said.
    """
    if job.settings.exact_seconds == 0:
        return "not computed exactly: the settings turn that off"
    if isinstance(job.program, Unsupported):
        return f"not computed exactly: {in_words(job.program)}"
    session.announce(_PHASE)
    end = time.process_time() + _SECONDS
    try:
        computed = computed_pairs(session, job.program, pairs, choice, setting.delta, end)
        found = list(itertools.islice(computed, _PAIRS))
        if not found:
            return "not computed exactly: it takes too long, or every run raises an exception"
        compare_exact(session, job.program, found)
        worst = _worst(session, found)
    except NotComputed as error:
        return str(error)
    return ExactCurve(
        d1=worst.pair.d1,
        d2=worst.pair.d2,
        arguments=worst.arguments,
        loss=worst.loss,
        deltas=tuple(_deltas_of_worst(session, worst, job.epsilons, end)),
        pairs=len(found),
        certified_by=worst.certified_by,
    )


def _worst(session: AuditSession, found: Sequence[ComputedPair]) -> ComputedPair:
    """The pair that loses most, of several that lose as much one with the largest delta below; its laws are there."""
    most = max(one.loss.low for one in found)
    alike = [one for one in found if one.loss.low >= most - _SAME][:_TIES]
    half = most / 2 if 0 < most < math.inf else 1.0
    anew = functools.partial(_anew, session)
    best = alike[0] if len(alike) == 1 else max(alike, key=lambda one: delta_at(anew(one), half).delta.low)
    return anew(best)


def _anew(session: AuditSession, one: ComputedPair) -> ComputedPair:
    """Computed once more: the laws of a pair are there until the next one is computed."""
    return compute_pair(session, one.program, one.pair, one.choice, LIMITS, prune=False)


def _deltas_of_worst(
    session: AuditSession, computed: ComputedPair, epsilons: Sequence[float], end: float
) -> list[ExactDelta]:
    found: list[ExactDelta] = []
    for epsilon in sorted(epsilons):
        session.check_cancelled()
        if time.process_time() > end:
            break
        found.append(delta_at(computed, epsilon))
    return found
