"""Which input and which event to test: StatDP's EventSelector, on cells that were counted once.

Ding et al., "Detecting Violations of Differential Privacy", CCS 2018, Algorithm 3. What is chosen here is only a
proposal: it is tested on runs that took no part in the choice.

Running every input a little, to see which deserve more: one tally for each choice of arguments.

The test of one proposal on fresh runs: StatDP's HypothesisTester, valid for delta > 0 as well; runs and levels.

One mechanism against a range of tested epsilons: the figures 2 to 4 of Ding et al. (CCS 2018).

The mechanism runs with its claim's parameters fixed, e.g. epsilon = 0.7, and is tested as if it had claimed each value
of the range in turn. All values share the runs for selection; for each one an input and an event are chosen, and each
chosen input is tested on fresh runs. As in the paper each point is a test of its own: without correction.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, TypeAlias

import numpy as np

from dplint.audit.inputs import Choice, find_choices, program_note
from dplint.audit.preparation import Prepared, prepare
from dplint.audit.procedure import Facts, Needs
from dplint.audit.session import AuditSession
from dplint.audit.settings import Setting
from dplint.audit.tally import Tally
from dplint.claims import Pair
from dplint.events.conditions import Event
from dplint.events.counting import CellCounter, EventCounter
from dplint.events.grids import Grid
from dplint.events.split_runs import PILOT_RUNS, discover_grids
from dplint.jobs import AuditSettings, SweepJob
from dplint.outcomes import Argument, Curve, CurveLine, CurvePoint, ExactCurve
from dplint.runner.batch import Batch
from dplint.runner.client import DataValue
from dplint.statistics.intervals import (
    loss_lower_bound,
    loss_p_value,
    scores,
    thinned_lower_bound,
    thinned_p_value,
    two_sided,
)


def tally_runs(
    session: AuditSession,
    data: Sequence[DataValue],
    choice: Choice,
    runs: int,
    stream: tuple[int, ...],
    phase: str,
    grids: tuple[Grid, ...] | None = None,
    noise_free: Sequence[Batch] = (),
) -> Tally:
    """Run every data value `runs` times and count cells. Without `grids` they are found in the first runs."""
    counter: CellCounter | None = None if grids is None else CellCounter(grids, len(data), session.texts)
    waiting: list[tuple[Batch, ...]] = []
    pilot = 0
    for chunk in session.sample(data, choice.values, runs, stream, phase):
        waiting.append(chunk.batches)
        pilot += chunk.runs
        if counter is None and pilot < min(runs, PILOT_RUNS):
            continue
        if counter is None:
            grids = discover_grids([batch for batches in waiting for batch in batches], noise_free, session.texts)
            counter = CellCounter(grids, len(data), session.texts)
        for batches in waiting:
            for side, batch in enumerate(batches):
                counter.add(side, batch)
        waiting.clear()
    assert grids is not None
    assert counter is not None
    return Tally(grids, counter.counts(), runs)


def candidates_of(prepared: Prepared, tallies: Sequence[Tally], epsilon: float, delta: float) -> list[Candidate]:
    """The best event of every pair under every choice of arguments that it may be used with, most promising first."""
    inputs = prepared.inputs
    return ranked(
        [
            best_event(tally, number, pair, sides, epsilon, delta)
            for number, tally in enumerate(tallies)
            for pair, sides in zip(inputs.pairs, inputs.sides, strict=True)
            if pair.size not in prepared.without[number]
        ]
    )


LEAST_SHARE = 0.001
"""Events with count1 + count2 below this share of n e^epsilon are skipped (Algorithm 3)."""
_PLAIN_PER_STEP = 0.02
"""How much of its score an event may lack, for each step in simplicity, and still be preferred."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An event on a pair, with the score that it had on the runs it was chosen on. Higher is more promising."""

    choice: int
    """Number of the choice of arguments."""
    pair: Pair
    sides: tuple[int, int]
    """Numbers of the pair's data values in the tally."""
    event: Event
    score: float
    worth: float
    """The score, lowered for events and data that are hard to take in; candidates are ranked by it."""


