"""The simplest bet that refutes a claim by itself, and one that rests on no exception beside one that does."""

from __future__ import annotations

import math
from itertools import count, islice

import numpy as np

from dplint.audit.betting.claim_test import ClaimTest
from dplint.audit.betting.input_groups import InputGroup, Proposal
from dplint.audit.betting.portfolio import Bet, CoupledBet, Portfolio
from dplint.audit.progress import OutOfTime
from dplint.audit.session import CHECKED_LANES, AuditSession
from dplint.events.conditions import Event
from dplint.events.counting import EventCounter
from dplint.events.families.type_name import RaisedName
from dplint.events.printed import PrintedEvent
from dplint.jobs import AuditJob
from dplint.outcomes import OutputEvent
from dplint.runner import time_had
from dplint.runner.client import RunnerError

_SIMPLER_SECONDS = 0.5
_SIMPLER_RUNS = 500_000
"""How long a simpler counterexample is looked for, once there is one; a block may have so many runs."""
_SIMPLER_GROWTH = 0.25
"""A simpler event must promise at least this share of the growth of the one that won."""
_SIMPLE_FIRST_BLOCK, _LEAST_SIMPLE_BLOCK = 4_000, 500
_CRASH_RUNS, _MOST_OFFERS = 20, 40
"""How often a pair is called to see whether one side never comes through, and for how many events that is asked."""
_SCREENED, _SCREEN_SECONDS, _MOST_GROUPS = 2_000, 1.0, 4
"""Runs of every data value that something better than an exception is looked for in, seconds that they may take, and in
how many input groups.
"""
_CHECKS, _SIMPLER, _CRASH = 8, 9, 14
"""Numbers of the stages in the names of random streams."""


class SimplerBets:
    """What is tried once a claim is refuted, so that the counterexample shown is easy to take in."""

    def __init__(self, job: AuditJob, session: AuditSession, stream: tuple[int, ...]) -> None:
        self.job = job
        self.session = session
        self.stream = stream
        self._timed = job.settings.max_runs is None

    def _check(self, bet: Bet) -> None:
        """The replay on the pair that a verdict rests on."""
        data = [bet.group.inputs.data[side] for side in bet.sides]
        stream = (*self.stream, _CHECKS)
        self.session.check_lanes(data, bet.group.choice.values, CHECKED_LANES, stream, needed=True)

    def _simplest(self, claim_test: ClaimTest, strongest: Bet) -> Bet:
        """The simplest bet that refutes the claim by itself: one that has, or one that does on runs of its own."""
        portfolio = claim_test.portfolio
        won = portfolio.won_alone()
        best = min(won, key=_difficulty, default=strongest)
        wanted = _SIMPLER_GROWTH * strongest.growth
        offers: list[Proposal] = [
            p
            for group in claim_test.groups
            if group.size <= claim_test.smallest
            for p in group.proposals(claim_test.setting.epsilon, claim_test.setting.delta)
            if p.growth >= wanted
        ]
        if best is strongest and best not in won:
            offers.append(strongest)
        started = time_had.now()
        for number, offer in enumerate(sorted(offers, key=_difficulty)[:3]):
            if _difficulty(offer) >= _difficulty(best) and best in won:
                break
            found = self._alone(claim_test, offer, (*self.stream, claim_test.number, _SIMPLER, number), started)
            if found is not None:
                return found
        return best

    def _is_crash(self, item: Proposal) -> bool:
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
        for bet in sorted(portfolio.won_alone(), key=_difficulty):
            if not isinstance(bet, CoupledBet) and not self._is_crash(bet):
                self._check(bet)
                return bet
        setting, started = claim_test.setting, time_had.now()
        self._screen_more(claim_test)
        offers = [
            p
            for group in claim_test.groups
            for p in group.proposals(setting.epsilon, setting.delta)
            if p.growth * _SIMPLER_RUNS >= -math.log(portfolio.level)
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

    def _alone(self, claim_test: ClaimTest, offer: Proposal, stream: tuple[int, ...], started: float) -> Bet | None:
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
        runs, spent, most = self._affordable_block(), 0, self.job.settings.max_runs or math.inf
        if runs < _LEAST_SIMPLE_BLOCK:
            return None
        try:
            for block in count():
                for hits, made in self._hits(bet.group, bet.sides, bet.event, runs, (*stream, block)):
                    purse.pay([bet], [hits], made)
                if purse.rejected:
                    self._check(bet)
                    return bet
                spent += runs
                if (
                    runs > _SIMPLER_RUNS
                    or spent + 2 * runs > most
                    or (self._timed and time_had.now() - started > _SIMPLER_SECONDS)
                ):
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


def _difficulty(item: Proposal) -> tuple[int, int, int, bool, int, float]:
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
    return pair.size, broken, sum(a != b for a, b in places), unnamed, item.event.complexity, sum(map(abs, numbers))
