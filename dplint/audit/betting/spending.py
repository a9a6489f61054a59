"""What a pass may spend, and how it tells what it has got for it."""

from __future__ import annotations

import math

from dplint.audit.betting.carry_over import CarriedOver
from dplint.audit.betting.claim_test import ClaimTest
from dplint.audit.betting.outcome import Reporter
from dplint.audit.session import AuditSession
from dplint.jobs import AuditJob
from dplint.outcomes import Standing
from dplint.runner import time_had

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