def best_event(
    tally: Tally, choice: int, pair: Pair, sides: tuple[int, int], epsilon: float, delta: float
) -> Candidate | None:
    """The most promising event for P1(E) > e^epsilon P2(E) + delta; None if all are too rare."""
    if not tally.events:
        return None
    count1, count2 = tally.totals[sides[0]], tally.totals[sides[1]]
    score = scores(count1, count2, tally.runs, epsilon, delta)
    # Above epsilon ~ 7 the published rule would skip everything; an event that fills its side is never too rare.
    score[(count1 + count2) < min(LEAST_SHARE * tally.runs * math.exp(epsilon), tally.runs / 2)] = -np.inf
    worth = np.where(score > 0, score * (1 - _PLAIN_PER_STEP * tally.complexities), score)
    index = int(np.argmax(worth))
    if not np.isfinite(score[index]):
        return None
    return Candidate(choice, pair, sides, tally.event(index), float(score[index]), float(worth[index]))


def ranked(candidates: Sequence[Candidate | None]) -> list[Candidate]:
    """The candidates, most promising first; shorter data wins where the difference is within 5 %."""
    present = [c for c in candidates if c is not None]
    if not present:
        return []
    smallest = min(c.pair.size for c in present)

    def key(candidate: Candidate) -> float:
        return candidate.worth * (1.05 if candidate.pair.size == smallest and candidate.worth > 0 else 1.0)

    return sorted(present, key=key, reverse=True)


_EARLY = 20
"""The early round has this many times fewer runs than the full one."""
_LEAST = 200
"""No stage gets fewer runs on a side, however slow the mechanism."""
KEPT = 8
"""Inputs that go on from the screening of all inputs to the full selection."""


@dataclass(frozen=True, slots=True)
class Stages:
    """Runs on each side: screening all inputs, an early test, selecting on the kept inputs, the full test."""

    screen: int
    early_test: int
    select: int
    test: int

    def runs(self, inputs: int, kept: int) -> int:
        """Single executions for one value of the claim, given the number of data values screened and kept."""
        return self.screen * inputs + 2 * self.early_test + self.select * kept + 2 * self.test

    def scaled(self, factor: float) -> Stages:
        """The same with every stage shortened, for a mechanism too slow for the time limit."""
        return Stages(*(max(_LEAST, int(n * factor)) for n in (self.screen, self.early_test, self.select, self.test)))


