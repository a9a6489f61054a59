"""The audit of one mechanism: screen all inputs, test early what is blatant, then select and test in full.

Ding et al., "Detecting Violations of Differential Privacy", CCS 2018, Algorithms 1 and 2, in two rounds: an early one
with few runs for what is blatant, and the published one. Each round selects on its own runs and tests on fresh ones;
the level is split between them, so that looking twice does not add false alarms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from dplint.audit.inputs import Choice, find_choices, program_note, untried_note
from dplint.audit.preparation import Prepared, prepare
from dplint.audit.procedure import Facts, Needs
from dplint.audit.progress import OutOfTime
from dplint.audit.session import AuditSession
from dplint.audit.settings import Setting
from dplint.audit.tally import Tally
from dplint.audit.watching import example_in_event
from dplint.claims import Pair
from dplint.events.counting import EventCounter
from dplint.jobs import AuditJob
from dplint.outcomes import (
    Bounds,
    CountedEvidence,
    Counterexample,
    ExampleDraw,
    Failed,
    FailureKind,
    NoViolation,
    Outcome,
    OutputEvent,
    StopReason,
    TestedEpsilon,
    Violation,
    Witness,
)
from dplint.statistics.intervals import interval
from dplint_statdp.selection import Candidate, best_event, candidates_of, ranked, tally_runs
from dplint_statdp.testing import KEPT, Hits, Stages, TestResult, hypothesis_test, levels_of, stages_of

_PREPARE, _SCREEN, _EARLY, _SELECT, _TEST, _EXAMPLE = range(6)
"""Numbers of the stages in the names of random streams."""
_SLOW = 1e-3
"""Seconds for one run from which on the time limit is looked at before all inputs are screened."""


@dataclass(frozen=True)
class StatDP:
    """The published test, at every value of the claim. needs: LANES or RUNS."""

    needs: Needs
    name: ClassVar[str] = "statdp"
    phase: ClassVar[str] = "trying inputs"

    def decide(self, session: AuditSession, job: AuditJob, facts: Facts) -> Outcome:  # noqa: ARG002 - as published
        """A violation, or no violation found with the planned runs; what others suggest is not looked at."""
        session.coverage.looks = 1
        return _Audit(job, session).run(session.find_pairs())


@dataclass(frozen=True, slots=True)
class _Screened:
    """What trying all inputs of one setting showed: a tally for each choice of arguments, and the best events."""

    setting: Setting
    prepared: Prepared
    tallies: tuple[Tally, ...]
    candidates: tuple[Candidate, ...]


class _Audit:
    """The state of one audit: what was screened and tested so far."""

    def __init__(self, job: AuditJob, session: AuditSession) -> None:
        self.job = job
        self.session = session
        self.settings = session.claimed
        self.stages: Stages = stages_of(job.settings)
        self.levels = levels_of(job.settings.alpha, len(self.settings))
        self.tested: dict[int, TestedEpsilon] = {}
        self.shortened = False

    def run(self, pairs: Sequence[Pair]) -> Outcome:
        """Both rounds over all values of the claim, ending with the first violation."""
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
            limit = self.job.settings.time_limit
            self.session.coverage.note(f"the time limit of {limit:g} s ended the audit before its plan")
        if not self.tested:
            limit = self.job.settings.time_limit
            return Failed(
                kind=FailureKind.BUDGET,
                reason=f"the time limit of {limit:g} s was used up before anything could be tested",
                effort=self.session.effort(stop),
            )
        tried = [choice for one in screened for choice in one.prepared.choices]
        self.session.coverage.note(untried_note(self.job.mechanism, tried))
        return NoViolation(
            tested=tuple(self.tested.values()),
            choices=tuple(self.session.coverage.choices.values()),
            confidence=1 - self.job.settings.alpha,
            effort=self.session.effort(stop),
        )

    def _screen(self, number: int, setting: Setting, pairs: Sequence[Pair]) -> _Screened:
        pairs = setting.fitting(pairs)
        choices = find_choices(self.job, self.session, pairs, setting)
        prepared = prepare(self.session, pairs, choices, (number, _PREPARE))
        self.session.coverage.note(program_note(self.job, choices), *prepared.notes)
        inputs = len(prepared.inputs.data) * len(prepared.choices)
        if self.session.seconds_per_run > _SLOW:
            self._fit_into_time(inputs)
        tallies: list[Tally] = []
        for index, choice in enumerate(prepared.choices):
            self.session.coverage.choice(choice.arguments)
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
        coverage = self.session.coverage
        coverage.events = max(coverage.events, sum(tally.events for tally in tallies))
        candidates = candidates_of(prepared, tallies, setting.epsilon, setting.delta)
        return _Screened(setting, prepared, tuple(tallies), tuple(candidates))

    def _fit_into_time(self, inputs: int) -> None:
        """Plan the runs, and shorten all stages if the mechanism is too slow for the time limit."""
        plan = len(self.settings) * self.stages.runs(inputs, 2 * KEPT)
        allowed = 0.9 * self.job.settings.time_limit / max(self.session.seconds_per_run, 1e-9)
        if not self.shortened and plan > allowed:
            self.shortened = True
            self.stages = self.stages.scaled(allowed / plan)
            self.session.coverage.note(
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
        result = hypothesis_test(hits, setting.epsilon, setting.delta, level)
        return self._record(number, setting, (candidate, choice, result), level)

    def _record(
        self, number: int, setting: Setting, test: tuple[Candidate, Choice, TestResult] | None, level: float
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
        found = _counterexample(*test, alpha=self.job.settings.alpha, seed=self.session.seed)
        return Violation(
            counterexample=replace(found, draws=self._draws(number, *test)),
            tested=tuple(self.tested.values()),
            epsilon_tested=setting.epsilon,
            delta_tested=setting.delta,
            epsilon_lower=lower,
            confidence=1 - self.job.settings.alpha,
            effort=self.session.effort(StopReason.VIOLATION),
        )

    def _draws(self, number: int, candidate: Candidate, choice: Choice, result: TestResult) -> tuple[ExampleDraw, ...]:
        """Of one run on D1 with the event."""
        d1 = self.session.data_value(candidate.pair, 1 if result.forward else 2)
        return example_in_event(self.session, d1, choice.values, candidate.event.expression(), (number, _EXAMPLE))


def count_hits(
    session: AuditSession, candidate: Candidate, choice: Choice, runs: int, stream: tuple[int, ...], phase: str
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
    candidate: Candidate, choice: Choice, result: TestResult, *, alpha: float, seed: int
) -> Counterexample:
    pair, hits = candidate.pair, result.hits
    d1, d2 = (pair.d1, pair.d2) if result.forward else (pair.d2, pair.d1)
    witness = Witness(
        d1=d1,
        d2=d2,
        arguments=(*choice.fixed, *choice.arguments),
        observation=OutputEvent(candidate.event.expression()),
    )
    evidence = CountedEvidence(
        count1=hits.count1,
        count2=hits.count2,
        runs1=hits.runs,
        runs2=hits.runs,
        interval1=Bounds(*interval(hits.count1, hits.runs, alpha)),
        interval2=Bounds(*interval(hits.count2, hits.runs, alpha)),
        confidence=1 - alpha,
        p_value=result.p_value,
        log_e_value=None,
        seed=seed,
    )
    return Counterexample(witness=witness, evidence=evidence)


def _at(setting: Setting) -> str:
    inner = ", ".join(f"{a.name} = {a.value}" for a in setting.parameters)
    return f", {inner}" if inner else ""
