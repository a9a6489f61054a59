"""The procedure that bets: anytime, on lanes or on calls of the function."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from dplint.audit.betting.carry_over import CarriedOver
from dplint.audit.betting.climbing_rounds import ClimbingRounds
from dplint.audit.comparing import UNCOMPARED
from dplint.audit.procedure import Facts, Needs
from dplint.audit.run_blocks import TOO_LARGE, NotOnLanes
from dplint.audit.session import AuditSession
from dplint.jobs import AuditJob
from dplint.outcomes import NoViolation, Outcome, Underpowered

_AFTER_A_PROOF = 0.05
"""Seconds of budget where the claim is proved for every length."""


@dataclass(frozen=True)
class Betting:
    """One pass of the anytime test, going on from `job.state` if there is one. needs: LANES or RUNS."""

    needs: Needs
    name: ClassVar[str] = "anytime"
    phase: ClassVar[str] = "trying inputs"
    anytime: ClassVar[bool] = True

    def decide(self, session: AuditSession, job: AuditJob, facts: Facts) -> Outcome:
        """A violation as soon as there is one; else what would have been found."""
        carried_over = CarriedOver.read(job.state)
        if self.needs is Needs.RUNS:
            carried_over = carried_over.off_lanes()
        session.coverage.earlier_runs = carried_over.runs
        session.rejected |= carried_over.rejected
        proof = facts.proof
        if proof is not None and proof.scope.full and UNCOMPARED not in proof.scope.assumptions:
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
