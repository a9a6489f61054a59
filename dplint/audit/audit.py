"""The audit of one mechanism: screen all inputs, test early what is blatant, then select and test in full.

Ding et al., "Detecting Violations of Differential Privacy", CCS 2018, Algorithms 1 and 2, in two rounds: an early one
with few runs for what is blatant, and the published one. Each round selects on its own runs and tests on fresh ones;
the level is split between them, so that looking twice does not add false alarms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dplint.audit.budget import KEPT, Stages, levels_of, stages_of
from dplint.audit.job import AuditJob
from dplint.audit.lane_runs import NotOnLanes
from dplint.audit.preparation import (
    NothingToRun,
    Prepared,
    find_choices,
    find_pairs,
    leave_lanes,
    prepare,
    program_note,
    use_lanes,
)
from dplint.audit.screening import Choice, candidates_of, tally_runs
from dplint.audit.selection import Candidate, Tally, best_event, ranked
from dplint.audit.session import OutOfTime, Progress, Session
from dplint.audit.settings import ClaimNotTestable, Setting, claim_settings
from dplint.audit.testing import Hits, Judgement, judge
from dplint.claims import Pair
from dplint.events.counting import EventCounter
from dplint.outcomes import (
    Argument,
    Counterexample,
    Effort,
    Evidence,
    Failed,
    FailureKind,
    NoViolation,
    Outcome,
    StopReason,
    TestedEpsilon,
    Untestable,
    Violation,
)
from dplint.runner.client import RunnerError
from dplint.statistics.intervals import interval

_PREPARE, _SCREEN, _EARLY, _SELECT, _TEST = range(5)
"""Numbers of the stages in the names of random streams."""
_SLOW = 1e-3
"""Seconds for one run from which on the time limit is looked at before all inputs are screened."""


def audit(job: AuditJob, progress: Progress) -> Outcome:
    """Audit one mechanism. Everything that user code can do becomes an outcome; only dplint's own errors are raised."""
    if job.mechanism.untestable:
        return Untestable(reason=job.mechanism.untestable)
    try:
        settings = claim_settings(job.mechanism, job.settings.epsilons)
    except ClaimNotTestable as error:
        return Untestable(reason=str(error))
    with Session(job.mechanism, job.settings, job.source_text, progress) as session:
        work = _Audit(job, session, settings)
        try:
            session.load()
            pairs = find_pairs(session)
            try:
                work.notes += use_lanes(job, session)
                return work.run(pairs)
            except NotOnLanes as reason:
                # Nothing that was learnt on lanes is kept.
                work = _Audit(job, session, settings)
                work.notes.append(leave_lanes(session, reason))
                return work.run(pairs)
        except RunnerError as error:
            return Failed(
                kind=error.kind, reason=error.reason, detail=error.detail, effort=work.effort(StopReason.BUDGET)
            )
        except NothingToRun as error:
            return Failed(kind=FailureKind.INPUT, reason=str(error), effort=work.effort(StopReason.BUDGET))


@dataclass(frozen=True, slots=True)
class _Screened:
    """What trying all inputs of one setting showed: a tally for each choice of arguments, and the best events."""

    setting: Setting
    prepared: Prepared
    tallies: tuple[Tally, ...]
    candidates: tuple[Candidate, ...]


