"""The procedures that bet: anytime, on lanes or on calls of the function, and on how numbers are stored."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from dplint.audit.betting.claim_test import CarriedOver, ClaimTest
from dplint.audit.betting.rounds import Rounds
from dplint.audit.betting.suggested import add_suggested, usable
from dplint.audit.comparing import UNCOMPARED
from dplint.audit.procedure import Facts, Needs
from dplint.audit.run_blocks import TOO_LARGE, NotOnLanes
from dplint.audit.session import AuditSession
from dplint.claims import Pair
from dplint.jobs import ANYTIME, AuditJob
from dplint.outcomes import NoViolation, Outcome, Underpowered, Violation

_FIRST = 2
"""Pairs of the first bets: one, in both orders."""
_FIRST_SHARE = 0.4
"""Of the budget, or of the runs, for these."""


@dataclass(frozen=True)
class BettingInMachineNumbers:
    """Bets on calls of the function itself; half of alpha for the first pair, and half for all."""

    needs: Needs = Needs.RUNS
    name: ClassVar[str] = ANYTIME
    phase: ClassVar[str] = "looking at machine numbers"

    def decide(self, session: AuditSession, job: AuditJob, facts: Facts) -> Outcome:  # noqa: ARG002
        """A violation as soon as there is one; else what would have been found."""
        pairs = session.find_pairs()
        found = _played(session, job, _FIRST_SHARE, pairs[:_FIRST])
        return found if isinstance(found, Violation) else _played(session, job, 1 - _FIRST_SHARE, pairs)


def _played(session: AuditSession, job: AuditJob, share: float, pairs: Sequence[Pair]) -> Outcome:
    settings = job.settings
    runs = None if settings.max_runs is None else session.runs + max(1, int(share * settings.max_runs))
    part = replace(settings, alpha=settings.alpha / 2, budget=share * settings.budget, max_runs=runs)
    return Rounds(replace(job, settings=part), session, CarriedOver()).run(pairs)


_SHARE, _SHORT, _LONG, _NIGHT = 0.1, 2.0, 10.0, 300.0
"""Of the budget; the most seconds for all values of the claim together, and those with a budget for a night."""
_FAR = 0.2
"""Share of what refutes a claim, as an exponent, below which bets do not seem to grow."""
_LEAST = 0.3
"""Seconds of a search below which it is not worth its beginning."""


class ClimbingRounds(Rounds):
    """See the module. A climb is asked for once for each value of the claim."""

    def __init__(self, job: AuditJob, session: AuditSession, carried_over: CarriedOver, facts: Facts) -> None:
        super().__init__(job, session, carried_over, facts.suggestions)
        self._search = facts.search
        self._climbed: set[int] = set()

    def _turn(self, claim_test: ClaimTest, number: int) -> Iterator[ClaimTest]:
        """As others do; if bets are far from refuting the claim by its end, what a climb comes to is tried, too."""
        yield from super()._turn(claim_test, number)
        share = claim_test.portfolio.log_e_value / -math.log(claim_test.portfolio.level)
        if number > 0 and claim_test.number not in self._climbed and share < _FAR:
            self._climbed.add(claim_test.number)
            yield from self._try_climbed(claim_test)

    def _try_climbed(self, claim_test: ClaimTest) -> Iterator[ClaimTest]:
        budget = self.job.settings.budget
        seconds = min(_SHARE * budget, _LONG if budget >= _NIGHT else _SHORT) / len(self.session.claimed)
        if self._search is None or seconds < _LEAST:
            return
        self.session.announce(f"climbing to inputs that lose more{claim_test.words}")
        found = usable(self.session, self._search(claim_test.setting, seconds))
        before = len(claim_test.groups)
        add_suggested(self, claim_test, found)
        yield from self._try_groups(claim_test, claim_test.groups[before:])


_AFTER_A_PROOF = 0.05
"""Seconds of budget where the claim is proved for every length."""


@dataclass(frozen=True)
class Betting:
    """One pass of the anytime test, going on from `job.state` if there is one. needs: LANES or RUNS."""

    needs: Needs
    name: ClassVar[str] = ANYTIME
    phase: ClassVar[str] = "trying inputs"

    def decide(self, session: AuditSession, job: AuditJob, facts: Facts) -> Outcome:
        """A violation as soon as there is one; else what would have been found."""
        carried_over = CarriedOver.read(job.state)
        if self.needs is Needs.RUNS:
            carried_over = carried_over.off_lanes()
        session.coverage.earlier_runs = carried_over.runs
        session.rejected |= carried_over.rejected
        proof = facts.proof
        if proof is not None and proof.scope.settled and UNCOMPARED not in proof.scope.assumptions:
            # Nothing is left to be found but an error of dplint: the program may not be the function.
            short = replace(job.settings, budget=min(job.settings.budget, _AFTER_A_PROOF))
            job = replace(job, settings=short)
        rounds = ClimbingRounds(job, session, carried_over, facts)
        try:
            outcome = rounds.run(session.find_pairs())
        except NotOnLanes as reason:
            reason.level_left = rounds.level_left()
            raise
        except MemoryError:
            if self.needs is Needs.RUNS:
                raise
            refused = NotOnLanes(TOO_LARGE)
            refused.level_left = rounds.level_left()
            raise refused from None
        if isinstance(outcome, NoViolation) or (isinstance(outcome, Underpowered) and outcome.tested):
            session.state = rounds.state()
        return outcome
