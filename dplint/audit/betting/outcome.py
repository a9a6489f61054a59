"""What an anytime audit says at its end: the simplest counterexample and the strongest, or what was tried.

Beside a violation it says which noise its pair gets, by a few watched calls: from which lines, how large, on which
sides.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath

import numpy as np

from dplint.audit.betting.claim_test import CarriedOver, ClaimTest
from dplint.audit.betting.portfolio import Bet, CoupledBet
from dplint.audit.betting.simpler import SimplerBets
from dplint.audit.inputs import untried_note
from dplint.audit.progress import OutOfTime
from dplint.audit.run_blocks import WrongTranslation
from dplint.audit.session import AuditSession
from dplint.audit.settings import Setting
from dplint.audit.too_little import HAD_TURN, NO_TURN, sees_something, sees_twice_the_claim, too_little, underpowered
from dplint.audit.watching import example_in_event, watched
from dplint.claims import Literal
from dplint.jobs import AuditJob, AuditState
from dplint.outcomes import (
    Bounds,
    Confirmation,
    CountedEvidence,
    Counterexample,
    CoupledRuns,
    Effort,
    ExampleDraw,
    Failed,
    FailureKind,
    NoViolation,
    Outcome,
    OutputEvent,
    Power,
    Standing,
    StopReason,
    TestedEpsilon,
    Violation,
    Witness,
)
from dplint.runner import time_had
from dplint.runner.batch import DataValue
from dplint.runner.client import RunnerError, SeenDraws
from dplint.statistics.betting import detectable_epsilon
from dplint.statistics.coupled import coupled_interval, least_given
from dplint.statistics.intervals import agree, interval

_RUNS = 3
_MOST_PLACES = 5


def noise_note(
    session: AuditSession, data: Sequence[DataValue], arguments: Mapping[str, Literal], stream: tuple[int, ...]
) -> str | None:
    """The noise on D1 and D2 in words; None on lanes, whose report shows the draws of a run, or if none was seen.

    A help for the reader and no part of the evidence, so whatever fails in it leaves the verdict alone.
    """
    if session.lanes is not None:
        return None
    try:
        first, second = session.look(data, arguments, _RUNS, stream)
    except (RunnerError, OutOfTime):
        return None
    return described(first.draws, second.draws, session.mechanism.path)


def described(first: Sequence[SeenDraws], second: Sequence[SeenDraws], path: str) -> str | None:
    """The draws of both sides in words, line by line. path: of the file whose lines need no name."""
    ours, theirs = (
        {(one.file, one.line, one.distribution): one for one in side if one.low} for side in (first, second)
    )
    places = sorted({*ours, *theirs}, key=lambda place: (place[0] != path, place))
    told = [_told(ours.get(place), theirs.get(place), path) for place in places[:_MOST_PLACES]]
    more = f"; and {len(places) - len(told)} more" if len(places) > len(told) else ""
    return f"noise on the pair shown: {'; '.join(told)}{more}" if told else None


def _told(one: SeenDraws | None, two: SeenDraws | None, path: str) -> str:
    some = one or two
    assert some is not None
    where = f"line {some.line}" + ("" if some.file == path else f" of {PurePath(some.file).name}")
    if one is None or two is None:
        return f"{where}, {some.distribution} of scale {_scale(some)} on {'D1' if two is None else 'D2'} alone"
    scales = _scale(one), _scale(two)
    said = f"{where}, {some.distribution} of scale {scales[0]}"
    if scales[0] != scales[1]:
        return f"{said} on D1 and {scales[1]} on D2, so that it depends on the data"
    if one.count != two.count:
        return f"{said}, drawn {_times(one)} on D1 and {_times(two)} on D2"
    return said


def _scale(draws: SeenDraws) -> str:
    low, high = (f"{one:.4g}" for one in (draws.low or 0.0, draws.high or 0.0))
    return low if low == high else f"{low} to {high}"


def _times(draws: SeenDraws) -> str:
    count = draws.count / _RUNS
    return "once" if count == 1 else f"{count:.3g} times"


_CONFIRM_RUNS = 20_000
_CONFIRM_SECONDS = 0.3
_CONFIRM_RUNS_UNTIMED = 2_000
_SHARE, _PROBABILITY = 0.05, 0.95
"""Of the event and of finding it, for the statement of what would have been found."""
_CONFIRMED, _EXAMPLE, _WATCHED, _PATH = 10, 11, 12, 13
"""Numbers of the stages in the names of random streams, beside those of `simpler`."""


def _is_enough(powers: Sequence[Power]) -> bool:
    return sees_twice_the_claim(powers) and sees_something(powers)


class Reporter(SimplerBets):
    """The state of a pass that its outcome is made of."""

    def __init__(self, job: AuditJob, session: AuditSession, carried_over: CarriedOver) -> None:
        super().__init__(job, session, (carried_over.passes,))
        self.carried_over = carried_over
        self.claim_tests: list[ClaimTest] = []
        self.stop = StopReason.BUDGET
        self.out_of_time = ""
        self.standing: Standing | None = None

    def effort(self) -> Effort:
        """What was spent so far."""
        return self.session.effort(self.stop)

    def state(self) -> AuditState:
        """What a later pass goes on from: the wealth of this one, and that its random streams are used up."""
        claim_tests = [(claim_test.setting, claim_test.portfolio) for claim_test in self.claim_tests]
        session = self.session
        return self.carried_over.followed_by(
            claim_tests, session.runs, session.rejected, lanes=session.lanes is not None
        )

    def tested(self) -> tuple[TestedEpsilon, ...]:
        """Every value of the claim, with its evidence, in the order of the claim."""
        return tuple(self._tested(claim_test) for claim_test in sorted(self.claim_tests, key=lambda one: one.number))

    def _tested(self, claim_test: ClaimTest) -> TestedEpsilon:
        portfolio = claim_test.portfolio
        best = max(portfolio.log_e_value, 0.0)
        return TestedEpsilon(
            epsilon=claim_test.setting.epsilon,
            delta=claim_test.setting.delta,
            parameters=claim_test.setting.parameters,
            p_value=min(1.0, math.exp(-best) * self.job.settings.alpha / portfolio.level),
            lower=portfolio.lower(),
            runs=max((bet.fresh_runs for bet in portfolio.bets), default=0),
            rejected=portfolio.rejected,
            log_e_value=best,
        )

    @property
    def _why_nothing(self) -> str:
        """Why nothing could be tried."""
        why = self.out_of_time or f"the {self._limit} was used up before anything could be tried"
        return f"not enough time: {why}" if self._timed or self.out_of_time else why

    @property
    def _limit(self) -> str:
        settings = self.job.settings
        if self.stop is StopReason.TIME:
            return f"time limit of {settings.time_limit:g} s"
        return (
            f"budget of {settings.budget:g} s" if settings.max_runs is None else f"budget of {settings.max_runs:,} runs"
        )

    def no_violation(self) -> Outcome:
        """The claim stands, for what was tried."""
        if not any(group.runs for claim_test in self.claim_tests for group in claim_test.groups):
            if self.stop is StopReason.CANCELLED:
                reason = "the audit was ended before anything could be tried"
                return Failed(kind=FailureKind.CANCELLED, reason=reason, effort=self.effort())
            return underpowered(self.job, self.effort(), self._why_nothing)
        for claim_test in self.claim_tests:
            leader = claim_test.portfolio.leader(claim_test.portfolio.claimed)
            if leader is not None:
                self._check(leader)
        left = self._values_not_played
        self.session.coverage.note(left)
        played = [group.choice for claim_test in self.claim_tests for group in claim_test.groups if group.runs]
        self.session.coverage.note(self.session.glance.note, untried_note(self.job.mechanism, played))
        powers = self._powers()
        found = NoViolation(
            tested=self.tested(),
            choices=tuple(self.session.coverage.choices.values()),
            confidence=1 - self.job.settings.alpha,
            effort=self.effort(),
            power=max(powers, key=lambda power: power.epsilon - power.claimed, default=None),
        )
        return found if _is_enough(powers) and left is None else too_little(self.job, found, powers)

    def has_seen_enough(self) -> bool:
        """Whether a pass that ended now would not be underpowered."""
        played = any(one.played for one in self.claim_tests) and self._values_not_played is None
        return played and _is_enough(self._powers())

    @property
    def _values_not_played(self) -> str | None:
        """Which values of the claim had no turn; None if all had one."""
        played = [claim_test.setting for claim_test in self.claim_tests if claim_test.played]
        left = [setting for setting in self.session.claimed if setting not in played]
        values = ", ".join(dict.fromkeys(f"{setting.epsilon:g}" for setting in left))
        return f"{NO_TURN} {values} {HAD_TURN}" if left else None

    def _powers(self) -> list[Power]:
        """What would have been found, at each value of the claim that was played."""
        return [
            Power(
                claimed=claim_test.setting.epsilon,
                epsilon=detectable_epsilon(
                    _share(claim_test.setting),
                    claim_test.blocks(),
                    claim_test.last_weight,
                    claim_test.portfolio.level,
                    claim_test.setting.epsilon,
                    claim_test.setting.delta,
                    _PROBABILITY,
                    claim_test.screened,
                ),
                share=_share(claim_test.setting),
                probability=_PROBABILITY,
                left_out=self.session.coverage.left_out[1],
            )
            for claim_test in sorted(self.claim_tests, key=lambda one: one.number)
            if claim_test.played
        ]

    def violation(self, claim_test: ClaimTest, stop: StopReason) -> Violation:
        """The claim is refuted. Raises NotOnLanes if a replay fails on the pair that shows it."""
        self.stop = stop
        portfolio = claim_test.portfolio
        at = int(np.searchsorted(portfolio.grid, max(portfolio.lower(), claim_test.setting.epsilon)))
        strongest = portfolio.leader(at)
        assert strongest is not None
        self._check(strongest)
        coupled = isinstance(strongest, CoupledBet)
        simplest = strongest if coupled else self._simplest(claim_test, strongest)
        if not coupled and self._is_crash(simplest):
            simplest = self._beside_crash(claim_test) or simplest
        confirmation = strongest.confirmation if isinstance(strongest, CoupledBet) else self._confirm(simplest)
        seen = [simplest.group.inputs.data[side] for side in simplest.sides]
        values = simplest.group.choice.values
        self.session.coverage.note(noise_note(self.session, seen, values, (*self.stream, _WATCHED)))
        shown = replace(self._counterexample(claim_test, simplest), draws=self._draws(simplest))
        path = watched(self.session, seen, values, shown, (*self.stream, _PATH))
        return Violation(
            counterexample=shown,
            strongest=None if simplest is strongest else self._counterexample(claim_test, strongest),
            confirmation=confirmation,
            tested=self.tested(),
            epsilon_tested=claim_test.setting.epsilon,
            delta_tested=claim_test.setting.delta,
            epsilon_lower=portfolio.lower(),
            confidence=1 - self.job.settings.alpha,
            effort=self.effort(),
            watched=path,
        )

    def _confirm(self, bet: Bet) -> Confirmation | None:
        """Count the event anew on runs of the function itself, if operations made those that it was found on."""
        if self.session.lanes is None or self.session.seconds > self.job.settings.time_limit:
            return None
        stream = (*self.stream, _CONFIRMED)
        try:
            runs = _CONFIRM_RUNS_UNTIMED
            if self._timed:
                before = time_had.now()
                self._hits(bet.group, bet.sides, bet.event, 50, (*stream, 0), plain=True)
                seconds = (time_had.now() - before) / 50
                runs = min(_CONFIRM_RUNS, int(_CONFIRM_SECONDS / max(seconds, 1e-9)))
            blocks = self._hits(bet.group, bet.sides, bet.event, runs, (*stream, 1), plain=True) if runs >= 100 else []
        except (RunnerError, OutOfTime):
            return None
        if not blocks:
            return None
        count1, count2 = (sum(hits[side] for hits, _ in blocks) for side in (0, 1))
        total = sum(made for _, made in blocks)
        agrees = agree(count1, total, bet.fresh1, bet.fresh_runs) and agree(count2, total, bet.fresh2, bet.fresh_runs)
        if not agrees:
            raise WrongTranslation(
                "runs of the function itself do not show what its operations showed: "
                f"{count1} and {count2} of {total:,} against {bet.fresh1} and {bet.fresh2} of {bet.fresh_runs:,}"
            )
        return Confirmation(count1=count1, count2=count2, runs=total, agrees=agrees)

    def _draws(self, bet: Bet) -> tuple[ExampleDraw, ...]:
        """Of one run on D1 with the event."""
        d1 = bet.group.inputs.data[bet.sides[0]]
        return example_in_event(
            self.session, d1, bet.group.choice.values, bet.event.expression(), (*self.stream, _EXAMPLE)
        )

    def _counterexample(self, claim_test: ClaimTest, bet: Bet) -> Counterexample:
        alpha, runs = self.job.settings.alpha, bet.fresh_runs
        # On the scale of the mechanism, where 1 / alpha refutes the claim, over all values of the claim and all bets.
        own = math.log(bet.weight) + float(bet.log_money[claim_test.portfolio.claimed])
        log_e = own + math.log(claim_test.portfolio.level / alpha)
        witness = Witness(
            d1=bet.pair.d1,
            d2=bet.pair.d2,
            arguments=(*bet.group.choice.fixed, *bet.group.choice.arguments),
            observation=OutputEvent(bet.event.expression()),
        )
        runs1 = bet.runs_on_d1 if isinstance(bet, CoupledBet) else runs
        evidence = CountedEvidence(
            count1=bet.fresh1,
            count2=bet.fresh2,
            runs1=runs1,
            runs2=runs,
            interval1=Bounds(*interval(bet.fresh1, runs1, alpha)),
            interval2=Bounds(*interval(bet.fresh2, runs, alpha)),
            confidence=1 - alpha,
            p_value=min(1.0, math.exp(-log_e)),
            log_e_value=log_e,
            seed=self.session.seed,
        )
        if isinstance(bet, CoupledBet):
            evidence = _beside_a_model(evidence, bet, alpha)
        lower = claim_test.portfolio.lower_of(bet)
        return Counterexample(witness=witness, evidence=evidence, epsilon_lower=lower)


def _share(setting: Setting) -> float:
    """The probability of an event that is to be found: well above delta, which alone it may have on D1."""
    return min(1.0, max(_SHARE, 2 * setting.delta))


def _beside_a_model(evidence: CountedEvidence, bet: CoupledBet, alpha: float) -> CountedEvidence:
    """The evidence of a coupled bet."""
    made = bet.simulated
    assert made is not None
    on_d1 = coupled_interval(made, 0, bet.one, alpha)
    if bet.given:
        # Of the event where the model is not in it only the plain runs tell.
        plain = bet.confirmation
        most = 1.0 if plain is None else interval(plain.count1, plain.runs, alpha)[1]
        on_d1 = least_given(made, bet.one, alpha), most
    return replace(
        evidence,
        interval1=Bounds(*on_d1),
        interval2=Bounds(*coupled_interval(made, 1, bet.two, alpha)),
        coupled=CoupledRuns(
            model_runs=made.runs if made.computed is None else 0,
            p1=made.shares[0],
            p2=made.shares[1],
            differ1=bet.one.function + bet.one.model,
            differ2=bet.two.function + bet.two.model,
            given=bet.given,
            losses=() if bet.coupling is None else bet.coupling.losses,
        ),
    )
