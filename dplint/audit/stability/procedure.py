"""Claims of stability: a search for a pair that refutes one. There is no noise, so there are no statistics."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from dplint.audit.distances import fitting_metric, shown
from dplint.audit.inputs import Choice, find_choices, gather_inputs, try_choices
from dplint.audit.pair_search import PHASE, Compared, PairSearch, read
from dplint.audit.preparation import why_none
from dplint.audit.procedure import Facts, Needs, Suggestion
from dplint.audit.progress import OutOfTime
from dplint.audit.session import AuditSession
from dplint.audit.stability.coupling import FurthestBySize, refuted_by_chance
from dplint.audit.watching import skipped_lines
from dplint.claims import Literal, Metric, Pair, Stability
from dplint.expressions import ExpressionError, evaluate_expression
from dplint.inputs.forms import DefaultNotRead, default_of, form_notes
from dplint.jobs import AuditJob
from dplint.outcomes import NotRefuted, OutputPair, SkippedLine, StopReason, Unstable, Untestable
from dplint.relations import DataKind, relation_of
from dplint.runner.client import RunnerError

_FIRST = 8
"""Pairs that choices of arguments are tried on first."""
_WATCHED = 100
"""Inputs that are run once more to see which lines they take."""
_AGAIN = 20
"""Further runs of the pair that refutes a claim: one that shuffles two records may give the same again by chance."""
_SHARE, _FAR = 0.05, "furthest apart without noise"
"""Of the budget, in seconds or in runs, for the furthest pair of a mechanism, and what that is called."""
_DRAWS, _CONFIRM, _LINES = (1 << 25,), (1 << 26,), (1 << 27,)
_CURE = "Claim what is random with dp(...), and the part before the noise with stable(...)."


class StabilityTest:
    """Refutes a claim of stability by a pair, or says what was tried."""

    name = "pairs"
    phase = PHASE
    needs = Needs.RUNS
    anytime = False

    def decide(self, session: AuditSession, job: AuditJob, _facts: Facts) -> Unstable | NotRefuted | Untestable:
        """The verdict. Raises what a session raises."""
        stability = session.mechanism.claim.stable
        assert stability is not None
        simple = replace(job, settings=replace(job.settings, use_solver=False))
        pairs = session.find_pairs()
        inputs = gather_inputs(session, pairs[:_FIRST])
        tried = try_choices(session, inputs, find_choices(simple, session, pairs, session.claimed[0]), _DRAWS)
        if not tried.running:
            raise why_none(session, tried)
        session.coverage.note(*tried.notes, *form_notes(session.mechanism))
        looks = [] if stability.centred else session.look(inputs.data, tried.running[0].values, 1, _DRAWS)
        drawn = next((draw for look in looks for draw in look.draws), None)
        choices = [(choice, allowed) for choice in tried.running if (allowed := _allowed(session, choice)) is not None]
        if not choices:
            return Untestable(reason="d_out has no value of at least 0 with any arguments that were tried")
        if stability.open_metric:
            stability = replace(stability, metric=_fitting(session, pairs, choices[0][0]))
        settings = session.settings
        search = PairSearch(session, job, stability, choices, settings.budget, settings.max_runs)
        stop = search.run(pairs)
        if drawn is not None:
            return _by_chance(search, pairs, f"line {drawn.line} draws {drawn.distribution} noise")
        if stop is StopReason.VIOLATION:
            return _refuted(search, pairs)
        if not search.compared:
            reason = str(search.not_measured or "every pair that was tried raises on both sides")
            return Untestable(reason=reason, cure="Name the metric that fits the output with metric= in the claim.")
        return _not_refuted(session, search, stop)


@dataclass(frozen=True)
class Furthest:
    """Suggests the pair whose outputs are furthest apart without noise, where it is further than the patterns are.

    Of data made of records. Not of a function whose losses are computed: there is a climb for that. What it suggests is
    bet on with fresh runs.
    """

    needs: Needs = Needs.RUNS
    name: ClassVar[str] = "furthest pair"
    phase: ClassVar[str] = PHASE

    def decide(self, session: AuditSession, job: AuditJob, facts: Facts) -> Facts | None:
        """One pair or two as facts; None if there is nothing to say. Raises what a session raises."""
        claim = session.mechanism.claim
        own = claim.pairs is not None or relation_of(claim).data is not DataKind.RECORDS
        if own or session.machine or facts.proof or facts.search:
            return None
        setting = max(session.claimed, key=lambda one: one.epsilon)
        pairs = setting.fitting(session.find_pairs())
        if not pairs:
            return None
        choice = find_choices(job, session, pairs, setting, quick=True)[0]
        stability = Stability(1.0, None, _fitting(session, pairs, choice), centred=True)
        settings = session.settings
        runs = None if settings.max_runs is None else session.runs + int(_SHARE * settings.max_runs)
        search = PairSearch(session, job, stability, [(choice, math.inf)], _SHARE * settings.budget, runs)
        search.run(pairs)
        found = tuple(Suggestion(replace(one.pair, pattern=_FAR)) for one in search.further)
        return Facts(found) if found else None


def _fitting(session: AuditSession, pairs: Sequence[Pair], choice: Choice) -> Metric:
    """The metric that fits the outputs of these pairs, with every draw at its centre."""
    inputs = gather_inputs(session, pairs)
    outputs = [read(one) for one in session.noise_free(inputs.data, choice.values)]
    return fitting_metric([(outputs[one], outputs[two]) for one, two in inputs.sides])


def _allowed(session: AuditSession, choice: Choice) -> float | None:
    """What the claim allows with these arguments; None where that is nothing that a distance can be."""
    stability = session.mechanism.claim.stable
    if stability is None or stability.d_out is None:
        return math.inf
    values: dict[str, Literal] = {}
    for parameter in session.mechanism.parameters if isinstance(stability.d_out, str) else ():
        try:
            values[parameter.name] = default_of(parameter)
        except DefaultNotRead:
            continue
    try:
        known = {**values, **choice.values}
        found = stability.d_out if isinstance(stability.d_out, float) else evaluate_expression(stability.d_out, known)
    except ExpressionError:
        return None
    return found if found >= 0 else None


def _refuted(search: PairSearch, pairs: Sequence[Pair]) -> Unstable | Untestable:
    """The simplest of the refuting pairs that are at hand, once it has been run again."""
    chosen, session = search.simplest(), search.session
    data = [session.data_value(chosen.pair, side) for side in (1, 2)]
    for number in range(_AGAIN):
        batches = session.calls(data, chosen.choice.values, 1, (*_CONFIRM, number))
        if repr(tuple(map(read, batches))) != repr(chosen.outputs):
            return _by_chance(search, pairs, "it gives different outputs on the same data")
    effort = search.effort(StopReason.VIOLATION)
    return Unstable(pair=_pair(chosen), stability=search.stability, d_out=chosen.allowed, effort=effort)


def _by_chance(search: PairSearch, pairs: Sequence[Pair], why: str) -> Unstable | Untestable:
    """Of a function that draws: what runs refute, or that nothing is said."""
    choices = [(choice, math.inf) for choice, _ in search.choices]
    allowed = [one for _, one in search.choices]
    settings, stability = search.session.settings, search.stability
    runs = None if settings.max_runs is None else search.session.runs + settings.max_runs
    further = FurthestBySize(search.session, search.job, stability, choices, settings.budget, runs, allowed=allowed)
    further.run(pairs)
    reason = (
        f"{why}, and stability is about functions without noise; runs of the furthest pairs do not refute it either"
    )
    return refuted_by_chance(search.session, further) or Untestable(reason=reason, cure=_CURE)


def _not_refuted(session: AuditSession, search: PairSearch, stop: StopReason) -> NotRefuted:
    furthest = search.furthest
    assert furthest is not None
    if search.raised:
        session.coverage.note(f"of the pairs, {search.raised:,} raise an exception on both sides, and say nothing")
    if search.not_measured is not None:
        session.coverage.note(f"some pairs were not compared: {search.not_measured}")
    skipped = _skipped(session, search, furthest.choice.values)
    effort = search.effort(stop)
    allowed = furthest.allowed if math.isfinite(furthest.allowed) else None
    pair = _pair(furthest) if furthest.distance.value > 0 else None
    return NotRefuted(furthest=pair, stability=search.stability, d_out=allowed, effort=effort, skipped=skipped)


def _skipped(session: AuditSession, search: PairSearch, arguments: dict[str, Literal]) -> tuple[SkippedLine, ...]:
    """Lines that none of the inputs takes, as far as they are watched."""
    every = list(search.data.values())
    step = max(1, len(every) // _WATCHED)
    watched = [session.data_value(one.pair, side) for one in search.best for side in (1, 2)]
    try:
        looks = session.look([*every[::step], *watched], arguments, 1, _LINES, passed_over=True)
    except (RunnerError, OutOfTime):
        return ()
    own = range(len(session.mechanism.source_lines))
    return tuple(one for one in skipped_lines(session, [looks]) if one.below in own)


def _pair(compared: Compared) -> OutputPair:
    return compared.shown_with(*map(shown, compared.outputs))
