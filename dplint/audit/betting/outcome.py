"""What an anytime audit says at its end: the simplest counterexample and the strongest, or what was tried."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from itertools import count, islice

import numpy as np

from dplint.audit.betting.carry_over import CarriedOver
from dplint.audit.betting.claim_test import ClaimTest
from dplint.audit.betting.input_groups import InputGroup, Proposal
from dplint.audit.betting.noise_seen import noise_note
from dplint.audit.betting.portfolio import Bet, CoupledBet, Portfolio
from dplint.audit.endings import OutOfTime
from dplint.audit.lane_runs import WrongTranslation
from dplint.audit.session import CHECKED_LANES, AuditSession
from dplint.audit.too_little import sees_twice_the_claim, too_little, underpowered
from dplint.audit.watching import watched
from dplint.events.conditions import Event
from dplint.events.counting import EventCounter
from dplint.events.families.raised_name import RaisedName
from dplint.events.printed import PrintedEvent
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
from dplint.runner.client import RunnerError
from dplint.statistics.coupled import coupled_interval, least_given
from dplint.statistics.intervals import agree, interval
from dplint.statistics.power import detectable_epsilon

_CONFIRM_RUNS = 20_000
_CONFIRM_SECONDS = 0.3
_CONFIRM_RUNS_UNTIMED = 2_000
_SIMPLER_SECONDS = 0.5
_SIMPLER_RUNS = 500_000
"""How long a simpler counterexample is looked for, once there is one; a block may have so many runs."""
_SIMPLER_GROWTH = 0.25
"""A simpler event must promise at least this share of the growth of the one that won."""
_SIMPLE_FIRST_BLOCK, _LEAST_SIMPLE_BLOCK = 4_000, 500
_SHARE, _PROBABILITY = 0.05, 0.95
"""Of the event and of finding it, for the statement of what would have been found."""
_CRASH_RUNS, _MOST_OFFERS = 20, 40
"""How often a pair is called to see whether one side never comes through, and for how many events that is asked."""
_SCREENED, _SCREEN_SECONDS, _MOST_GROUPS = 2_000, 1.0, 4
"""Runs of every data value that something better than an exception is looked for in, seconds that they may take, and in
how many input groups.
"""
_CHECKS, _SIMPLER, _CONFIRMED, _EXAMPLE, _WATCHED, _PATH, _CRASH = 8, 9, 10, 11, 12, 13, 14
"""Numbers of the stages in the names of random streams."""


class Reporter:
    """The state of a pass that its outcome is made of."""

    def __init__(self, job: AuditJob, session: AuditSession, carried_over: CarriedOver) -> None:
        self.job = job
        self.session = session
        self.carried_over = carried_over
        self.stream: tuple[int, ...] = (carried_over.passes,)
        self.claim_tests: list[ClaimTest] = []
        self.stop = StopReason.BUDGET
        self.out_of_time = ""
        self._timed = job.settings.max_runs is None
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
        self.session.coverage.note(self.session.glance.note)
        powers = self._powers()
        found = NoViolation(
            tested=self.tested(),
            choices=tuple(self.session.coverage.choices.values()),
            confidence=1 - self.job.settings.alpha,
            effort=self.effort(),
            power=max(powers, key=lambda power: power.epsilon - power.claimed, default=None),
        )
        return found if sees_twice_the_claim(powers) else too_little(self.job, found, powers)

    def _powers(self) -> list[Power]:
        """What would have been found, at each value of the claim that was played."""
        return [
            Power(
                claimed=claim_test.setting.epsilon,
                epsilon=detectable_epsilon(
                    max(_SHARE, 2 * claim_test.setting.delta),
                    claim_test.blocks(),
                    claim_test.last_weight,
                    claim_test.portfolio.level,
                    claim_test.setting.epsilon,
                    claim_test.setting.delta,
                    _PROBABILITY,
                    claim_test.screened,
                ),
                share=max(_SHARE, 2 * claim_test.setting.delta),
                probability=_PROBABILITY,
            )
            for claim_test in sorted(self.claim_tests, key=lambda one: one.number)
            if claim_test.played
        ]

    def violation(self, claim_test: ClaimTest, stop: StopReason) -> Violation:
        """The claim is refuted. Raises NotOnLanes if the translation does not hold on the pair that shows it."""
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

    def _check(self, bet: Bet) -> None:
        """The check of the translation on the pair that a verdict rests on."""
        data = [bet.group.inputs.data[side] for side in bet.sides]
        stream = (*self.stream, _CHECKS)
        self.session.check_lanes(data, bet.group.choice.values, CHECKED_LANES, stream, needed=True)

    def _simplest(self, claim_test: ClaimTest, strongest: Bet) -> Bet:
        """The simplest bet that refutes the claim by itself: one that has, or one that does on runs of its own."""
        portfolio = claim_test.portfolio
        enough = -math.log(portfolio.level)
        won = [bet for bet in portfolio.bets if math.log(bet.weight) + bet.log_wealth[portfolio.claimed] >= enough]
        best = min(won, key=_difficulty, default=strongest)
        wanted = _SIMPLER_GROWTH * strongest.growth
        offers: list[Proposal | Bet] = [
            p
            for group in claim_test.groups
            if group.size <= claim_test.smallest
            for p in group.proposals(claim_test.setting.epsilon, claim_test.setting.delta)
            if p.growth >= wanted
        ]
        if best is strongest and best not in won:
            offers.append(strongest)
        started = time.monotonic()
        for number, offer in enumerate(sorted(offers, key=_difficulty)[:3]):
            if _difficulty(offer) >= _difficulty(best) and best in won:
                break
            found = self._alone(claim_test, offer, (*self.stream, claim_test.number, _SIMPLER, number), started)
            if found is not None:
                return found
        return best

    def _is_crash(self, item: Bet | Proposal) -> bool:
        """Whether an event rests on an exception: it asks for one, or on one side of the pair no run comes through."""
        if OutputEvent(item.event.expression()).of_exceptions:
            return True
        if self._affordable_block() < _LEAST_SIMPLE_BLOCK:
            return False
        output = "output.returned" if self.job.mechanism.claim.observe else "output"
        raised = PrintedEvent(f"isinstance({output}, Exception)")
        try:
            blocks = self._hits(item.group, item.sides, raised, _CRASH_RUNS, (*self.stream, _CRASH), plain=True)
        except (OutOfTime, RunnerError):
            return False
        one, two = (sum(hits[side] for hits, _ in blocks) == _CRASH_RUNS for side in (0, 1))
        return one != two

    def _beside_crash(self, claim_test: ClaimTest) -> Bet | None:
        """A bet that refutes the claim by itself and does not rest on an exception, beside one that does."""
        portfolio = claim_test.portfolio
        enough = -math.log(portfolio.level)
        won = [bet for bet in portfolio.bets if math.log(bet.weight) + bet.log_wealth[portfolio.claimed] >= enough]
        for bet in sorted(won, key=_difficulty):
            if not isinstance(bet, CoupledBet) and not self._is_crash(bet):
                self._check(bet)
                return bet
        setting, started = claim_test.setting, time.monotonic()
        self._screen_more(claim_test)
        offers = [
            p
            for group in claim_test.groups
            for p in group.proposals(setting.epsilon, setting.delta)
            if p.growth * _SIMPLER_RUNS >= enough
        ]
        fitting = (p for p in sorted(offers, key=lambda p: -p.growth)[:_MOST_OFFERS] if not self._is_crash(p))
        for number, offer in enumerate(islice(fitting, 3)):
            found = self._alone(claim_test, offer, (*self.stream, claim_test.number, _CRASH, number), started)
            if found is not None:
                return found
        return None

    def _screen_more(self, claim_test: ClaimTest) -> None:
        """A crash shows in a few runs, in which nothing else does, or in those of a suggestion: more for all inputs."""
        most, groups = self.job.settings.max_runs, claim_test.groups[:_MOST_GROUPS]
        if most is None:
            most = int(_SCREEN_SECONDS / max(self.session.seconds_per_run, 1e-9))
        for group in groups:
            missing = min(_SCREENED - group.runs, most // (len(groups) * len(group.inputs.data)))
            if missing <= 0:
                continue
            try:
                for _ in group.screen(missing, "looking beside an exception"):
                    pass
            except (OutOfTime, RunnerError):
                # There is a violation already, which a run that fails now does not take back.
                return

    def _alone(
        self, claim_test: ClaimTest, offer: Proposal | Bet, stream: tuple[int, ...], started: float
    ) -> Bet | None:
        """A bet with money of its own, on runs of its own; None if it does not get there in time."""
        purse = Portfolio(
            grid=claim_test.portfolio.grid,
            claimed=claim_test.portfolio.claimed,
            delta=claim_test.portfolio.delta,
            level=claim_test.portfolio.level,
            carried=np.zeros(len(claim_test.portfolio.grid)),
        )
        (bet,) = purse.enter([offer])
        bet.weight = 1.0  # no reserve: all of the money is on the one bet
        runs = self._affordable_block()
        if runs < _LEAST_SIMPLE_BLOCK:
            return None
        try:
            for block in count():
                for hits, made in self._hits(bet.group, bet.sides, bet.event, runs, (*stream, block)):
                    purse.pay([bet], [hits], made)
                if purse.rejected:
                    self._check(bet)
                    return bet
                if runs > _SIMPLER_RUNS or (self._timed and time.monotonic() - started > _SIMPLER_SECONDS):
                    return None
                runs *= 2
        except (OutOfTime, RunnerError):
            # There is a violation already, which a run that fails now does not take back.
            return None
        return None

    def _affordable_block(self) -> int:
        """Runs of the first block on a simpler counterexample: they may not take longer than all that it may take."""
        seconds = 2 * self.session.seconds_per_run
        if not self._timed or seconds <= 0:
            return _SIMPLE_FIRST_BLOCK
        return min(_SIMPLE_FIRST_BLOCK, int(_SIMPLER_SECONDS / seconds))

    def _hits(
        self,
        group: InputGroup,
        sides: tuple[int, int],
        event: Event | PrintedEvent,
        runs: int,
        stream: tuple[int, ...],
        *,
        plain: bool = False,
    ) -> list[tuple[tuple[int, int], int]]:
        """Hits on both sides, chunk by chunk."""
        data = [group.inputs.data[side] for side in sides]
        found = []
        for chunk in self.session.sample(
            data, group.choice.values, runs, stream, "confirming", plain=plain, checked=0 if plain else CHECKED_LANES
        ):
            counter = EventCounter([event], 2, self.session.texts)
            for side, batch in enumerate(chunk.batches):
                counter.add(side, batch)
            ((one, two),) = counter.hits()
            found.append(((one, two), chunk.runs))
        return found

    def _confirm(self, bet: Bet) -> Confirmation | None:
        """Count the event anew on runs of the function itself, if the translation made those that it was found on."""
        if self.session.lanes is None or self.session.seconds > self.job.settings.time_limit:
            return None
        stream = (*self.stream, _CONFIRMED)
        try:
            runs = _CONFIRM_RUNS_UNTIMED
            if self._timed:
                before = time.monotonic()
                self._hits(bet.group, bet.sides, bet.event, 50, (*stream, 0), plain=True)
                seconds = (time.monotonic() - before) / 50
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
                "runs of the function itself do not show what its translation showed: "
                f"{count1} and {count2} of {total:,} against {bet.fresh1} and {bet.fresh2} of {bet.fresh_runs:,}"
            )
        return Confirmation(count1=count1, count2=count2, runs=total, agrees=agrees)

    def _draws(self, bet: Bet) -> tuple[ExampleDraw, ...]:
        """Of one run on D1 with the event."""
        d1 = bet.group.inputs.data[bet.sides[0]]
        return self.session.example(d1, bet.group.choice.values, bet.event.expression(), (*self.stream, _EXAMPLE))

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


def _difficulty(item: Proposal | Bet) -> tuple[int, int, int, bool, int, float]:
    """How hard a counterexample is to take in.

    Shorter data first, then whole numbers, fewer places that differ, an exception by its name rather than what is
    returned where none is raised, the plainer event, and smaller numbers.
    """
    pair = item.pair
    places = list(
        zip(*(side if isinstance(side, list | tuple) else [side] for side in (pair.d1, pair.d2)), strict=False)
    )
    numbers = [x for place in places for x in place if isinstance(x, int | float)]
    broken = sum(not float(x).is_integer() for x in numbers)
    unnamed = not any(isinstance(feature, RaisedName) for feature in item.event.features)
    return pair.size, broken, sum(a != b for a, b in places), unnamed, item.complexity, sum(map(abs, numbers))