def stages_of(settings: AuditSettings) -> Stages:
    """The stages for the settings: 100,000 and 500,000 as published, a twentieth of that for the early round."""
    select, test = settings.select_runs, settings.test_runs
    return Stages(max(_LEAST, select // _EARLY), max(_LEAST, test // _EARLY), select, test)


@dataclass(frozen=True, slots=True)
class Levels:
    """The levels of the two tests of one value of the claim.

    By the union bound over both rounds and all values of the claim, a right mechanism is flagged with probability at
    most alpha: a quarter goes to the early round, which only has to see what is blatant.
    """

    early: float
    full: float


def levels_of(alpha: float, values: int) -> Levels:
    """Split alpha over the rounds and the values of the claim."""
    return Levels(early=0.25 * alpha / values, full=0.75 * alpha / values)


@dataclass(frozen=True, slots=True)
class Hits:
    """How often an event happened in equally many runs on D1 and on D2."""

    count1: int
    count2: int
    runs: int

    @property
    def swapped(self) -> Hits:
        """The same seen from D2."""
        return Hits(self.count2, self.count1, self.runs)


@dataclass(frozen=True, slots=True)
class TestResult:
    """p_value: for a violation in either direction. lower: lower confidence bound for the loss in the better direction.

    forward: whether D1 is the likelier side, so that the counterexample reads as it was proposed.
    """

    p_value: float
    lower: float
    forward: bool
    hits: Hits


def hypothesis_test(hits: Hits, epsilon: float, delta: float, alpha: float) -> TestResult:
    """Test H0: P1(E) <= e^epsilon P2(E) + delta and its mirror image, for an event fixed before these runs.

    delta = 0: StatDP's thinned test. delta > 0: the union of two Clopper-Pearson bounds, which needs no thinning and is
    valid for every delta. Both directions are tested and the smaller p-value is doubled. `lower` inverts the same test
    at alpha / 2 for each direction: it is wrong with probability at most alpha, and above epsilon whenever the test
    rejects at alpha. It is 0 where nothing positive can be said.
    """
    forward, backward = _one_sided(hits, epsilon, delta), _one_sided(hits.swapped, epsilon, delta)
    ahead = forward <= backward
    seen = hits if ahead else hits.swapped
    if delta > 0:
        lower = max(0.0, loss_lower_bound(seen.count1, seen.runs, seen.count2, seen.runs, delta, alpha / 2))
    else:
        lower = thinned_lower_bound(seen.count1, seen.count2, seen.runs, alpha / 2)
    return TestResult(two_sided(forward, backward), lower, ahead, seen)


def _one_sided(hits: Hits, epsilon: float, delta: float) -> float:
    if delta > 0:
        return loss_p_value(hits.count1, hits.runs, hits.count2, hits.runs, epsilon, delta)
    return thinned_p_value(hits.count1, hits.count2, hits.runs, epsilon)


Computing: TypeAlias = Callable[[SweepJob, AuditSession, Setting, Sequence[Pair], Choice], ExactCurve | str]
"""What computes a line without a run, or says why it cannot."""
_PREPARE, _SCREEN, _SELECT, _TEST = range(100, 104)
"""Numbers of the stages in the names of random streams; an audit uses others."""
_INPUTS = 4
"""Pairs that are tested on fresh runs, over all tested epsilons."""


@dataclass(frozen=True)
class Sweep:
    """Tests the mechanism, run at each value of `job.at`, against every epsilon of `job.epsilons`.

    needs: LANES or RUNS. computing: what stands beside each line; None for nothing.
    """

    needs: Needs
    computing: Computing | None = None
    name: ClassVar[str] = "statdp"
    phase: ClassVar[str] = "trying inputs"
    anytime: ClassVar[bool] = False

    def decide(self, session: AuditSession, job: SweepJob, facts: Facts) -> Curve:  # noqa: ARG002 - as published
        """The curve."""
        pairs = session.find_pairs()
        lines = [self._line(job, session, number, setting, pairs) for number, setting in enumerate(session.claimed)]
        effort = replace(session.effort(), looks=1, alpha=job.level)
        return Curve(mechanism=job.mechanism, lines=tuple(lines), level=job.level, effort=effort)

    def _line(
        self, job: SweepJob, session: AuditSession, number: int, setting: Setting, pairs: list[Pair]
    ) -> CurveLine:
        pairs = setting.fitting(pairs)
        # A curve is about one mechanism with fixed arguments: the most promising ones.
        choices = find_choices(job, session, pairs, setting)
        prepared = _first_that_runs(session, pairs, choices, number)
        session.coverage.note(program_note(job, choices), *prepared.notes)
        chosen = _choose(job, session, number, setting, prepared)
        hits = _count(job, session, number, prepared, [c for c in chosen if c is not None])
        points = [
            _point(job, setting, prepared, epsilon, candidate, hits)
            for epsilon, candidate in zip(job.epsilons, chosen, strict=True)
        ]
        exact = "" if self.computing is None else self.computing(job, session, setting, pairs, prepared.choices[0])
        return CurveLine(
            parameters=setting.parameters,
            claimed=setting.epsilon,
            points=tuple(points),
            exact=exact if isinstance(exact, ExactCurve) else None,
            not_exact=exact if isinstance(exact, str) else "",
        )


def _first_that_runs(session: AuditSession, pairs: list[Pair], choices: list[Choice], number: int) -> Prepared:
    for choice in choices[:-1]:
        prepared = prepare(session, pairs, [choice], (number, _PREPARE), needed=False)
        if prepared.choices:
            return prepared
    return prepare(session, pairs, choices[-1:], (number, _PREPARE))


def _choose(
    job: SweepJob, session: AuditSession, number: int, setting: Setting, prepared: Prepared
) -> list[Candidate | None]:
    """For every tested epsilon the most promising input and event."""
    stages = stages_of(job.settings)
    data, choices = prepared.inputs.data, prepared.choices
    sides = len(data) * len(choices)
    session.planned = session.planned or len(session.claimed) * stages.runs(sides, len(data) + 2 * KEPT)
    screened = [
        tally_runs(session, data, choice, stages.screen, (number, _SCREEN, i), "trying inputs", None, noise)
        for i, (choice, noise) in enumerate(zip(choices, prepared.noise_free, strict=True))
    ]
    kept = [
        candidate
        for epsilon in job.epsilons
        for candidate in candidates_of(prepared, screened, epsilon, setting.delta)[: KEPT // 2]
    ]
    inputs = {(c.choice, repr((c.pair.d1, c.pair.d2))): c for c in kept}
    found: dict[float, list[Candidate | None]] = {epsilon: [] for epsilon in job.epsilons}
    for choice in sorted({c.choice for c in inputs.values()}):
        mine = [c for c in inputs.values() if c.choice == choice]
        numbers = sorted({side for c in mine for side in c.sides})
        tally = tally_runs(
            session,
            [data[n] for n in numbers],
            choices[choice],
            stages.select,
            (number, _SELECT, choice),
            "choosing events",
            screened[choice].grids,
        )
        for epsilon in job.epsilons:
            for c in mine:
                local = (numbers.index(c.sides[0]), numbers.index(c.sides[1]))
                found[epsilon].append(best_event(tally, choice, c.pair, local, epsilon, setting.delta))
    return _on_few_inputs([ranked(found[epsilon]) for epsilon in job.epsilons])


def _on_few_inputs(rankings: list[list[Candidate]]) -> list[Candidate | None]:
    """The first of each ranking, but all on a few inputs: each input that is tested costs runs of its own."""
    firsts = [ranking[0] for ranking in rankings if ranking]
    votes: dict[tuple[int, str], float] = {}
    for candidate in firsts:
        votes[_key(candidate)] = votes.get(_key(candidate), 0.0) + max(candidate.worth, 0.0)
    kept = sorted(votes, key=lambda key: -votes[key])[:_INPUTS]
    return [next((c for c in ranking if _key(c) in kept), None) for ranking in rankings]


_Test = tuple[int, str, Event]


def _key(candidate: Candidate) -> tuple[int, str]:
    return candidate.choice, repr((candidate.pair.d1, candidate.pair.d2))


def _count(
    job: SweepJob, session: AuditSession, number: int, prepared: Prepared, chosen: list[Candidate]
) -> dict[_Test, Hits]:
    """Fresh runs of every chosen input, once for all the events chosen on it."""
    result: dict[_Test, Hits] = {}
    for index, key in enumerate(dict.fromkeys(_key(c) for c in chosen)):
        mine = [c for c in chosen if _key(c) == key]
        events = list(dict.fromkeys(c.event for c in mine))
        data = [session.data_value(mine[0].pair, 1), session.data_value(mine[0].pair, 2)]
        counter = EventCounter(events, len(data), session.texts)
        arguments = prepared.choices[key[0]].values
        runs = job.settings.test_runs
        for chunk in session.sample(data, arguments, runs, (number, _TEST, index), "testing"):
            for side, batch in enumerate(chunk.batches):
                counter.add(side, batch)
        for event, (count1, count2) in zip(events, counter.hits(), strict=True):
            result[(*key, event)] = Hits(count1, count2, runs)
    return result


def _point(
    job: SweepJob,
    setting: Setting,
    prepared: Prepared,
    epsilon: float,
    candidate: Candidate | None,
    hits: dict[_Test, Hits],
) -> CurvePoint:
    arguments: tuple[Argument, ...] = ()
    if candidate is None:
        return CurvePoint(
            epsilon=epsilon, p_value=1.0, lower=0.0, rejected=False, d1=None, d2=None, arguments=arguments, event=None
        )
    result = hypothesis_test(hits[(*_key(candidate), candidate.event)], epsilon, setting.delta, job.level)
    choice = prepared.choices[candidate.choice]
    pair = candidate.pair
    return CurvePoint(
        epsilon=epsilon,
        p_value=result.p_value,
        lower=result.lower,
        rejected=result.p_value < job.level,
        d1=pair.d1 if result.forward else pair.d2,
        d2=pair.d2 if result.forward else pair.d1,
        arguments=(*choice.fixed, *choice.arguments),
        event=candidate.event.expression(),
    )
