"""What a pass may spend, and how it tells what it has got for it.

Bets on runs beside a model of the noise: few runs show a small error, where plain runs would take many.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import count

import numpy as np

from dplint.audit.betting.claim_test import CarriedOver, ClaimTest
from dplint.audit.betting.outcome import Reporter
from dplint.audit.betting.portfolio import CoupledBet
from dplint.audit.procedure import suspicious_words
from dplint.audit.session import AuditSession
from dplint.events.counting import EventCounter
from dplint.jobs import AuditJob
from dplint.outcomes import Confirmation, Standing
from dplint.runner import time_had
from dplint.runner.client import GivenNoise, Trace
from dplint.statistics.coupled import Simulated
from dplint.statistics.intervals import agree

_LEAST_RUNS = 20


class BudgetSpent(Exception):
    """The budget of the pass is used up."""


class Spending(Reporter):
    """A pass with its budget."""

    def __init__(self, job: AuditJob, session: AuditSession, carried_over: CarriedOver) -> None:
        super().__init__(job, session, carried_over)
        self._started, self._before = time_had.now(), session.runs
        self.reserved = 0
        """Runs that others were asked for, of those that count as soon as they have come."""

    @property
    def _runs(self) -> int:
        return self.session.runs + self.reserved

    def target(self, claim_test: ClaimTest) -> float:
        """The epsilon that bets should refute next: the claim's, or the way from the lower bound to what was seen."""
        if not self.job.settings.keep_going:
            return claim_test.setting.epsilon
        lower = claim_test.portfolio.lower()
        seen = max((bet.loss(claim_test.setting.delta) for bet in claim_test.portfolio.bets), default=0.0)
        return lower + max(0.0, seen - lower) / 2 if lower or seen else claim_test.setting.epsilon / 2

    def affordable(self, runs: int, sides: int, share: float) -> int:
        """So many runs of each of the data values, or fewer if the budget does not allow them."""
        self.check_budget()
        if self.job.settings.max_runs is not None:
            return self.at_most(runs, sides)
        seconds = self.session.seconds_per_run * sides
        left = min(share * self.job.settings.budget, self._seconds_left)
        return max(_LEAST_RUNS, min(runs, int(left / seconds))) if seconds > 0 else runs

    def at_most(self, runs: int, sides: int) -> int:
        """So many runs of each of the data values, or fewer where the budget is counted in runs."""
        if self.job.settings.max_runs is None:
            return runs
        return min(runs, max(1, (self.job.settings.max_runs - self._runs) // max(sides, 1)))

    def runs_left(self, seconds: float, sides: float) -> float:
        """Runs of each of the data values until the budget is spent, if one takes so many seconds."""
        if self.job.settings.max_runs is not None:
            return (self.job.settings.max_runs - self.session.runs) / sides
        return self._seconds_left / max(seconds * sides, 1e-9)

    @property
    def _seconds_left(self) -> float:
        return self.job.settings.budget - (time_had.now() - self._started)

    def spent(self) -> float:
        """The share of the budget that is spent."""
        settings = self.job.settings
        if settings.max_runs is not None:
            return (self.session.runs - self._before) / max(settings.max_runs - self._before, 1)
        return (time_had.now() - self._started) / max(settings.budget, 1e-9)

    def check_budget(self) -> None:
        """Raise BudgetSpent, OutOfTime or Cancelled if it is time to end."""
        self.session.check_cancelled()
        limit = self.job.settings.max_runs
        if limit is not None:
            self.session.check_time()
            if self._runs >= limit:
                raise BudgetSpent
        elif time_had.now() - self._started >= self.job.settings.budget:
            raise BudgetSpent

    def announce(self, claim_test: ClaimTest) -> None:
        """Tell whoever waits how things stand."""
        leader = claim_test.portfolio.leader(claim_test.portfolio.claimed)
        log_e = claim_test.portfolio.log_e_value
        self.standing = Standing(
            epsilon=claim_test.setting.epsilon,
            lower=claim_test.portfolio.lower(),
            event=leader.event.expression() if leader is not None else "",
            log_e_value=log_e,
            share=min(1.0, max(0.0, log_e / -math.log(claim_test.portfolio.level))),
        )
        self.session.announce(f"betting{claim_test.words}", self.standing)


_FIRST_SIMULATED = 200_000
_WIDTH = 0.25
"""Share of the margin that bounds by simulated runs may take."""
_DEVIATIONS = 7.5
"""How wide these bounds are, in standard errors."""
_MOST_NUMBERS = 40_000_000
"""Numbers that may be simulated for a bet, a second or two."""
_OFTEN = 0.6
"""An event of this probability is as well waited for."""
_FIRST_BLOCK, _LARGEST_BLOCK = 50, 1_000
_SPARE = 1.15
"""How many times as many runs as needed the last block completes: a bet begins carefully."""
_MORE = 0.3
"""Share of the runs that are made once more where these were barely enough."""
_PATIENCE = 3.0
"""How many times as many runs a bet that gains may take beyond those it would if function and model agreed."""
_HOPE = 1.5
"""How many times as many runs as seem affordable are still begun."""
_TRACED = 2.0
"""How many times as long as a plain run a traced one takes, at most."""
_LEAST_ALIKE, _MOST_ALIKE, _ALIKE_SECONDS = 150, 2_000, 0.5
"""Plain runs that are held against the coupled ones, as many as these, and what they may take."""
_SIMULATED, _COUPLED, _ALIKE = 12, 13, 14
"""Numbers of the stages in the names of random streams."""


def couple(host: Spending, claim_test: ClaimTest, bet: CoupledBet, number: int) -> Iterator[ClaimTest]:
    """Simulate the models, then make coupled runs as long as they pay. Yields when the evidence has changed."""
    portfolio, session = claim_test.portfolio, host.session
    stream = (*host.stream, claim_test.number)
    bet.simulated = _simulated(host, claim_test, bet, (*stream, _SIMULATED, number))
    needed = _needed(claim_test, bet)
    if math.isinf(needed):
        losses = 0.0 if bet.coupling is None else sum(one.loss for one in bet.coupling.losses)
        session.coverage.note(suspicious_words(losses, claim_test.setting.epsilon, claim_test.setting.delta))
        return
    # Given noise needs few runs on D1, where the event is rare enough for that to pay.
    bet.given = bet.simulated.low < _OFTEN
    try:
        for block in count():
            host.check_budget()
            began, before = time_had.now(), bet.fresh_runs
            missing = max(_FIRST_BLOCK, math.ceil(needed / 10), math.ceil(_SPARE * needed) - bet.fresh_runs)
            wanted = min(_LARGEST_BLOCK, _FIRST_BLOCK << block, missing)
            if not _play(host, claim_test, bet, wanted, (*stream, _COUPLED, number, block)):
                return
            left = needed - bet.fresh_runs
            gained = bet.log_money[portfolio.claimed] > 0
            ended = portfolio.rejected or left < -(_PATIENCE if gained else _SPARE - 1) * needed - 2 * _FIRST_BLOCK
            if ended and gained:
                _hold_against_plain_runs(host, claim_test, bet, (*stream, _ALIKE, number))
            sides = 1 + _on_d1(claim_test, bet)
            # The last block was the largest and tells best what runs take; what is done once for the first one is not.
            seconds = (time_had.now() - began) / (sides * max(1, bet.fresh_runs - before))
            affordable = host.runs_left(min(seconds, _TRACED * session.seconds_per_run or seconds), sides)
            more = math.ceil(_MORE * bet.fresh_runs)
            if portfolio.rejected and portfolio.lower() <= claim_test.setting.epsilon and more < affordable:
                # Barely enough: a bound that equals the claim says little.
                _play(host, claim_test, bet, more, (*stream, _COUPLED, number, block + 1))
            host.announce(claim_test)
            yield claim_test
            if ended:
                return
            if left > _HOPE * affordable:
                session.coverage.note(
                    "suspicious, and no violation: by a model of its noise the claim is broken by little; "
                    f"{sides * needed:,.0f} runs beside it would make sure (--budget)"
                )
                return
    finally:
        if bet.confirmation is None:
            portfolio.take_back(bet)


def _on_d1(claim_test: ClaimTest, bet: CoupledBet) -> float:
    """Runs on D1 for each on D2."""
    return bet.most / math.exp(claim_test.setting.epsilon)


def _play(host: Spending, claim_test: ClaimTest, bet: CoupledBet, runs: int, stream: tuple[int, ...]) -> bool:
    """Make a block of so many coupled runs on D2, and pay. False where no noise is to be had for D1."""
    runs = host.at_most(runs, 2)
    traces = _traces(host, bet, (max(1, math.ceil(_on_d1(claim_test, bet) * runs)), runs), stream)
    if traces is None:
        return False
    _pay(claim_test, bet, traces, host)
    host.session.coverage.looks += 1
    return True


def _traces(host: Spending, bet: CoupledBet, runs: tuple[int, int], stream: tuple[int, ...]) -> list[Trace] | None:
    """Coupled runs on D1 and D2; None where no noise is to be had that brings the model into the event."""
    assert bet.coupling is not None
    session, values = host.session, bet.group.choice.values
    given = None
    if bet.given:
        seed = np.random.SeedSequence(session.seed, spawn_key=(*stream, 0))
        given = bet.coupling.given(runs[0], seed, session.texts)
        if given is None:
            return None
    laws = bet.coupling.first.laws
    traces: list[Trace] = []
    for side, some, noise in zip(bet.sides, runs, (given, None), strict=True):
        made = None if noise is None else GivenNoise(laws, noise)
        traces += session.trace([bet.group.inputs.data[side]], values, some, (*stream, 1 + len(traces)), made)
    return traces


def _pay(claim_test: ClaimTest, bet: CoupledBet, traces: list[Trace], host: Spending) -> None:
    """The coupled bet by where its models are off, and the plain ones on the same event by the hits."""
    assert bet.coupling is not None
    one, two = (
        bet.coupling.compared(trace, host.session.texts, first=first)
        for trace, first in zip(traces, (True, False), strict=True)
    )
    claim_test.portfolio.pay_coupled(bet, (one, two))


def _simulated(host: Spending, claim_test: ClaimTest, bet: CoupledBet, stream: tuple[int, ...]) -> Simulated:
    """Computed probabilities, if simulated runs are likely by these; else enough runs of the models for bounds that
    take a small part of the margin, on a stream of their own.
    """
    assert bet.coupling is not None
    host.session.announce(f"simulating the noise{claim_test.words}")
    first, second = np.random.SeedSequence(host.session.seed, spawn_key=stream).spawn(2)
    texts = host.session.texts
    numbers = max(1, len(bet.coupling.first.laws))
    most = max(_FIRST_SIMULATED, _MOST_NUMBERS // (numbers + 1))
    rough = bet.coupling.simulated(min(most, _FIRST_SIMULATED), first, texts)
    if bet.coupling.computed is not None:
        computed = replace(rough, computed=bet.coupling.computed)
        if computed.is_likely:
            return computed
    c = math.exp(host.target(claim_test))
    p1, p2 = rough.count1 / rough.runs, rough.count2 / rough.runs
    margin = max(p1 - c * p2 - claim_test.setting.delta, 1e-9)
    spread = math.sqrt(p1 * (1 - p1)) + c * math.sqrt(p2 * (1 - p2))
    runs = min(most, max(_FIRST_SIMULATED, int((_DEVIATIONS * spread / (_WIDTH * margin)) ** 2)))
    return bet.coupling.simulated(runs, second, texts)


def _needed(claim_test: ClaimTest, bet: CoupledBet) -> float:
    """Runs on D2 that refute the claim if function and model agree; inf if none do."""
    assert bet.simulated is not None
    portfolio = claim_test.portfolio
    epsilon = claim_test.setting.epsilon
    margin = float(bet.simulated.margin(epsilon, portfolio.delta))
    goal = -math.log(portfolio.level) - math.log(bet.weight)
    return goal * math.exp(epsilon) / margin if margin > 0 else math.inf


def _hold_against_plain_runs(host: Spending, claim_test: ClaimTest, bet: CoupledBet, stream: tuple[int, ...]) -> None:
    """Take the money back if runs that nobody traces are of another law: a function may look at its generator."""
    session, began = host.session, time_had.now()
    seconds = 2 * max(session.seconds_per_run, 1e-9)
    runs = min(max(bet.fresh_runs, _LEAST_ALIKE), _MOST_ALIKE)
    if host.job.settings.max_runs is None:
        runs = min(runs, max(_LEAST_ALIKE, int(_ALIKE_SECONDS / seconds)))
    counter = EventCounter([bet.event], 2, session.texts)
    made = 0
    data = [bet.group.inputs.data[side] for side in bet.sides]
    for chunk in session.sample(data, bet.group.choice.values, runs, stream, "confirming", plain=True):
        made += chunk.runs
        for side, batch in enumerate(chunk.batches):
            counter.add(side, batch)
        if time_had.now() - began > 2 * _ALIKE_SECONDS and host.job.settings.max_runs is None:
            break
    ((count1, count2),) = counter.hits()
    assert bet.simulated is not None
    # Runs with given noise say nothing of how often the event is there; the model does, which they have agreed with.
    seen = (bet.simulated.count1, bet.simulated.runs) if bet.given else (bet.fresh1, bet.runs_on_d1)
    alike = agree(count1, made, *seen) and agree(count2, made, bet.fresh2, bet.fresh_runs)
    bet.confirmation = Confirmation(count1=count1, count2=count2, runs=made, agrees=alike)
    if not alike:
        claim_test.portfolio.take_back(bet)
        session.coverage.note(
            "what models of the noise suggested was left out: the function does something else when its draws are seen"
        )
