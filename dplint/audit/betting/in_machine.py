"""The procedure that bets on how numbers are stored: first on the two inputs that tell most, then on all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from dplint.audit.betting.carry_over import CarriedOver
from dplint.audit.betting.rounds import Rounds
from dplint.audit.procedure import Facts, Needs
from dplint.audit.session import AuditSession
from dplint.claims import Pair
from dplint.jobs import AuditJob
from dplint.outcomes import Outcome, Violation

_FIRST = 2
"""Pairs of the first bets: one, in both orders."""
_SHARE = 0.4
"""Of the budget, or of the runs, for these."""


@dataclass(frozen=True)
class BettingInMachineNumbers:
    """Bets on calls of the function itself; half of alpha for the first pair, and half for all."""

    needs: Needs = Needs.RUNS
    name: ClassVar[str] = "anytime"
    phase: ClassVar[str] = "looking at machine numbers"
    anytime: ClassVar[bool] = True

    def decide(self, session: AuditSession, job: AuditJob, facts: Facts) -> Outcome:  # noqa: ARG002
        """A violation as soon as there is one; else what would have been found."""
        pairs = session.find_pairs()
        found = _played(session, job, _SHARE, pairs[:_FIRST])
        return found if isinstance(found, Violation) else _played(session, job, 1 - _SHARE, pairs)


def _played(session: AuditSession, job: AuditJob, share: float, pairs: Sequence[Pair]) -> Outcome:
    settings = job.settings
    runs = None if settings.max_runs is None else session.runs + max(1, int(share * settings.max_runs))
    part = replace(settings, alpha=settings.alpha / 2, budget=share * settings.budget, max_runs=runs)
    return Rounds(replace(job, settings=part), session, CarriedOver()).run(pairs)