class _Audit:
    """The state of one audit: what was screened and tested so far."""

    def __init__(self, job: AuditJob, session: Session, settings: Sequence[Setting]) -> None:
        self.job = job
        self.session = session
        self.settings = settings
        self.stages: Stages = stages_of(job.settings)
        self.levels = levels_of(job.settings.alpha, len(settings))
        self.tested: dict[int, TestedEpsilon] = {}
        self.choices: dict[str, tuple[Argument, ...]] = {}
        self.notes: list[str] = []
        self.pairs = 0
        self.events = 0
        self.shortened = False

    def run(self, pairs: Sequence[Pair]) -> Outcome:
        """Both rounds over all values of the claim, ending with the first violation."""
        self.pairs = len(pairs)
        screened: list[_Screened] = []
        stop = StopReason.BUDGET
        try:
            for number, setting in enumerate(self.settings):
                screened.append(self._screen(number, setting, pairs))
                found = self._test_early(number, screened[number])
                if found:
                    return found
            for number, one in enumerate(screened):
                found = self._test_full(number, one)
                if found:
                    return found
        except OutOfTime:
            stop = StopReason.TIME
            self.notes.append(f"the time limit of {self.job.settings.time_limit:g} s ended the audit before its plan")
        if not self.tested:
            limit = self.job.settings.time_limit
            return Failed(
                kind=FailureKind.BUDGET,
                reason=f"the time limit of {limit:g} s was used up before anything could be tested",
                effort=self.effort(stop),
            )
        return NoViolation(
            tested=tuple(self.tested.values()),
            choices=tuple(self.choices.values()),
            confidence=1 - self.job.settings.alpha,
            effort=self.effort(stop),
        )

    def _screen(self, number: int, setting: Setting, pairs: Sequence[Pair]) -> _Screened:
        pairs = setting.fitting(pairs)
        choices = find_choices(self.job, self.session, pairs, setting)
        prepared = prepare(self.session, pairs, choices, (number, _PREPARE))
        for note in (program_note(self.job, choices), *prepared.notes):
            if note and note not in self.notes:
                self.notes.append(note)
        inputs = len(prepared.inputs.data) * len(prepared.choices)
        if self.session.seconds_per_run > _SLOW:
            self._fit_into_time(inputs)
        tallies: list[Tally] = []
        for index, choice in enumerate(prepared.choices):
            self.choices.setdefault(repr([(a.name, a.value) for a in choice.arguments]), choice.arguments)
            tallies.append(
                tally_runs(
                    self.session,
                    prepared.inputs.data,
                    choice,
                    self.stages.screen,
                    (number, _SCREEN, index),
                    f"trying inputs{_at(setting)}",
                    noise_free=prepared.noise_free[index],
                )
            )
        self._fit_into_time(inputs)
        self.events = max(self.events, sum(tally.events for tally in tallies))
        candidates = candidates_of(prepared.inputs, tallies, setting.epsilon, setting.delta)
        return _Screened(setting, prepared, tuple(tallies), tuple(candidates))

    def _fit_into_time(self, inputs: int) -> None:
        """Plan the runs, and shorten all stages if the mechanism is too slow for the time limit."""
        plan = len(self.settings) * self.stages.runs(inputs, 2 * KEPT)
        allowed = 0.9 * self.job.settings.time_limit / max(self.session.seconds_per_run, 1e-9)
        if not self.shortened and plan > allowed:
            self.shortened = True
            self.stages = self.stages.scaled(allowed / plan)
            self.notes.append(
                f"one run takes {self.session.seconds_per_run * 1e3:.2g} ms, so the test has {self.stages.test:,} runs "
                f"on a side instead of {self.job.settings.test_runs:,}; --time-limit allows more"
            )
        self.session.planned = len(self.settings) * self.stages.runs(inputs, 2 * KEPT)

    def _test_early(self, number: int, screened: _Screened) -> Violation | None:
        if not screened.candidates:
            return self._record(number, screened.setting, None, self.levels.early)
        best = screened.candidates[0]
        return self._test(number, screened, best, self.stages.early_test, self.levels.early, _EARLY)

    def _test_full(self, number: int, screened: _Screened) -> Violation | None:
        setting, prepared = screened.setting, screened.prepared
        kept = screened.candidates[:KEPT]
        selected: list[Candidate | None] = []
        for choice in dict.fromkeys(c.choice for c in kept):
            mine = [c for c in kept if c.choice == choice]
            sides = list(dict.fromkeys(side for c in mine for side in c.sides))
            tally = tally_runs(
                self.session,
                [prepared.inputs.data[side] for side in sides],
                prepared.choices[choice],
                self.stages.select,
                (number, _SELECT, choice),
                f"choosing the event{_at(setting)}",
                grids=screened.tallies[choice].grids,
            )
            for c in mine:
                local = (sides.index(c.sides[0]), sides.index(c.sides[1]))
                selected.append(best_event(tally, choice, c.pair, local, setting.epsilon, setting.delta))
        best_first = ranked(selected)
        if not best_first:
            return self._record(number, setting, None, self.levels.full)
        return self._test(number, screened, best_first[0], self.stages.test, self.levels.full, _TEST)

    def _test(
        self, number: int, screened: _Screened, candidate: Candidate, runs: int, level: float, stage: int
    ) -> Violation | None:
        setting, choice = screened.setting, screened.prepared.choices[candidate.choice]
        hits = count_hits(self.session, candidate, choice, runs, (number, stage), f"testing{_at(setting)}")
        judgement = judge(hits, setting.epsilon, setting.delta, level)
        return self._record(number, setting, (candidate, choice, judgement), level)

    def _record(
        self, number: int, setting: Setting, test: tuple[Candidate, Choice, Judgement] | None, level: float
    ) -> Violation | None:
        p_value, lower, runs = 1.0, 0.0, 0
        if test is not None:
            p_value, lower, runs = test[2].p_value, test[2].lower, test[2].hits.runs
        rejected = p_value < level
        self.tested[number] = TestedEpsilon(
            epsilon=setting.epsilon,
            delta=setting.delta,
            parameters=setting.parameters,
            p_value=p_value,
            lower=lower,
            runs=runs,
            rejected=rejected,
        )
        if test is None or not rejected:
            return None
        return Violation(
            counterexample=_counterexample(*test, alpha=self.job.settings.alpha, seed=self.session.seed),
            tested=tuple(self.tested.values()),
            epsilon_tested=setting.epsilon,
            delta_tested=setting.delta,
            epsilon_lower=lower,
            confidence=1 - self.job.settings.alpha,
            evidence=Evidence.STATISTICAL,
            effort=self.effort(StopReason.VIOLATION),
        )

    def effort(self, stop: StopReason) -> Effort:
        """What was spent so far."""
        return Effort(
            runs=self.session.runs,
            seconds=self.session.seconds,
            pairs=self.pairs,
            argument_choices=len(self.choices),
            events=self.events,
            alpha=self.job.settings.alpha,
            seed=self.session.seed,
            stop=stop,
            notes=tuple(self.notes),
        )


