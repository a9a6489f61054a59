"""Claims of trainings: one step is run on neighbours with given noise, and all steps are accounted by that."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from dplint.audit.distances import NotMeasured, shown
from dplint.audit.inputs import Choice, find_choices, gather_inputs, try_choices
from dplint.audit.pair_search import Compared, read
from dplint.audit.preparation import why_none
from dplint.audit.procedure import Facts, Needs
from dplint.audit.session import AuditSession
from dplint.audit.steps.accountant import Composition
from dplint.audit.steps.search import Point, StepSearch
from dplint.claims import Metric, Stability
from dplint.inputs.forms import form_notes
from dplint.jobs import AuditJob
from dplint.outcomes import NotOverspent, OutputPair, Overspent, StepSpend, StopReason, Untestable

_FIRST, _MOST_CHOICES = 8, 4
_DRAWS = (1 << 25,)
_CURE = (
    "Let the function make one step, take the batch as its data, and return what it releases: gradients with normal "
    "noise of NumPy, random or torch, or weights that are a sum of these."
)
_RESTS = "what is told of the noise is what {0:,} runs with given noise have shown"


class StepAudit:
    """Refutes a claim of a training by one pair of batches, or says what was tried."""

    name = "steps"
    phase = "looking for the worst sample"
    needs = Needs.RUNS
    anytime = False

    def decide(self, session: AuditSession, job: AuditJob, _facts: Facts) -> Overspent | NotOverspent | Untestable:
        """The verdict. Raises what a session raises."""
        if any(one.size is not None for one in session.claimed):
            return Untestable(reason="the claim of a training cannot depend on the size of a batch")
        search = _search(session, job)
        stop = search.run(session.find_pairs())
        if stop is not StopReason.VIOLATION and search.refutes_at_a_finer_look():
            stop = StopReason.VIOLATION
        session.coverage.note(_RESTS.format(session.runs), *search.not_seen())
        if stop is StopReason.VIOLATION:
            return _overspent(search)
        if search.unread or search.furthest is None:
            # Not refuted would be too much to say: it is the other batches that may tell something.
            reason = search.unread or search.not_measured or "every pair that was tried raises on both sides"
            return Untestable(reason=f"what a step releases is not understood: {reason}", cure=_CURE)
        far = search.furthest
        pair = _pair(far) if far.distance.value > 0 else None
        spend = None if pair is None else _spend(search, far)
        return NotOverspent(
            furthest=pair,
            stability=search.stability,
            d_out=far.allowed if math.isfinite(far.allowed) else None,
            effort=search.effort(stop),
            spend=spend,
        )


def _search(session: AuditSession, job: AuditJob) -> StepSearch:
    """A search with every choice of arguments that runs."""
    training = session.mechanism.claim.training
    assert training is not None
    composition = Composition(training.sample_rate, training.steps)
    simple = replace(job, settings=replace(job.settings, use_solver=False))
    pairs = session.find_pairs()
    inputs = gather_inputs(session, pairs[:_FIRST])
    choices: list[tuple[Choice, float]] = []
    points: list[Sequence[Point]] = []
    for number, setting in enumerate({repr(one.parameters): one for one in session.claimed}.values()):
        claimed = [(one.epsilon, one.delta) for one in session.claimed if one.parameters == setting.parameters]
        tried = try_choices(session, inputs, find_choices(simple, session, pairs, setting), (*_DRAWS, number))
        session.coverage.note(*tried.notes)
        if not tried.running and not choices:
            raise why_none(session, tried)
        allowed = min(composition.most_apart(*point) for point in claimed)
        for choice in tried.running[:_MOST_CHOICES]:
            choices.append((choice, allowed))
            points.append(claimed)
    session.coverage.note(*form_notes(session.mechanism))
    settings, stability = session.settings, Stability(1.0, None, Metric.L2)
    return StepSearch(
        session, job, stability, choices, settings.budget, settings.max_runs, composition=composition, points=points
    )


def _overspent(search: StepSearch) -> Overspent | Untestable:
    """The simplest of the refuting pairs at hand, once it has been learnt again, with other noise."""
    chosen = search.simplest()
    if not _is_refuted_again(replace(search, again=True, _readings={}), chosen):
        return Untestable(reason="what a step releases is not what it seemed to be, with other noise", cure=_CURE)
    return Overspent(
        pair=_pair(chosen),
        stability=search.stability,
        d_out=chosen.allowed,
        effort=search.effort(StopReason.VIOLATION),
        spend=_spend(search, chosen),
    )


def _is_refuted_again(search: StepSearch, chosen: Compared) -> bool:
    """Whether a pair refutes the claim by what other noise tells of it."""
    data = [search.session.data_value(chosen.pair, side) for side in (1, 2)]
    one, two = search.run_on(data, chosen.choice)
    if isinstance(one, NotMeasured) or isinstance(two, NotMeasured):
        return False
    number = search.number(chosen.choice)
    try:
        found = search.measured(chosen.pair, number, (one, two))
    except NotMeasured:
        return False
    return found.exceeds(chosen.allowed) or search.exceeds(chosen.pair, found.laws, number)


def _spend(search: StepSearch, compared: Compared) -> StepSpend:
    """At the point of the claim with the least delta, of those that are exceeded if some are."""
    laws, composition = search.laws(compared), search.composition
    spent = list(composition.spent(laws))
    by_point = [
        (max(one.epsilon(delta) for one in spent), epsilon, delta)
        for epsilon, delta in search.points[search.number(compared.choice)]
    ]
    exceeded = [row for row in by_point if row[0] > row[1]] or by_point
    epsilon, claimed, delta = min(exceeded, key=lambda row: row[2])
    return StepSpend(laws.apart, laws.ratio, laws.dims, composition.rate, composition.steps, epsilon, delta, claimed)


def _pair(compared: Compared) -> OutputPair:
    outputs = [read(released.seen.batch) for released in compared.outputs]
    return compared.shown_with(*(str(one) if isinstance(one, NotMeasured) else shown(one) for one in outputs))
