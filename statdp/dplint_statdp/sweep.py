"""One mechanism against a range of tested epsilons: the figures 2 to 4 of Ding et al. (CCS 2018).

The mechanism runs with its claim's parameters fixed, e.g. epsilon = 0.7, and is tested as if it had claimed each value
of the range in turn. All values share the runs for selection; for each one an input and an event are chosen, and each
chosen input is tested on fresh runs. As in the paper each point is a test of its own: without correction.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, TypeAlias

from dplint.audit.exact.table import exact_curve
from dplint.audit.inputs import Choice, find_choices, program_note
from dplint.audit.preparation import Prepared, prepare
from dplint.audit.procedure import Facts, Needs
from dplint.audit.session import AuditSession
from dplint.audit.settings import Setting
from dplint.claims import Pair
from dplint.events.conditions import Event
from dplint.events.counting import EventCounter
from dplint.jobs import SweepJob
from dplint.outcomes import Argument, Curve, CurveLine, CurvePoint, ExactCurve
from dplint_statdp.selection import Candidate, best_event, candidates_of, ranked, tally_runs
from dplint_statdp.testing import KEPT, Hits, hypothesis_test, stages_of

_PREPARE, _SCREEN, _SELECT, _TEST = range(100, 104)
"""Numbers of the stages in the names of random streams; an audit uses others."""
_INPUTS = 4
"""Pairs that are tested on fresh runs, over all tested epsilons."""


@dataclass(frozen=True)
class Sweep:
    """Tests the mechanism, run at each value of `job.at`, against every epsilon of `job.epsilons`.

    needs: LANES or RUNS. Beside each line stands what is computed exactly, or why nothing is.
    """

    needs: Needs
    name: ClassVar[str] = "statdp"
    phase: ClassVar[str] = "trying inputs"

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
        exact = exact_curve(job, session, setting, pairs, prepared.choices[0])
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


_Test: TypeAlias = tuple[int, str, Event]


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