def count_hits(
    session: Session, candidate: Candidate, choice: Choice, runs: int, stream: tuple[int, ...], phase: str
) -> Hits:
    """Count an event on fresh runs of both sides of its pair."""
    data = [session.data_value(candidate.pair, 1), session.data_value(candidate.pair, 2)]
    counter = EventCounter([candidate.event], len(data), session.texts)
    for chunk in session.sample(data, choice.values, runs, stream, phase):
        for side, batch in enumerate(chunk.batches):
            counter.add(side, batch)
    ((count1, count2),) = counter.hits()
    return Hits(count1, count2, runs)


def _counterexample(
    candidate: Candidate, choice: Choice, judgement: Judgement, *, alpha: float, seed: int
) -> Counterexample:
    pair, hits = candidate.pair, judgement.hits
    d1, d2 = (pair.d1, pair.d2) if judgement.forward else (pair.d2, pair.d1)
    return Counterexample(
        d1=d1,
        d2=d2,
        arguments=(*choice.fixed, *choice.arguments),
        event=candidate.event.expression(),
        count1=hits.count1,
        count2=hits.count2,
        runs1=hits.runs,
        runs2=hits.runs,
        p1=hits.count1 / hits.runs,
        p2=hits.count2 / hits.runs,
        interval1=interval(hits.count1, hits.runs, alpha),
        interval2=interval(hits.count2, hits.runs, alpha),
        confidence=1 - alpha,
        p_value=judgement.p_value,
        log_e_value=None,
        seed=seed,
    )


def _at(setting: Setting) -> str:
    inner = ", ".join(f"{a.name} = {a.value}" for a in setting.parameters)
    return f", {inner}" if inner else ""
