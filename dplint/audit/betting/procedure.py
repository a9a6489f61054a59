"""The procedure that bets: anytime, on lanes or on calls of the function."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dplint.audit.betting.carry_over import CarriedOver
from dplint.audit.betting.rounds import Rounds
from dplint.audit.procedure import Facts, Needs
from dplint.audit.session import AuditSession
from dplint.jobs import AuditJob
from dplint.outcomes import NoViolation, Outcome, Underpowered
from dplint.program.refusals import Unsupported


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
        if self.needs is Needs.RUNS and not isinstance(job.program, Unsupported):
            carried_over = carried_over.off_lanes()
        session.coverage.earlier_runs = carried_over.runs
        rounds = Rounds(job, session, carried_over, facts.suggestions)
        outcome = rounds.run(session.find_pairs())
        if isinstance(outcome, NoViolation) or (isinstance(outcome, Underpowered) and outcome.tested):
            session.state = rounds.state()
        return outcome
